// Numbers and words as people read them.
import { Words } from "./data";

export function digits(value: number, count = 4): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e4 && size < 1e9) return Math.round(value).toLocaleString("en-US").replace("-", "−");
  if (size >= 1e9 || size < 1e-4) return value.toExponential(count - 1).replaceAll("-", "−");
  return Number(value.toPrecision(count)).toString().replace("-", "−");
}

/** A number with the digits its standard error allows, as Python writes it. */
export function sized(value: number, error: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (!(error > 0) || !Number.isFinite(error)) return digits(value);
  const place = Math.floor(Math.log10(error) + 1e-9) - 1;
  const step = place >= 2 ? 10 ** (place - 1) : 1;
  const decimals = Math.min(Math.max(-place, 0), 15);
  const text = (Math.round(value / step) * step === 0 && decimals === 0 ? 0 : decimals === 0 ? Math.round(value / step) * step : value).toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return /^-[0.,]*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** The number in a text that was typed, or what is wrong with it. */
export function numberIn(text: string): number | string {
  const typed = text.trim().replace("−", "-");
  if (typed === "") return "Type a number.";
  const value = Number(typed);
  if (/^[-+.\de]+$/i.test(typed) && Number.isFinite(value)) return value;
  return `“${clip(typed, 20)}” is not a number${typed.includes(",") ? ": write decimals with a point, and thousands without commas" : ""}.`;
}

/** The largest of 1, 2, 5 × 10ᵏ that rounded numbers are multiples of; 0 of zeros. */
export function stepOf(...values: number[]): number {
  const found = values.filter((each) => Number.isFinite(each) && each !== 0).map(Math.abs);
  if (!found.length) return 0;
  const power = Math.floor(Math.log10(Math.max(...found)));
  for (let at = power; at > power - 15; at--)
    for (const digit of [5, 2, 1]) {
      const step = Number(`${digit}e${at}`);
      if (found.every((each) => Math.abs(each / step - Math.round(each / step)) <= 1e-9 * Math.max(each / step, 1))) return step;
    }
  return Number(`1e${power - 15}`);
}

/** The error with whose digits a value and the ends of its interval are shown: about its standard error, or what rounding leaves of them. */
export const errorOf = (rounded: boolean, value: number, low: number, high: number): number => (rounded ? 10 * stepOf(value, low, high) : (high - low) / 3.92);

/** A number that may be off by so much, without the digits that say nothing. */
export const held = (value: number, off: number): string => (off > 1e-4 * Math.abs(value) ? sized(value, 10 * off) : digits(value));

/** Words with a capital letter; signs such as θ stay small. */
export const capital = (text: string): string => (/^[a-z]/.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);

/** A share of two costs as their ratio: "5:1", "equal", "1:20". */
export function ratioText(x: number, count = 3): string {
  if (x <= 0) return "0:1";
  if (x >= 1) return "1:0";
  const ratio = x / (1 - x);
  if (Math.abs(ratio - 1) < 1e-9) return "equal";
  return ratio > 1 ? `${digits(ratio, count)}:1` : `1:${digits(1 / ratio, count)}`;
}

export function signed(value: number, off = 0): string {
  const text = held(value, off);
  return value > 0 && /[1-9∞]/.test(text) ? `+${text}` : text;
}

/** A probability as people say it. */
export const chanceText = (chance: number): string => (chance > 0.99 ? "> 99 %" : chance < 0.01 ? "< 1 %" : `${Math.round(100 * chance)} %`);

/** Settings that are added to predictions: with a sign, and in the unit of outcomes. */
export const isAdded = (words: Words): boolean => words.knob === "shift" || words.knob === "margin";

export const knobNumbers = (words: Words, knob: number[]): string => knob.map((each) => (isAdded(words) ? signed(each) : digits(each))).join(", ");

/** What a setting of so many numbers is called. */
export const knobName = (words: Words, count: number): string => `${words.knob}${count > 1 ? "s" : ""}`;

export function knobText(words: Words, knob: number[]): string {
  if (words.knob === null || !knob.length) return "";
  return `${knobName(words, knob.length)} ${knobNumbers(words, knob)}${isAdded(words) && words.unit ? ` ${words.unit}` : ""}`;
}

export function contextWords(words: Words, x: number, shown: string, errors?: [string, string]): string {
  if (errors) {
    const [first, second] = errors;
    if (x <= 0) return `${capital(first)} costs nothing.`;
    if (x >= 1) return `${capital(second)} costs nothing.`;
    const ratio = x / (1 - x);
    if (Math.abs(ratio - 1) < 1e-9) return "Both cost the same.";
    const [more, less, times] = ratio > 1 ? [first, second, ratio] : [second, first, 1 / ratio];
    return `${capital(more)} costs ${digits(times, 3)} times as much as ${less}.`;
  }
  return (words.plain ?? "{}").replace("{}", shown);
}

/** Names in a sentence, the last of many as a count. */
export function listed(names: string[], most = 3): string {
  const shown = names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} others`] : names;
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

const OTHER_WAY = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** A name as text: cut where it is long, and kept from turning what stands around it. */
export function clip(name: string, most = 40): string {
  const signs = Array.from(name.trim() === "" ? "(no name)" : name);
  const shown = signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : signs.join("");
  return OTHER_WAY.test(shown) ? `\u2068${shown}\u2069` : shown;
}
