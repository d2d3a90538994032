// The answer: what to do, what it is worth beside doing nothing, and what if it is wrong.
import { Beside, Decision } from "./data";
import { Answer, Comparison } from "./evaluate";
import { capital, errorOf, ratioText, sized } from "./format";
import { download, h, setNumber, setText } from "./dom";
import { against, stakes, valueName } from "./said";

interface Tile {
  box: HTMLElement;
  value: HTMLElement;
  label: HTMLElement;
  more: HTMLElement;
}

const CHIPS: Record<string, string> = { use: "use", either: "either", "use for now": "now", "no model": "none" };

export class AnswerCard {
  readonly element: HTMLElement;
  private readonly chip = h("p", { class: "verdict" });
  private readonly headline = h("p", { class: "headline" });
  private readonly more = h("p", { class: "more" });
  private readonly doubts = h("p", { class: "stake", "data-fact": "stake" });
  private readonly setting = h("p", { class: "hint near", "data-fact": "setting" });
  private readonly tiles: Record<string, Tile> = {};
  private readonly code = h("code", {});
  private readonly near = h("p", { class: "hint near" });
  private readonly asked = h("p", { class: "hint near" });
  private readonly live = h("p", { class: "unseen", "aria-live": "polite" });
  private found: Answer | null = null;

  constructor(
    private readonly comparison: Comparison,
    private readonly back: HTMLElement,
  ) {
    const tiles = h("div", { class: "tiles" });
    for (const key of ["value", "raw", "baseline"]) {
      const [value, label, more] = [h("strong", { "data-fact": key }), h("span", {}), h("span", {})];
      const box = h("div", { class: "tile" }, value, label, more);
      this.tiles[key] = { box, value, label, more };
      tiles.append(box);
    }
    setText(this.code, 'rt.Decision.from_json("decision.json").deploy(models)');
    this.element = h("section", { class: "card answer", "aria-label": "Answer" }, this.chip, this.headline, this.live, this.more, tiles, this.doubts, this.setting, this.asked, this.near, this.back, this.buttons());
  }

  private buttons(): HTMLElement {
    const save = h("button", { type: "button", class: "main" }, "Download decision");
    save.addEventListener("click", () => {
      if (this.found) download("decision.json", "application/json", this.found.raw.text + "\n");
    });
    const python = this.copying("Copy Python", () => this.code.textContent ?? "");
    const share = this.copying("Copy link to this view", () => location.href);
    return h("div", { class: "deploy" }, h("div", { class: "buttons" }, save, python, share), this.code);
  }

  private copying(label: string, text: () => string): HTMLElement {
    const button = h("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      const tell = (said: string) => {
        setText(button, said);
        setTimeout(() => setText(button, label), 2000);
      };
      if (!navigator.clipboard) tell("Not allowed here");
      else navigator.clipboard.writeText(text()).then(() => tell("Copied"), () => tell("Not allowed here"));
    });
    return button;
  }

  /** Show an answer at a context, or that for the range or distribution that was asked for. */
  tell(found: Answer | null, x: number, done: boolean): void {
    const { comparison } = this;
    this.found = found;
    this.element.classList.toggle("empty", found === null);
    if (!found) {
      setText(this.headline, "There is no answer for these contexts.");
      return;
    }
    const { decision, context, raw } = found;
    const { action, doubts, setting } = raw;
    setText(this.chip, decision.verdict);
    this.chip.className = `verdict ${CHIPS[decision.verdict]}`;
    setText(this.headline, action);
    this.headline.setAttribute("data-model", decision.model);
    setText(this.more, this.range(decision));
    this.fill(decision, comparison.unit(context));
    const { factor } = comparison.scale;
    this.doubts.className = `stake ${CHIPS[decision.verdict]}`;
    // Python's own words are in the unit of its costs.
    const chosen = comparison.models.length > 1 && decision.verdict !== "no model";
    const said = factor === 1 ? doubts : "";
    setText(this.doubts, [said, chosen && (!said || decision.verdict === "use") ? stakes(decision, factor) : ""].filter(Boolean).join(" "));
    setText(this.setting, factor === 1 ? setting : "");
    const whole = Number.isNaN(context);
    this.back.hidden = whole || comparison.raw.asked === null;
    setText(this.asked, (comparison.raw.costs && !whole) || !decision.words.asked ? "" : `This is based on ${decision.cases.toLocaleString("en-US")} cases, and assumes that ${decision.words.asked}.`);
    const stored = comparison.answered.length;
    setText(this.near, whole || context === x ? "" : `This answer is for ${comparison.say(context)}: the nearest of the ${stored} contexts this page has answers for.`);
    if (done) setText(this.live, `${decision.verdict}: ${action}`);
  }

  /** Where the model stays the best. */
  private range(decision: Decision): string {
    const { raw, models, low, high, parts } = this.comparison;
    if (models.length === 1) return "There is one model: only its setting was chosen.";
    const alone = parts.length === 1 && parts[0].owners.length === 1 && parts[0].owners[0].name === decision.model;
    const always = `It is the best model, whatever the ${raw.costs ? "costs are" : `${raw.about} is`}.`;
    if (decision.verdict === "no model") return "";
    if (decision.stays_best === null) return alone ? always : "";
    const [from, to] = decision.stays_best.map(Number);
    const [starts, ends] = [!(from > low), !(to < high)];
    const words = raw.costs ? ratioText : (x: number) => this.comparison.show(x);
    if (starts && ends) return always;
    const where = starts ? `up to ${words(to)}` : ends ? `from ${words(from)} on` : `from ${words(from)} to ${words(to)}`;
    const what = raw.costs ? ` (${raw.costs.errors.join(" : ")})` : "";
    return `On these data it is the best model ${where}${what}.`;
  }

  private fill(decision: Decision, unit: string): void {
    const { factor } = this.comparison.scale;
    const name = valueName(decision);
    const [value, low, high] = [decision.value, decision.low, decision.high].map((each) => factor * each);
    const error = factor * errorOf(!decision.data, decision.value, decision.low, decision.high);
    const [shown, from, to] = [value, low, high].map((each) => sized(each, error));
    const kind = { expected: "expected", worst: "worst-case", regret: "largest" }[decision.criterion];
    this.set("value", value, shown + unit, `${kind} ${name} per case`, `${from} to ${to}`);
    const { raw, words } = decision;
    const spread = (each: Beside) => factor * errorOf(!decision.data, each.value, each.low, each.high);
    if (raw) this.set("raw", factor * raw.gain, against(decision, raw, factor), `against ${words.raw} (${sized(factor * raw.value, spread(raw))})`, raw.gain_low > 0 ? "" : "could be chance");
    else this.tiles.raw.box.hidden = true;
    const best = Object.values(decision.beside)[0];
    if (best && decision.verdict !== "no model")
      this.set("baseline", factor * best.gain, against(decision, best, factor), `against ${words.baseline} (${sized(factor * best.value, spread(best))})`, best.gain_low > 0 ? "" : "could be chance");
    else this.tiles.baseline.box.hidden = true;
  }

  private set(key: string, value: number, text: string, label: string, more: string): void {
    const tile = this.tiles[key];
    tile.box.hidden = false;
    setNumber(tile.value, value, text);
    setText(tile.label, capital(label));
    setText(tile.more, more);
  }
}
