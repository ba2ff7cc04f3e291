// Saturation: what d_k, the divisor d_k^p and L do to the weights and to the gradient that softmax lets through.
import { drawStrip, onLogScale } from "./saturation_strip.js";
import { softmax } from "./shared/attention.js";
import { floats } from "./shared/buffers.js";
import { ACCENTS, PALETTE } from "./shared/colour.js";
import { join } from "./shared/controls.js";
import { element, matrix, paint, showNumber } from "./shared/dom.js";
import { scientific } from "./shared/format.js";
import { deviation, entropy, jacobianNorm, rowState } from "./shared/measures.js";

const PRESETS = [
  [0, "不缩放"],
  [0.5, "÷ √dₖ"],
  [1, "÷ dₖ"],
];
// As in the figures of saturation_figures.py.
const STATE_COLOURS = { uniform: PALETTE.KEY, moderate: PALETTE.VALUE, saturated: PALETTE.MARK };

export default { render };

async function render({ model, el }) {
  const push = await join(model, model.get("controls"));
  const [tokens, stops, lengths] = ["tokens", "stops", "lengths"].map((name) => model.get(name));

  const formula = element("span");
  const spread = element("span", { class: "sa-number", "data-name": "std" });
  const presets = PRESETS.map(([p, label]) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      model.set("p", p);
      push();
    });
    return button;
  });
  const place = element("div", { class: "sa-scroll sa-weights" });
  const full = element("th", { scope: "col" });
  const measures = tokens.map((token) => measureLine(token, model.get("states")));
  const table = element(
    "table",
    { class: "sa-matrix sa-measures" },
    element("caption", {}, "从每一行量出来的"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("td"),
        element("th", { scope: "col" }, "最大权重"),
        full,
        element("th", { scope: "col" }, "‖J‖（对数）"),
        element("th", { scope: "col" }, "状态"),
      ),
    ),
    element("tbody", {}, ...measures.map(({ node }) => node)),
  );
  const largestStrip = drawStrip("每行最大权重", stops, (value) => value, ["0", "0.5", "1"]);
  const jacobianStrip = drawStrip("每行 ‖J‖（对数）", stops, onLogScale, ["10⁻¹⁰", "10⁻⁵", "1"]);
  let weights;

  function showLength() {
    const L = lengths[model.get("length")];
    weights = L === tokens.length ? numbers(tokens) : colours(tokens, L);
    place.replaceChildren(weights.table);
    full.textContent = `熵（满格 ln ${L}）`;
    update();
  }

  function update() {
    const [stop, p, length] = ["stop", "p", "length"].map((name) => model.get(name));
    const [d_k, L] = [stops[stop], lengths[length]];
    const dots = floats(model.get("dots"));
    const first = ((model.get("draw") - 1) * stops.length + stop) * tokens.length;
    const S = tokens.map((_, i) => {
      const start = (first + i) * lengths.at(-1);
      return Array.from(dots.subarray(start, start + L), (dot) => dot / d_k ** p);
    });
    const power = [element("sup", {}, "p"), ` = ${d_k}`, element("sup", {}, p.toFixed(2))];
    formula.replaceChildren("除数 dₖ", ...power, ` = ${(d_k ** p).toFixed(2)}`);
    showNumber(spread, deviation(S), deviation(S).toFixed(2));
    presets.forEach((button, n) => button.setAttribute("aria-pressed", Math.abs(p - PRESETS[n][0]) < 1e-9));
    const A = S.map(softmax);
    weights.show(A);
    A.forEach((row, i) => measures[i].show(row, rowState(row, model.get("limits"))));
    const bands = bandsAt(model.get("sweep"), { length, lengths: lengths.length, p, stops: stops.length });
    largestStrip.show(bands.largest, stop, L);
    jacobianStrip.show(bands.jacobian, stop, L);
  }

  const root = element(
    "div",
    { class: "sa-view sa-saturation", role: "group", "aria-label": "饱和：dₖ、缩放和 L 怎样改变权重和梯度" },
    element("div", { class: "sa-bar" }, formula, element("span", {}, "得分 S 的标准差 = ", spread), ...presets),
    element("div", { class: "sa-tables" }, place, table),
    element("div", { class: "sa-strips" }, largestStrip.node, jacobianStrip.node),
  );
  el.append(root);
  showLength();
  model.on("change:length", showLength);
  model.on("change:stop change:p change:draw", update);
}

