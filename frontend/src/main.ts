// The page: read what Python wrote, show it, keep the state in the address.
import "./style.css";
import { readPage } from "./data";
import { h } from "./dom";
import { Comparison } from "./evaluate";
import { clip } from "./format";
import { State, View } from "./view";

const page = readPage();
const app = document.getElementById("app") as HTMLElement;
let tab = 0;
const touched = new Set<number>();
const views = page.comparisons.map((raw, k) => new View(new Comparison(raw), `view-${k}`, remember));

/** Write the state of all tabs that were touched into the address. */
function remember(): void {
  touched.add(tab);
  const words = new URLSearchParams({ tab: String(tab) });
  for (const k of touched) {
    const { x, scale, hidden, shown, view, weights } = views[k].state;
    words.set(`x${k}`, String(x));
    if (scale !== 1) words.set(`times${k}`, String(scale));
    words.set(`off${k}`, hidden.join("."));
    if (shown === "honest") words.set(`values${k}`, shown);
    if (view) words.set(`view${k}`, String(view));
    if (weights) words.set(`belief${k}`, weights.map((w) => Number(w.toPrecision(4))).join("_"));
  }
  try {
    history.replaceState(null, "", `#${words}`);
  } catch {
    // A page within a page has no address of its own.
  }
}

function recall(): void {
  const words = new URLSearchParams(location.hash.slice(1));
  const wanted = Number(words.get("tab") ?? 0);
  if (Number.isInteger(wanted) && wanted >= 0 && wanted < views.length) tab = wanted;
  views.forEach((view, k) => {
    const said = (name: string) => words.get(`${name}${k}`);
    const numbers = (text: string, sign: string) => (text === "" ? [] : text.split(sign).map(Number));
    const state: Partial<State> = {};
    const [x, off, chosen, weights] = [said("x"), said("off"), said("view"), said("belief")];
    if (x) state.x = Number(x);
    const times = said("times");
    if (times) state.scale = Number(times);
    if (off !== null) state.hidden = numbers(off, ".");
    if (said("values") === "honest") state.shown = "honest";
    if (chosen) state.view = Number(chosen);
    if (weights) state.weights = numbers(weights, "_");
    if (Object.keys(state).length) touched.add(k);
    view.restore(state);
  });
}

function show(k: number): void {
  tab = k;
  views.forEach((view, j) => (view.element.hidden = j !== k));
  tabs.forEach((button, j) => {
    button.setAttribute("aria-selected", String(j === k));
    button.tabIndex = j === k ? 0 : -1;
  });
  views[k].redraw();
}

const tabs = views.map((view, k) => {
  const { raw } = view.comparison;
  const button = h("button", { type: "button", role: "tab", id: `tab-${k}`, "aria-controls": `view-${k}` }, h("bdi", {}, clip(raw.title || raw.words.question, 40)));
  button.addEventListener("click", () => {
    show(k);
    remember();
  });
  button.addEventListener("keydown", (event) => {
    const to: Record<string, number> = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: views.length - 1 };
    if (!(event.key in to)) return;
    const next = (to[event.key] + views.length) % views.length;
    tabs[next].focus();
    show(next);
    remember();
  });
  return button;
});

const first = page.comparisons[0];
const title = page.title || (views.length === 1 ? first.words.question : "Which model, which setting?");
const models = first.models.length === 1 ? "1 model" : `${first.models.length} models`;
const under = views.length === 1 ? `${models} · ${first.cases.toLocaleString("en-US")} cases · ` : "";
app.replaceChildren(
  h(
    "header",
    {},
    h("h1", {}, h("bdi", {}, title)),
    h("p", { class: "hint" }, `${under}answers are measured on cases not used for tuning · roctopus ${page.madeWith}`),
  ),
  ...(views.length > 1 ? [h("div", { role: "tablist", class: "tabs", "aria-label": "Comparisons" }, ...tabs)] : []),
  h("main", {}, ...views.map((view) => view.element)),
);
if (views.length === 1) views[0].element.removeAttribute("role");
else views.forEach((view, k) => view.element.setAttribute("aria-labelledby", `tab-${k}`));
recall();
show(tab);

let width = app.clientWidth;
new ResizeObserver(() => {
  if (app.clientWidth === width) return;
  width = app.clientWidth;
  views[tab].redraw();
}).observe(app);
addEventListener("hashchange", () => {
  recall();
  show(tab);
});
