// Evaluate what Python wrote. Nothing is estimated here: values are looked up, and straight between.
import { Decision, RawComparison, unpack } from "./data";

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
    /** Whether nothing is known beyond the ends. */
    readonly ends = false,
  ) {}

  get y(): Float64Array {
    const { factor } = this.scale;
    return factor === 1 ? this.stored : this.stored.map((value) => factor * value);
  }

  at(x: number): number {
    const { x: xs, stored: ys } = this;
    const { factor } = this.scale;
    const last = xs.length - 1;
    if (last < 0 || (this.ends && (x < xs[0] || x > xs[last]))) return NaN;
    if (x <= xs[0]) return factor * ys[0];
    if (x >= xs[last]) return factor * ys[last];
    const k = below(xs, x);
    if (xs[k] === x) return factor * ys[k];
    const share = (x - xs[k]) / (xs[k + 1] - xs[k]);
    return factor * (ys[k] + share * (ys[k + 1] - ys[k]));
  }
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
  untuned: Line | null;
  knobs: Float64Array[];
  errors: Float64Array;
  /** The expected value on new cases, the ends of its interval, and that of the raw predictions. */
  honest: [Line, Line, Line, Line];
  integral: Float64Array;
}

/** What Python answered at the context nearest to one that is asked for. */
export interface Answer {
  /** NaN if it is for a range or a distribution. */
  context: number;
  decision: Decision;
  /** What to do, in words. */
  action: string;
  /** What is not sure, in words and in the unit of Python's costs. */
  doubts: string;
  /** Which settings could be the best, and which do as well, likewise. */
  setting: string;
  text: string;
}

/** A line of the answer: a model, or a decision without one. */
export interface Choice {
  name: string;
  model: Model | null;
  value: number;
  low: number;
  high: number;
  raw: number | null;
}

/** One comparison, ready to be asked. */
export class Comparison {
  readonly contexts: Float64Array;
  readonly models: Model[];
  readonly decided: Float64Array;
  readonly scale: Scale = { factor: 1 };
  /** What the best decision without a model gives. */
  readonly still: Line | null;
  readonly edges: Float64Array;
  readonly envelope: Float64Array;
  readonly sign: number;
  readonly decisions: Decision[];

  constructor(readonly raw: RawComparison) {
    this.contexts = unpack(raw.contexts);
    this.decided = unpack(raw.honest.contexts);
    this.decisions = raw.honest.decisions.map((text) => JSON.parse(text) as Decision);
    this.sign = raw.words.sense === "loss" ? 1 : -1;
    this.edges = unpack(raw.belief.edges);
    this.envelope = unpack(raw.belief.envelope);
    const { scale } = this;
    this.still = raw.still && new Line(this.contexts, unpack(raw.still), scale);
    const lines = (packed: { f64: string }[]) => packed.map((each) => new Line(this.decided, unpack(each), scale, true)) as Model["honest"];
    this.models = raw.models.map((name, index) => {
      const curve = raw.curves[index];
      const untuned = curve.untuned;
      return {
        name,
        index,
        tuned: new Line(this.contexts, unpack(curve.tuned), scale),
        untuned: untuned && new Line(unpack(untuned.contexts), unpack(untuned.values), scale),
        knobs: curve.knobs.map(unpack),
        errors: unpack(curve.errors),
        honest: lines(raw.honest.models[index] ?? []),
        integral: unpack(raw.belief.models[index]),
      };
    });
  }

  /** The largest error of values that are read between stored ones. */
  get error(): number {
    return this.scale.factor * this.models.reduce((most, model) => model.errors.reduce((a, b) => Math.max(a, b), most), 0);
  }

  get low(): number {
    return this.raw.range[0];
  }

  get high(): number {
    return this.raw.range[1];
  }

  clamp(x: number): number {
    return Math.min(this.high, Math.max(this.low, x));
  }