// The weights with a number in every cell.
function numbers(tokens) {
  const { table, cells } = matrix("A", "权重 A：行 = 查询，列 = 键", tokens, tokens);
  const show = (A) =>
    A.forEach((row, i) =>
      row.forEach((weight, j) => {
        showNumber(cells[i][j], weight);
        paint(cells[i][j], weight, ACCENTS.A);
      }),
    );
  return { table, show };
}

// More weights than there is room for numbers: colours side by side, one row for each token that asks.
function colours(tokens, L) {
  const { table, cells } = matrix("weights", `权重 A：${tokens.length} 个查询，各有 L = ${L} 个键`, tokens, [
    `键 1 到 ${L}，越深越大`,
  ]);
  const rows = cells.map(([cell], i) => {
    const patches = Array.from({ length: L }, (_, j) => element("i", { "data-name": "A", "data-i": i, "data-j": j }));
    const picture = element("div", { class: "sa-patches", role: "img" }, ...patches);
    cell.append(picture);
    return { patches, picture };
  });
  const show = (A) =>
    A.forEach((row, i) => {
      row.forEach((weight, j) => {
        rows[i].patches[j].dataset.value = weight;
        paint(rows[i].patches[j], weight, ACCENTS.A);
      });
      const largest = Math.max(...row);
      rows[i].picture.setAttribute("aria-label", `最大的权重 ${largest.toFixed(3)} 在第 ${row.indexOf(largest) + 1} 个键`);
    });
  return { table, show };
}

// What is measured of one row: three bars, and its state as a word on a colour.
function measureLine(token, states) {
  const [largest, spread, jacobian] = ["largest", "entropy", "jacobian"].map(bar);
  const state = element("span", { class: "sa-state", "data-name": "state" });
  const cells = [largest, spread, jacobian].map(({ cell }) => cell);
  const node = element("tr", {}, element("th", { scope: "row" }, token), ...cells, element("td", {}, state));
  const show = (row, key) => {
    const top = Math.max(...row);
    largest.show(top, top);
    spread.show(entropy(row), entropy(row) / Math.log(row.length));
    jacobian.show(jacobianNorm(row), onLogScale(jacobianNorm(row)), scientific);
    state.textContent = states[key];
    state.style.backgroundColor = STATE_COLOURS[key];
  };
  return { node, show };
}

// A cell with a number and a bar whose length is a share between 0 and 1.
function bar(name) {
  const number = element("span", { class: "sa-number", "data-name": name });
  const fill = element("div", { class: "sa-fill" });
  const cell = element("td", { class: "sa-measure" }, number, element("div", { class: "sa-track" }, fill));
  const show = (value, share, format = (x) => x.toFixed(3)) => {
    showNumber(number, value, format(value));
    fill.style.transform = `scaleX(${Math.min(1, Math.max(0, share))})`;
  };
  return { cell, show };
}

// sweep: for each L three quantiles, for each p on a grid from 0 to 1, of two quantities, one number per stop.
function bandsAt(sweep, { length, lengths, p, stops }) {
  const values = floats(sweep);
  const grid = values.length / (6 * stops * lengths);
  const band = (quantity) =>
    [0, 1, 2].map((quantile) => {
      const first = (((length * 3 + quantile) * grid + Math.round(p * (grid - 1))) * 2 + quantity) * stops;
      return values.subarray(first, first + stops);
    });
  return { largest: band(0), jacobian: band(1) };
}
