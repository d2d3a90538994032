// The table of models at a context: settings, losses, regrets, and who may be best.
import { Comparison, Model } from "./evaluate";
import { clip, digits, errorOf, signed, sized } from "./format";
import { download, h, setNumber, setText } from "./dom";
import { colourClass, dash } from "./plot";

interface Row {
  element: HTMLTableRowElement;
  knob: HTMLElement | null;
  value: HTMLElement;
  honest: HTMLElement;
  untuned: HTMLElement | null;
  regret: HTMLElement;
  may: HTMLElement;
  bar: HTMLElement;
}

export class ModelTable {
  readonly element: HTMLElement;
  private readonly body = h("tbody", {});
  private readonly rows: Row[] = [];
  private readonly toggles: HTMLInputElement[] = [];

  constructor(
    private readonly comparison: Comparison,
    private readonly hidden: Set<number>,
    private readonly toggled: () => void,
    private readonly picked: (model: Model) => void,
  ) {
    this.element = this.card();
  }

  /** Tick the models that are shown. */
  check(hidden: Set<number>): void {
    this.toggles.forEach((toggle, index) => (toggle.checked = !hidden.has(index)));
  }

  private card(): HTMLElement {
    const { raw, models } = this.comparison;
    const { words } = raw;
    const knob = words.knob !== null;
    const name = words.sense === "loss" ? "cost" : "gain";
    const heads = ["show", "model", `expected ${name} (95 %)`, ...(knob ? [`${words.knob}${(models[0]?.knobs.length ?? 1) > 1 ? "s" : ""}`] : []), "could be best", `${name} on tuning data`, ...(knob ? [words.untuned] : []), "behind the best", ""];
    const head = h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text || h("span", { class: "unseen" }, name))));
    models.forEach((model) => {
      const toggle = h("input", { type: "checkbox", "aria-label": `Show ${clip(model.name)}` });
      toggle.checked = !this.hidden.has(model.index);
      toggle.addEventListener("change", () => {
        if (toggle.checked) this.hidden.delete(model.index);
        else this.hidden.add(model.index);
        this.toggled();
      });
      this.toggles.push(toggle);
      const look = h("span", { class: `look ${colourClass(model.index)}`, "aria-hidden": "true" });
      const dashes = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      dashes.setAttribute("viewBox", "0 0 26 8");
      const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
      for (const [name, value] of Object.entries({ x1: "0", x2: "26", y1: "4", y2: "4", class: "curve", "stroke-dasharray": dash(model.index) })) stroke.setAttribute(name, value);
      dashes.append(stroke);
      look.append(dashes);
      const name = h("button", { type: "button", class: "name", title: model.name }, look, h("bdi", {}, clip(model.name, 80)));
      name.addEventListener("click", () => this.picked(model));
      const cell = (key: string) => h("td", { class: "number", "data-cell": key });
      const bar = h("span", { class: `fill ${colourClass(model.index)}` });
      const row: Row = {
        element: h("tr", { "data-model": model.index }),
        knob: knob ? cell("knob") : null,
        value: cell("value"),
        honest: cell("honest"),
        untuned: knob ? cell("untuned") : null,
        regret: cell("regret"),
        may: h("td", { class: "centre", "data-cell": "may" }),
        bar,
      };
      const cells = [h("td", { class: "centre" }, toggle), h("th", { scope: "row" }, name), row.honest, row.knob, row.may, row.value, row.untuned, row.regret, h("td", { class: "barcell" }, bar)];
      row.element.append(...cells.filter((each): each is HTMLTableCellElement => each !== null));
      this.rows.push(row);
    });
    const csv = h("button", { type: "button", class: "small" }, `CSV of all ${words.symbol}`);
    csv.setAttribute("aria-label", "Download the curves as CSV");
    csv.addEventListener("click", () => download("curves.csv", "text/csv", this.csv()));
    return h(
      "section",
      { class: "card", "aria-label": "Models" },
      h("div", { class: "card-head" }, h("h2", {}, `Models at this ${words.symbol}`), csv),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of models" }, h("table", {}, h("thead", {}, head), this.body)),
    );
  }

  private csv(): string {
    const { contexts, models, raw } = this.comparison;
    const safe = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    const count = models[0]?.knobs.length ?? 0;
    const names = Array.from({ length: count }, (_, k) => (count > 1 ? `${raw.words.knob}_${k + 1}` : (raw.words.knob ?? "")));
    const lines = [["model", raw.words.context, raw.words.sense, "untuned", ...names].map(safe).join(",")];
    for (const model of models) {
      const { y } = model.tuned;
      contexts.forEach((x, k) => {
        const untuned = raw.words.knob === null ? y[k] : (model.untuned?.at(x) ?? "");
        lines.push([safe(model.name), x, y[k], untuned, ...model.knobs.map((each) => each[k])].join(","));
      });
    }
    return lines.join("\n") + "\n";
  }

  fill(x: number, best: Model, inspected: Model | null): void {
    const { comparison } = this;
    const { words } = comparison.raw;
    const ranked = comparison.ranked(x);
    const bestValue = best.tuned.at(x);
    const largest = Math.max(...ranked.map((model) => Math.abs(model.tuned.at(x))), 1e-300);
    ranked.forEach((model, k) => {
      const row = this.rows[model.index];
      if (this.body.children[k] !== row.element) this.body.insertBefore(row.element, this.body.children[k] ?? null);
      row.element.classList.toggle("best", model === best);
      row.element.classList.toggle("inspected", model === inspected);
      const value = model.tuned.at(x);
      const knob = comparison.knob(model, x);
      if (row.knob) {
        setText(row.knob, knob.map((each) => (words.knob === "shift" ? signed(each) : digits(each))).join(", "));
        row.knob.setAttribute("data-value", knob.join(" "));
      }
      setNumber(row.value, value, digits(value));
      const honest = model.honest.map((each) => each.at(x));
      const error = errorOf(honest[1], honest[2]);
      if (Number.isFinite(honest[0])) row.honest.replaceChildren(sized(honest[0], error), h("small", {}, ` (${sized(honest[1], error)} to ${sized(honest[2], error)})`));
      else setText(row.honest, "–");
      row.honest.setAttribute("data-value", honest.slice(0, 3).join(" "));
      const untuned = model.untuned?.at(x) ?? NaN;
      if (row.untuned) setNumber(row.untuned, untuned, digits(untuned));
      const regret = comparison.sign * (value - bestValue);
      setNumber(row.regret, regret, model === best ? "–" : signed(regret));
      const may = comparison.mayBeBest(model.name, x) || model === best;
      setText(row.may, may ? "●" : "·");
      row.may.setAttribute("aria-label", may ? "could be the best" : "not the best");
      row.bar.style.width = `${Math.max(2, (100 * Math.abs(value)) / largest)}%`;
    });
  }
}
