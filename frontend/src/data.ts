// What Python wrote. Numbers are doubles in base64, bit for bit.

export type Packed = { f64: string };

/** Values along contexts, or, on shared pages, the bounds that they surely lie between. */
export type RawValues =
  | { values: Packed; low?: undefined; high?: undefined; likely?: undefined }
  | {
      values?: undefined;
      low: Packed;
      high: Packed;
      /** What values most likely are; without it, the middle of their bounds. */
      likely?: Packed;
    };

export type RawCurve = RawValues & {
  /** At the contexts of all curves, if it has none of its own. */
  untuned: (RawValues & { contexts?: Packed }) | null;
  knobs: Packed[];
};

/** A model, or a decision without one, as Python valued it on new cases. */
export interface RawRow {
  name: string;
  baseline: boolean;
  knob: Packed;
  value: number;
  low: number | null;
  high: number | null;
  raw: number | null;
  chance: number | null;
}

/** What Python answered: the decision as text, and what to do, what is not sure and which settings could be the best in words. */
export interface RawAnswer {
  /** Null for a range or a distribution. */
  context: number | null;
  text: string;
  action: string;
  doubts: string;
  setting: string;
  rows: RawRow[];
}

export type Verdict = "use" | "either" | "use for now" | "no model";

/** What is had instead, and what the decision gains over it; both with 95 % intervals. */
export interface Beside {
  value: number;
  low: number;
  high: number;
  gain: number;
  gain_low: number;
  gain_high: number;
}

export interface Decision {
  model: string;
  criterion: "expected" | "worst" | "regret";
  sense: "loss" | "gain";
  value: number;
  low: number;
  high: number;
  verdict: Verdict;
  candidates: string[];
  runner_up: string | null;
  margin: number | null;
  margin_low: number | null;
  margin_high: number | null;
  stays_best: [number, number] | null;
  tolerance: number;
  stake: number;
  chances: Record<string, number>;
  worth: [number, number][];
  /** Hash of the cases; empty where numbers are rounded to be shared. */
  data: string;
  raw: Beside | null;
  beside: Record<string, Beside>;
  words: Record<string, string>;
  cases: number;
}

export interface Words {
  question: string;
  context: string;
  symbol: string;
  left: string;
  middle?: string;
  right: string;
  ratio?: string;
  ends?: [string, string];
  plain?: string;
  untuned: string;
  knob: string | null;
  outcome: string;
  sense: "loss" | "gain";
  unit: string;
}

/** Two costs of which the context is the share of the first; losses are in half their sum. */
export interface RawCosts {
  unit: number;
  errors: [string, string];
  per: string;
}

export interface RawComparison {
  title: string;
  kind: "share" | "truth" | "cost" | "price";
  /** What a context is called in a sentence. */
  about: string;
  costs: RawCosts | null;
  /** Whether curves jump at cases. */
  steps: boolean;
  /** What the best decision without a model gives at the stored contexts. */
  still: Packed | null;
  words: Words;
  models: string[];
  cases: number;
  minCases: number;
  timeOrdered: boolean;
  range: [number, number];
  first: number;
  contexts: Packed;
  curves: RawCurve[];
  regions: [number, number, number][];
  answers: RawAnswer[];
  belief: {
    edges: Packed;
    models: Packed[];
    envelope: Packed;
    weights: Packed;
    /** Whether outcomes are straight over the context at a fixed knob. */
    linear: boolean;
    given: boolean;
  };
  space: RawSpace;
  second: { label: string; values: Packed } | null;
  notes: string[];
  /** The answer for a range or a distribution, where the page was asked for one. */
  asked: (RawAnswer & { between: [number, number] | null }) | null;
}

export type RawSpace =
  | {
      kind: "tradeoff";
      title: string;
      x: string;
      y: string;
      views: { name: string; curves: { x: Packed; y: Packed }[]; points: { x: Packed; y: Packed }[] | null }[];
      slope: Packed;
      diagonal?: boolean;
    }
  | {
      kind: "profile";
      title: string;
      x: string;
      y: string;
      curves: { x: Packed; slope: Packed; intercept: Packed; at: Packed }[];
      limits: [number, number];
    }
  | { kind: "map"; title: string; x: string; y: string; edges: Packed; values: Packed; owner: number[][]; here: number }
  | {
      kind: "distributions";
      title: string;
      x: string;
      classes: string[];
      models: {
        edges: Packed[];
        density: Packed[];
        surface?: { corners: Packed; triangles: number[] } | null;
      }[];
    };

export interface Page {
  version: number;
  madeWith: string;
  title: string;
  comparisons: RawComparison[];
}

export function unpack(packed: Packed): Float64Array {
  const text = atob(packed.f64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return new Float64Array(bytes.buffer);
}

const unpacked = new WeakMap<Packed, Float64Array>();

/** Unpack once, and keep it. */
export function unpackOnce(packed: Packed): Float64Array {
  let found = unpacked.get(packed);
  if (!found) unpacked.set(packed, (found = unpack(packed)));
  return found;
}

export function readPage(): Page {
  const element = document.getElementById("data");
  return JSON.parse(element?.textContent ?? "{}") as Page;
}
