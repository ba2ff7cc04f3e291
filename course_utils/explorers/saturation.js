// Saturation: what d_k and the divisor d_k^p do to the weights and to the gradient that softmax lets through.
import { scores, softmax } from "./shared/attention.js";
import { floats, rowsOf } from "./shared/buffers.js";
import { ACCENTS } from "./shared/colour.js";
import { join } from "./shared/controls.js";
import { element, matrix, paint, setAttributes, showNumber } from "./shared/dom.js";
import { scientific } from "./shared/format.js";
import { deviation, entropy, jacobianNorm, rowState } from "./shared/measures.js";

const PRESETS = [
  [0, "不缩放"],
  [0.5, "÷ √dₖ"],
  [1, "÷ dₖ"],
];
// Below this the bar and the strip of ‖J‖ end.
const SMALLEST_POWER = -10;

export default { render };

async function render({ model, el }) {
  const push = await join(model, model.get("controls"));
  const tokens = model.get("tokens");
  const stops = model.get("stops");

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
  const { table, head, lines, cells } = matrix(
    "A",
    "权重 A = softmax(S)，行 = 查询（谁在看），列 = 键（看谁）",
    tokens,
    tokens,
  );
  const measures = lines.map((line, i) => {
    const bars = ["largest", "entropy", "jacobian"].map((name) => bar(name, i));
    const state = element("td", { class: "sa-state", "data-name": "state", "data-i": i });
    line.append(...bars.map(({ cell }) => cell), state);
    return { bars, state };
  });
  head.append(
    ...["最大权重", `熵（满格 ln ${tokens.length}）`, "‖J‖（对数刻度）", "状态"].map((label) =>
      element("th", { scope: "col" }, label),
    ),
  );
  const largestStrip = strip("每行最大权重", stops, (value) => value, ["0", "0.5", "1"]);
  const jacobianStrip = strip("每行 ‖J‖（对数刻度）", stops, onLogScale, ["10⁻¹⁰", "10⁻⁵", "1"]);

  function update() {
    const stop = model.get("stop");
    const d_k = stops[stop];
    const p = model.get("p");
    const first = (model.get("draw") - 1) * tokens.length;
    const [Q, K] = ["Q", "K"].map((name) =>
      rowsOf(model.get(name), first, tokens.length, stops.at(-1), d_k),
    );
    const S = scores(Q, K, p);
    formula.textContent = `除数 dₖ^p = ${d_k}^${p.toFixed(2)} = ${(d_k ** p).toFixed(2)}`;
    showNumber(spread, deviation(S), deviation(S).toFixed(2));
    presets.forEach((button, n) => button.setAttribute("aria-pressed", Math.abs(p - PRESETS[n][0]) < 1e-9));
    S.map(softmax).forEach((weights, i) => {
      weights.forEach((weight, j) => {
        showNumber(cells[i][j], weight);
        paint(cells[i][j], weight, ACCENTS.A);
      });
      const largest = Math.max(...weights);
      const [largestBar, entropyBar, jacobianBar] = measures[i].bars;
      largestBar.show(largest, largest);
      entropyBar.show(entropy(weights), entropy(weights) / Math.log(tokens.length));
      jacobianBar.show(jacobianNorm(weights), onLogScale(jacobianNorm(weights)), scientific);
      measures[i].state.textContent = model.get("states")[rowState(weights, model.get("limits"))];
    });
    const bands = bandsAt(model.get("sweep"), p, stops.length);
    largestStrip.show(bands.largest, stop);
    jacobianStrip.show(bands.jacobian, stop);
  }

  const root = element(
    "div",
    { class: "sa-view sa-saturation", role: "group", "aria-label": "饱和：dₖ 与缩放怎样改变权重和梯度" },
    element("div", { class: "sa-bar" }, formula, element("span", {}, "得分 S 的标准差 = ", spread), ...presets),
    table,
    element("div", { class: "sa-strips" }, largestStrip.node, jacobianStrip.node),
  );
  el.append(root);
  update();
  model.on("change:stop change:p change:draw", update);
}

// A cell with a number and a bar whose length is a share between 0 and 1.
function bar(name, i) {
  const number = element("span", { class: "sa-number", "data-name": name, "data-i": i });
  const fill = element("div", { class: "sa-fill" });
  const cell = element("td", { class: "sa-measure" }, number, element("div", { class: "sa-track" }, fill));
  const show = (value, share, format = (x) => x.toFixed(3)) => {
    showNumber(number, value, format(value));
    fill.style.transform = `scaleX(${Math.min(1, Math.max(0, share))})`;
  };
  return { cell, show };
}

// A quantity over d_k: the median and the band of many draws, and where the sliders stand now.
function strip(title, stops, scale, marks) {
  const [left, right, top, bottom] = [58, 486, 26, 112];
  const x = (n) => left + ((right - left) * Math.log2(stops[n])) / Math.log2(stops.at(-1));
  const y = (value) => bottom - (bottom - top) * Math.min(1, Math.max(0, scale(value)));
  const band = element("path", { class: "sa-band" });
  const median = element("path", { class: "sa-median" });
  const marker = element("line", { class: "sa-marker", y1: top, y2: bottom });
  const heading = element("text", { x: left, y: 14 });
  const levels = marks.map((mark, n) => {
    const height = bottom - ((bottom - top) * n) / (marks.length - 1);
    return element(
      "g",
      {},
      element("line", { class: "sa-axis", x1: left, x2: right, y1: height, y2: height }),
      element("text", { x: left - 6, y: height + 5, "text-anchor": "end" }, mark),
    );
  });
  const ticks = stops.flatMap((d_k, n) =>
    [1, 4, 16, 64, 256].includes(d_k)
      ? [element("text", { x: x(n), y: bottom + 18, "text-anchor": "middle" }, String(d_k))]
      : [],
  );
  const unit = element("text", { x: right, y: bottom + 18, "text-anchor": "middle" }, "dₖ");
  const node = element(
    "svg",
    { viewBox: "0 0 500 134", role: "img", "aria-label": title },
    heading,
    ...levels,
    ...ticks,
    unit,
    band,
    median,
    marker,
  );
  const show = ([low, middle, high], stop) => {
    const points = (values) => Array.from(values, (value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`);
    band.setAttribute("d", `M${points(low).join("L")}L${points(high).reverse().join("L")}Z`);
    median.setAttribute("d", `M${points(middle).join("L")}`);
    setAttributes(marker, { x1: x(stop), x2: x(stop) });
    showNumber(heading, middle[stop], `${title}：中位数 ${scientific(middle[stop])}`);
  };
  return { node, show };
}

function onLogScale(value) {
  return value > 0 ? 1 - Math.log10(value) / SMALLEST_POWER : 0;
}

// sweep: three quantiles, for each p on a grid from 0 to 1, of two quantities, one number per stop.
function bandsAt(sweep, p, count) {
  const values = floats(sweep);
  const grid = values.length / (6 * count);
  const band = (quantity) =>
    [0, 1, 2].map((quantile) => {
      const first = ((quantile * grid + Math.round(p * (grid - 1))) * 2 + quantity) * count;
      return values.subarray(first, first + count);
    });
  return { largest: band(0), jacobian: band(1) };
}
