// The distribution of the context: a histogram to draw by hand.
import { unpackOnce } from "./data";
import { Comparison } from "./evaluate";
import { clip, digits, held, knobText } from "./format";
import { h, setNumber, setText } from "./dom";
import { Frame } from "./plot";

export class Distribution {
  weights: number[];
  private frame: Frame | null = null;
  private readonly host = h("div", { class: "figure" });
  private readonly said = h("p", { class: "said" });
  private readonly numbers = h("dl", { class: "facts" });
  private readonly cells: Record<string, HTMLElement> = {};
  readonly element: HTMLElement;

  constructor(
    private readonly comparison: Comparison,
    private readonly changed: () => void,
  ) {
    this.weights = [...unpackOnce(comparison.raw.belief.weights)];
    const flat = h("button", { type: "button" }, "Make it flat");
    flat.addEventListener("click", () => {
      this.weights.fill(1 / this.weights.length);
      this.draw();
      this.changed();
    });
    for (const [key, label] of [
      ["frozen", "one decision for all"],
      ["following", "following the context"],
      ["worth", "value of knowing it"],
    ]) {
      this.cells[key] = h("dd", {});
      this.numbers.append(h("div", {}, h("dt", {}, label), this.cells[key]));
    }
    this.element = h(
      "section",
      { class: "card distribution", "aria-label": "Distribution of the context" },
      h(
        "div",
        { class: "beside" },
        h("h2", {}, `If the ${comparison.raw.about} is not known: how likely is each value?`),
        h("p", { class: "hint" }, "Drag the bars, or focus one and use the arrow keys. The other bars adjust."),
        this.said,
        this.numbers,
        flat,
      ),
      this.host,
    );
  }

  draw(): void {
    const { comparison } = this;
    const edges = comparison.edges;
    const most = Math.max(...this.weights, 1e-9) * 1.25;
    const frame = new Frame(this.host, "Histogram of the distribution.", comparison.raw.range, [0, most], { x: comparison.raw.words.context, y: "probability of a bin" }, 190);
    this.frame = frame;
    const { x, y, plot } = frame;
    frame.svg.removeAttribute("role");
    this.weights.forEach((weight, k) => {
      const bar = plot
        .append("rect")
        .attr("class", "bar")
        .attr("x", x(edges[k]) + 1)
        .attr("width", Math.max(x(edges[k + 1]) - x(edges[k]) - 2, 1))
        .attr("y", y(weight))
        .attr("height", Math.max(frame.height - y(weight), 1))
        .attr("tabindex", 0)
        .attr("role", "slider")
        .attr("aria-label", `probability from ${digits(edges[k])} to ${digits(edges[k + 1])}`)
        .attr("aria-valuemin", 0)
        .attr("aria-valuemax", 1)
        .attr("aria-valuenow", weight.toFixed(4));
      bar.on("keydown", (event: KeyboardEvent) => {
        const step = event.key === "ArrowUp" ? 0.1 : event.key === "ArrowDown" ? -0.1 : 0;
        if (!step) return;
        event.preventDefault();
        this.set(k, Math.max(0, this.weights[k] + step * Math.max(...this.weights)));
        this.changed();
        (this.host.querySelectorAll(".bar")[k] as SVGElement | undefined)?.focus();
      });
    });
    frame.follow((at, height, done) => {
      const k = Math.min(this.weights.length - 1, Math.max(0, Math.floor(((at - edges[0]) / (edges[edges.length - 1] - edges[0])) * this.weights.length)));
      this.weights[k] = Math.max(0, Math.min(height, most));
      if (done) {
        this.normalise();
        this.draw();
        this.changed();
        return;
      }
      const bar = frame.plot.selectAll<SVGRectElement, unknown>(".bar").nodes()[k];
      bar.setAttribute("y", String(y(this.weights[k])));
      bar.setAttribute("height", String(Math.max(frame.height - y(this.weights[k]), 1)));
      this.tell();
    });
    this.tell();
  }

  private set(k: number, weight: number): void {
    this.weights[k] = weight;
    this.normalise();
    this.draw();
  }

  private normalise(): void {
    const total = this.weights.reduce((a, b) => a + b, 0);
    this.weights = total > 0 ? this.weights.map((w) => w / total) : this.weights.map(() => 1 / this.weights.length);
  }

  private tell(): void {
    const { comparison } = this;
    const found = comparison.expected(this.weights);
    const { words } = comparison.raw;
    const gap = comparison.sign * (found.frozen - found.following);
    const worth = gap > 1e-9 * Math.abs(found.frozen) ? gap : 0;
    const middles = this.weights.flatMap((weight, k) => (weight > 0 ? [0.5 * (comparison.edges[k] + comparison.edges[k + 1])] : []));
    // Whoever is the best: it is one of those whose bounds overlap.
    const off = Math.max(...middles.map((x) => Math.max(...[comparison.best(x), ...comparison.rivals(comparison.best(x), x)].map((model) => comparison.curveError(model, x)))));
    setNumber(this.cells.following, found.following, held(found.following, off));
    if (words.knob !== null && !comparison.asIs && !comparison.raw.belief.linear) {
      // One setting for all contexts is tuned on the cases: the curves, tuned for each, do not tell it.
      setText(this.said, "The best single decision for a distribution is found by decide(distribution=…).");
      for (const cell of [this.cells.frozen, this.cells.worth]) setText(cell, "–");
      return;
    }
    const knob = comparison.raw.belief.linear ? knobText(words, comparison.knob(found.frozenBest, found.mean)) : "";
    const name = clip(found.frozenBest.name);
    setText(this.said, comparison.asIs ? `Best single model without a ${words.knob}: ${name}.` : `Best single decision: ${name}${knob ? `, ${knob}` : ""}.`);
    setNumber(this.cells.frozen, found.frozen, held(found.frozen, off));
    const little = worth < off ? `less than ${digits(off, 1)} per case` : `${held(worth, off)} per case`;
    setNumber(this.cells.worth, worth, worth || off ? little : "nothing");
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}
