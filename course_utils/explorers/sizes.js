// Sizes: the chain X -> Q, K, V -> S -> A -> B as boxes, its parameters and multiplications, and where it breaks.
import { ACCENTS, css } from "./shared/colour.js";
import { join } from "./shared/controls.js";
import { costOf } from "./shared/cost.js";
import { element, setAttributes, showNumber } from "./shared/dom.js";

const MIDDLE = 105; // height of the line that all boxes are centred on
const LARGEST = 130; // the longest side of a box
const GAP = 26;
const FORMULAS = {
  Q: "X·W_Q",
  "Kᵀ": "(X·W_K)ᵀ",
  V: "X·W_V",
  S: "QKᵀ ÷ √dₖ",
  A: "softmax(S)",
  B: "A·V",
};

export default { render };

async function render({ model, el }) {
  await join(model, model.get("controls"));
  const parameters = element("span", { class: "sa-number", "data-name": "parameters" });
  const multiplications = element("span", { class: "sa-number", "data-name": "multiplications" });
  const sum = element("span");
  const verdict = element("p", { class: "sa-verdict", role: "status" });
  const boxes = costOf({ L: 1, D: 1, d_k: 1, d_v: 1, d_other: 1 }).matrices.map(({ name }) => box(name));
  const svg = element(
    "svg",
    { viewBox: "0 0 1000 225", role: "img", "aria-label": "每一步的矩阵大小" },
    ...boxes.map(({ node }) => node),
  );

  function update() {
    const [L, D, d_k, d_v] = ["L", "D", "d_k", "d_v"].map((name) => model.get(name));
    const different = model.get("different");
    const d_other = different ? model.get("d_other") : d_k;
    const result = costOf({ L, D, d_k, d_v, d_other });
    const scale = LARGEST / Math.max(...result.matrices.flatMap(({ rows, columns }) => [rows, columns]));
    const wide = ({ columns }) => Math.max(10, columns * scale);
    const natural = result.matrices.reduce((sum, matrix) => sum + Math.max(58, wide(matrix)) + GAP, 0);
    const squeeze = Math.min(1, 1000 / natural);
    let left = (1000 - natural * squeeze) / 2;
    result.matrices.forEach((matrix, n) => {
      const room = Math.max(58, wide(matrix)) * squeeze;
      boxes[n].show(matrix, left, room, wide(matrix) * squeeze, Math.max(10, matrix.rows * scale));
      left += room + GAP * squeeze;
    });
    sum.textContent = `${D}×(${d_k} + ${d_other} + ${d_v})`;
    showNumber(parameters, result.parameters, result.parameters.toLocaleString("zh-CN"));
    showNumber(
      multiplications,
      result.multiplications,
      result.multiplications?.toLocaleString("zh-CN") ?? "算不出来",
    );
    const equal = different ? `W_Q 与 W_K 的 d_k 现在都是 ${d_k}，链条没有断。` : "";
    verdict.textContent =
      result.fault ?? `${equal}每一步都能相乘：相邻两个矩阵里，前一个的列数等于后一个的行数。B 是 ${L}×${d_v}。`;
    verdict.classList.toggle("sa-bad", result.fault !== null);
    // Until the box is ticked, the slider of W_K has nothing to say.
    model.set("alike", !different);
  }

  el.append(
    element(
      "div",
      { class: "sa-view sa-sizes", role: "group", "aria-label": "大小：L、D、dₖ、dᵥ 怎样决定每个矩阵" },
      element(
        "div",
        { class: "sa-bar" },
        element("span", {}, "参数个数 = ", sum, " = ", parameters),
        element("span", {}, "乘法次数 = L·D·(2dₖ + dᵥ) + L²·(dₖ + dᵥ) = ", multiplications),
      ),
      svg,
      verdict,
    ),
  );
  update();
  model.on("change:L change:D change:d_k change:d_v change:d_other change:different", update);
}

function box(name) {
  const shape = element("rect", { rx: 3, fill: css(ACCENTS[name.replace("W_", "").replace("ᵀ", "")]) });
  const title = element("text", { class: "sa-name", "text-anchor": "middle" }, name);
  const size = element("text", { "text-anchor": "middle", "data-name": "size", "data-i": name });
  const origin = element("text", { class: "sa-origin", "text-anchor": "middle" }, FORMULAS[name] ?? "");
  const node = element("g", {}, shape, title, size, origin);
  const show = (matrix, left, room, width, height) => {
    const middle = left + room / 2;
    setAttributes(shape, { x: middle - width / 2, y: MIDDLE - height / 2, width, height });
    setAttributes(title, { x: middle, y: MIDDLE - height / 2 - 10 });
    setAttributes(size, { x: middle, y: MIDDLE + height / 2 + 22 });
    setAttributes(origin, { x: middle, y: MIDDLE + height / 2 + 42 });
    size.textContent = matrix.state === "ok" ? `${matrix.rows}×${matrix.columns}` : matrix.state === "broken" ? "✗" : "?";
    node.setAttribute("class", `sa-box sa-${matrix.state}`);
  };
  return { node, show };
}
