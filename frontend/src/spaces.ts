// The picture beside the curves, by its kind: the trade-off, the profile, the map, or the classes on the score.
import { curveStepAfter, line } from "d3-shape";
import { RawSpace, unpackOnce } from "./data";
import { Comparison, Line, Model, nearest } from "./evaluate";
import { clip, digits } from "./format";
import { colourClass, dash, extent, Frame, Group, LOOKS } from "./plot";
import { keepApart } from "./excessPlot";

/** Contexts nearer to the ends than this share are rarely meant. */
const RARE = 0.2;
/** The height of the row of a class, and the width of a label. */
const ROW = 44;
const LABEL = 34;

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
  /** The context that is marked. */
  private at: number;

  constructor(
    private readonly host: HTMLElement,
    private readonly comparison: Comparison,
    private readonly space: Kind<"tradeoff">,
    private readonly moved: (x: number, done: boolean) => void,
  ) {
    this.at = comparison.raw.first;
  }

  draw(visible: Model[], view: number): void {
    const { comparison, space } = this;
    this.view = Math.min(view, space.views.length - 1);
    const { curves, points, name } = space.views[this.view];
    const unit = space.diagonal === true;
    // Where points move with usual contexts: the far ends of curves would leave no room for them.
    const usual = (key: "x" | "y") => visible.flatMap((model) => [...unpackOnce((points ?? curves)[model.index][key])].filter((_, k) => !points || this.isUsual(k)));
    const [xs, ys] = [usual("x"), usual("y")];
    const reach = (values: number[]) => Math.max(...values.filter(Number.isFinite).map(Math.abs));
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

  private isUsual(k: number): boolean {
    const { contexts, low, high } = this.comparison;
    const share = (contexts[k] - low) / (high - low);
    return (share >= RARE && share <= 1 - RARE) || k === nearest(contexts, this.at);
  }

  mark(at: number, visible: Model[], best: Model): void {
    this.at = at;
    this.frame?.marks.selectAll("*").remove();
    const points = this.space.views[this.view].points;
    if (!points || !this.frame) return;
    const k = nearest(this.comparison.contexts, at);
    const where = (model: Model) => [unpackOnce(points[model.index].x)[k], unpackOnce(points[model.index].y)[k]] as const;
    const slope = unpackOnce(this.space.slope)[k];
    const [bx, by] = where(best);
    if (bx > this.frame.x.domain()[1] || by < this.frame.y.domain()[0]) this.draw(visible, this.view);
    const { x, y, marks } = this.frame;
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

  draw(): void {
    // It is drawn for each context, when that is marked.
  }

  mark(at: number, visible: Model[], best: Model): void {
    const { space } = this;
    const last = Math.min(1, 1.25 * space.limits[1]);
    const drawn = bestLast(visible, best).map((model) => ({ model, x: unpackOnce(space.curves[model.index].x), y: this.values(model, at) }));
    const ends = drawn.flatMap(({ x, y }) => [...y].filter((_, k) => x[k] <= last));
    this.frame = new Frame(this.host, `${space.y} of ${visible.length} models by the share accepted.`, [0, last], extent([0, ...ends]), { x: space.x, y: space.y });
    const { x, y, plot, marks, height } = this.frame;
    plot.append("line").attr("class", "diagonal").attr("x1", x(0)).attr("x2", x(1)).attr("y1", y(0)).attr("y2", y(0));
    const [least, most] = space.limits;
    if (most < 1) plot.append("rect").attr("class", "beyond").attr("x", x(most)).attr("width", x(1) - x(most)).attr("height", height);
    if (least > 0) plot.append("rect").attr("class", "beyond").attr("x", x(0)).attr("width", x(least) - x(0)).attr("height", height);
    const k = nearest(this.comparison.contexts, at);
    for (const { model, x: shares, y: gains } of drawn) {
      plot.append("path").attr("class", `curve ${colourClass(model.index)}`).attr("stroke-dasharray", dash(model.index)).attr("d", path(x, y, shares, gains));
      const share = unpackOnce(space.curves[model.index].at)[k];
      dot(marks, model, best, x(share), y(new Line(shares, gains, { factor: 1 }).at(share)));
    }
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}

class Map2 implements Space {
  private frame: Frame | null = null;
  /** The context that is marked. */
  private at: number;

  constructor(
    private readonly host: HTMLElement,
    private readonly comparison: Comparison,
    private readonly space: Kind<"map">,
    private readonly moved: (x: number, done: boolean) => void,
  ) {
    this.at = comparison.raw.first;
  }

  draw(): void {
    const { space, comparison } = this;
    const edges = unpackOnce(space.edges);
    const values = unpackOnce(space.values);
    this.frame = new Frame(this.host, `Map of the best model over ${space.x} and ${space.y}.`, comparison.window(this.at), [0, 1], { x: space.x, y: space.y });
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
          .attr("width", x(edges[k]) - x(edges[start]))
          .attr("y", y(high))
          .attr("height", y(low) - y(high));
        start = k;
      }
    });
    this.frame.follow((at, _, done) => this.moved(comparison.settle(at), done));
  }

  mark(at: number): void {
    this.at = at;
    const [first, last] = this.frame?.x.domain() ?? [NaN, NaN];
    if (!(at >= first && at <= last)) this.draw();
    const { frame } = this;
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
    const classes = shape.density.map((each, k) => ({ density: unpackOnce(each), edges: unpackOnce(shape.edges[k]) }));
    const surface = shape.surface;
    this.frame = new Frame(
      this.host,
      `Scores of ${clip(inspected.name)} by class, with the thresholds.`,
      extent(classes.flatMap(({ density, edges }) => [...density].flatMap((each, k) => (each > 0 ? [edges[k], edges[k + 1]] : [])))),
      [0, classes.length],
      { x: `${space.x} of ${clip(inspected.name, 30)}`, y: "" },
      Math.max(surface ? 250 : 360, ROW * classes.length + 58),
      { rows: space.classes.map((name) => clip(name, 9)) },
    );
    const { x, y, plot } = this.frame;
    classes.forEach(({ density, edges }, k) => {
      const most = Math.max(...density, 1e-300);
      const steps = line<number>()
        .curve(curveStepAfter)
        .x((_, j) => x(edges[j]))
        .y((value) => y(k + (0.86 * value) / most));
      const outline = `M${x(edges[0])},${y(k)}L${(steps([...density, 0]) ?? "").slice(1)}`;
      plot.append("path").attr("class", `class k${k % LOOKS}`).attr("d", outline);
    });
    if (surface) this.drawSurface(unpackOnce(surface.corners), surface.triangles);
  }

  /** The ROC surface of three classes, seen from the corner where all are graded correctly. */
  private drawSurface(corners: Float64Array, triangles: number[]): void {
    const size = 210;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${size + 60} ${size}`);
    svg.setAttribute("class", "surface");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `ROC surface: the shares of ${this.space.classes.map((c) => clip(c, 16)).join(", ")} that are graded correctly.`);
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
    const { x, y, marks } = frame;
    marks.selectAll("*").remove();
    const cuts = this.comparison.knob(inspected, at);
    // In its row, where each class is given.
    const [first, last] = x.domain();
    const borders = [first, ...cuts, last].map((cut) => x(Math.min(last, Math.max(first, cut))));
    this.space.classes.forEach((_, j) => {
      marks.append("rect").attr("class", "given").attr("x", borders[j]).attr("width", Math.max(0, borders[j + 1] - borders[j])).attr("y", y(j + 1)).attr("height", y(j) - y(j + 1));
    });
    const shown = cuts.filter(Number.isFinite); // others: a class that is never given
    const places = keepApart(shown.map(x), LABEL, frame.width - LABEL);
    shown.forEach((cut, j) => {
      marks.append("line").attr("class", "cursor").attr("x1", x(cut)).attr("x2", x(cut)).attr("y2", frame.height);
      marks.append("text").attr("class", "tag cut").attr("x", places[j] + 4).attr("y", 10).text(digits(cut, 3));
    });
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}
