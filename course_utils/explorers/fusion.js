// Fusion: b_i is the weighted sum of the values. The weights can be dragged; b_i walks inside the hull of V.
import { fuse, rebalance } from "./shared/attention.js";
import { ACCENTS, css } from "./shared/colour.js";
import { join } from "./shared/controls.js";
import { element, matrix, paint, setAttributes, showNumber } from "./shared/dom.js";
import { fixed, short } from "./shared/format.js";
import { hull } from "./shared/hull.js";

// The sliders round to two digits; a change of less than that is their rounding, not the reader's hand.
const ROUNDING = 0.0051;

export default { render };

async function render({ model, el }) {
  const push = await join(model, model.get("controls"));
  const sentences = model.get("sentences");
  const count = sentences[0].tokens.length;
  const names = Array.from({ length: count }, (_, j) => `w${j}`);
  const columns = ["权重 a", "v", "", "a · v", ""];
  const { table, head, lines, cells } = matrix("term", "一项一项地加：b = Σ a · v", names, columns);
  head.cells[2].colSpan = head.cells[4].colSpan = 2;
  head.cells[5].remove();
  head.cells[3].remove();
  const total = element("span", { class: "sa-number", "data-name": "sum" });
  const fused = element("span", { class: "sa-number" });
  const state = element("span", { role: "status" });
  const back = element("button", { type: "button" }, "回到真实的权重");
  const plane = drawPlane(sentences, model.get("contents"));

  const sentence = () => sentences[model.get("sentence")];

  function setWeights(weights, dragged) {
    model.set("weights", weights);
    model.set("dragged", dragged);
    names.forEach((name, j) => model.set(name, weights[j]));
    push();
  }

  const restore = () => setWeights(sentence().A[model.get("token")], false);

  function update() {
    const { tokens, V } = sentence();
    const weights = model.get("weights");
    const i = model.get("token");
    weights.forEach((weight, j) => {
      lines[j].firstChild.textContent = tokens[j];
      lines[j].classList.toggle("sa-lit", j === i);
      const numbers = [weight, ...V[j], ...V[j].map((value) => weight * value)];
      numbers.forEach((value, c) => showNumber(cells[j][c], value, short(value)));
      paint(cells[j][0], weight, ACCENTS.A);
    });
    const sum = weights.reduce((so_far, weight) => so_far + weight, 0);
    showNumber(total, sum);
    const b = fuse(weights, V);
    fused.textContent = `b_${tokens[i]} = (${b.map(fixed).join(", ")})`;
    state.textContent = model.get("dragged") ? "权重是你拖出来的" : `权重是「${tokens[i]}」真实的一行 A`;
    back.disabled = !model.get("dragged");
    plane.show(tokens, V, weights, b, `b_${tokens[i]}`);
  }

  back.addEventListener("click", restore);
  el.append(
    element(
      "div",
      { class: "sa-view sa-fusion", role: "group", "aria-label": "加权融合：权重怎样把值合成 b" },
      element("div", { class: "sa-bar" }, state, element("span", {}, "权重的和 = ", total), back, fused),
      element("div", { class: "sa-columns" }, table, plane.node),
    ),
  );
  update();
  names.forEach((name, j) =>
    model.on(`change:${name}`, () => {
      const weights = [...model.get("weights")];
      if (Math.abs(model.get(name) - weights[j]) < ROUNDING) return;
      weights[j] = model.get(name);
      setWeights(rebalance(weights, j), true);
    }),
  );
  model.on("change:token change:sentence", restore);
  model.on("change:weights change:token change:sentence change:dragged", update);
}

// The plane of the two contents, large enough for the values of all sentences.
function drawPlane(sentences, contents) {
  const points = sentences.flatMap(({ V }) => V);
  const [lowX, highX] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [lowY, highY] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const unit = Math.min(400 / (highX - lowX || 1), 230 / (highY - lowY || 1));
  const x = (value) => 50 + (value - lowX) * unit;
  const y = (value) => 30 + (highY - value) * unit;
  const at = ([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`;

  const area = element("polygon", { class: "sa-hull" });
  const values = sentences[0].V.map(() => ({
    dot: element("circle", { class: "sa-value", r: 6 }),
    label: element("text"),
    arrow: element("line", { class: "sa-term" }),
  }));
  const point = element("circle", { class: "sa-output", r: 9, "data-name": "b" });
  const name = element("text", { class: "sa-name", "text-anchor": "middle" });
  const axes = [
    element("line", { class: "sa-axis", x1: x(lowX), x2: x(highX), y1: y(0), y2: y(0) }),
    element("line", { class: "sa-axis", x1: x(0), x2: x(0), y1: y(lowY), y2: y(highY) }),
    element("text", { x: x(highX) + 10, y: y(0) + 54, "text-anchor": "end" }, `${contents[0]} →`),
    element("text", { x: x(0) - 44, y: y(highY) - 12, "text-anchor": "end" }, `${contents[1]} ↑`),
  ];
  const node = element(
    "svg",
    { viewBox: "0 0 500 325", role: "img", "aria-label": "平面：V 的点、它们的凸包、一项接一项叠成的 b" },
    area,
    ...axes,
    ...values.flatMap(({ arrow, dot, label }) => [arrow, dot, label]),
    point,
    name,
  );
  node.style.setProperty("--sa-value", css(ACCENTS.V));
  node.style.setProperty("--sa-output", css(ACCENTS.B));

  const show = (tokens, V, weights, b, label) => {
    area.setAttribute("points", hull(V).map(at).join(" "));
    let tip = [0, 0];
    values.forEach((value, j) => {
      const next = tip.map((start, c) => start + weights[j] * V[j][c]);
      setAttributes(value.arrow, { x1: x(tip[0]), y1: y(tip[1]), x2: x(next[0]), y2: y(next[1]) });
      tip = next;
      setAttributes(value.dot, { cx: x(V[j][0]), cy: y(V[j][1]) });
      // Tokens with the same value share one label.
      const together = V.flatMap((v, k) => (String(v) === String(V[j]) ? [k] : []));
      value.label.textContent = together[0] === j ? together.map((k) => tokens[k]).join("、") : "";
      const lowest = V[j][1] === lowY;
      setAttributes(value.label, {
        x: x(V[j][0]) + (lowest ? 0 : 14),
        y: y(V[j][1]) + (lowest ? 24 : 5),
        "text-anchor": lowest ? "middle" : "start",
      });
    });
    setAttributes(point, { cx: x(b[0]), cy: y(b[1]) });
    point.dataset.value = b;
    setAttributes(name, { x: x(b[0]), y: y(b[1]) - 14 });
    name.textContent = label;
  };
  return { node, show };
}
