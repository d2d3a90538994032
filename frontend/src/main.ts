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
const views = page.comparisons.map((raw, k) => new View(new Comparison(raw), `view-${k}`, remember));

function remember(): void {
  const { x, hidden, shown, view, weights } = views[tab].state;
  const words = new URLSearchParams({ tab: String(tab), x: String(x) });
  if (hidden.length) words.set("off", hidden.join("."));
  if (shown === "honest") words.set("values", shown);
  if (view) words.set("view", String(view));
  if (weights) words.set("belief", weights.map((w) => Number(w.toPrecision(4))).join("_"));
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
  const state: Partial<State> = {};
  if (words.has("x")) state.x = Number(words.get("x"));
  if (words.has("off")) state.hidden = (words.get("off") ?? "").split(".").map(Number);
  if (words.get("values") === "honest") state.shown = "honest";
  if (words.has("view")) state.view = Number(words.get("view"));
  if (words.has("belief")) state.weights = (words.get("belief") ?? "").split("_").map(Number);
  views[tab].restore(state);
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
  const button = h("button", { type: "button", role: "tab", "aria-controls": `view-${k}` }, h("bdi", {}, clip(raw.title || raw.words.question, 40)));
  button.addEventListener("click", () => {
    show(k);
    remember();
  });
  button.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = (k + step + views.length) % views.length;
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
    h("p", { class: "hint" }, `${under}drag the slider or a picture; arrow keys move by a thousandth · roctopus ${page.library}`),
  ),
  ...(views.length > 1 ? [h("div", { role: "tablist", class: "tabs", "aria-label": "Comparisons" }, ...tabs)] : []),
  h("main", {}, ...views.map((view) => view.element)),
);
if (views.length === 1) views[0].element.removeAttribute("role");
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
