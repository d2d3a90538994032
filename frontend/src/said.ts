// What stands beside an answer, in words: what it is worth, and what if it is wrong.
import { Beside, Decision } from "./data";
import { digits, errorOf, sized, stepOf } from "./format";

/** A difference whose rounding is more than this, in percent, is not told in percent. */
const UNSURE = 10;

/** What values are called. */
export function valueName(decision: Decision): "cost" | "gain" | "regret" {
  return decision.criterion === "regret" ? "regret" : decision.sense === "loss" ? "cost" : "gain";
}

/** How much better it is than something else: in percent where costs allow it, else in their unit. */
export function against(decision: Decision, beside: Beside, factor: number): string {
  const less = decision.sense === "loss" || decision.criterion === "regret";
  if (beside.gain === 0) return "±0";
  const sign = beside.gain > 0 === less ? "−" : "+";
  if (less && beside.value > 0 && decision.value >= 0) {
    const [share, known] = shareOf(decision, beside);
    const told = share >= 1 ? Math.round(share) : digits(share, 1);
    if (known <= UNSURE) return `${known > 1 ? "≈ " : ""}${sign}${told} %`;
  }
  return `${sign}${sized(factor * Math.abs(beside.gain), factor * errorOf(!decision.data, beside.gain, beside.gain_low, beside.gain_high))}`;
}

/** The share of a difference in percent, and how rounded it is: from the difference, or from both values where that tells more. */
function shareOf(decision: Decision, beside: Beside): [number, number] {
  const percent = (value: number) => (100 * value) / beside.value;
  const share = percent(Math.abs(beside.gain));
  if (decision.data) return [share, 0];
  const known = percent(stepOf(beside.gain, beside.gain_low, beside.gain_high));
  const ratio = decision.value / beside.value;
  const steps = [decision, beside].map(({ value, low, high }) => stepOf(value, low, high));
  const both = percent(steps[0] + ratio * steps[1]);
  return both < known && ratio < 1 && beside.gain > 0 ? [100 * (1 - ratio), roundUp(both)] : [share, roundUp(known)];
}

/** The smallest of 1, 2, 5 × 10ᵏ that is no less. */
function roundUp(value: number): number {
  if (!(value > 0)) return 0;
  const power = Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((digit) => digit * 10 ** power).find((each) => each >= value * (1 - 1e-9)) ?? value;
}

/** What is at stake, in one sentence. */
export function stakes(decision: Decision, factor: number): string {
  const small = decision.stake < decision.tolerance;
  const most = factor * (small ? decision.tolerance : decision.stake);
  const name = valueName(decision);
  const verb = { cost: "cost", gain: "gain", regret: "have" }[name];
  const more = { cost: "more", gain: "less", regret: "more regret" }[name];
  return `This choice is expected to ${verb} ${small ? "less than" : "about"} ${digits(most, 2)} ${more} per case than the truly best model.`;
}
