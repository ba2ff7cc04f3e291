// Sizes: the chain X -> Q, K, V -> S -> A -> B as boxes of cells, arranged as in the figure of the whole chain.
import { join } from "./shared/controls.js";
import { costOf } from "./shared/cost.js";
import { coloured, element, setAttributes, showNumber, symbol } from "./shared/dom.js";

const CELL = 12; // the side of every cell, whatever the sizes
// Where the middle of each box stands, what it holds, and how it is made where no sign says so.
const PLACES = {
  X: [64, 238, "词向量", ""],
  W_Q: [232, 80, "", ""],
  W_K: [232, 238, "", ""],
  W_V: [232, 396, "", ""],
  Q: [400, 80, "查询", ""],
  K: [400, 238, "键", ""],
  V: [400, 396, "值", ""],
  S: [590, 159, "得分", "QKᵀ ÷ √dₖ"],
  A: [764, 159, "权重", "softmax(S)"],
  B: [934, 278, "融合后", "A·V"],
};
const ARROWS = ["X W_Q", "X W_K", "X W_V", "Q S", "K S", "S A", "A B", "V B"].map((pair) => pair.split(" "));
const SIGNS = [
  ...["W_Q", "W_K", "W_V"].map((name) => ["×", "X", name]),
  ...["Q", "K", "V"].map((name) => ["=", `W_${name}`, name]),
];

export default { render };

async function render({ model, el }) {
  await join(model, model.get("controls"));
  const parameters = element("span", { class: "sa-number", "data-name": "parameters" });
  const multiplications = element("span", { class: "sa-number", "data-name": "multiplications" });
  const sum = element("span");
  const changes = element("p", {});
  const verdict = element("p", { class: "sa-verdict", role: "status" });
  const boxes = Object.fromEntries(Object.keys(PLACES).map((name) => [name, box(name)]));
  const arrows = ARROWS.map(() => element("path", { class: "sa-arrow" }));
  const signs = SIGNS.map(([sign]) => element("text", { class: "sa-sign", "text-anchor": "middle" }, sign));
  const svg = element(
    "svg",
    { viewBox: "0 0 1000 480", role: "img", "aria-label": "每一步的矩阵，一格是一个数" },
    ...arrows,
    ...signs,
    ...Object.values(boxes).map(({ node }) => node),
  );
  let before = null;

  function update() {
    const [L, D, d_k, d_v] = ["L", "D", "d_k", "d_v"].map((name) => model.get(name));
    const different = model.get("different");
    const d_other = different ? model.get("d_other") : d_k;
    const result = costOf({ L, D, d_k, d_v, d_other });
    const shapes = Object.fromEntries(result.matrices.map((matrix) => [matrix.name, matrix]));
    const changed = Object.keys(shapes).filter((name) => before && differ(shapes[name], before[name]));
    before = shapes;
    for (const [name, shape] of Object.entries(shapes)) boxes[name].show(shape, changed.includes(name));
    ARROWS.forEach(([from, to], n) => arrows[n].setAttribute("d", arrow(from, to, shapes)));
    SIGNS.forEach(([sign, left, right], n) => {
      const [start, end] = gap(left, right, shapes);
      const middle = (PLACES[left][1] + PLACES[right][1]) / 2;
      setAttributes(signs[n], { x: (start + end) / 2, y: middle + (sign === "×" ? -6 : 8) });
    });
    sum.textContent = `${D}×(${d_k} + ${d_other} + ${d_v})`;
    showNumber(parameters, result.parameters, result.parameters.toLocaleString("zh-CN"));
    showNumber(
      multiplications,
      result.multiplications,
      result.multiplications?.toLocaleString("zh-CN") ?? "算不出来",
    );
    const names = changed.flatMap((name, n) => [n ? "、" : "", named(name)]);
    changes.replaceChildren(
      ...(changed.length > 0 ? ["刚才变了形状的（红框）：", ...names] : ["拖一个滑块，变了形状的矩阵会加上红框。"]),
    );
    const equal = different ? `Q 与 K 的 dₖ 现在都是 ${d_k}，链条没有断。` : "";
    verdict.textContent =
      result.fault ?? `${equal}每一步都能相乘：相邻两个矩阵里，前一个的列数等于后一个的行数。B 是 ${L}×${d_v}。`;
    verdict.classList.toggle("sa-bad", result.fault !== null);
    // Until the box is ticked, the slider of K has nothing to say.
    model.set("alike", !different);
  }

  el.append(
    element(
      "div",
      { class: "sa-view sa-sizes", role: "group", "aria-label": "形状：L、D、dₖ、dᵥ 怎样决定每个矩阵" },
      element(
        "div",
        { class: "sa-bar" },
        element("span", {}, "参数个数 = ", sum, " = ", parameters),
        element("span", {}, "乘法次数 = L·D·(2dₖ + dᵥ) + L²·(dₖ + dᵥ) = ", multiplications),
      ),
      element("div", { class: "sa-scroll" }, svg),
      changes,
      verdict,
    ),
  );
  update();
  model.on("change:L change:D change:d_k change:d_v change:d_other change:different", update);
}

