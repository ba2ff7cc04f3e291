// The plane of Fusion: the values and their hull, the terms end to end, and b, which can be dragged.
import { coloured, element, setAttributes } from "./shared/dom.js";
import { fixed } from "./shared/format.js";
import { hull } from "./shared/hull.js";

const STEP = 0.05; // how far an arrow key moves b, in units of the plane
const KEYS = { ArrowUp: [0, STEP], ArrowDown: [0, -STEP], ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0] };

// Large enough for the values of all sentences; contents: what the two directions mean.
export function drawPlane(sentences, contents) {
  const points = sentences.flatMap(({ V }) => V);
  const [lowX, highX] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [lowY, highY] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const unit = Math.min(400 / (highX - lowX || 1), 230 / (highY - lowY || 1));
  const x = (value) => 50 + (value - lowX) * unit;
  const y = (value) => 30 + (highY - value) * unit;
  const at = ([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`;
  const back = ({ x: left, y: top }) => [(left - 50) / unit + lowX, highY - (top - 30) / unit];

  const area = coloured(element("polygon", { class: "sa-hull" }), "V");
  const values = sentences[0].V.map(() => ({
    dot: coloured(element("circle", { class: "sa-value", r: 6 }), "V"),
    label: element("text"),
    arrow: coloured(element("line", { class: "sa-term" }), "A"),
  }));
  // JupyterLab would take the arrow keys for itself.
  const handle = { tabindex: 0, role: "slider", "data-lm-suppress-shortcuts": "true", "aria-valuemin": lowX, "aria-valuemax": highX };
  const point = coloured(element("circle", { class: "sa-output", r: 11, "data-name": "b", ...handle }), "B");
  const index = element("tspan", { dy: 4, "font-size": "75%" });
  const name = element("text", { class: "sa-name", "text-anchor": "middle" }, "b", index);
  const axes = [
    element("line", { class: "sa-axis", x1: x(lowX), x2: x(highX), y1: y(0), y2: y(0) }),
    element("line", { class: "sa-axis", x1: x(0), x2: x(0), y1: y(lowY), y2: y(highY) }),
    element("text", { x: x(highX) + 10, y: y(0) + 54, "text-anchor": "end" }, `${contents[0]} →`),
    element("text", { x: x(0) - 44, y: y(highY) - 12, "text-anchor": "end" }, `${contents[1]} ↑`),
  ];
  const node = element(
    "svg",
    { viewBox: "0 0 500 325", role: "group", "aria-label": "平面：V 的点、它们的凸包、一项接一项叠成的 b" },
    area,
    ...axes,
    ...values.flatMap(({ arrow, dot, label }) => [arrow, dot, label]),
    name,
    point,
  );

  const show = (tokens, V, weights, b, i) => {
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
    setAttributes(point, {
      cx: x(b[0]),
      cy: y(b[1]),
      "aria-label": `「${tokens[i]}」的 b，用方向键在平面里移动`,
      "aria-valuenow": b[0],
      "aria-valuetext": `${contents[0]} ${fixed(b[0])}，${contents[1]} ${fixed(b[1])}`,
    });
    point.dataset.value = b;
    setAttributes(name, { x: x(b[0]), y: y(b[1]) - 16 });
    index.textContent = tokens[i];
  };

  // moved(where, start): b is wanted there; start holds the weights as they were when the movement began,
  // so that a way back leads back to them.
  const whenMoved = (moved, present) => {
    let start = null;
    const letGo = () => (start = null);
    point.addEventListener("pointerdown", (event) => {
      start = present();
      point.setPointerCapture(event.pointerId);
      event.preventDefault();
      point.focus();
    });
    point.addEventListener("pointermove", (event) => {
      if (start === null) return;
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM().inverse());
      moved(back(place), start);
    });
    point.addEventListener("pointerup", letGo);
    point.addEventListener("pointercancel", letGo);
    point.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step) return;
      event.preventDefault();
      const b = point.dataset.value.split(",").map(Number);
      moved([b[0] + step[0], b[1] + step[1]], present());
    });
  };
  return { node, show, whenMoved };
}
