// Numbers and words as people read them.
import { Words } from "./data";

export function digits(value: number, count = 4): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e4 && size < 1e9) return Math.round(value).toLocaleString("en-US").replace("-", "−");
  if (size >= 1e9 || size < 1e-4) return value.toExponential(count - 1).replace("-", "−");
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

export function contextWords(words: Words, x: number): string {
  if (words.ratio && words.ends) {
    if (x <= 0) return words.ends[0];
    if (x >= 1) return words.ends[1];
    return words.ratio.replace("{}", digits(x / (1 - x), 3));
  }
  return (words.plain ?? "{}").replace("{}", digits(x));
}

export function clip(name: string, most = 40): string {
  const shown = name.trim() === "" ? "(no name)" : name;
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}
