// A frame with axes that fits its card, and the looks of models.
import { axisBottom, axisLeft, axisTop } from "d3-axis";
import { scaleLinear, ScaleLinear } from "d3-scale";
import { select, Selection } from "d3-selection";

export type Group = Selection<SVGGElement, unknown, null, undefined>;

/** Eight colours that colour-blind people tell apart; dashes tell the rest. */
export const LOOKS = 8;
const DASHES = ["", "7 3", "2 3", "8 3 2 3", "12 4", "4 2 1 2 1 2", "1 2", "10 2 4 2"];

export const colourClass = (index: number): string => `m${index % LOOKS}`;
export const dash = (index: number): string => DASHES[(index + Math.floor(index / LOOKS)) % DASHES.length];

/** Room on the right, ticks in place of round numbers, names of rows, and how values are written. */
export interface FrameLooks {
  right?: number;
  rows?: string[];
  ticks?: [number, string][];
  y?: (value: number) => string;
}

export class Frame {
  readonly svg: SVGSVGElement;
  readonly plot: Group;
  readonly marks: Group;
  /** Where nothing is cut off. */
  readonly outer: Group;
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly width: number;
  readonly height: number;
  readonly left = 68;
  readonly top: number;

  constructor(
    host: HTMLElement,
    label: string,
    xDomain: [number, number],
    yDomain: [number, number],
    names: { x: string; y: string; second?: { label: string; of: (x: number) => number } },
    height = 360,
    looks: FrameLooks = {},
  ) {
    this.top = names.second ? 46 : 12;
    const right = looks.right ?? 14;
    const bottom = 46;
    const whole = Math.max(260, host.clientWidth || 320);
    this.width = whole - this.left - right;
    this.height = height - this.top - bottom;
    host.replaceChildren();
    const svg = select(host)
      .append("svg")
      .attr("viewBox", `0 0 ${whole} ${height}`)
      .attr("width", whole)
      .attr("height", height)
      .attr("role", "img")
      .attr("aria-label", label);
    this.svg = svg.node() as SVGSVGElement;
    const inner = (this.outer = svg.append("g")).attr("transform", `translate(${this.left},${this.top})`);
    this.x = scaleLinear().domain(xDomain).range([0, this.width]);
    this.y = scaleLinear().domain(yDomain).range([this.height, 0]);
    const ticks = Math.max(3, Math.round(this.width / 90));
    const grid = inner.append("g").attr("class", "grid");
    const levels = looks.rows ? looks.rows.map((_, k) => k) : this.y.ticks(6);
    for (const at of levels) grid.append("line").attr("x2", this.width).attr("y1", this.y(at)).attr("y2", this.y(at));
    const marked = looks.ticks;
    for (const at of marked ? marked.map(([place]) => place) : this.x.ticks(ticks)) grid.append("line").attr("y2", this.height).attr("x1", this.x(at)).attr("x2", this.x(at));
    inner.append("g").attr("class", "axis").attr("transform", `translate(0,${this.height})`).call(marked ? axisBottom(this.x).tickValues(marked.map(([place]) => place)).tickFormat((_, k) => marked[k][1]).tickSizeOuter(0) : axisBottom(this.x).ticks(ticks).tickSizeOuter(0));
    const left = axisLeft(this.y).tickSizeOuter(0);
    const { rows, y } = looks;
    if (rows) left.tickValues(rows.map((_, k) => k + 0.4)).tickFormat((_, k) => rows[k]);
    else left.ticks(6);
    if (y) left.tickFormat((value) => y(Number(value)));
    inner.append("g").attr("class", "axis").call(left);
    inner.append("text").attr("class", "label").attr("x", this.width / 2).attr("y", this.height + 38).attr("text-anchor", "middle").text(names.x);
    inner.append("text").attr("class", "label").attr("transform", `translate(-57,${this.height / 2}) rotate(-90)`).attr("text-anchor", "middle").text(names.y);
    if (names.second) {
      const { label: second, of } = names.second;
      inner
        .append("g")
        .attr("class", "axis")
        .call(
          axisTop(this.x)
            .ticks(ticks)
            .tickSizeOuter(0)
            .tickFormat((at) => Number(of(Number(at)).toPrecision(3)).toString()),
        );
      inner.append("text").attr("class", "label").attr("x", this.width / 2).attr("y", -30).attr("text-anchor", "middle").text(second);
    }
    const clip = `clip-${Frame.count++}`;
    svg.append("clipPath").attr("id", clip).append("rect").attr("x", -6).attr("y", -6).attr("width", this.width + 12).attr("height", this.height + 12);
    this.plot = inner.append("g").attr("clip-path", `url(#${clip})`);
    this.marks = inner.append("g").attr("clip-path", `url(#${clip})`);
  }

  private static count = 0;

  /** The values under a pointer. */
  under(event: PointerEvent): [number, number] {
    const box = this.svg.getBoundingClientRect();
    const scale = box.width / this.svg.viewBox.baseVal.width || 1;
    return [
      this.x.invert((event.clientX - box.left) / scale - this.left),
      this.y.invert((event.clientY - box.top) / scale - this.top),
    ];
  }

  /** Follow the pointer: pressed and moved, just moved over, or gone. */
  follow(dragged: (x: number, y: number, done: boolean) => void, hovered?: (x: number | null, event?: PointerEvent) => void): void {
    const svg = this.svg;
    svg.classList.add("draggable");
    svg.addEventListener("pointerdown", (event) => {
      svg.setPointerCapture(event.pointerId);
      dragged(...this.under(event), false);
    });
    svg.addEventListener("pointermove", (event) => {
      if (svg.hasPointerCapture(event.pointerId)) dragged(...this.under(event), false);
      hovered?.(this.under(event)[0], event);
    });
    svg.addEventListener("pointerup", (event) => dragged(...this.under(event), true));
    svg.addEventListener("pointerleave", () => hovered?.(null));
  }
}

/** A strip along the axis that tells who is best; pale where that is not sure. */
export function strip(frame: Frame, parts: [number, number, string][], doubtful: [number, number][], y: number): void {
  const add = (from: number, to: number, look: string) =>
    frame.plot.append("rect").attr("class", look).attr("x", from).attr("width", Math.max(to - from, 0)).attr("y", y).attr("height", 8);
  for (const [from, to, colour] of parts) add(from, to, `strip ${colour}`);
  for (const [from, to] of doubtful) add(from, to, "veil");
}

/** The range of some values, with a little room. */
export function extent(values: Iterable<number>, room = 0.04): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  const margin = (high - low) * room || Math.abs(high) * room || 1;
  return [low - margin, high + margin];
}
