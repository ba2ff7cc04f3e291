// Fusion: b_i is the weighted sum of the values. The weights and b itself can be dragged; b stays inside the hull of V.
import { drawPlane } from "./fusion_plane.js";
import { fuse, rebalance } from "./shared/attention.js";
import { join } from "./shared/controls.js";
import { element, setAttributes, showNumber, symbol } from "./shared/dom.js";
import { fixed, short } from "./shared/format.js";
import { weightsFor } from "./shared/simplex.js";

export default { render };

async function render({ model, el }) {
  const push = await join(model, model.get("controls"));
  const sentences = model.get("sentences");
  const lines = sentences[0].tokens.map((_, j) => termLine(j));
  const table = element(
    "table",
    { class: "sa-matrix" },
    element("caption", {}, "一项一项地加：", symbol("b", "i", "B"), " = Σ a · v"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...["看谁", "权重 a（拖这一条）", "v", "a · v"].map((head) => element("th", { scope: "col" }, head)),
      ),
    ),
    element("tbody", {}, ...lines.map(({ node }) => node)),
  );
  const choices = lines.map((_, i) => {
    const button = element("button", { type: "button" });
    button.addEventListener("click", () => {
      model.set("token", i);
      push();
    });
    return button;
  });
  const total = element("span", { class: "sa-number", "data-name": "sum" });
  const fused = element("span", { class: "sa-number" });
  const state = element("span", { role: "status" });
  const back = element("button", { type: "button" }, "回到真实的权重");
  const plane = drawPlane(sentences, model.get("contents"));

  const sentence = () => sentences[model.get("sentence")];

  function setWeights(weights, dragged) {
    model.set("weights", weights);
    model.set("dragged", dragged);
    push();
  }

  const restore = () => setWeights(sentence().A[model.get("token")], false);

  function update() {
    const { tokens, V } = sentence();
    const weights = model.get("weights");
    const i = model.get("token");
    lines.forEach((line, j) => line.show(tokens[j], weights[j], V[j], j === i));
    choices.forEach((button, j) => {
      button.textContent = tokens[j];
      button.setAttribute("aria-pressed", j === i);
    });
    showNumber(total, weights.reduce((sum, weight) => sum + weight, 0));
    const b = fuse(weights, V);
    fused.replaceChildren(symbol("b", tokens[i], "B"), ` = (${b.map(fixed).join(", ")})`);
    state.textContent = model.get("dragged") ? "权重是你拖出来的" : `权重是「${tokens[i]}」真实的一行 A`;
    back.disabled = !model.get("dragged");
    plane.show(tokens, V, weights, b, i);
  }

  lines.forEach(({ slider }, j) =>
    slider.addEventListener("input", () => {
      const weights = [...model.get("weights")];
      weights[j] = Number(slider.value);
      setWeights(rebalance(weights, j), true);
    }),
  );
  plane.whenMoved((point, start) => setWeights(weightsFor(point, sentence().V, start), true), () => model.get("weights"));
  back.addEventListener("click", restore);
  el.append(
    element(
      "div",
      { class: "sa-view sa-fusion", role: "group", "aria-label": "加权融合：权重怎样把值合成 b" },
      element("div", { class: "sa-bar", role: "group", "aria-label": "哪个词元" }, "哪个词元", ...choices),
      element("div", { class: "sa-bar" }, state, element("span", {}, "权重的和 = ", total), back, fused),
      element("div", { class: "sa-columns" }, table, plane.node),
    ),
  );
  update();
  model.on("change:token change:sentence", restore);
  model.on("change:weights change:token change:sentence change:dragged", update);
}

// One token's line: its weight as a bar to drag, its value, and what it adds to b.
function termLine(j) {
  const name = element("th", { scope: "row" });
  // JupyterLab would take the arrow keys for itself.
  const slider = element("input", { type: "range", min: 0, max: 1, step: 0.01, "data-lm-suppress-shortcuts": "true" });
  const numbers = Array.from({ length: 5 }, () =>
    element("span", { class: "sa-number", "data-name": "term", "data-i": j }),
  );
  const [a, v0, v1, term0, term1] = numbers;
  const node = element(
    "tr",
    {},
    name,
    element("td", { class: "sa-weight" }, slider, a),
    element("td", {}, "(", v0, ", ", v1, ")"),
    element("td", {}, "(", term0, ", ", term1, ")"),
  );
  const show = (token, weight, v, lit) => {
    name.textContent = token;
    node.classList.toggle("sa-lit", lit);
    slider.value = weight;
    slider.style.setProperty("--sa-share", weight);
    setAttributes(slider, { "aria-label": `给「${token}」的权重`, "aria-valuetext": fixed(weight) });
    showNumber(a, weight, fixed(weight));
    [v0, v1].forEach((number, c) => showNumber(number, v[c], short(v[c])));
    [term0, term1].forEach((number, c) => showNumber(number, weight * v[c], short(weight * v[c])));
  };
  return { node, slider, show };
}
