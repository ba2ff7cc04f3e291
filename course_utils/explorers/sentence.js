// Own sentence: the weights of whatever was typed. The kernel splits it and computes; this shows what came back.
import { ACCENTS } from "./shared/colour.js";
import { element, matrix, paint, showNumber } from "./shared/dom.js";

const PATIENCE = 3000; // milliseconds after which a kernel that hasn't answered is called silent

export default { render };

function render({ model, el }) {
  const message = element("p", { role: "status" });
  const silent = element("p", { class: "sa-bad", role: "status" });
  const place = element("div", { class: "sa-place" });

  function update() {
    const tokens = model.get("tokens");
    message.textContent = model.get("message");
    message.classList.toggle("sa-bad", tokens.length === 0);
    if (tokens.length === 0) return place.replaceChildren();
    const { table, cells } = matrix("A", "权重 A：行 = 查询（谁在看），列 = 键（看谁）", tokens, tokens);
    model.get("A").forEach((row, i) =>
      row.forEach((weight, j) => {
        showNumber(cells[i][j], weight, weight.toFixed(2));
        paint(cells[i][j], weight, ACCENTS.A);
      }),
    );
    place.replaceChildren(table);
  }

  let timer;
  function wait() {
    clearTimeout(timer);
    silent.textContent = "";
    if (model.get("asked") === model.get("answered")) return;
    timer = setTimeout(() => (silent.textContent = "内核没有回答，请重新运行这个单元。"), PATIENCE);
  }

  el.append(
    element(
      "div",
      { class: "sa-view sa-sentence", role: "group", "aria-label": "你自己的句子：谁在看谁" },
      silent,
      message,
      place,
    ),
  );
  update();
  wait();
  model.on("change:answered", update);
  model.on("change:asked change:answered", wait);
}
