// Evaluate what Python wrote. Nothing is estimated here: values are looked up, and straight between.
import { Decision, RawAnswer, RawComparison, RawValues, unpack, unpackOnce } from "./data";
import { errorOf, ratioText } from "./format";

/** So many lines on each side bound a curve between stored contexts. */
const LINES = 8;

/** Where values are below this share of the largest, there is little to see. */
const QUIET = 0.25;

/** Bounds are known but for rounding. */
const NOISE = 1e-12;

/** Answers rule out a model that is the best with less than this probability. */
const UNLIKELY = 0.01;

/** A part of a region is told apart from the rest of it if it is wider than this share of all contexts. */
const WIDE = 0.05;

/** What all values are multiplied by: other costs in the same ratio. */
export interface Scale {
  factor: number;
}

/** Values at increasing contexts, straight in between. */
export class Line {
  constructor(
    readonly x: Float64Array,
    private readonly stored: Float64Array,
    private readonly scale: Scale,
  ) {}

  get y(): Float64Array {
    const { factor } = this.scale;
    return factor === 1 ? this.stored : this.stored.map((value) => factor * value);
  }

  at(x: number): number {
    const { x: xs, stored: ys } = this;
    const { factor } = this.scale;
    const k = below(xs, x);
    if (x <= xs[k] || k + 1 >= xs.length) return factor * ys[k];
    const share = (x - xs[k]) / (xs[k + 1] - xs[k]);
    return factor * (ys[k] + share * (ys[k + 1] - ys[k]));
  }
}

/** A curve and its bounds: the curve is in the middle of them if nothing else is known, or exact. */
function lines({ values, low, high, likely }: RawValues, contexts: Float64Array, scale: Scale): [Line, Line, Line] {
  if (values) {
    const line = new Line(contexts, unpack(values), scale);
    return [line, line, line];
  }
  const [least, most] = [unpack(low), unpack(high)];
  const middle = likely ? unpack(likely) : least.map((each, k) => 0.5 * (each + most[k]));
  return [new Line(contexts, middle, scale), new Line(contexts, least, scale), new Line(contexts, most, scale)];
}

