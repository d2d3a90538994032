// One comparison on the page: control, answer, plots, table, distribution.
import { Distribution } from "./distribution";
import { ContextPlot, Shown } from "./contextPlot";
import { Comparison, Model } from "./evaluate";
import { clip, contextWords, digits, knobText } from "./format";
import { download, h, setNumber, setText, svgText } from "./dom";
import { ModelTable } from "./modelTable";
import { colourClass, LOOKS } from "./plot";
import { makeSpace, Space } from "./spaces";

export interface State {
  x: number;
  hidden: number[];
  shown: Shown;
  view: number;
  weights: number[] | null;
}

const STEPS = 1000;

export class View {
  readonly element: HTMLElement;
  private x: number;
  private readonly hidden = new Set<number>();
  private shown: Shown = "in-sample";
  private viewIndex = 0;
  private inspected: Model | null = null;
  private readonly plot: ContextPlot;
  private readonly space: Space;
  private readonly distribution: Distribution;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly said = h("p", { class: "words" });
  private readonly headline = h("p", { class: "headline" });
  private readonly more = h("p", { class: "more" });
  private readonly facts: Record<string, { box: HTMLElement; term: HTMLElement; value: HTMLElement }> = {};
  private readonly code = h("code", {});
  private readonly decided = h("p", { class: "hint" });
  private readonly save = h("button", { type: "button" });
  private readonly live = h("p", { class: "unseen", "aria-live": "polite" });
  private done = true;
  private readonly table: ModelTable;
  private readonly exactness = h("span", {});

