// Elements are made with text only: nothing from the data is ever read as HTML.

type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Show a number, and keep all its digits beside it. */
export function setNumber(element: Element, value: number, text: string): void {
  setText(element, text);
  element.setAttribute("data-value", String(value));
}

export function download(name: string, type: string, text: string): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A drawing with its looks written into it, to be opened elsewhere. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "font-size", "font-family", "font-weight", "text-anchor", "display"];
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of kept) to[k].setAttribute(name, style.getPropertyValue(name));
    to[k].removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  back.setAttribute("width", "100%");
  back.setAttribute("height", "100%");
  back.setAttribute("fill", getComputedStyle(document.body).getPropertyValue("--card"));
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
}
