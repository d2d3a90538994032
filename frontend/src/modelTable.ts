// The table at a context: what each choice gives on new cases, with which setting, and what the curves show.
import { Answer, Choice, Comparison, Model } from "./evaluate";
import { chanceText, clip, held, isAdded, knobName, knobNumbers, signed, sized } from "./format";
import { download, h, setNumber, setText } from "./dom";
import { colourClass, dash } from "./plot";

/** What a column shows of a model or of a decision without one; NaN where there is nothing. */
interface Column {
  key: string;
  head: string;
  unit?: string;
  show(choice: Choice | null, model: Model | null): [number | number[], string];
}

const NOTHING: [number, string] = [NaN, "–"];

export class ModelTable {
  readonly element: HTMLElement;
  private readonly title = h("h2", {});
  private readonly hint = h("p", { class: "hint" });
  private readonly heads = h("tr", {});
  private readonly body = h("tbody", {});
  private readonly lines = new Map<string, HTMLTableRowElement>();
  private readonly toggles: HTMLInputElement[];
  private columns: Column[] = [];
  private x = NaN;

  constructor(
    private readonly comparison: Comparison,
    private readonly hidden: Set<number>,
    private readonly toggled: () => void,
    private readonly picked: (model: Model) => void,
  ) {
    this.toggles = comparison.models.map((model) => this.toggle(model));
    const csv = h("button", { type: "button", class: "small" }, "CSV");
    csv.setAttribute("aria-label", "Download this table as CSV");
    csv.addEventListener("click", () => download(`models at ${comparison.show(this.x)}.csv`, "text/csv", this.csv()));
    this.element = h(
      "section",
      { class: "card", "aria-label": "Models" },
      h("div", { class: "card-head" }, this.title, csv),
      this.hint,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of models" }, h("table", {}, h("thead", {}, this.heads), this.body)),
    );
  }

  /** Tick the models that are shown. */
  check(hidden: Set<number>): void {
    this.toggles.forEach((toggle, index) => (toggle.checked = !hidden.has(index)));
  }

  private toggle(model: Model): HTMLInputElement {
    const toggle = h("input", { type: "checkbox", "aria-label": `Show ${clip(model.name)}` });
    toggle.checked = !this.hidden.has(model.index);
    toggle.addEventListener("change", () => {
      if (toggle.checked) this.hidden.delete(model.index);
      else this.hidden.add(model.index);
      this.toggled();
    });
    return toggle;
  }

  private columnsAt(x: number, best: Model, answer: Answer | null): Column[] {
    const { comparison } = this;
    const { words } = comparison.raw;
    const name = words.sense === "loss" ? "cost" : "gain";
    const elsewhere = answer && answer.context !== x ? ` at ${comparison.say(answer.context)}` : "";
    const unit = comparison.unit(x).trim();
    const honest = (key: "value" | "low" | "high"): Column["show"] => (choice) =>
      choice && Number.isFinite(choice[key]) ? [choice[key], sized(choice[key], choice.error)] : NOTHING;
    const of = (read: (model: Model) => number, off: (model: Model) => number): Column["show"] => (_, model) => {
      const value = model ? read(model) : NaN;
      return model && Number.isFinite(value) ? [value, held(value, off(model))] : NOTHING;
    };
    const off = (model: Model) => comparison.curveError(model, x);
    const honestUnit = elsewhere ? "" : unit;
    const columns: Column[] = [
      { key: "honest", head: `expected ${name}${elsewhere}`, unit: honestUnit, show: honest("value") },
      { key: "low", head: "95 % from", show: honest("low") },
      { key: "high", head: "to", show: honest("high") },
    ];
    if (words.knob !== null) {
      const setting = (choice: Choice | null, model: Model | null) => (model ? comparison.knob(model, x) : (choice?.knob ?? []));
      const count = Math.max(...comparison.models.map((model) => comparison.knob(model, x).length));
      columns.push({
        key: "knob",
        head: `${knobName(words, count)}${comparison.asIs ? elsewhere : ""}`,
        unit: isAdded(words) ? words.unit : "",
        show: (choice, model) => {
          const found = setting(choice, model);
          return found.length ? [found, knobNumbers(words, found)] : NOTHING;
        },
      });
    }
    columns.push({ key: "chance", head: "P(best)", show: (choice) => (choice?.chance == null ? NOTHING : [choice.chance, chanceText(choice.chance)]) });
    columns.push({ key: "value", head: comparison.asIs ? `${name} as it is, all cases` : `${name} on tuning data`, unit, show: of((model) => model.tuned.at(x), off) });
    if (comparison.models.some((model) => model.untuned)) columns.push({ key: "untuned", head: words.untuned, unit, show: of((model) => model.untuned?.[0].at(x) ?? NaN, (model) => comparison.untunedError(model, x)) });
    const bestValue = best.tuned.at(x);
    columns.push({
      key: "regret",
      head: "behind the best",
      show: (_, model) => {
        if (!model) return NOTHING;
        const gap = comparison.sign * (model.tuned.at(x) - bestValue);
        return [gap, model === best ? "–" : signed(gap, off(model) + off(best))];
      },
    });
    return columns;
  }

