// The picture beside the curves, by its kind: the trade-off, the profile, the map, or the classes on the score.
import { curveStepAfter, line } from "d3-shape";
import { RawSpace, unpackOnce } from "./data";
import { Comparison, Model, nearest } from "./evaluate";
import { clip, digits } from "./format";
import { colourClass, dash, extent, Frame, Group } from "./plot";

type Kind<K extends RawSpace["kind"]> = Extract<RawSpace, { kind: K }>;

export interface Space {
  draw(visible: Model[], view: number, inspected: Model): void;
  mark(x: number, visible: Model[], best: Model, inspected: Model): void;
  readonly svg: SVGSVGElement | null;
}

export function makeSpace(host: HTMLElement, comparison: Comparison, moved: (x: number, done: boolean) => void): Space {
  const space = comparison.raw.space;
  switch (space.kind) {
    case "tradeoff":
      return new Tradeoff(host, comparison, space, moved);
    case "profile":
      return new Profile(host, comparison, space);
    case "map":
      return new Map2(host, comparison, space, moved);
    case "distributions":
      return new Distributions(host, comparison, space);
  }
}

const path = (x: (v: number) => number, y: (v: number) => number, xs: ArrayLike<number>, ys: ArrayLike<number>): string =>
  line<number>()
    .defined((_, k) => Number.isFinite(xs[k]) && Number.isFinite(ys[k]))
    .x((_, k) => x(xs[k]))
    .y((_, k) => y(ys[k]))(Array.from(xs)) ?? "";

const bestLast = (models: Model[], best: Model): Model[] => [...models].sort((a, b) => Number(a === best) - Number(b === best));

function dot(marks: Group, model: Model, best: Model, cx: number, cy: number): void {
  marks
    .append("circle")
    .attr("class", `${model === best ? "full" : "hollow"} ${colourClass(model.index)}`)
    .attr("cx", cx)
    .attr("cy", cy)
    .attr("r", model === best ? 7 : 4.5);
}

class Tradeoff implements Space {
  private frame: Frame | null = null;
  private view = 0;
  private hull: { x: Float64Array; y: Float64Array } | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly comparison: Comparison,
    private readonly space: Kind<"tradeoff">,
    private readonly moved: (x: number, done: boolean) => void,
  ) {}

  draw(visible: Model[], view: number): void {
    const { comparison, space } = this;
    this.view = Math.min(view, space.views.length - 1);
    const { curves, points, name } = space.views[this.view];
    const xs = visible.flatMap((model) => [...unpackOnce(curves[model.index].x)]);
    const ys = visible.flatMap((model) => [...unpackOnce(curves[model.index].y)]);
    const unit = space.diagonal === true;
    // The far ends of RROC curves would leave no room for where they differ.
    const reach = (values: number[]) => [...values].map(Math.abs).sort((a, b) => a - b)[Math.floor(values.length * 0.85)] ?? 1;
    const frame = new Frame(
      this.host,
      `${name} curves of ${visible.length} models, with the line of equal outcome through the best point.`,
      unit ? [0, 1] : [0, reach(xs) * 1.05],
      unit ? [0, 1] : ys.some((each) => each < 0) ? [-reach(ys) * 1.05, 0] : [0, reach(ys) * 1.05],
      { x: space.x, y: space.y },
    );
    this.frame = frame;
    const { x, y, plot } = frame;
    if (unit) plot.append("line").attr("class", "diagonal").attr("x1", x(0)).attr("y1", y(0)).attr("x2", x(1)).attr("y2", y(1));
    this.hull = null;
    if (points) {
      const owners = Array.from(comparison.contexts, (at) => {
        const order = visible.map((model) => [comparison.sign * model.tuned.at(at), model.index]);
        return order.reduce((a, b) => (b[0] < a[0] ? b : a))[1];
      });
      this.hull = {
        x: Float64Array.from(owners, (owner, k) => unpackOnce(points[owner].x)[k]),
        y: Float64Array.from(owners, (owner, k) => unpackOnce(points[owner].y)[k]),
      };
      plot.append("path").attr("class", "hull").attr("d", path(x, y, this.hull.x, this.hull.y));
    }
    for (const model of visible) {
      plot
        .append("path")
        .attr("class", `curve ${colourClass(model.index)}`)
        .attr("stroke-dasharray", dash(model.index))
        .attr("d", path(x, y, unpackOnce(curves[model.index].x), unpackOnce(curves[model.index].y)));
    }
    frame.follow((px, py, done) => {
      if (!this.hull) return;
      let near = 0;
      let least = Infinity;
      for (let k = 0; k < this.hull.x.length; k++) {
        const gap = (x(this.hull.x[k]) - x(px)) ** 2 + (y(this.hull.y[k]) - y(py)) ** 2;
        if (gap < least) [least, near] = [gap, k];
      }
      this.moved(comparison.contexts[near], done);
    });
  }

  mark(at: number, visible: Model[], best: Model): void {
    const frame = this.frame;
    if (!frame) return;
    const { x, y, marks } = frame;
    marks.selectAll("*").remove();
    const points = this.space.views[this.view].points;
    if (!points) return;
    const k = nearest(this.comparison.contexts, at);
    const where = (model: Model) => [unpackOnce(points[model.index].x)[k], unpackOnce(points[model.index].y)[k]] as const;
    const slope = unpackOnce(this.space.slope)[k];
    const [bx, by] = where(best);
    const [left, right] = x.domain();
    const [bottom, top] = y.domain();
    if (Number.isFinite(slope)) {
      const ends = [left, right].map((each) => [each, by + slope * (each - bx)] as const);
      marks.append("line").attr("class", "isometric").attr("x1", x(ends[0][0])).attr("y1", y(ends[0][1])).attr("x2", x(ends[1][0])).attr("y2", y(ends[1][1]));
    } else marks.append("line").attr("class", "isometric").attr("x1", x(bx)).attr("x2", x(bx)).attr("y1", y(bottom)).attr("y2", y(top));
    for (const model of bestLast(visible, best)) {
      const [px, py] = where(model);
      dot(marks, model, best, x(px), y(py));
    }
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}

