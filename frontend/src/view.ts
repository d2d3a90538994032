// One comparison on the page: what mistakes cost, the answer, and the pictures and numbers behind it.
import { AnswerCard } from "./answerCard";
import { Controls } from "./controls";
import { Distribution } from "./distribution";
import { ContextPlot, Shown } from "./contextPlot";
import { DotsPlot } from "./dots";
import { Answer, Comparison, Model } from "./evaluate";
import { ExcessPlot } from "./excessPlot";
import { clip, digits } from "./format";
import { download, h, setText, svgText } from "./dom";
import { ModelTable } from "./modelTable";
import { LOOKS } from "./plot";
import { makeSpace, Space } from "./spaces";

export interface State {
  x: number;
  scale: number;
  hidden: number[];
  shown: Shown;
  view: number;
  weights: number[] | null;
}

/** So many of the best choices are shown in any case. */
const FIRST = 3;

export class View {
  readonly element: HTMLElement;
  private x: number;
  private readonly hidden = new Set<number>();
  private shown: Shown = "in-sample";
  private viewIndex = 0;
  private inspected: Model | null = null;
  private readonly controls: Controls;
  private readonly answer: AnswerCard;
  private readonly dots: DotsPlot;
  private readonly excess: ExcessPlot;
  private readonly plot: ContextPlot;
  private readonly space: Space;
  private readonly distribution: Distribution;
  private done = true;
  /** Whether the answer is that for the range or distribution that was asked for. */
  private pinned: boolean;
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
    const moved = (x: number, done: boolean, rescaled = false) => this.move(x, done, rescaled);
    this.controls = new Controls(comparison, id, moved, () => this.distribution.element.scrollIntoView({ block: "start" }));
    this.pinned = raw.asked !== null;
    const back = h("button", { type: "button", class: "link" }, `Show the answer for ${raw.asked?.between ? "the whole range" : "the distribution"} again`);
    back.addEventListener("click", () => {
      this.pinned = true;
      this.update();
    });
    this.answer = new AnswerCard(comparison, back);
    const [dotsHost, excessHost, spaceHost, contextHost] = ["dots", "excess", "space", "context"].map((name) => h("div", { class: `figure ${name}` }));
    const legend = h("ul", { class: "legend" });
    const readout = h("pre", { class: "readout", hidden: true, "aria-hidden": "true" });
    this.dots = new DotsPlot(dotsHost);
    this.excess = new ExcessPlot(excessHost, legend, comparison, moved);
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
    const loss = words.sense === "loss";
    const raws = raw.answers.some((each) => each.rows.some((row) => row.raw !== null)) ? ", ○ as it is" : "";
    this.element = h(
      "div",
      { class: "view", role: "tabpanel", id },
      h("div", { class: "two first" }, this.controls.element, this.answer.element),
      h(
        "div",
        { class: "two" },
        this.figureCard(`${loss ? "Cost" : "Gain"} of each choice on new cases: ● tuned${raws}`, dotsHost, () => this.dots.svg, "choices", null),
        this.figureCard(ExcessPlot.title(comparison), h("div", {}, excessHost, legend), () => this.excess.svg, "excess", null),
      ),
      h(
        "div",
        { class: "two" },
        this.figureCard(raw.space.title, spaceHost, () => this.space.svg, "space", this.viewSwitch()),
        this.figureCard(
          `${loss ? "Cost" : "Gain"} of each model${comparison.asIs ? " as it is" : ""} over ${words.symbol}, and which model is best where`,
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
    const asked = comparison.asked ? comparison.choices(comparison.asked).flatMap((each) => each.model?.index ?? []) : [];
    const order = comparison.ranked(this.x).map((model) => model.index);
    const winners = [...comparison.raw.regions].sort((a, b) => b[1] - b[0] - (a[1] - a[0])).map(([, , owner]) => owner);
    const kept = new Set([...new Set([...asked.slice(0, FIRST), ...order.slice(0, FIRST), ...winners, ...order])].slice(0, LOOKS));
    for (const model of comparison.models) if (!kept.has(model.index)) this.hidden.add(model.index);
  }

  private get visible(): Model[] {
    const shown = this.comparison.models.filter((model) => !this.hidden.has(model.index));
    return shown.length ? shown : [this.comparison.best(this.x)];
  }

  private move(x: number, done: boolean, rescaled: boolean): void {
    this.x = x;
    this.pinned = false;
    this.done = done;
    if (rescaled) this.redraw();
    else this.update();
    this.done = true;
    if (done) this.changed();
  }

  // Cards

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
    return this.switcher("Values", ["tuning data", "new cases, 95 % band"], () => kinds.indexOf(this.shown), (k) => (this.shown = kinds[k]));
  }

  private footer(): HTMLElement {
    const { raw, exact, answered } = this.comparison;
    const told = exact
      ? "This page contains exact values, which can reveal single rows: share it only with people who may see the data."
      : `This page was built from groups of at least ${raw.minCases} cases each, and from answers at ${answered.length} contexts with rounded numbers and settings: no single case can be read from it.`;
    const curves = this.comparison.asIs ? "Curves show predictions as they are, without a margin; the answers have margins." : "Curves show the data used for tuning.";
    return h(
      "footer",
      {},
      h("p", {}, `${told} `, this.exactness),
      ...raw.notes.map((note) => h("p", {}, note)),
      h("p", {}, `${curves} Expected values were measured on cases that were not used for tuning${raw.timeOrdered ? " (later ones)" : ""}, at ${answered.length} contexts.`),
    );
  }

  // Drawing

  redraw(): void {
    this.drawExcess();
    this.space.draw(this.visible, this.viewIndex, this.inspected ?? this.advised);
    this.plot.draw(this.visible, this.shown, this.x);
    this.distribution.draw();
    this.update();
  }

  update(): void {
    const { comparison, x } = this;
    const best = comparison.best(x);
    const visible = this.visible;
    this.controls.show(x);
    this.answer.tell(this.found, x, this.done);
    this.drawDots();
    if (this.excess.beyond(x)) this.drawExcess();
    this.excess.mark(x, visible);
    this.plot.mark(x, visible, best, this.shown);
    this.space.mark(x, visible, best, this.inspected ?? this.advised);
    this.tellError();
    this.table.fill(x, best, this.inspected, this.pinned);
  }

  /** The models on the dot chart: those that are shown, and the one that is chosen. */
  private drawDots(): void {
    const { found } = this;
    if (!found) return;
    const shown = this.comparison.choices(found).filter(({ model, name }) => !model || !this.hidden.has(model.index) || name === found.decision.model);
    this.dots.draw(shown, found.decision.model);
  }

  /** The answer that is shown. */
  private get found(): Answer | null {
    return this.pinned ? this.comparison.asked : this.comparison.answer(this.x);
  }

  /** The model that the answer chooses. */
  private get chosen(): Model | null {
    const name = this.found?.decision.model;
    return this.comparison.models.find((model) => model.name === name) ?? null;
  }

  /** The model that is advised, or else the best on the data used for tuning. */
  private get advised(): Model {
    return this.chosen ?? this.comparison.best(this.x);
  }

  private drawExcess(): void {
    this.excess.draw(this.visible, this.x, this.chosen);
  }

  private tellError(): void {
    const { comparison, x } = this;
    const error = comparison.errorAt(x);
    const { advised } = this;
    const worst = comparison.models.find((model) => comparison.curveError(model, x) === error) ?? advised;
    const [own, value] = [comparison.curveError(advised, x), Math.abs(advised.tuned.at(x))];
    const share = own > 0 && own < value ? ` (${digits((100 * own) / value, 1)} %)` : "";
    const most = comparison.error > error ? `, and any by up to ${digits(comparison.error, 2)} elsewhere` : "";
    const other = own < error ? `, that of ${clip(worst.name)} by up to ${digits(error, 2)}` : "";
    const off = `The curve of ${clip(advised.name)} may be off by up to ${digits(own, 2)}${share} here${other}${most}.`;
    setText(this.exactness, error > 0 ? off : "Curves are exact here.");
    this.exactness.setAttribute("data-value", String(error));
  }

  // State

  get state(): State {
    return {
      x: this.x,
      scale: this.comparison.scale.factor,
      hidden: [...this.hidden],
      shown: this.shown,
      view: this.viewIndex,
      weights: this.distribution.weights,
    };
  }

  restore(state: Partial<State>): void {
    if (state.x !== undefined && Number.isFinite(state.x)) {
      this.x = this.comparison.allow(state.x);
      this.pinned = false;
    }
    if (state.scale !== undefined && this.comparison.raw.costs && state.scale > 0 && Number.isFinite(state.scale)) this.comparison.scale.factor = state.scale;
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
