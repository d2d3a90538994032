// Evaluate what Python wrote. Nothing is estimated here: values are looked up, and straight between.
import { Decision, RawComparison, unpack } from "./data";

/** Values at increasing contexts, straight in between. */
export class Line {
  constructor(
    readonly x: Float64Array,
    readonly y: Float64Array,
    /** Whether nothing is known beyond the ends. */
    readonly ends = false,
  ) {}

  at(x: number): number {
    const { x: xs, y: ys } = this;
    const last = xs.length - 1;
    if (last < 0 || (this.ends && (x < xs[0] || x > xs[last]))) return NaN;
    if (x <= xs[0]) return ys[0];
    if (x >= xs[last]) return ys[last];
    const k = below(xs, x);
    if (xs[k] === x) return ys[k];
    const share = (x - xs[k]) / (xs[k + 1] - xs[k]);
    return ys[k] + share * (ys[k + 1] - ys[k]);
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
  honest: [Line, Line, Line];
  integral: Float64Array;
}

export interface Headline {
  answer: "clear" | "likely" | "undecided" | "unknown";
  best: Model;
  others: string[];
  moreCases: number | null;
  /** The decision made at this very context, if there is one. */
  decision: Decision | null;
}

/** One comparison, ready to be asked. */
export class Comparison {
  readonly contexts: Float64Array;
  readonly models: Model[];
  readonly decided: Float64Array;
  readonly saving: [Line, Line, Line];
  /** What choosing like this gives on other cases. */
  readonly policy: [Line, Line, Line];
  readonly edges: Float64Array;
  readonly envelope: Float64Array;
  readonly sign: number;
  readonly error: number;
  readonly decisions: Decision[];

  constructor(readonly raw: RawComparison) {
    this.contexts = unpack(raw.contexts);
    this.decided = unpack(raw.honest.contexts);
    this.decisions = raw.honest.decisions.map((text) => JSON.parse(text) as Decision);
    this.sign = raw.words.sense === "loss" ? 1 : -1;
    this.edges = unpack(raw.belief.edges);
    this.envelope = unpack(raw.belief.envelope);
    const lines = (packed: { f64: string }[]) =>
      packed.map((each) => new Line(this.decided, unpack(each), true)) as [Line, Line, Line];
    this.models = raw.models.map((name, index) => {
      const curve = raw.curves[index];
      const untuned = curve.untuned;
      return {
        name,
        index,
        tuned: new Line(this.contexts, unpack(curve.tuned)),
        untuned: untuned && new Line(unpack(untuned.contexts), unpack(untuned.values)),
        knobs: curve.knobs.map(unpack),
        errors: unpack(curve.errors),
        honest: lines(raw.honest.models[index] ?? []),
        integral: unpack(raw.belief.models[index]),
      };
    });
    this.saving = lines(raw.honest.saving);
    this.policy = lines(raw.honest.policy);
    this.error = this.models.reduce((most, model) => model.errors.reduce((a, b) => Math.max(a, b), most), 0);
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
    return this.isExact(x) ? 0 : Math.max(0, ...this.models.map((model) => model.errors[k] ?? 0));
  }

  /** Whether Python's own numbers stand at this context, and not what is straight between. */
  isExact(x: number): boolean {
    return this.contexts[nearest(this.contexts, x)] === x;
  }

  /** Models from the best to the worst; equal ones in the order they were named. */
  ranked(x: number): Model[] {
    const values = this.models.map((model) => this.sign * model.tuned.at(x));
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

  /** How sure it is: what Python decided here, or what it decided on both sides. */
  headline(x: number): Headline {
    const best = this.best(x);
    const decisions = this.decisions;
    const beyond = !decisions.length || x < this.decided[0] || x > this.decided[decisions.length - 1];
    if (beyond) return { answer: "unknown", best, others: [], moreCases: null, decision: null };
    const k = below(this.decided, x);
    const exact = this.decided[k] === x;
    const near = exact ? [decisions[k]] : [decisions[k], decisions[k + 1]];
    const names = new Set(near.flatMap((each) => each.candidates));
    const others = [...names].filter((name) => name !== best.name);
    const agree = near.every((each) => each.model === best.name);
    const sure = (answer: string) => agree && near.every((each) => each.answer === answer);
    const likely = agree && near.every((each) => each.answer !== "undecided");
    const answer = sure("clear") ? "clear" : likely ? "likely" : others.length ? "undecided" : "likely";
    const more = near.map((each) => each.more_cases).filter((each): each is number => each !== null);
    return {
      answer,
      best,
      others: answer === "undecided" ? others : [],
      moreCases: more.length ? Math.max(...more) : null,
      decision: exact ? decisions[k] : null,
    };
  }

  /** The decision made nearest to a context. */
  nearestDecision(x: number): { context: number; decision: Decision; text: string } | null {
    if (!this.decided.length) return null;
    const k = nearest(this.decided, x);
    return { context: this.decided[k], decision: this.decisions[k], text: this.raw.honest.decisions[k] };
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
      weights.reduce((sum, w, k) => sum + ((w / total) * (integral[k + 1] - integral[k])) / widths[k], 0);
    const mean = weights.reduce((sum, w, k) => sum + (w / total) * 0.5 * (this.edges[k] + this.edges[k + 1]), 0);
    const models = this.models.map((model) => over(model.integral));
    const following = over(this.envelope);
    // At a fixed knob outcomes are straight over the context: the best frozen decision is that for the mean.
    const frozenOf = (model: Model) => (this.raw.belief.linear ? model.tuned.at(mean) : models[model.index]);
    const frozenBest = this.models.reduce((a, b) => (this.sign * frozenOf(b) < this.sign * frozenOf(a) ? b : a));
    return { mean, models, following, frozen: frozenOf(frozenBest), frozenBest };
  }
}