class Profile implements Space {
  private frame: Frame | null = null;
  private visible: Model[] = [];

  constructor(
    private readonly host: HTMLElement,
    private readonly comparison: Comparison,
    private readonly space: Kind<"profile">,
  ) {}

  private values(model: Model, theta: number): Float64Array {
    const curve = this.space.curves[model.index];
    const slope = unpackOnce(curve.slope);
    const intercept = unpackOnce(curve.intercept);
    return slope.map((each, k) => each * theta + intercept[k]);
  }

  draw(visible: Model[]): void {
    this.visible = visible;
    const { comparison, space } = this;
    const last = Math.min(1, 1.25 * space.limits[1]);
    const ends = visible.flatMap((model) => {
      const x = unpackOnce(space.curves[model.index].x);
      return [comparison.low, comparison.high].flatMap((at) => [...this.values(model, at)].filter((_, k) => x[k] <= last));
    });
    this.frame = new Frame(this.host, `${space.y} of ${visible.length} models by the share accepted.`, [0, last], extent(ends), { x: space.x, y: space.y });
    const { x, y, plot, height } = this.frame;
    plot.append("line").attr("class", "diagonal").attr("x1", x(0)).attr("x2", x(1)).attr("y1", y(0)).attr("y2", y(0));
    const [least, most] = space.limits;
    if (most < 1) plot.append("rect").attr("class", "beyond").attr("x", x(most)).attr("width", x(1) - x(most)).attr("height", height);
    if (least > 0) plot.append("rect").attr("class", "beyond").attr("x", x(0)).attr("width", x(least) - x(0)).attr("height", height);
    for (const model of visible)
      plot.append("path").attr("class", `curve ${colourClass(model.index)}`).attr("stroke-dasharray", dash(model.index)).attr("data-model", model.index);
  }

  mark(at: number, visible: Model[], best: Model): void {
    const frame = this.frame;
    if (!frame) return;
    const { x, y, plot, marks } = frame;
    marks.selectAll("*").remove();
    for (const model of this.visible) {
      const curve = this.space.curves[model.index];
      plot.select(`path[data-model="${model.index}"]`).attr("d", path(x, y, unpackOnce(curve.x), this.values(model, at)));
    }
    const k = nearest(this.comparison.contexts, at);
    for (const model of bestLast(visible, best)) dot(marks, model, best, x(unpackOnce(this.space.curves[model.index].at)[k]), y(model.tuned.at(at)));
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}

class Map2 implements Space {
  private frame: Frame | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly comparison: Comparison,
    private readonly space: Kind<"map">,
    private readonly moved: (x: number, done: boolean) => void,
  ) {}

  draw(): void {
    const { space, comparison } = this;
    const edges = unpackOnce(space.edges);
    const values = unpackOnce(space.values);
    this.frame = new Frame(this.host, `Map of the best model over ${space.x} and ${space.y}.`, comparison.raw.range, [0, 1], { x: space.x, y: space.y });
    const { x, y, plot } = this.frame;
    space.owner.forEach((row, j) => {
      const low = j === 0 ? 0 : 0.5 * (values[j - 1] + values[j]);
      const high = j + 1 === values.length ? 1 : 0.5 * (values[j] + values[j + 1]);
      let start = 0;
      for (let k = 1; k <= row.length; k++) {
        if (k < row.length && row[k] === row[start]) continue;
        plot
          .append("rect")
          .attr("class", `cell ${colourClass(row[start])}`)
          .attr("x", x(edges[start]))
          .attr("width", x(edges[k]) - x(edges[start]) + 0.4)
          .attr("y", y(high))
          .attr("height", y(low) - y(high) + 0.4);
        start = k;
      }
    });
    this.frame.follow((at, _, done) => this.moved(comparison.clamp(at), done));
  }

