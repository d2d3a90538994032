// How much worse each choice is than the best, as contexts change.
import { area, line } from "d3-shape";
import { Comparison, Line, Model, nearest } from "./evaluate";
import { clip, digits, ratioText } from "./format";
import { h } from "./dom";
import { colourClass, Frame, strip } from "./plot";

const POINTS = 241;
/** Where curves jump at cases, averages are drawn over so many points on either side, and over more where few contexts are known. */
const [NEAR, WIDE] = [4, 12];
/** Where the best value falls below this share of its largest one, differences are absolute. */
const FAINT = 0.02;
/** A model so many times farther from the best than the one before is cut off. */
const JUMP = 3;
/** Ratios of costs on the axis, the first ones where there is little room. */
const RATIOS = [1, 20, 1 / 20, 1000, 1 / 1000, 5, 1 / 5, 100, 1 / 100];
const TICK = 46;
/** The axis goes on to this share of a cost. */
const FARTHEST = 1e-3;
const USUAL = 20;
const NARROW = 520;
const LETTER = 12;

const logit = (x: number) => Math.log(x / (1 - x));

interface Drawn {
  name: string;
  look: string;
  colour: string;
  excess: number[];
}

/** Places within 0 and most, as near to those wanted as can be, and apart from each other. */
export function keepApart(wanted: number[], gap: number, most: number): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b]);
  const runs: { middle: number; count: number }[] = [];
  for (const k of order) {
    runs.push({ middle: Math.min(most, Math.max(0, wanted[k])), count: 1 });
    while (runs.length > 1) {
      const [before, last] = runs.slice(-2);
      if (last.middle - before.middle >= (gap * (last.count + before.count)) / 2) break;
      const count = last.count + before.count;
      const half = (gap * (count - 1)) / 2;
      const middle = (last.middle * last.count + before.middle * before.count) / count;
      runs.splice(-2, 2, { middle: Math.min(Math.max(middle, half), Math.max(most - half, half)), count });
    }
  }
  const places = runs.flatMap(({ middle, count }) => Array.from({ length: count }, (_, k) => middle + gap * (k - (count - 1) / 2)));
  const found = new Array<number>(wanted.length);
  order.forEach((k, at) => (found[k] = places[at]));
  return found;
}

export class ExcessPlot {
  private frame: Frame | null = null;
  private xs: number[] = [];
  private best: number[] = [];
  private relative = true;

  constructor(
    private readonly host: HTMLElement,
    private readonly legend: HTMLElement,
    private readonly comparison: Comparison,
    private readonly moved: (x: number, done: boolean) => void,
  ) {}

  static title(comparison: Comparison): string {
    const { words, kind, about } = comparison.raw;
    const worse = words.sense === "loss" ? "more each choice costs" : "less each choice earns";
    const averaged = comparison.raw.steps ? ` (averaged over ${about}s nearby)` : "";
    return `How much ${worse} than the best, as ${kind === "share" || kind === "cost" ? "costs change" : `the ${about} changes`}${averaged}`;
  }

  private get shares(): boolean {
    return this.comparison.raw.costs !== null;
  }

  /** Where a context lies along the axis, and back. */
  private place = (x: number): number => (this.shares ? logit(Math.min(1 - FARTHEST, Math.max(FARTHEST, x))) : x);
  private context = (place: number): number => (this.shares ? 1 / (1 + Math.exp(-place)) : place);

  private ends(at: number): [number, number] {
    const { low, high } = this.comparison;
    if (!this.shares) return this.comparison.window(at);
    const reach = Math.max(Math.log(USUAL), Math.abs(this.place(at)) + 0.35);
    return [Math.max(this.place(low), -reach), Math.min(this.place(high), reach)];
  }

