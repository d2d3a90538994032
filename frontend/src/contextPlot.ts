// Losses over the context: curves, honest bands, who is best where, and the context itself.
import { area, line } from "d3-shape";
import { unpackOnce } from "./data";
import { Comparison, Line, Model } from "./evaluate";
import { clip, held, sized } from "./format";
import { colourClass, dash, extent, Frame, strip } from "./plot";

/** Costs whose least is below this share of their largest are drawn from zero. */
const NEAR = 0.4;
/** Up to so many points are drawn as points. */
const FEW = 60;

export type Shown = "in-sample" | "honest";

export class ContextPlot {
  private frame: Frame | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly readout: HTMLElement,
    private readonly comparison: Comparison,
    private readonly moved: (x: number, done: boolean) => void,
  ) {}

  /** A curve and the band around it. */
  private lines(model: Model, shown: Shown): [Line, Line, Line] {
    return shown === "honest" ? model.honest : [model.tuned, model.low, model.high];
  }

  draw(visible: Model[], shown: Shown, at: number): void {
    const { comparison } = this;
    const { words, second, regions, steps } = comparison.raw;
    const values = visible.flatMap((model) => this.lines(model, shown).flatMap((each) => [...each.y]));
    const [low, high] = extent(values);
    const bottom = words.sense === "loss" && low < NEAR * high ? Math.min(0, low) : low;
    const secondLine = second && new Line(comparison.contexts, unpackOnce(second.values), { factor: 1 });
    const frame = new Frame(
      this.host,
      `${words.outcome} of ${visible.length} models over ${words.context}. The strip below shows which model is best where.`,
      comparison.window(at),
      [bottom - 0.07 * (high - bottom), high],
      {
        x: (words.context.includes(words.symbol) ? words.context : `${words.context} ${words.symbol}`) + (comparison.contextUnit && ` (${words.unit})`),
        y: `${words.sense === "loss" ? "cost" : "gain"} per case${comparison.unit(at) && ` (${words.unit})`}`,
        second: secondLine && second ? { label: second.label, of: (x) => secondLine.at(x) } : undefined,
      },
    );
    this.frame = frame;
    const { x, y, plot } = frame;
    for (const [from, to, owner] of regions)
      plot.append("rect").attr("class", `region ${colourClass(owner)}`).attr("x", x(from)).attr("width", Math.max(x(to) - x(from), 0)).attr("height", frame.height);
    const pixels = ([from, to]: [number, number]) => [x(from), x(to)] as [number, number];
    strip(
      frame,
      regions.map(([from, to, owner]) => [...pixels([from, to]), colourClass(owner)]),
      comparison.doubtful.map(pixels),
      frame.height - 8,
    );
    for (const model of visible) {
      const [middle, lower, upper] = this.lines(model, shown);
      const look = colourClass(model.index);
      const [values, least, most] = [middle.y, lower.y, upper.y];
      const band = area<number>()
        .x((each) => x(each))
        .y0((_, k) => y(least[k]))
        .y1((_, k) => y(most[k]));
      if (lower !== middle) plot.append("path").attr("class", `band ${look}`).attr("d", band([...middle.x]));
      const path = line<number>()
        .x((each) => x(each))
        .y((_, k) => y(values[k]));
      plot.append("path").attr("class", `curve ${look}`).attr("stroke-dasharray", dash(model.index)).attr("d", path([...middle.x]));
      // Few values, or values that jump between: what is known are the points.
      if (shown === "honest" || (steps && middle.x.length <= FEW))
        middle.x.forEach((each, k) => plot.append("circle").attr("class", `point ${look}`).attr("cx", x(each)).attr("cy", y(values[k])).attr("r", 2.5));
    }
    frame.follow(
      (at, _, done) => this.moved(comparison.settle(at), done),
      (at, event) => this.hover(at, visible, shown, event),
    );
  }

  /** The nearest context at which values are known. */
  private known(at: number, shown: Shown): number {
    const { comparison } = this;
    return shown === "honest" ? (comparison.answer(at)?.context ?? at) : at;
  }

  private hover(at: number | null, visible: Model[], shown: Shown, event?: PointerEvent): void {
    const box = this.readout;
    box.hidden = at === null || this.frame === null;
    if (at === null || this.frame === null || !event) return;
    const { comparison } = this;
    const x = this.known(comparison.settle(at), shown);
    const { words } = comparison.raw;
    const rows = visible
      .map((model) => [model, this.lines(model, shown)[0].at(x)] as const)
      .sort((a, b) => comparison.sign * (a[1] - b[1]))
      .slice(0, 5)
      .map(([model, value]) => `${clip(model.name, 24)}: ${this.said(model, value, x, shown)}`);
    box.textContent = [`${words.symbol} ${comparison.show(x)}`, ...rows].join("\n");
    const host = this.host.getBoundingClientRect();
    const left = event.clientX - host.left;
    box.style.left = `${Math.min(Math.max(left + 14, 0), host.width - 170)}px`;
    box.style.top = `${Math.max(event.clientY - host.top - 20, 0)}px`;
  }

  /** A value of a model with the digits that are known of it. */
  private said(model: Model, value: number, x: number, shown: Shown): string {
    const { comparison } = this;
    const answer = shown === "honest" ? comparison.answer(x) : null;
    const choice = answer && comparison.choices(answer).find((each) => each.model === model);
    return choice ? sized(value, choice.error) : held(value, comparison.curveError(model, x));
  }

  mark(at: number, visible: Model[], best: Model, shown: Shown): void {
    const [first, last] = this.frame?.x.domain() ?? [NaN, NaN];
    if (!(at >= first && at <= last)) this.draw(visible, shown, at);
    const { frame } = this;
    if (!frame) return;
    const { x, y, marks } = frame;
    marks.selectAll("*").remove();
    marks.append("line").attr("class", "cursor").attr("x1", x(at)).attr("x2", x(at)).attr("y2", frame.height);
    marks.append("circle").attr("class", "handle").attr("cx", x(at)).attr("cy", 7).attr("r", 6);
    for (const model of [...visible].sort((a, b) => Number(a === best) - Number(b === best))) {
      const value = this.lines(model, shown)[0].at(this.known(at, shown));
      marks
        .append("circle")
        .attr("class", `${model === best ? "full" : "hollow"} ${colourClass(model.index)}`)
        .attr("cx", x(this.known(at, shown)))
        .attr("cy", Number.isFinite(value) ? y(value) : -99)
        .attr("r", model === best ? 7 : 4.5);
    }
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}