  constructor(
    readonly comparison: Comparison,
    id: string,
    private readonly changed: () => void,
  ) {
    const { raw } = comparison;
    const { words } = raw;
    this.x = raw.first;
    this.hideMost();
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: STEPS,
      step: 1,
      "aria-label": words.context,
      id: `${id}-slider`,
    });
    this.field = h("input", { type: "number", step: "any", "aria-label": `${words.context}, as a number`, class: "big" });
    this.slider.addEventListener("input", () => this.move(this.ofStep(Number(this.slider.value)), false));
    this.slider.addEventListener("change", () => this.move(this.x, true));
    this.slider.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("change", () => {
      const value = Number(this.field.value);
      if (this.field.value.trim() !== "" && Number.isFinite(value)) this.move(comparison.clamp(value), true);
      this.showField(true);
    });
    this.field.addEventListener("blur", () => this.showField(true));
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      this.key(event);
      this.showField(true);
    });

    const spaceHost = h("div", { class: "figure" });
    const contextHost = h("div", { class: "figure" });
    const readout = h("pre", { class: "readout", hidden: true, "aria-hidden": "true" });
    const moved = (x: number, done: boolean) => this.move(x, done);
    this.plot = new ContextPlot(contextHost, readout, comparison, moved);
    this.space = makeSpace(spaceHost, comparison, moved);
    this.distribution = new Distribution(comparison, () => this.changed());
    this.table = new ModelTable(
      comparison,
      this.hidden,
      () => {
        this.redraw();
        this.changed();
      },
      (model) => {
        this.inspected = this.inspected === model ? null : model;
        this.update();
      },
    );
    this.element = h(
      "div",
      { class: "view", role: "tabpanel", id },
      h("div", { class: "two" }, this.controlCard(), this.answerCard()),
      h(
        "div",
        { class: "two" },
        this.figureCard(raw.space.title, spaceHost, () => this.space.svg, "space", this.viewSwitch()),
        this.figureCard(
          raw.words.sense === "loss" ? `Loss per model over ${words.symbol}, and who is best where` : `Gain per model over ${words.symbol}, and who is best where`,
          h("div", { class: "with-readout" }, contextHost, readout),
          () => this.plot.svg,
          "curves",
          this.shownSwitch(),
        ),
      ),
      this.table.element,
      this.distribution.element,
      this.footer(),
    );
  }

  /** Of many models, show those that are best somewhere and the best of the rest. */
  private hideMost(): void {
    const { comparison } = this;
    if (comparison.models.length <= LOOKS) return;
    const winners = new Set(comparison.raw.regions.map(([, , owner]) => owner));
    const order = comparison.ranked(this.x).map((model) => model.index);
    const kept = new Set([...new Set([...winners, ...order])].slice(0, LOOKS));
    for (const model of comparison.models) if (!kept.has(model.index)) this.hidden.add(model.index);
  }

  private get visible(): Model[] {
    const shown = this.comparison.models.filter((model) => !this.hidden.has(model.index));
    return shown.length ? shown : [this.comparison.best(this.x)];
  }

  private ofStep(step: number): number {
    const { low, high } = this.comparison;
    // The same doubles as Python's grid, so that stored values are met exactly.
    return step === STEPS ? high : low + step * ((high - low) / STEPS);
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const { low, high } = this.comparison;
    let to: number | null = null;
    if (event.key in steps) {
      const at = ((this.x - low) / (high - low)) * STEPS;
      const step = steps[event.key];
      const next = step > 0 ? Math.floor(at + 1e-9) + step : Math.ceil(at - 1e-9) + step;
      to = this.ofStep(Math.min(STEPS, Math.max(0, next)));
    } else if (event.key === "Home") to = low;
    else if (event.key === "End") to = high;
    if (to === null) return;
    event.preventDefault();
    this.move(to, true);
  }

  private move(x: number, done: boolean): void {
    this.x = x;
    this.done = done;
    this.update();
    this.done = true;
    if (done) this.changed();
  }

  // Cards

  private controlCard(): HTMLElement {
    const { words } = this.comparison.raw;
    return h(
      "section",
      { class: "card", "aria-label": "Operating condition" },
      h("h2", {}, `Operating condition: ${words.context}`),
      h("div", { class: "setting" }, h("span", { class: "symbol" }, `${words.symbol} =`), this.field, this.said),
      this.slider,
      h("div", { class: "ends" }, h("span", {}, words.left), words.middle ? h("span", {}, words.middle) : null, h("span", {}, words.right)),
      ...this.breaks(),
    );
  }

  private answerCard(): HTMLElement {
    const list = h("dl", { class: "facts" });
    for (const key of ["honest", "insample", "untuned", "saving", "margin", "stays"]) {
      const term = h("dt", {});
      const value = h("dd", { "data-fact": key });
      const box = h("div", {}, term, value);
      this.facts[key] = { box, term, value };
      list.append(box);
    }
    const copy = h("button", { type: "button" }, "Copy");
    copy.addEventListener("click", () => {
      navigator.clipboard?.writeText(this.code.textContent ?? "").then(
        () => setText(copy, "Copied"),
        () => setText(copy, "Press Ctrl+C"),
      );
      const range = document.createRange();
      range.selectNodeContents(this.code);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      setTimeout(() => setText(copy, "Copy"), 2000);
    });
    const save = this.save;
    save.addEventListener("click", () => {
      const found = this.comparison.nearestDecision(this.x);
      if (found) download("decision.json", "application/json", found.text + "\n");
    });
    return h(
      "section",
      { class: "card answer", "aria-label": "Answer" },
      h("h2", {}, "Answer"),
      this.headline,
      this.live,
      this.more,
      list,
      h("div", { class: "deploy" }, this.code, copy),
      h("div", { class: "buttons" }, save),
      this.decided,
    );
  }

  private figureCard(title: string, figure: HTMLElement, svg: () => SVGSVGElement | null, name: string, control: HTMLElement | null): HTMLElement {
    const save = h("button", { type: "button", class: "small" }, "SVG");
    save.setAttribute("aria-label", `Download this picture as SVG: ${title}`);
    save.addEventListener("click", () => {
      const drawn = svg();
      if (drawn) download(`${name}.svg`, "image/svg+xml", svgText(drawn));
    });
    return h("section", { class: "card", "aria-label": title }, h("div", { class: "card-head" }, h("h2", {}, title), control, save), figure);
  }

  private switcher(label: string, names: string[], chosen: () => number, choose: (k: number) => void): HTMLElement {
    const group = h("div", { class: "switch", role: "group", "aria-label": label });
    const buttons = names.map((name, k) => {
      const button = h("button", { type: "button", class: "small" }, name);
      button.addEventListener("click", () => {
        choose(k);
        mark();
        this.redraw();
        this.changed();
      });
      group.append(button);
      return button;
    });
    const mark = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === chosen())));
    this.marks.push(mark);
    mark();
    return group;
  }

  private readonly marks: (() => void)[] = [];

  private viewSwitch(): HTMLElement | null {
    const space = this.comparison.raw.space;
    if (space.kind !== "tradeoff" || space.views.length < 2) return null;
    return this.switcher("Curves", space.views.map((each) => each.name), () => this.viewIndex, (k) => (this.viewIndex = k));
  }

  private shownSwitch(): HTMLElement {
    const kinds: Shown[] = ["in-sample", "honest"];
    return this.switcher("Values", ["in-sample", "honest, 95 % band"], () => kinds.indexOf(this.shown), (k) => (this.shown = kinds[k]));
  }

  private breaks(): HTMLElement[] {
    const { raw, models, low, high } = this.comparison;
    const wide = raw.regions.filter(([from, to]) => to - from >= 0.01 * (high - low));
    const list = h("ol", { class: "breaks" });
    for (const [from, to, owner] of wide.slice(0, 9)) {
      const jump = h(
        "button",
        { type: "button", class: "break" },
        h("span", { class: `chip ${colourClass(owner)}`, "aria-hidden": "true" }),
        h("span", { class: "from" }, `${this.comparison.show(from)} – ${this.comparison.show(to)}`),
        h("bdi", { title: models[owner].name }, clip(models[owner].name, 40)),
      );
      jump.addEventListener("click", () => this.move(0.5 * (from + to), true));
      list.append(h("li", {}, jump));
    }
    const narrow = raw.regions.length - Math.min(wide.length, 9);
    const slivers = narrow > 0 ? `${narrow} narrower ${narrow === 1 ? "region is" : "regions are"} in the strip only. ` : "";
    return [
      h("h3", {}, "Where the best model changes"),
      list,
      h("p", { class: "hint" }, `${slivers}In-sample: models that are close trade places by chance.`),
    ];
  }

  private footer(): HTMLElement {
    const { raw, error } = this.comparison;
    const private_ =
      raw.minCases > 0
        ? `Every stored number covers ${raw.minCases} cases or more, and settings are means of as many${raw.honest.rounding > 0 ? `, which costs up to ${digits(raw.honest.rounding, 2)} a case at the contexts Python decided` : ""}. Two numbers can be subtracted, so this page can reveal single rows: share it only with people who may see the data.`
        : "This page holds exact values, which can reveal single rows: share it only with people who may see the data.";
    return h(
      "footer",
      {},
      h("p", {}, this.exactness, ` The largest error on the slider is ${digits(error, 2)}: certified, not sampled. Honest values were found at ${this.comparison.decided.length} contexts.`),
      ...raw.notes.map((note) => h("p", {}, note)),
      h("p", {}, `In-sample values are of the cases the settings were tuned on; honest ones of other cases${raw.timeOrdered ? ", later ones" : ""}. ${private_}`),
    );
  }

  // Drawing

  redraw(): void {
    this.space.draw(this.visible, this.viewIndex, this.inspected ?? this.comparison.best(this.x));
    this.plot.draw(this.visible, this.shown);
    this.distribution.draw();
    this.update();
  }

  update(): void {
    const { comparison, x } = this;
    const best = comparison.best(x);
    const visible = this.visible;
    this.showField();
    this.plot.mark(x, visible, best, this.shown);
    this.space.mark(x, visible, best, this.inspected ?? best);
    this.tell(best);
    this.table.fill(x, best, this.inspected);
  }

  private showField(force = false): void {
    const { comparison, x } = this;
    const { low, high } = comparison;
    if (force || document.activeElement !== this.field) this.field.value = comparison.show(x).replace("−", "-");
    this.field.setAttribute("data-value", String(x));
    this.slider.value = String(Math.round(((x - low) / (high - low)) * STEPS));
    const said = contextWords(comparison.raw.words, x, comparison.show(x));
    this.slider.setAttribute("aria-valuetext", `${comparison.show(x)}: ${said}`);
    setText(this.said, said);
    const error = comparison.errorAt(x);
    setText(this.exactness, comparison.isExact(x) ? "Tuned in-sample values here are exact." : `Tuned in-sample values here are read between stored ones, at most ${digits(error, 2)} off (a difference of two: twice that).`);
    this.exactness.setAttribute("data-value", String(error));
  }

  private tell(best: Model): void {
    const { comparison, x } = this;
    const { words } = comparison.raw;
    const found = comparison.headline(x);
    const knob = found.decision ? found.decision.knob.map(Number) : comparison.knob(best, x);
    const setting = knobText(words, knob);
    const name = clip(best.name);
    const others = found.others.slice(0, 3).map((each) => clip(each, 30));
    const many = found.others.length > 3 ? ` or ${found.others.length - 3} more` : "";
    const text = {
      clear: `Deploy ${name}`,
      likely: `Probably ${name}`,
      unknown: `Best in-sample: ${name}`,
      undecided: `Undecided: ${name}${setting ? ` (${setting})` : ""} or ${others.join(", ")}${many}`,
    }[found.answer];
    setText(this.headline, text + (found.answer !== "undecided" && setting ? `, ${setting}` : ""));
    this.headline.className = `headline ${found.answer}`;
    this.headline.setAttribute("data-model", String(best.index));
    const count = comparison.raw.cases;
    const needed = found.moreCases !== null && found.moreCases <= 100 * count;
    setText(
      this.more,
      found.answer === "undecided"
        ? needed
          ? `About ${Math.round(found.moreCases as number).toLocaleString("en-US")} more cases would decide.`
          : "They are too close to call with these cases."
        : found.answer === "unknown"
          ? "Python decided nothing this far out: how sure it is, is not known."
        : found.answer === "likely"
          ? "No other model is the best at 80 % confidence; at 95 % one may be."
          : comparison.models.length === 1
            ? "There is one model: only its setting was chosen."
            : "No other model may be the best, at 95 % confidence.",
    );
    const [value, low, high] = comparison.policy.map((each) => each.at(x));
    const ranked = comparison.ranked(x);
    const second = ranked[1];
    this.fact("honest", `honest ${words.sense} of choosing so`, value, `${digits(value)} (${digits(low)} to ${digits(high)})`);
    this.fact("insample", `${words.sense}, in-sample`, best.tuned.at(x), digits(best.tuned.at(x)));
    if (best.untuned) this.fact("untuned", words.untuned, best.untuned.at(x), digits(best.untuned.at(x)));
    else this.hide("untuned");
    const [gain, least, most] = comparison.saving.map((each) => each.at(x));
    if (words.knob !== null && least > 0) this.fact("saving", "tuning saves", gain, `${digits(gain)} (${digits(least)} to ${digits(most)})`);
    else this.hide("saving");
    if (second) {
      const margin = comparison.sign * (second.tuned.at(x) - best.tuned.at(x));
      this.fact("margin", `margin to ${clip(second.name, 24)}, in-sample`, margin, digits(margin));
    } else this.hide("margin");
    const region = comparison.region(x);
    if (region && second) this.fact("stays", `stays best for ${words.symbol}`, region[0], `${comparison.show(region[0])} – ${comparison.show(region[1])}`);
    else this.hide("stays");
    const near = comparison.nearestDecision(x);
    setText(this.code, 'rt.Decision.from_json("decision.json").deploy(models)');
    setText(this.save, near ? `Download decision.json for ${words.symbol} = ${comparison.show(near.context)}` : "Download decision.json");
    setText(this.decided, near && near.context !== x ? `It is the nearest that Python decided: ${clip(String(near.decision.model), 40)}.` : "");
    if (this.done) setText(this.live, this.headline.textContent ?? "");
  }

  private fact(key: string, term: string, value: number, text: string): void {
    const { box, term: label, value: cell } = this.facts[key];
    box.hidden = false;
    setText(label, term);
    setNumber(cell, value, text);
  }

  private hide(key: string): void {
    this.facts[key].box.hidden = true;
  }

  // State

  get state(): State {
    return {
      x: this.x,
      hidden: [...this.hidden],
      shown: this.shown,
      view: this.viewIndex,
      weights: this.distribution.weights,
    };
  }

  restore(state: Partial<State>): void {
    if (state.x !== undefined && Number.isFinite(state.x)) this.x = this.comparison.clamp(state.x);
    if (state.hidden) {
      this.hidden.clear();
      for (const index of state.hidden) if (Number.isInteger(index) && index >= 0 && index < this.comparison.models.length) this.hidden.add(index);
      this.table.check(this.hidden);
    }
    if (state.shown === "honest" || state.shown === "in-sample") this.shown = state.shown;
    const space = this.comparison.raw.space;
    const views = space.kind === "tradeoff" ? space.views.length : 1;
    if (state.view !== undefined && Number.isInteger(state.view) && state.view >= 0 && state.view < views) this.viewIndex = state.view;
    const weights = state.weights;
    const total = weights?.reduce((a, b) => a + b, 0) ?? 0;
    if (weights?.length === this.distribution.weights.length && weights.every((w) => w >= 0) && total > 0 && Number.isFinite(total))
      this.distribution.weights = weights.map((w) => w / total);
    this.marks.forEach((mark) => mark());
  }
}