  /** The row of a name; those of models keep their controls. */
  private line(name: string, model: Model | null): HTMLTableRowElement {
    const key = `${model ? "model" : "still"} ${name}`;
    const found = this.lines.get(key);
    if (found) return found;
    const line = h("tr", model ? { "data-model": model.index } : { "data-baseline": name }, h("td", { class: "centre" }, model && this.toggles[model.index]), h("th", { scope: "row" }, model ? this.button(model) : h("span", { class: "name still" }, name)));
    this.lines.set(key, line);
    return line;
  }

  private button(model: Model): HTMLElement {
    const look = h("span", { class: `look ${colourClass(model.index)}`, "aria-hidden": "true" });
    const dashes = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    dashes.setAttribute("viewBox", "0 0 26 8");
    const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of Object.entries({ x1: "0", x2: "26", y1: "4", y2: "4", class: "curve", "stroke-dasharray": dash(model.index) })) stroke.setAttribute(name, value);
    dashes.append(stroke);
    look.append(dashes);
    const button = h("button", { type: "button", class: "name", title: model.name }, look, h("bdi", {}, clip(model.name, 80)));
    button.addEventListener("click", () => this.picked(model));
    return button;
  }

  fill(x: number, best: Model, inspected: Model | null, pinned: boolean): void {
    const { comparison } = this;
    const { asked, about } = comparison.raw;
    this.x = x;
    setText(this.title, `Choices at ${comparison.say(x)}`);
    setText(this.hint, pinned ? `These numbers are for this ${about} alone; the answer above is for ${asked?.between ? "the whole range" : "the distribution"}.` : "");
    this.hint.hidden = !pinned;
    const answer = comparison.answer(x);
    const choices = answer ? comparison.choices(answer) : [];
    const still = choices.filter((each) => !each.model);
    this.columns = this.columnsAt(x, best, answer);
    const head = (text: string) => h("th", { scope: "col" }, text);
    this.heads.replaceChildren(head("show"), head("model"), ...this.columns.map(({ head: text, unit }) => head(`${text}${unit ? ` (${unit})` : ""}`)));
    const rows = [
      ...comparison.ranked(x).map((model) => [model, choices.find((each) => each.model === model) ?? null] as const),
      ...still.map((choice) => [null, choice] as const),
    ];
    const lines = rows.map(([model, choice]) => {
      const line = this.line(model?.name ?? choice?.name ?? "", model);
      line.classList.toggle("best", (model ?? choice)?.name === answer?.decision.model);
      line.classList.toggle("inspected", model !== null && model === inspected);
      this.columns.forEach((column, k) => {
        const cell = (line.children[k + 2] ?? line.appendChild(h("td", { class: "number" }))) as HTMLElement;
        cell.dataset.cell = column.key;
        const [value, text] = column.show(choice, model);
        if (Array.isArray(value)) {
          setText(cell, text);
          cell.dataset.value = value.join(" ");
        } else setNumber(cell, value, text);
      });
      return line;
    });
    lines.forEach((line, k) => {
      if (this.body.children[k] !== line) this.body.insertBefore(line, this.body.children[k] ?? null);
    });
    while (this.body.children.length > lines.length) this.body.lastChild?.remove();
  }

  /** This table: its rows and columns, with the numbers it shows. */
  private csv(): string {
    const quoted = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    const number = (text: string) => (text === "–" ? "" : text.replaceAll(/(?<=\d),(?=\d{3})/g, "").replaceAll("−", "-"));
    const plain = (text: string) => (/^[-+.\de]*$/.test(text) ? text : quoted(text));
    const names = [...this.heads.children].slice(1).map((cell) => quoted(cell.textContent ?? ""));
    const lines = [...this.body.children].map((line) => {
      const [name, ...cells] = [...line.children].slice(1);
      return [quoted(name.textContent ?? ""), ...cells.map((cell) => plain(number(cell.textContent ?? "")))].join(",");
    });
    return [names.join(","), ...lines].join("\n") + "\n";
  }
}
