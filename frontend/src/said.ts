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
    const share = (100 * Math.abs(beside.gain)) / beside.value;
    const known = decision.data ? 0 : roundUp((100 * stepOf(beside.gain, beside.gain_low, beside.gain_high)) / beside.value);
    const told = known > 1 ? known * Math.round(share / known) : share;
    if (known <= UNSURE) return `${sign}${told >= 1 ? Math.round(told) : digits(told, 1)} %`;
  }
  return `${sign}${sized(factor * Math.abs(beside.gain), factor * errorOf(!decision.data, beside.gain, beside.gain_low, beside.gain_high))}`;
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
  const verb = { cost: "costs", gain: "gains", regret: "has" }[name];
  const more = { cost: "more", gain: "less", regret: "more regret" }[name];
  return `On average this choice ${verb} ${small ? "less than" : "about"} ${digits(most, 2)} per case ${more} than the truly best model would.`;
}
