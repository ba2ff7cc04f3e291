// Own sentence: the weights of whatever was typed. The kernel computes; the browser knows where words end.
import { ACCENTS, PALETTE, channels } from "./shared/colour.js";
import { element, matrix, paint, showNumber } from "./shared/dom.js";
import { needsDivision, wordsOf } from "./shared/words.js";

const PATIENCE = 3000; // milliseconds after which a kernel that hasn't answered is called silent

export default { render };

function render({ model, el }) {
  const message = element("p", { role: "status" });
  const silent = element("p", { class: "sa-bad", role: "status" });
  const place = element("div", { class: "sa-scroll" });
  const star = element("p");
  const correct = element("button", { type: "button" }, "我来改切法");

  // Changes the text in the box, which then asks the kernel.
  function write(text) {
    model.set("asked", text);
    model.save_changes();
  }

  const words = model.get("vocabulary").map((word) => {
    const button = element("button", { type: "button" }, word);
    button.addEventListener("click", () => {
      const text = model.get("asked");
      write(/[\s/]/.test(text.trim()) ? `${text.trim()} ${word}` : `${text.trim()}${word}`);
    });
    return button;
  });
  const clear = element("button", { type: "button" }, "清空");
  clear.addEventListener("click", () => write(""));
  correct.addEventListener("click", () => write(model.get("divided").replaceAll("/", " ").trim()));

  function update() {
    const tokens = model.get("tokens");
    const text = model.get("answered");
    if (tokens.length === 0 && needsDivision(text)) {
      const found = wordsOf(text);
      if (found.length > 0 && String(found) !== String(model.get("words"))) {
        model.set("words", found);
        model.save_changes();
      }
    }
    message.textContent = model.get("message");
    message.classList.toggle("sa-bad", tokens.length === 0);
    correct.hidden = model.get("divided") === "";
    const random = model.get("unknown");
    const names = [...new Set(random.map((j) => tokens[j]))];
    star.hidden = random.length === 0;
    star.textContent =
      `* ${names.join("、")} 不在词表里，词向量是随机数，得分也就是随机的：` +
      "灰色的格子没有含义，同一行的紫色格子也被它分走了一份，不要解读。";
    if (tokens.length === 0) return place.replaceChildren();
    const { table, cells } = matrix("A", "权重 A：行 = 查询（谁在看），列 = 键（看谁）", tokens, tokens);
    model.get("A").forEach((row, i) =>
      row.forEach((weight, j) => {
        showNumber(cells[i][j], weight, weight.toFixed(2));
        const meaningless = random.includes(i) || random.includes(j);
        paint(cells[i][j], weight, meaningless ? channels(PALETTE.NEGATIVE) : ACCENTS.A);
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
      element("div", { class: "sa-bar", role: "group", "aria-label": "词表里的词" }, "点词来写", ...words, clear),
      silent,
      element("div", { class: "sa-bar" }, message, correct),
      place,
      star,
    ),
  );
  update();
  wait();
  model.on("change:answered change:message change:tokens change:A", update);
  model.on("change:asked change:answered", wait);
}
