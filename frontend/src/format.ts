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
  const place = Math.floor(Math.log10(error)) - 1;
  const step = place >= 2 ? 10 ** (place - 1) : 1;
  const decimals = Math.min(Math.max(-place, 0), 15);
  const text = (Math.round(value / step) * step === 0 && decimals === 0 ? 0 : decimals === 0 ? Math.round(value / step) * step : value).toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return /^-[0.,]*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** About the standard error of a value with a 95 % interval. */
export const errorOf = (low: number, high: number): number => (high - low) / 3.92;

/** Words with a capital letter; signs such as θ stay small. */
export const capital = (text: string): string => (/^[a-z]/.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);

/** A share of two costs as their ratio: "5:1", "equal", "1:20". */
export function ratioText(x: number): string {
  if (x <= 0) return "0:1";
  if (x >= 1) return "1:0";
  const ratio = x / (1 - x);
  if (Math.abs(ratio - 1) < 1e-9) return "equal";
  return ratio > 1 ? `${digits(ratio, 3)}:1` : `1:${digits(1 / ratio, 3)}`;
}

export function signed(value: number): string {
  return value > 0 ? `+${digits(value)}` : digits(value);
}

export function knobText(words: Words, knob: number[]): string {
  if (words.knob === null || !knob.length) return "";
  const show = words.knob === "shift" ? signed : digits;
  const unit = words.knob === "shift" && words.unit ? ` ${words.unit}` : "";
  return `${words.knob}${knob.length > 1 ? "s" : ""} ${knob.map((each) => show(each)).join(", ")}${unit}`;
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

const OTHER_WAY = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/;

/** A name as text: cut where it is long, and kept from turning what stands around it. */
export function clip(name: string, most = 40): string {
  const signs = Array.from(name.trim() === "" ? "(no name)" : name);
  const shown = signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : signs.join("");
  return OTHER_WAY.test(shown) ? `\u2068${shown}\u2069` : shown;
}
