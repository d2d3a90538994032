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

export function signed(value: number): string {
  return value > 0 ? `+${digits(value)}` : digits(value);
}

export function knobText(words: Words, knob: number[]): string {
  if (words.knob === null || !knob.length) return "";
  const show = words.knob === "shift" ? signed : digits;
  const unit = words.knob === "shift" && words.unit ? ` ${words.unit}` : "";
  return `${words.knob}${knob.length > 1 ? "s" : ""} ${knob.map((each) => show(each)).join(", ")}${unit}`;
}

export function contextWords(words: Words, x: number, shown: string): string {
  if (words.ratio && words.ends) {
    if (x <= 0) return words.ends[0];
    if (x >= 1) return words.ends[1];
    return words.ratio.replace("{}", digits(x / (1 - x), 3));
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