/** The last position whose value is not above x. */
export function below(xs: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (xs[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The position of the nearest value. */
export function nearest(xs: ArrayLike<number>, x: number): number {
  const k = below(xs, x);
  return k + 1 < xs.length && Math.abs(xs[k + 1] - x) < Math.abs(xs[k] - x) ? k + 1 : k;
}

export interface Model {
  name: string;
  index: number;
  tuned: Line;
  /** Between which bounds the curve lies; the curve itself where it is exact. */
  low: Line;
  high: Line;
  /** What it gives as it is, and the bounds of that. */
  untuned: [Line, Line, Line] | null;
  knobs: Float64Array[];
  /** The expected value on new cases, and the ends of its interval, at the contexts of answers. */
  honest: [Line, Line, Line];
  integral: Float64Array;
}

/** A line of an answer: a model, or a decision without one. */
export interface Choice {
  name: string;
  model: Model | null;
  knob: number[];
  value: number;
  low: number;
  high: number;
  /** With the digits of such an error numbers are shown. */
  error: number;
  raw: number | null;
  chance: number | null;
}

/** What Python answered, at a context or for what was asked. */
export interface Answer {
  /** NaN if it is for a range or a distribution. */
  context: number;
  decision: Decision;
  raw: RawAnswer;
}

const read = (raw: RawAnswer): Answer => ({ context: raw.context ?? NaN, decision: JSON.parse(raw.text) as Decision, raw });

/** How far a value may be from the one that lies between two bounds. */
const apart = (value: number, low: number, high: number): number => Math.max(value - low, high - value, 0);

/** One comparison, ready to be asked. */
export class Comparison {
  readonly contexts: Float64Array;
  readonly models: Model[];
  /** The contexts of the answers. */
  readonly answered: Float64Array;
  readonly scale: Scale = { factor: 1 };
  /** What the best decision without a model gives. */
  readonly still: Line | null;
  readonly edges: Float64Array;
  readonly envelope: Float64Array;
  readonly sign: number;
  /** The answer for the range or distribution the page was asked for. */
  readonly asked: Answer | null;
  /** Whether curves are of predictions as they are, though answers have settings. */
  readonly asIs: boolean;
  private readonly answers: Answer[];

  constructor(readonly raw: RawComparison) {
    this.contexts = unpack(raw.contexts);
    this.answers = raw.answers.map(read);
    this.answered = Float64Array.from(this.answers, (each) => each.context);
    this.asked = raw.asked && read(raw.asked);
    this.sign = raw.words.sense === "loss" ? 1 : -1;
    this.edges = unpack(raw.belief.edges);
    this.envelope = unpack(raw.belief.envelope);
    this.asIs = raw.words.knob !== null && raw.curves.every((each) => each.knobs.length === 0);
    const { scale, contexts } = this;
    this.still = raw.still && new Line(contexts, unpack(raw.still), scale);
    this.models = raw.models.map((name, index) => {
      const curve = raw.curves[index];
      const [tuned, low, high] = lines(curve, contexts, scale);
      const rows = raw.answers.map((each) => each.rows.find((row) => !row.baseline && row.name === name));
      const honest = (["value", "low", "high"] as const).map((key) => new Line(this.answered, Float64Array.from(rows, (row) => row?.[key] ?? NaN), scale));
      const plain = this.asIs ? null : curve.untuned;
      return {
        name,
        index,
        tuned,
        low,
        high,
        untuned: plain && lines(plain, plain.contexts ? unpack(plain.contexts) : contexts, scale),
        knobs: curve.knobs.map(unpack),
        honest: honest as Model["honest"],
        integral: unpack(raw.belief.models[index]),
      };
    });
  }

  get exact(): boolean {
    return this.raw.minCases === 0;
  }

  get low(): number {
    return this.raw.range[0];
  }

  get high(): number {
    return this.raw.range[1];
  }

  /** The nearest stored context. */
  settle(x: number): number {
    return this.contexts[nearest(this.contexts, x)];
  }

  /** The stored context so many steps away. */
  step(x: number, by: number): number {
    const { contexts: xs } = this;
    const k = below(xs, x);
    const start = by < 0 && xs[k] < x ? k + 1 : k;
    return xs[Math.min(xs.length - 1, Math.max(0, start + by))];
  }

  /** A context that is shown: any where values between stored ones are known, else the nearest stored one. */
  allow(x: number): number {
    return this.raw.belief.linear ? Math.min(this.high, Math.max(this.low, x)) : this.settle(x);
  }

  /** A context with as many digits as the range has use for. */
  show(x: number, count = 3): string {
    const width = this.high - this.low;
    const places = Math.min(12, Math.max(0, count - Math.floor(Math.log10(width || 1))));
    return Number(x.toFixed(places)).toString().replace("-", "−");
  }

  /** A context in a sentence. */
  say(x: number): string {
    const { costs, kind, words } = this.raw;
    if (kind === "cost") return `a cost of ${this.show(x)}`;
    return `${costs ? `${ratioText(x)}, ` : ""}${words.symbol} = ${this.show(x)}${this.contextUnit}`;
  }

  /** The unit of contexts, with a space before it. */
  get contextUnit(): string {
    const { kind, words } = this.raw;
    return kind === "truth" && words.unit ? ` ${words.unit}` : "";
  }

  /** The two costs at a context. */
  costs(x: number): [number, number] {
    const sum = 2 * (this.raw.costs?.unit ?? 1) * this.scale.factor;
    return [sum * x, sum * (1 - x)];
  }

  /** The unit of values at a context, with a space before it.
   *
   * Values are in the unit of costs or prices. Where errors have a unit of their own, they are in it if each unit of error costs 1.
   */
  unit(x: number): string {
    const { costs, kind, words } = this.raw;
    const plain = costs ? !costs.per || this.costs(x).every((each) => Math.abs(each - 1) < 1e-9) : kind === "price";
    return plain && words.unit ? ` ${words.unit}` : "";
  }

  /** The setting at a context: that of its answer, or of the nearest stored context; empty if unknown. */
  knob(model: Model, x: number): number[] {
    const found = this.answer(x);
    const row = found && (found.context === x || this.asIs) ? this.choices(found).find((each) => each.model === model) : undefined;
    const k = nearest(this.contexts, x);
    return row?.knob ?? model.knobs.map((each) => each[k]);
  }

  /** How far off curves at a context may be. */
  errorAt(x: number): number {
    return Math.max(...this.models.map((model) => this.curveError(model, x)));
  }

  /** How far off a curve may be: what bounds leave open, and lines between stored contexts. */
  curveError(model: Model, x: number): number {
    return Math.max(apart(model.tuned.at(x), model.low.at(x), model.high.at(x)), this.bend(model, x));
  }

  /** The same of predictions as they are. */
  untunedError(model: Model, x: number): number {
    if (!model.untuned) return 0;
    const [value, low, high] = model.untuned.map((each) => each.at(x));
    return apart(value, low, high);
  }

  /** How far off curves may be, at most, at stored contexts. */
  get error(): number {
    const gaps = this.models.map((model) => {
      const [low, high] = [model.low.y, model.high.y];
      return model.tuned.y.reduce((most, each, k) => Math.max(most, apart(each, low[k], high[k])), 0);
    });
    return Math.max(...gaps);
  }

  /** How far a curve may lie from the line between stored contexts.
   *
   * At a fixed knob outcomes are straight, so the best of them bends one way only: it lies between
   * the chord of its neighbours and longer lines through others.
   */
  private bend(model: Model, x: number): number {
    const { contexts: xs, sign } = this;
    const k = below(xs, x);
    if (xs[k] === x || k + 1 >= xs.length) return 0;
    const [near, far] = sign > 0 ? [model.high, model.low] : [model.low, model.high];
    const beyond = (from: number, step: number): number[] =>
      Array.from({ length: LINES }, (_, j) => from + step * (j + 1)).map((past) => {
        if (past < 0 || past >= xs.length) return Infinity;
        const [a, b] = [sign * near.at(xs[from]), sign * far.at(xs[past])];
        return a + ((a - b) / (xs[from] - xs[past])) * (x - xs[from]);
      });
    const most = Math.min(...beyond(k, -1), ...beyond(k + 1, 1));
    return Math.max(0, most - sign * model.tuned.at(x));
  }

  /** The contexts to draw: where curves jump, those at which models cost something, and the one that is shown. */
  window(x: number): [number, number] {
    const { contexts: xs, low, high } = this;
    if (!this.raw.steps) return [low, high];
    const values = this.models.map((model) => model.tuned.y);
    const sizes = Array.from(xs, (_, k) => Math.max(...values.map((each) => Math.abs(each[k]))));
    const most = Math.max(...sizes);
    const active = sizes.map((size) => size > QUIET * most);
    const [first, last] = [active.indexOf(true) - 1, active.lastIndexOf(true) + 1];
    return [Math.min(x, xs[Math.max(first, 0)]), Math.max(x, xs[Math.min(last, xs.length - 1)])];
  }

  /** Models from the best to the worst by their expected values on new cases, as far as known. */
  ranked(x: number): Model[] {
    const found = this.answer(x);
    const order = found ? this.choices(found).flatMap((each) => each.model ?? []) : [];
    const rest = this.models.filter((model) => !order.includes(model));
    return [...order, ...rest.sort((a, b) => this.sign * (a.tuned.at(x) - b.tuned.at(x)))];
  }

  best(x: number): Model {
    let best = this.models[0];
    let value = this.sign * best.tuned.at(x);
    for (const model of this.models) {
      const mine = this.sign * model.tuned.at(x);
      if (mine < value - NOISE * Math.max(Math.abs(value), Math.abs(mine))) [best, value] = [model, mine];
    }
    return best;
  }

  /** The models whose bounds reach those of another at a context, but for those that answers rule out. */
  rivals(owner: Model, x: number): Model[] {
    if (this.exact) return [];
    const [mine, theirs] = this.sign > 0 ? (["high", "low"] as const) : (["low", "high"] as const);
    const reach = owner[mine].at(x);
    return this.models.filter((other) => other !== owner && this.sign * (reach - other[theirs].at(x)) > NOISE * Math.abs(reach) && !this.unlikely(other, x));
  }

  /** Whether the answers on both sides of a context say that a model is hardly the best one. */
  private unlikely(model: Model, x: number): boolean {
    if (!this.answers.length) return false;
    const k = below(this.answered, x);
    const sides = [this.answers[k], this.answered[k] < x ? this.answers[k + 1] : undefined];
    return sides.every((each) => (each?.raw.rows.find((row) => !row.baseline && row.name === model.name)?.chance ?? 0) < UNLIKELY);
  }

  /** Where bounds overlap, so that any of several models may be the best. */
  get doubtful(): [number, number][] {
    const { contexts: xs } = this;
    const found: [number, number][] = [];
    xs.forEach((x, k) => {
      if (!this.rivals(this.best(x), x).length) return;
      const from = 0.5 * (x + xs[Math.max(k - 1, 0)]);
      const to = 0.5 * (x + xs[Math.min(k + 1, xs.length - 1)]);
      const last = found.at(-1);
      if (last && last[1] >= from) last[1] = to;
      else found.push([from, to]);
    });
    return found;
  }

  /** Who is best where: one model, or any of several where bounds overlap. */
  get parts(): { from: number; to: number; owners: Model[] }[] {
    const found: { from: number; to: number; owners: Model[] }[] = [];
    for (const [start, end, index] of this.raw.regions) {
      const owner = this.models[index];
      for (const { from, to, rivals } of this.pieces(owner, start, end)) {
        const last = found.at(-1);
        if (last && rivals.length && last.owners.length > 1) {
          last.to = to;
          last.owners = [...new Set([...last.owners, owner, ...rivals])];
        } else found.push({ from, to, owners: [owner, ...rivals] });
      }
    }
    return found;
  }

  /** The parts of a region in which its owner has rivals or has none; narrow ones are as those beside them. */
  private pieces(owner: Model, start: number, end: number): { from: number; to: number; rivals: Model[] }[] {
    const inside = this.contexts.filter((x) => x >= start && x <= end && this.best(x) === owner);
    let runs: Float64Array[] = [];
    const unsure = (x: number) => this.rivals(owner, x).length > 0;
    const sure = new Map<Float64Array, boolean>();
    let first = 0;
    for (let k = 1; k <= inside.length; k++) {
      if (k < inside.length && unsure(inside[k]) === unsure(inside[first])) continue;
      const run = inside.slice(first, k);
      sure.set(run, !unsure(inside[first]));
      runs.push(run);
      first = k;
    }
    const size = (run: Float64Array) => run[run.length - 1] - run[0];
    while (runs.length > 1) {
      const least = runs.reduce((a, b) => (size(b) < size(a) ? b : a));
      if (size(least) >= WIDE * (this.high - this.low)) break;
      const at = runs.indexOf(least);
      const joined = Float64Array.from([...(runs[at - 1] ?? []), ...least, ...(runs[at + 1] ?? [])]);
      sure.set(joined, !sure.get(least));
      runs = [...runs.slice(0, Math.max(0, at - 1)), joined, ...runs.slice(at + 2)];
    }
    const border = (k: number) => 0.5 * (runs[k - 1][runs[k - 1].length - 1] + runs[k][0]);
    return (runs.length ? runs : [inside]).map((run, k) => {
      const open = runs.length && !sure.get(run) ? [...run].filter(unsure) : [];
      const rivals = open.length ? this.rivals(owner, open[open.length >> 1]) : [];
      return { from: k ? border(k) : start, to: k + 1 < runs.length ? border(k + 1) : end, rivals };
    });
  }

  /** What Python answered nearest to a context. */
  answer(x: number): Answer | null {
    return this.answers[nearest(this.answered, x)] ?? null;
  }

  /** Models from the best to the worst, then decisions without a model, as Python answered. */
  choices({ raw }: Answer): Choice[] {
    const { factor } = this.scale;
    return raw.rows.map(({ name, baseline, knob, value, low, high, raw: untuned, chance }) => ({
      name,
      model: baseline ? null : (this.models.find((model) => model.name === name) ?? null),
      knob: [...unpackOnce(knob)],
      value: factor * value,
      low: low === null ? NaN : factor * low,
      high: high === null ? NaN : factor * high,
      error: factor * errorOf(!this.exact, value, low ?? NaN, high ?? NaN),
      raw: untuned === null ? null : factor * untuned,
      chance,
    }));
  }

  /** Expected outcomes if contexts are spread over the bins by these weights. */
  expected(weights: number[]): { mean: number; models: number[]; following: number; frozen: number; frozenBest: Model } {
    const total = weights.reduce((a, b) => a + b, 0) || 1;
    const widths = weights.map((_, k) => this.edges[k + 1] - this.edges[k]);
    const over = (integral: Float64Array) =>
      this.scale.factor * weights.reduce((sum, w, k) => sum + ((w / total) * (integral[k + 1] - integral[k])) / widths[k], 0);
    const mean = weights.reduce((sum, w, k) => sum + (w / total) * 0.5 * (this.edges[k] + this.edges[k + 1]), 0);
    const models = this.models.map((model) => over(model.integral));
    const following = over(this.envelope);
    // At a fixed knob outcomes are straight over the context: the best frozen decision is that for the mean.
    const frozenOf = (model: Model) => (this.raw.belief.linear ? model.tuned.at(mean) : models[model.index]);
    const frozenBest = this.models.reduce((a, b) => (this.sign * frozenOf(b) < this.sign * frozenOf(a) ? b : a));
    return { mean, models, following, frozen: frozenOf(frozenBest), frozenBest };
  }
}
