// What Python wrote. Numbers are doubles in base64, bit for bit.

export type Packed = { f64: string };

export interface RawCurve {
  tuned: Packed;
  errors: Packed;
  untuned: { contexts: Packed; values: Packed } | null;
  knobs: Packed[];
}

export interface Decision {
  model: string;
  knob: (number | string)[];
  knob_name: string | null;
  value: number | string;
  low: number | string;
  high: number | string;
  in_sample: number | string;
  answer: "clear" | "likely" | "undecided";
  candidates: string[];
  runner_up: string | null;
  margin: number | null;
  margin_low: number | null;
  margin_high: number | null;
  more_cases: number | null;
  cases: number;
  [key: string]: unknown;
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

export interface RawComparison {
  title: string;
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
  honest: { contexts: Packed; decisions: string[]; models: Packed[][]; saving: Packed[]; policy: Packed[]; rounding: number };
  belief: {
    edges: Packed;
    models: Packed[];
    envelope: Packed;
    weights: Packed;
    linear: boolean;
    given: boolean;
  };
  space: RawSpace;
  second: { label: string; values: Packed } | null;
  notes: string[];
  asked: { sentence: string; text: string } | null;
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
        thresholds: Packed[];
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