  draw(visible: Model[], at: number, chosen: Model | null): void {
    const { comparison, host } = this;
    const [first, last] = this.ends(at);
    this.xs = Array.from({ length: POINTS }, (_, k) => this.context(first + ((last - first) * k) / (POINTS - 1)));
    const values = comparison.models.map((model) => this.values(model.tuned));
    this.best = this.xs.map((_, k) => comparison.sign * Math.min(...values.map((each) => comparison.sign * each[k])));
    this.relative = Math.min(...this.best) > FAINT * Math.max(...this.best);
    const drawn = this.lines(visible, values, chosen);
    // One band: those of several models on top of each other could not be read.
    const banded = chosen ?? visible[0];
    const bands = comparison.exact ? [] : [banded].map((model) => ({ colour: colourClass(model.index), low: this.excess(this.values(model.low)), high: this.excess(this.values(model.high)) }));
    const open = this.open(values);
    const reach = Math.max(this.reach(visible.map((model) => this.excess(values[model.index])), drawn), 2 * open);
    const foot = Math.max(0.07 * reach, 1.2 * open);
    const down = comparison.sign < 0;
    const narrow = (host.clientWidth || 320) < NARROW;
    const right = narrow ? 14 : 162;
    const frame = new Frame(host, ExcessPlot.title(comparison), [first, last], down ? [-reach, foot] : [-foot, reach], this.names(narrow), 330, {
      right,
      ticks: this.ticks(first, last, (host.clientWidth || 320) - right - 68),
      y: (value) => this.tick(value, reach),
    });
    this.frame = frame;
    const between = comparison.raw.asked?.between?.map((x) => frame.x(this.place(x)));
    if (between) frame.plot.append("rect").attr("class", "asked-range").attr("x", between[0]).attr("width", between[1] - between[0]).attr("height", frame.height);
    this.strip(frame, values, visible, down);
    const path = (excess: number[]) => line<number>().x((_, k) => frame.x(this.place(this.xs[k]))).y((value) => frame.y(value))(excess);
    const band = area<number>()
      .x((_, k) => frame.x(this.place(this.xs[k])))
      .y0((low) => frame.y(low));
    for (const { colour, low, high } of bands) frame.plot.append("path").attr("class", `band ${colour}`).attr("d", band.y1((_, k) => frame.y(high[k]))(low));
    for (const each of drawn) frame.plot.append("path").attr("class", `${each.look} ${each.colour}`).attr("d", path(each.excess));
    this.name(frame, drawn, narrow);
    frame.follow((place, _, done) => this.moved(comparison.settle(this.context(place)), done));
  }

  private names(narrow: boolean): { x: string; y: string } {
    const { words, costs } = this.comparison.raw;
    const of = narrow ? "" : "cost of ";
    const x = costs ? costs.errors.map((error) => of + error).join(" : ") : words.context + (this.comparison.contextUnit && ` (${words.unit})`);
    return { x, y: this.relative ? "" : `difference in ${words.sense === "loss" ? "cost" : "gain"} per case` };
  }

  private ticks(first: number, last: number, width: number): [number, string][] | undefined {
    if (!this.shares) return undefined;
    const gap = ((last - first) * TICK) / width;
    const found: [number, string][] = [];
    for (const ratio of RATIOS) {
      const place = Math.log(ratio);
      const free = found.every(([other]) => Math.abs(other - place) >= gap);
      if (free && place >= first - 0.01 && place <= last + 0.01) found.push([place, ratioText(ratio / (1 + ratio))]);
    }
    return found;
  }

  private tick(value: number, reach: number): string {
    if (Math.abs(value) < 1e-9 * reach) return "best";
    return `${value > 0 ? "+" : "−"}${digits(Math.abs(value), 3)}${this.relative ? " %" : ""}`;
  }

  /** Values along the axis. */
  private values(each: Line): number[] {
    const found = this.xs.map((x) => each.at(x));
    const { raw, contexts } = this.comparison;
    if (!raw.steps) return found;
    const half = contexts.length > POINTS ? NEAR : WIDE;
    return found.map((_, k) => {
      const near = found.slice(Math.max(0, k - half), k + half + 1);
      return near.reduce((a, b) => a + b, 0) / near.length;
    });
  }

  private excess(values: number[]): number[] {
    return values.map((value, k) => (this.relative ? (100 * (value - this.best[k])) / this.best[k] : value - this.best[k]));
  }

  /** The lines to draw, the most important last. */
  private lines(visible: Model[], values: number[][], chosen: Model | null): Drawn[] {
    const { still } = this.comparison;
    const found: Drawn[] = [];
    if (still) found.push({ name: "no model", look: "curve dotted", colour: "still", excess: this.excess(this.values(still)) });
    if (chosen?.untuned) found.push({ name: `${clip(chosen.name, 12)}, as it is`, look: "curve dashed", colour: colourClass(chosen.index), excess: this.excess(this.values(chosen.untuned[0])) });
    for (const model of visible) found.push({ name: model.name, look: "curve", colour: colourClass(model.index), excess: this.excess(values[model.index]) });
    return found;
  }

  /** The largest value; where curves jump at every case, of nearly all contexts: few cases are wrong at the ends. */
  private largest(values: number[]): number {
    if (!this.comparison.raw.steps) return Math.max(...values);
    return [...values].sort((a, b) => a - b)[Math.floor(0.93 * (values.length - 1))];
  }

