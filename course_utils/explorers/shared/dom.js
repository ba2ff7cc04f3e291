// Building the page: elements and matrices of numbers. Text goes in as text nodes only, never as HTML.
import { ACCENTS, css, ink, tint } from "./colour.js";

const SVG_TAGS = new Set(["svg", "g", "line", "path", "polygon", "circle", "rect", "text", "title", "tspan"]);

export function element(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// A name of the field with its index below it, such as q and 打; matrix: the one whose colour it has, if any.
export function symbol(base, index, matrix) {
  const node = element("span", {}, base, element("sub", {}, index));
  return matrix ? coloured(node, matrix) : node;
}

// Gives a node the colour of a matrix: for type by itself, for shapes as --sa-own in the stylesheet.
export function coloured(node, matrix) {
  node.classList.add("sa-own");
  node.style.setProperty("--sa-own", css(ACCENTS[matrix]));
  return node;
}

// Shows a rounded number and keeps the whole of it in data-value.
export function showNumber(node, value, text = value.toFixed(3)) {
  node.textContent = text;
  node.dataset.value = value;
}

// A labelled matrix of numbers, its title text or nodes: a table with tokens beside its rows and above its columns.
export function matrix(name, title, rows, columns) {
  const cells = rows.map((_, i) =>
    columns.map((_, j) => element("td", { "data-name": name, "data-i": i, "data-j": j })),
  );
  const lines = cells.map((line, i) =>
    element("tr", {}, element("th", { scope: "row" }, rows[i]), ...line),
  );
  const head = element(
    "tr",
    {},
    element("td"),
    ...columns.map((column) => element("th", { scope: "col" }, column)),
  );
  const table = element(
    "table",
    { class: "sa-matrix" },
    element("caption", {}, ...[title].flat()),
    element("thead", {}, head),
    element("tbody", {}, ...lines),
  );
  return { table, head, lines, cells };
}

// Colours a cell by its share of the largest size, -1 to 1, and writes on it in black or white.
export function paint(cell, share, accent) {
  const colour = tint(share, accent);
  cell.style.backgroundColor = css(colour);
  cell.style.color = ink(colour);
}
