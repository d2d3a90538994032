// What mistakes cost, or whichever context there is: fields, a slider over stored contexts, and where the best model changes.
import { Comparison, nearest } from "./evaluate";
import { capital, clip, contextWords, listed, numberIn, ratioText } from "./format";
import { h, setText } from "./dom";
import { colourClass } from "./plot";

const LISTED = 9;
/** Costs that numbers on the page can be made of, and how many times as large as the other one may be. */
const [LEAST, MOST, TIMES] = [1e-12, 1e12, 1e9];

/** What is wrong with a cost. */
function wrongCost(cost: number | string): string {
  if (typeof cost === "string") return cost;
  if (cost < 0) return "A cost is zero or more.";
  if (cost > MOST) return `A cost is at most ${MOST.toExponential().replace("+", "")} here: use a larger unit.`;
  return cost > 0 && cost < LEAST ? `A cost is zero, or at least ${LEAST.toExponential()} here: use a smaller unit.` : "";
}

/** A cost with the digits it was typed with, or four where it has many. */
function costText(cost: number): string {
  for (let count = 4; count <= 12; count++) {
    const shown = Number(cost.toPrecision(count));
    if (Math.abs(shown - cost) <= 1e-13 * cost) return String(shown);
  }
  return String(Number(cost.toPrecision(4)));
}

/** A field for a number, with a sentence beside it about what was typed wrongly. */
class Field {
  readonly input: HTMLInputElement;
  private readonly complaint: HTMLElement;
  readonly element: HTMLElement;

  constructor(id: string, words: string, name: string, look: string, signed = false) {
    // Keyboards of phones for decimals have no minus.
    this.input = h("input", { type: "text", inputmode: signed ? "text" : "decimal", autocomplete: "off", class: look, "aria-label": name, "aria-describedby": `${id}-complaint` });
    this.complaint = h("p", { class: "complaint", role: "alert", id: `${id}-complaint` });
    this.element = h("div", {}, h("label", { class: "asking" }, h("span", {}, words), this.input), this.complaint);
  }

  /** What is wrong with what was typed; an empty text if nothing is. */
  complain(text: string): void {
    setText(this.complaint, text);
    this.input.setAttribute("aria-invalid", String(text !== ""));
  }

  get wrong(): boolean {
    return this.complaint.textContent !== "";
  }

  /** Show a value, unless another is being typed. */
  show(value: string, force: boolean): void {
    if (force || (document.activeElement !== this.input && !this.wrong)) this.input.value = value;
  }
}

export class Controls {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: Field;
  private readonly costs: Field[];
  private readonly said = h("p", { class: "words", "aria-live": "polite" });
  private remark = "";
  private x: number;

  constructor(
    private readonly comparison: Comparison,
    id: string,
    private readonly moved: (x: number, done: boolean, rescaled: boolean) => void,
    private readonly asked: () => void,
  ) {
    const { words, costs, kind } = comparison.raw;
    this.x = comparison.raw.first;
    this.slider = h("input", { type: "range", min: 0, max: comparison.contexts.length - 1, step: 1, "aria-label": words.context, id: `${id}-slider` });
    this.costs = (costs?.errors ?? []).map((error, k) => new Field(`${id}-cost-${k}`, `${capital(error)}${costs?.per ?? ""}`, `cost of ${error}`, "cost"));
    const unit = kind === "truth" && words.unit ? ` (${words.unit})` : "";
    const label = costs ? `${capital(words.context)} ${words.symbol}` : `${capital(words.context)}${unit}`;
    this.field = new Field(`${id}-context`, label, `${words.context}, as a number`, "big", comparison.low < 0);
    if (costs) this.field.element.classList.add("small");
    this.listen();
    this.element = this.card();
  }