  mark(at: number): void {
    const frame = this.frame;
    if (!frame) return;
    const { x, y, marks } = frame;
    marks.selectAll("*").remove();
    marks.append("line").attr("class", "cursor").attr("x1", x(at)).attr("x2", x(at)).attr("y2", frame.height);
    marks.append("line").attr("class", "isometric").attr("x1", 0).attr("x2", frame.width).attr("y1", y(this.space.here)).attr("y2", y(this.space.here));
    marks.append("circle").attr("class", "handle").attr("cx", x(at)).attr("cy", y(this.space.here)).attr("r", 6);
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}

class Distributions implements Space {
  private frame: Frame | null = null;
  private drawn: Model | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly comparison: Comparison,
    private readonly space: Kind<"distributions">,
  ) {}

  draw(_: Model[], __: number, inspected: Model): void {
    const { space } = this;
    this.drawn = inspected;
    const shape = space.models[inspected.index];
    const allEdges = shape.edges.map(unpackOnce);
    const density = shape.density.map(unpackOnce);
    const surface = shape.surface;
    this.frame = new Frame(
      this.host,
      `Scores of ${clip(inspected.name)} by class, with the thresholds.`,
      [Math.min(...allEdges.map((each) => each[0])), Math.max(...allEdges.map((each) => each[each.length - 1]))],
      [0, density.length],
      { x: `${space.x} of ${clip(inspected.name, 30)}`, y: "" },
      surface ? 250 : 360,
      { rows: space.classes.map((name) => clip(name, 9)) },
    );
    const { x, y, plot } = this.frame;
    density.forEach((each, k) => {
      const edges = allEdges[k];
      const most = Math.max(...each, 1e-300);
      const steps = line<number>()
        .curve(curveStepAfter)
        .x((_, j) => x(edges[j]))
        .y((value) => y(k + (0.86 * value) / most));
      const outline = `M${x(edges[0])},${y(k)}L${(steps([...each, 0]) ?? "").slice(1)}`;
      plot.append("path").attr("class", `class k${k % 6}`).attr("d", outline);
    });
    if (surface) this.drawSurface(unpackOnce(surface.corners), surface.triangles);
  }

  /** The ROC surface of three classes, seen from the corner where all are graded rightly. */
  private drawSurface(corners: Float64Array, triangles: number[]): void {
    const size = 210;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${size + 60} ${size}`);
    svg.setAttribute("class", "surface");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `ROC surface: the shares of ${this.space.classes.map((c) => clip(c, 16)).join(", ")} that are graded rightly.`);
    const at = (a: number, b: number, c: number): [number, number] => [(size + 60) / 2 + (a - b) * 88, size * 0.66 + (a + b) * 34 - c * 100 - 16];
    const point = (k: number) => [corners[3 * k], corners[3 * k + 2], corners[3 * k + 1]] as [number, number, number];
    const faces: { depth: number; height: number; text: string }[] = [];
    for (let k = 0; k < triangles.length; k += 3) {
      const three = [0, 1, 2].map((j) => point(triangles[k + j]));
      faces.push({
        depth: three.reduce((sum, p) => sum + p[0] + p[1], 0),
        height: three.reduce((sum, p) => sum + p[2], 0) / 3,
        text: three.map((p) => at(...p).map((v) => v.toFixed(1)).join(",")).join(" "),
      });
    }
    faces.sort((a, b) => a.depth - b.depth);
    const add = (tag: string, attributes: Record<string, string>, text = "") => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.textContent = text;
      svg.append(element);
    };
    const ends: [[number, number, number], string][] = [
      [[1, 0, 0], this.space.classes[0]],
      [[0, 1, 0], this.space.classes[2]],
      [[0, 0, 1], this.space.classes[1]],
    ];
    for (const face of faces) add("polygon", { points: face.text, class: "face", "fill-opacity": (0.15 + 0.75 * face.height).toFixed(2) });
    const origin = at(0, 0, 0);
    for (const [end, name] of ends) {
      const [ex, ey] = at(...end);
      add("line", { class: "edge", x1: String(origin[0]), y1: String(origin[1]), x2: String(ex), y2: String(ey) });
      add("text", { class: "tag", x: String(ex), y: String(end[2] ? ey - 4 : ey + 12), "text-anchor": "middle" }, clip(name, 16));
    }
    this.host.append(svg);
  }

  mark(at: number, visible: Model[], _best: Model, inspected: Model): void {
    if (this.drawn !== inspected) this.draw(visible, 0, inspected);
    const frame = this.frame;
    if (!frame) return;
    const k = nearest(this.comparison.contexts, at);
    const { x, marks } = frame;
    marks.selectAll("*").remove();
    for (const each of this.space.models[inspected.index].thresholds) {
      const cut = unpackOnce(each)[k];
      if (!Number.isFinite(cut)) continue; // a class that is never given
      const shown = x(cut);
      marks.append("line").attr("class", "cursor").attr("x1", shown).attr("x2", shown).attr("y2", frame.height);
      marks.append("text").attr("class", "tag").attr("x", shown + 4).attr("y", 12).text(digits(cut));
    }
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}
