// Losses over the context: curves, honest bands, who is best where, and the context itself.
import { area, line } from "d3-shape";
import { unpackOnce } from "./data";
import { Comparison, Line, Model } from "./evaluate";
import { clip, digits } from "./format";
import { colourClass, dash, extent, Frame } from "./plot";

export type Shown = "in-sample" | "honest";

export class ContextPlot {
  private frame: Frame | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly readout: HTMLElement,
    private readonly comparison: Comparison,
    private readonly moved: (x: number, done: boolean) => void,
  ) {}

  draw(visible: Model[], shown: Shown): void {
    const { comparison } = this;
    const { words, second, regions, range } = comparison.raw;
    const lines = (model: Model): Line[] => (shown === "honest" ? [...model.honest] : [model.tuned]);
    const values = visible.flatMap((model) => lines(model).flatMap((each) => [...each.y]));
    const [low, high] = extent(values);
    const bottom = words.sense === "loss" ? Math.min(0, low) : low;
    const secondLine = second && new Line(comparison.contexts, unpackOnce(second.values), { factor: 1 });
    const frame = new Frame(
      this.host,
      `${words.outcome} of ${visible.length} models over ${words.context}. The region strip below tells who is best where.`,
      range,
      [bottom - 0.07 * (high - bottom), high],
      {
        x: words.context.includes(words.symbol) ? words.context : `${words.context} ${words.symbol}`,
        y: `${words.sense === "loss" ? "cost" : "gain"} per case`,
        second: secondLine && second ? { label: second.label, of: (x) => secondLine.at(x) } : undefined,
      },
    );
    this.frame = frame;
    const { x, y, plot } = frame;
    for (const [from, to, owner] of regions) {
      const width = Math.max(x(to) - x(from), 0);
      plot.append("rect").attr("class", `region ${colourClass(owner)}`).attr("x", x(from)).attr("width", width).attr("height", frame.height);
      plot.append("rect").attr("class", `strip ${colourClass(owner)}`).attr("x", x(from)).attr("width", width).attr("y", frame.height - 8).attr("height", 8);
    }
    for (const model of visible) {
      const each = shown === "honest" ? model.honest[0] : model.tuned;
      if (shown === "honest") {
        const band = area<number>()
          .x((_, k) => x(each.x[k]))
          .y0((_, k) => y(model.honest[1].y[k]))
          .y1((_, k) => y(model.honest[2].y[k]));
        plot.append("path").attr("class", `band ${colourClass(model.index)}`).attr("d", band([...each.y]));
      }
      const path = line<number>()
        .x((_, k) => x(each.x[k]))
        .y((value) => y(value));
      plot
        .append("path")
        .attr("class", `curve ${colourClass(model.index)}`)
        .attr("stroke-dasharray", dash(model.index))
        .attr("d", path([...each.y]));
    }
    frame.follow(
      (at, _, done) => this.moved(comparison.clamp(at), done),
      (at, event) => this.hover(at, visible, lines, event),
    );
  }

  private hover(at: number | null, visible: Model[], lines: (model: Model) => Line[], event?: PointerEvent): void {
    const box = this.readout;
    box.hidden = at === null || this.frame === null;
    if (at === null || this.frame === null || !event) return;
    const { comparison } = this;
    const x = comparison.clamp(at);
    const { words } = comparison.raw;
    const rows = visible
      .map((model) => [model, lines(model)[0].at(x)] as const)
      .sort((a, b) => comparison.sign * (a[1] - b[1]))
      .slice(0, 5)
      .map(([model, value]) => `${clip(model.name, 24)}: ${digits(value)}`);
    box.textContent = [`${words.symbol} ${comparison.show(x)}`, ...rows].join("\n");
    const host = this.host.getBoundingClientRect();
    const left = event.clientX - host.left;
    box.style.left = `${Math.min(Math.max(left + 14, 0), host.width - 170)}px`;
    box.style.top = `${Math.max(event.clientY - host.top - 20, 0)}px`;
  }

  mark(at: number, visible: Model[], best: Model, shown: Shown): void {
    const frame = this.frame;
    if (!frame) return;
    const { x, y, marks } = frame;
    marks.selectAll("*").remove();
    marks.append("line").attr("class", "cursor").attr("x1", x(at)).attr("x2", x(at)).attr("y2", frame.height);
    marks.append("circle").attr("class", "handle").attr("cx", x(at)).attr("cy", 7).attr("r", 6);
    for (const model of [...visible].sort((a, b) => Number(a === best) - Number(b === best))) {
      const value = (shown === "honest" ? model.honest[0] : model.tuned).at(at);
      marks
        .append("circle")
        .attr("class", `${model === best ? "full" : "hollow"} ${colourClass(model.index)}`)
        .attr("cx", x(at))
        .attr("cy", Number.isFinite(value) ? y(value) : -99)
        .attr("r", model === best ? 7 : 4.5);
    }
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}