  /** A context with as many digits as the range has use for. */
  show(x: number): string {
    const width = this.high - this.low;
    const places = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(width || 1))));
    return Number(x.toFixed(places)).toString().replace("-", "−");
  }

  /** The setting at a context: that of the nearest stored one. */
  knob(model: Model, x: number): number[] {
    const k = nearest(this.contexts, x);
    return model.knobs.map((each) => each[k]);
  }

  /** How far off values at a context may be, where they are read between stored ones. */
  errorAt(x: number): number {
    const k = Math.min(below(this.contexts, x), this.contexts.length - 2);
    return this.isExact(x) ? 0 : this.scale.factor * Math.max(0, ...this.models.map((model) => model.errors[k] ?? 0));
  }

  /** Whether Python's own numbers stand at this context, and not what is straight between. */
  isExact(x: number): boolean {
    return this.contexts[nearest(this.contexts, x)] === x;
  }

  /** Models from the best to the worst by their expected values on new cases, as far as known. */
  ranked(x: number): Model[] {
    const known = this.models.every((model) => Number.isFinite(model.honest[0]?.at(x)));
    const values = this.models.map((model) => this.sign * (known ? model.honest[0] : model.tuned).at(x));
    return [...this.models].sort((a, b) => {
      const gap = values[a.index] - values[b.index];
      const size = Math.max(Math.abs(values[a.index]), Math.abs(values[b.index]));
      return Math.abs(gap) <= 1e-12 * size ? a.index - b.index : gap;
    });
  }

  best(x: number): Model {
    let best = this.models[0];
    let value = this.sign * best.tuned.at(x);
    for (const model of this.models) {
      const mine = this.sign * model.tuned.at(x);
      if (mine < value - 1e-12 * Math.max(Math.abs(value), Math.abs(mine))) [best, value] = [model, mine];
    }
    return best;
  }

  /** The region around a context. */
  region(x: number): [number, number, number] | null {
    return this.raw.regions.find(([low, high]) => low <= x && x <= high) ?? null;
  }

  /** What Python answered nearest to a context. */
  answer(x: number): Answer | null {
    if (!this.decided.length) return null;
    const k = nearest(this.decided, x);
    const { decisions, actions, doubts, settings } = this.raw.honest;
    return { context: this.decided[k], decision: this.decisions[k], action: actions[k], doubts: doubts[k], setting: settings[k], text: decisions[k] };
  }

  /** What Python answered for the range or distribution the page was asked for. */
  asked(): Answer | null {
    const { asked } = this.raw;
    return asked && { ...asked, context: NaN, decision: JSON.parse(asked.text) as Decision };
  }

  /** Models from the best to the worst, then decisions without a model, as Python answered. */
  choices({ context, decision }: Answer): Choice[] {
    if (Number.isNaN(context)) return this.askedChoices();
    const models = this.ranked(context).map((model) => {
      const [value, low, high, raw] = model.honest.map((each) => each.at(context));
      return { name: model.name, model, value, low, high, raw: Number.isFinite(raw) ? raw : null };
    });
    const { factor } = this.scale;
    const still = Object.entries(decision.beside).map(([name, each]) => ({
      name,
      model: null,
      value: factor * each.value,
      low: factor * each.low,
      high: factor * each.high,
      raw: null,
    }));
    return [...models, ...still];
  }

  private askedChoices(): Choice[] {
    const { factor } = this.scale;
    return (this.raw.asked?.rows ?? []).map(({ name, baseline, value, low, high, raw }) => ({
      name,
      model: baseline ? null : (this.models.find((model) => model.name === name) ?? null),
      value: factor * value,
      low: factor * low,
      high: factor * high,
      raw: raw === null ? null : factor * raw,
    }));
  }

  /** Whether a model may be the best near a context. */
  mayBeBest(name: string, x: number): boolean {
    const decisions = this.decisions;
    if (!decisions.length) return true;
    const k = below(this.decided, x);
    const near = this.decided[k] === x || k + 1 >= decisions.length ? [k] : [k, k + 1];
    return near.some((each) => decisions[each].candidates.includes(name));
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
