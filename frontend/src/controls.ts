// What mistakes cost, or whichever context there is: fields, a slider, and where the best model changes.
import { Comparison } from "./evaluate";
import { capital, clip, contextWords, ratioText } from "./format";
import { h, setText } from "./dom";
import { colourClass } from "./plot";

const STEPS = 1000;

export class Controls {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly costs: HTMLInputElement[];
  private readonly said = h("p", { class: "words", "aria-live": "polite" });
  private complaint = "";
  private x: number;

  constructor(
    private readonly comparison: Comparison,
    id: string,
    private readonly moved: (x: number, done: boolean) => void,
    private readonly rescaled: (x: number) => void,
    private readonly asked: () => void,
  ) {
    const { words, costs } = comparison.raw;
    this.x = comparison.raw.first;
    this.slider = h("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": words.context, id: `${id}-slider` });
    this.field = h("input", { type: "number", step: "any", "aria-label": `${words.context}, as a number`, class: "big" });
    this.costs = (costs?.errors ?? []).map((error) => h("input", { type: "number", step: "any", min: 0, class: "cost", "aria-label": `cost of ${error}` }));
    this.listen();
    this.element = this.card();
  }

  private listen(): void {
    const { slider, field, comparison } = this;
    slider.addEventListener("input", () => this.go(this.ofStep(Number(slider.value)), false));
    slider.addEventListener("change", () => this.go(this.x, true));
    slider.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("change", () => {
      const value = Number(field.value);
      if (field.value.trim() !== "" && Number.isFinite(value)) {
        const inside = comparison.clamp(value);
        this.complaint = inside === value ? "" : `This page covers ${comparison.show(comparison.low)} to ${comparison.show(comparison.high)}.`;
        this.moved(inside, true);
      }
      this.show(this.x, true);
    });
    field.addEventListener("blur", () => this.show(this.x, true));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      this.key(event);
      this.show(this.x, true);
    });
    for (const cost of this.costs) {
      cost.addEventListener("change", () => this.readCosts());
      cost.addEventListener("blur", () => this.show(this.x, true));
    }
  }

  private readCosts(): void {
    const { comparison } = this;
    const [first, second] = this.costs.map((cost) => (cost.value.trim() === "" ? NaN : Number(cost.value)));
    const unit = comparison.raw.costs?.unit ?? 1;
    if (!(first >= 0 && second >= 0 && first + second > 0 && Number.isFinite(first + second))) {
      this.complaint = "Costs are zero or more, and not both zero.";
      this.show(this.x, true);
      return;
    }
    this.complaint = "";
    comparison.scale.factor = (first + second) / 2 / unit;
    this.rescaled(comparison.clamp(first / (first + second)));
  }

  private go(x: number, done: boolean): void {
    this.complaint = "";
    this.moved(x, done);
  }

  private ofStep(step: number): number {
    const { low, high } = this.comparison;
    // The same doubles as Python's grid, so that stored values are met exactly.
    return step === STEPS ? high : low + step * ((high - low) / STEPS);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const { low, high } = this.comparison;
    let to: number | null = null;
    if (event.key in steps) {
      const at = ((this.x - low) / (high - low)) * STEPS;
      const step = steps[event.key];
      const next = step > 0 ? Math.floor(at + 1e-9) + step : Math.ceil(at - 1e-9) + step;
      to = this.ofStep(Math.min(STEPS, Math.max(0, next)));
    } else if (event.key === "Home") to = low;
    else if (event.key === "End") to = high;
    if (to === null) return;
    event.preventDefault();
    this.go(to, true);
  }

  private card(): HTMLElement {
    const { words, kind, costs, about } = this.comparison.raw;
    const title = kind === "share" || kind === "cost" ? "What do mistakes cost?" : `What is the ${about}?`;
    const rows = this.costs.map((cost, k) => h("label", { class: "asking" }, h("span", {}, `${capital(costs?.errors[k] ?? "")}${costs?.per ?? ""}`), cost));
    const single = h("label", { class: this.costs.length ? "asking small" : "asking" }, h("span", {}, this.costs.length ? `${capital(words.context)} ${words.symbol}` : capital(words.context)), this.field);
    const unknown = h("button", { type: "button", class: "link" }, "I don’t know this yet");
    unknown.addEventListener("click", () => this.asked());
    return h(
      "section",
      { class: "card controls", "aria-label": title },
      h("h2", {}, title),
      ...(rows.length ? rows : [single]),
      this.slider,
      h("div", { class: "ends" }, h("span", {}, words.left), words.middle ? h("span", {}, words.middle) : null, h("span", {}, words.right)),
      this.said,
      ...(rows.length ? [single] : []),
      unknown,
      ...this.breaks(),
    );
  }

  /** A context as the axis says it. */
  private say(x: number): string {
    return this.comparison.raw.costs ? ratioText(x) : this.comparison.show(x);
  }

  private breaks(): HTMLElement[] {
    const { raw, models, low, high } = this.comparison;
    const wide = raw.regions.filter(([from, to]) => to - from >= 0.01 * (high - low));
    const list = h("ol", { class: "breaks" });
    for (const [from, to, owner] of wide.slice(0, 9)) {
      const jump = h(
        "button",
        { type: "button", class: "break" },
        h("span", { class: `chip ${colourClass(owner)}`, "aria-hidden": "true" }),
        h("span", { class: "from" }, `${this.say(from)} – ${this.say(to)}`),
        h("bdi", { title: models[owner].name }, clip(models[owner].name, 40)),
      );
      jump.addEventListener("click", () => this.go(0.5 * (from + to), true));
      list.append(h("li", {}, jump));
    }
    const narrow = raw.regions.length - Math.min(wide.length, 9);
    const slivers = narrow > 0 ? `${narrow} narrower ${narrow === 1 ? "region is" : "regions are"} left out. ` : "";
    return [
      h("h3", {}, "Which model is best where"),
      list,
      h("p", { class: "hint" }, `${slivers}On the data used for tuning: models that are close trade places by chance.`),
    ];
  }

  show(x: number, force = false): void {
    const { comparison } = this;
    const { low, high, raw } = comparison;
    this.x = x;
    const free = (field: HTMLInputElement) => force || document.activeElement !== field;
    if (free(this.field)) this.field.value = comparison.show(x).replace("−", "-");
    this.field.setAttribute("data-value", String(x));
    this.slider.value = String(Math.round(((x - low) / (high - low)) * STEPS));
    const sum = 2 * (raw.costs?.unit ?? 1) * comparison.scale.factor;
    [sum * x, sum * (1 - x)].forEach((cost, k) => {
      const field = this.costs[k];
      if (field && free(field)) field.value = String(Number(cost.toPrecision(4)));
    });
    const said = contextWords(raw.words, x, comparison.show(x), raw.costs?.errors);
    this.slider.setAttribute("aria-valuetext", `${comparison.show(x)}: ${said}`);
    setText(this.said, [this.complaint, raw.costs || !raw.words.plain ? said : ""].filter(Boolean).join(" "));
  }
}