  private listen(): void {
    const { slider, field, comparison } = this;
    slider.addEventListener("input", () => this.go(comparison.contexts[Number(slider.value)], false));
    slider.addEventListener("change", () => this.go(this.x, true));
    slider.addEventListener("keydown", (event) => this.key(event));
    field.input.addEventListener("change", () => this.readContext());
    field.input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowUp" || event.key === "ArrowDown") this.key(event);
    });
    for (const cost of this.costs) cost.input.addEventListener("change", () => this.readCosts());
    for (const { input } of [field, ...this.costs]) input.addEventListener("blur", () => this.show(this.x));
  }

  /** Go to the context that was typed, or say what is wrong with it. */
  private readContext(): void {
    const { field, comparison } = this;
    const value = numberIn(field.input.value);
    if (typeof value === "string") return field.complain(value);
    if (value < comparison.low || value > comparison.high) return field.complain(`This page covers ${comparison.show(comparison.low)} to ${comparison.show(comparison.high)}.`);
    const x = comparison.allow(value);
    const remark = x === value ? "" : `Curves are known at ${comparison.contexts.length} values: this is the nearest to ${comparison.show(value)}.`;
    this.go(x, true, remark);
  }

  /** Take the costs that were typed, or say what is wrong with them. */
  private readCosts(): void {
    const { comparison } = this;
    const costs = this.costs.map(({ input }) => numberIn(input.value));
    const complaints = costs.map(wrongCost);
    if (costs.every((cost) => cost === 0)) complaints[1] = "Not both costs can be zero.";
    const [low, high] = costs.map(Number).sort((a, b) => a - b);
    if (!complaints.some(Boolean) && low > 0 && high / low > TIMES) complaints[1] = `This page has no room for a cost that is more than ${TIMES.toExponential().replace("+", "")} times the other: use zero.`;
    this.costs.forEach((field, k) => field.complain(complaints[k]));
    if (complaints.some(Boolean)) return;
    const [first, second] = costs.map(Number);
    const x = first / (first + second);
    if (!(x >= comparison.low && x <= comparison.high)) return this.costs[0].complain(`This page covers costs from ${ratioText(comparison.low)} to ${ratioText(comparison.high)}.`);
    comparison.scale.factor = (first + second) / 2 / (comparison.raw.costs?.unit ?? 1);
    this.go(comparison.allow(x), true, "", true);
  }

  private go(x: number, done: boolean, remark = "", rescaled = false): void {
    for (const field of [this.field, ...this.costs]) field.complain("");
    this.remark = remark;
    this.moved(x, done, rescaled);
    if (done) this.show(this.x, true);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.go(this.comparison.step(this.x, step), true);
  }

  private card(): HTMLElement {
    const { words, kind, about } = this.comparison.raw;
    const title = kind === "share" || kind === "cost" ? "What do mistakes cost?" : `What is the ${about}?`;
    const unknown = h("button", { type: "button", class: "link" }, "I don’t know this yet");
    unknown.addEventListener("click", () => this.asked());
    const [above, below] = this.costs.length ? [this.costs, [this.field]] : [[this.field], []];
    return h(
      "section",
      { class: "card controls", "aria-label": title },
      h("h2", {}, title),
      ...above.map((each) => each.element),
      this.slider,
      h("div", { class: "ends" }, h("span", {}, words.left), words.middle ? h("span", {}, words.middle) : null, h("span", {}, words.right)),
      this.said,
      ...below.map((each) => each.element),
      unknown,
      ...this.breaks(),
    );
  }

  /** A context as the axis says it. */
  private say(x: number): string {
    const { raw, exact } = this.comparison;
    return raw.costs ? ratioText(x, exact ? 3 : 2) : this.comparison.show(x, exact ? 3 : 2);
  }

  private breaks(): HTMLElement[] {
    const { comparison } = this;
    const { low, high } = comparison;
    const parts = comparison.parts;
    const widest = [...parts].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, LISTED);
    const wide = parts.filter((part) => widest.includes(part) && part.to - part.from >= 0.01 * (high - low));
    const list = h("ol", { class: "breaks" });
    for (const { from, to, owners } of wide) {
      const names = owners.map((model) => model.name);
      const either = owners.length > 1;
      const shown = either ? `either: ${listed(names.map((name) => clip(name, 24)))}` : clip(names[0], 40);
      const jump = h(
        "button",
        { type: "button", class: "break" },
        h("span", { class: `chip ${colourClass(owners[0].index)}${either ? " pale" : ""}`, "aria-hidden": "true" }),
        h("span", { class: "from" }, `${this.say(from)} – ${this.say(to)}`),
        h("bdi", { title: names.join(", ") }, shown),
      );
      jump.addEventListener("click", () => this.go(comparison.settle(0.5 * (from + to)), true));
      list.append(h("li", {}, jump));
    }
    const { costs } = comparison.raw;
    const ratios = costs ? `Ratios are the cost of ${costs.errors.join(" : the cost of ")}. ` : "";
    const narrow = parts.length - wide.length;
    const slivers = narrow > 0 ? `${narrow} narrower ${narrow === 1 ? "region is" : "regions are"} left out. ` : "";
    const either = parts.some(({ owners }) => owners.length > 1) ? " “Either”, and the pale parts of the strips below: this page cannot say which." : "";
    return [
      h("h3", {}, "Which model is best where"),
      list,
      h("p", { class: "hint" }, `${ratios}${slivers}On the data used for tuning: which of two similar models is best may be chance.${either}`),
    ];
  }

  show(x: number, force = false): void {
    const { comparison } = this;
    const { raw } = comparison;
    this.x = x;
    this.field.show(comparison.show(x).replace("−", "-"), force);
    this.field.input.setAttribute("data-value", String(x));
    this.slider.value = String(nearest(comparison.contexts, x));
    // Both are typed together: while one is wrong, the other one stays as it was typed.
    if (force || !this.costs.some((field) => field.wrong)) comparison.costs(x).forEach((cost, k) => this.costs[k]?.show(costText(cost), force));
    const said = contextWords(raw.words, x, comparison.show(x) + comparison.contextUnit, raw.costs?.errors);
    this.slider.setAttribute("aria-valuetext", `${comparison.show(x)}: ${said}`);
    setText(this.said, [this.remark, raw.costs || !raw.words.plain ? said : ""].filter(Boolean).join(" "));
  }
}