function half(cells) {
  return (cells * CELL) / 2;
}

// From the right edge of one box to the left edge of another, with some air.
function gap(from, to, shapes) {
  return [PLACES[from][0] + half(shapes[from].columns) + 5, PLACES[to][0] - half(shapes[to].columns) - 5];
}

function differ(one, other) {
  return one.rows !== other.rows || one.columns !== other.columns;
}

// W_Q -> W with a small Q below it, in the colour of Q.
function named(name) {
  const [base, index] = name.split("_");
  return index ? symbol(base, index, index) : coloured(element("span", {}, base), base);
}

// A line with a head, from the right edge of one box to the left edge of another.
function arrow(from, to, shapes) {
  const [y, y2] = [PLACES[from][1], PLACES[to][1]];
  const [start, end] = gap(from, to, shapes);
  const angle = Math.atan2(y2 - y, end - start);
  const head = [2.7, -2.7].map((turn) => `L${end + 10 * Math.cos(angle + turn)},${y2 + 10 * Math.sin(angle + turn)}`);
  return `M${start},${y}L${end},${y2}${head[0]}M${end},${y2}${head[1]}`;
}

function box(name) {
  const [base, index] = name.split("_");
  const [x, y, holds, made] = PLACES[name];
  const shape = coloured(element("rect", { rx: 2 }), index ?? base);
  const lines = element("path", { class: "sa-lines" });
  const outline = element("rect", { class: "sa-outline", rx: 4 });
  const title = element("text", { class: "sa-name", "text-anchor": "middle", x }, base);
  if (index) title.append(element("tspan", { dy: 5, "font-size": "75%" }, index));
  if (holds) title.append(element("tspan", { class: "sa-holds", dx: 6 }, holds));
  coloured(title, index ?? base);
  const size = element("text", { "text-anchor": "middle", "data-name": "size", "data-i": name, x });
  const origin = element("text", { class: "sa-origin", "text-anchor": "middle", x }, made);
  const node = element("g", {}, shape, lines, outline, title, size, origin);
  const show = ({ rows, columns, state }, changed) => {
    const [width, height] = [columns * CELL, rows * CELL];
    const [left, top] = [x - width / 2, y - height / 2];
    setAttributes(shape, { x: left, y: top, width, height });
    setAttributes(outline, { x: left - 4, y: top - 4, width: width + 8, height: height + 8 });
    const across = Array.from({ length: rows - 1 }, (_, n) => `M${left},${top + (n + 1) * CELL}h${width}`);
    const down = Array.from({ length: columns - 1 }, (_, n) => `M${left + (n + 1) * CELL},${top}v${height}`);
    lines.setAttribute("d", [...across, ...down].join(""));
    title.setAttribute("y", top - 12);
    size.setAttribute("y", top + height + 22);
    origin.setAttribute("y", top + height + 40);
    size.textContent = state === "ok" ? `${rows}×${columns}` : state === "broken" ? "✗" : "?";
    node.setAttribute("class", `sa-box sa-${state}${changed ? " sa-changed" : ""}`);
  };
  return { node, show };
}
