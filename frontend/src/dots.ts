// What each choice is expected to give: a dot per choice, with its interval.
import { select } from "d3-selection";
import { scaleLinear } from "d3-scale";
import { Choice } from "./evaluate";
import { clip, sized } from "./format";
import { colourClass, Group } from "./plot";

/** The height of a row, and of all rows if there is room. */
const [LEAST, MOST, ALL] = [34, 60, 310];
/** The room for a value beyond the axis. */
const BEYOND = 50;
/** The axis reaches so many times as far as the models with their intervals do. */
const ROOM = 3;

export class DotsPlot {
  svg: SVGSVGElement | null = null;

  constructor(private readonly host: HTMLElement) {}

  draw(choices: Choice[], chosen: string): void {
    const whole = Math.max(240, this.host.clientWidth || 320);
    const names = Math.min(220, Math.max(96, 0.34 * whole));
    const [left, right] = [names + 12, whole - 62];
    const row = Math.min(MOST, Math.max(LEAST, ALL / choices.length));
    const height = row * choices.length + 26;
    this.host.replaceChildren();
    const svg = select(this.host).append("svg").attr("viewBox", `0 0 ${whole} ${height}`).attr("width", whole).attr("height", height).attr("role", "img");
    this.svg = svg.node();
    const x = scaleLinear().domain(this.ends(choices)).range([left, right]);
    svg.attr("aria-label", choices.map(({ name, value, error }) => `${name}: ${sized(value, error)}`).join("; "));
    const axis = svg.append("g");
    for (const at of x.ticks(Math.max(2, Math.floor((right - left) / 80)))) {
      axis.append("line").attr("class", "rule").attr("x1", x(at)).attr("x2", x(at)).attr("y2", height - 20);
      axis.append("text").attr("x", x(at)).attr("y", height - 5).attr("text-anchor", "middle").text(String(at).replace("-", "−"));
    }
    choices.forEach((choice, k) => {
      const y = row * (k + 0.5);
      const group = svg.append("g").attr("class", choice.model ? colourClass(choice.model.index) : "still").attr("data-choice", choice.name).attr("data-value", choice.value);
      group.append("text").attr("class", choice.name === chosen ? "who chosen" : "who").attr("x", names).attr("y", y + 4).attr("text-anchor", "end").text(clip(choice.name, Math.floor(names / (choice.name === chosen ? 8.6 : 7))));
      const [from, to] = [choice.low, choice.high].map((each) => Math.min(right, Math.max(left, x(each))));
      if (x(choice.high) >= left && x(choice.low) <= right) group.append("line").attr("class", "interval").attr("x1", from).attr("x2", Math.max(to, from + 0.1)).attr("y1", y).attr("y2", y);
      if (choice.raw !== null) {
        const end = x(choice.raw) > right + 1 ? right - BEYOND : x(choice.raw) < left - 1 ? left + BEYOND : x(choice.raw);
        group.append("line").attr("class", "tie").attr("x1", Math.min(right, Math.max(left, x(choice.value)))).attr("x2", end).attr("y1", y).attr("y2", y);
        this.dot(group, x(choice.raw), y, left, right, "hollow", choice.raw, choice);
      }
      this.dot(group, x(choice.value), y, left, right, "full", choice.value, choice);
      group.append("text").attr("class", choice.name === chosen ? "number chosen" : "number").attr("x", whole - 4).attr("y", y + 4).attr("text-anchor", "end").text(sized(choice.value, choice.error));
    });
  }

  /** A dot, or, beyond the axis, an arrow with the value. */
  private dot(group: Group, x: number, y: number, left: number, right: number, look: string, value: number, choice: Choice): void {
    if (x >= left - 1 && x <= right + 1) {
      group.append("circle").attr("class", look).attr("cx", x).attr("cy", y).attr("r", 5.5);
      return;
    }
    const beyond = x > right;
    // The value of a full dot stands beside the axis.
    const text = look === "full" ? "" : sized(value, choice.error);
    group.append("text").attr("class", "beyond-axis").attr("x", beyond ? right : left).attr("y", y + 4).attr("text-anchor", beyond ? "end" : "start").text(beyond ? `${text} →` : `← ${text}`);
  }

  private ends(choices: Choice[]): [number, number] {
    const models = choices.filter((each) => each.model);
    const low = Math.min(...models.map((each) => each.low));
    const high = Math.max(...models.map((each) => each.high));
    const width = high - low || Math.abs(high) || 1;
    const values = choices.flatMap((each) => (each.raw === null ? [each.value] : [each.value, each.raw])).filter(Number.isFinite);
    const near = values.filter((each) => each >= low - ROOM * width && each <= high + ROOM * width);
    const [first, last] = [Math.min(low, ...near), Math.max(high, ...near)];
    return [first - 0.04 * (last - first), last + 0.04 * (last - first)];
  }
}