  /** How far to look: close rivals are to be told apart. */
  private reach(models: number[][], drawn: Drawn[]): number {
    const sizes = models.map((each) => each.map(Math.abs));
    const largest = (each: number[]) => this.largest(each);
    const runner = sizes.length > 1 ? largest(this.xs.map((_, k) => sizes.map((each) => each[k]).sort((a, b) => a - b)[1])) : 0;
    const rest = sizes.length > 1 ? sizes : drawn.map((each) => each.excess.map(Math.abs));
    const far = [runner, ...rest.map(largest).sort((a, b) => a - b)].filter((each) => each > 1e-9 && Number.isFinite(each));
    if (!far.length) return 1;
    const reach = far.reduce((most, each) => (each <= JUMP * most ? Math.max(most, each) : most), far[0]);
    const k = nearest(this.xs, this.comparison.raw.first);
    const raw = drawn.filter((each) => each.look.includes("dashed")).map((each) => Math.abs(each.excess[k]));
    return 1.06 * Math.max(reach, ...raw.filter((each) => each <= JUMP * reach));
  }

  /** How far bounds of the best model are usually apart: less than that cannot be seen. */
  private open(values: number[][]): number {
    const { models, sign, exact } = this.comparison;
    if (exact) return 0;
    const gaps = this.xs.map((x, k) => {
      const best = models.reduce((a, b) => (sign * (values[b.index][k] - values[a.index][k]) < 0 ? b : a));
      const gap = 0.5 * (best.high.at(x) - best.low.at(x));
      return Math.abs(this.relative ? (100 * gap) / this.best[k] : gap);
    });
    return gaps.sort((a, b) => a - b)[gaps.length >> 1];
  }

  /** Who is best where. */
  private strip(frame: Frame, values: number[][], visible: Model[], down: boolean): void {
    const owners = this.xs.map((_, k) => values.reduce((a, each, j) => (this.comparison.sign * (each[k] - values[a][k]) < 0 ? j : a), 0));
    const shown = new Set(visible.map((model) => model.index));
    const parts: [number, number, string][] = [];
    let start = 0;
    owners.forEach((owner, k) => {
      if (k + 1 < owners.length && owners[k + 1] === owner) return;
      const [from, to] = [start, Math.min(k + 1, owners.length - 1)].map((each) => frame.x(this.place(this.xs[each])));
      if (shown.has(owner)) parts.push([from, to, colourClass(owner)]);
      start = k + 1;
    });
    const doubtful = this.comparison.doubtful.map((ends) => ends.map((x) => Math.min(frame.width, Math.max(0, frame.x(this.place(x))))) as [number, number]);
    strip(frame, parts, doubtful, down ? 0 : frame.height - 8);
  }

  /** Names beside the ends of lines, or below where there is no room. */
  private name(frame: Frame, drawn: Drawn[], narrow: boolean): void {
    this.legend.replaceChildren();
    if (narrow) {
      for (const each of drawn.slice().reverse()) this.legend.append(h("li", {}, h("span", { class: `chip ${each.colour} ${each.look}`, "aria-hidden": "true" }), h("bdi", {}, clip(each.name, 34))));
      return;
    }
    const wanted = drawn.map((each) => frame.y(each.excess[each.excess.length - 1]));
    const places = keepApart(wanted, LETTER + 2, frame.height);
    drawn.forEach((each, k) => {
      const away = wanted[k] < 0 ? " ↑" : wanted[k] > frame.height ? " ↓" : "";
      const group = frame.outer.append("g").attr("class", each.colour);
      if (!away) group.append("line").attr("class", "leader").attr("x1", frame.width).attr("x2", frame.width + 8).attr("y1", wanted[k]).attr("y2", places[k]);
      group.append("text").attr("class", "ending").attr("x", frame.width + 10).attr("y", places[k] + 4).text(clip(each.name, 22) + away);
    });
  }

  mark(at: number, visible: Model[]): void {
    const { frame, comparison } = this;
    if (!frame) return;
    const x = frame.x(this.place(at));
    frame.marks.selectAll("*").remove();
    frame.marks.append("line").attr("class", "cursor").attr("x1", x).attr("x2", x).attr("y2", frame.height);
    frame.marks.append("circle").attr("class", "handle").attr("cx", x).attr("cy", 7).attr("r", 6);
    if (comparison.raw.steps) return;
    const values = comparison.models.map((model) => model.tuned.at(at));
    const best = comparison.sign * Math.min(...values.map((value) => comparison.sign * value));
    for (const model of visible) {
      const gap = values[model.index] - best;
      const excess = this.relative ? (100 * gap) / best : gap;
      const y = frame.y(excess);
      if (y >= 0 && y <= frame.height) frame.marks.append("circle").attr("class", `full ${colourClass(model.index)}`).attr("cx", x).attr("cy", y).attr("r", 4.5).attr("data-model", model.index).attr("data-value", excess);
    }
  }

  /** Whether a context is beyond what is drawn. */
  beyond(at: number): boolean {
    const [first, last] = this.xs.length ? [this.xs[0], this.xs[this.xs.length - 1]] : [NaN, NaN];
    return !(at >= first && at <= last);
  }

  get svg(): SVGSVGElement | null {
    return this.frame?.svg ?? null;
  }
}
