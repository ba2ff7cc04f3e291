// A lesson's quiz: says at once, without the kernel, whether a choice is right and why. Text goes in as text only.
export default { render };

// Where no shortcut of JupyterLab's holds: b would add a cell, x cut this one. It looks at what has the focus first.
const QUIET = { "data-lm-suppress-shortcuts": "true" };

function render({ model, el }) {
  const questions = model.get("questions");
  const parts = questions.map((question, n) =>
    part(question, n + 1, (chosen) => {
      model.set("answers", model.get("answers").map((before, k) => (k === n ? chosen : before)));
      model.save_changes();
    }),
  );
  const count = element("p", { class: "course-quiz-count", role: "status" });

  function show() {
    const answers = model.get("answers");
    parts.forEach((part, n) => part.show(answers[n]));
    const right = questions.filter((question, n) => isRight(question, answers[n])).length;
    const open = answers.filter((chosen) => chosen.length === 0).length;
    count.textContent =
      `答对 ${right} / ${questions.length}` +
      (open > 0 ? `，还有 ${open} 题没有答。` : "。") +
      (model.get("kept") ? "" : "这个文件夹不能写，成绩没有存下来。");
  }

  const whole = { role: "group", "aria-label": `小测验 ${model.get("lesson")}` };
  el.append(element("div", whole, ...parts.map((part) => part.form), count));
  show();
  model.on("change:answers change:kept", show);
}

// One question: its form, and show(chosen), which says what the chosen options are worth. answer(chosen) is called
// with the options that were chosen. A form of its own keeps its radio buttons apart from those of all others.
function part(question, number, answer) {
  const type = question.several ? "checkbox" : "radio";
  const inputs = question.options.map(() => element("input", { type, name: "option", ...QUIET }));
  const labels = question.options.map((option, k) => element("label", {}, inputs[k], element("span", {}, option.text)));
  const options = { role: question.several ? "group" : "radiogroup", "aria-label": question.text };
  const feedback = element("div", { class: "course-quiz-feedback", role: "status" });
  const form = element("form", {}, element("p", {}, `${number}. ${question.text}`), element("div", options, ...labels));
  if (question.several) form.append(element("button", QUIET, "检查"));
  form.append(feedback);

  const ticked = () => [...inputs.keys()].filter((k) => inputs[k].checked);
  // A tick changed after 检查 asks for another 检查.
  form.addEventListener("change", () => answer(question.several ? [] : ticked()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!question.several) return;
    if (ticked().length > 0) answer(ticked());
    else feedback.replaceChildren("先选出你认为对的，再检查。");
  });
  // Arrows only move from option to option: who passes one by hasn't chosen it.
  form.addEventListener("keydown", (event) => {
    const at = inputs.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (at < 0) return;
    if (step) inputs.at((at + step) % inputs.length).focus();
    else if (event.key === "Enter" && !question.several) event.target.click();
    else return;
    event.preventDefault();
  });

  let shown = [];
  function show(chosen) {
    if (String(chosen) === String(shown)) return;
    shown = chosen;
    if (chosen.length > 0) inputs.forEach((input, k) => (input.checked = chosen.includes(k)));
    labels.forEach((label, k) => (label.className = chosen.includes(k) ? verdict(question.options[k].right) : ""));
    feedback.replaceChildren(...lines(question, chosen));
  }
  return { form, show };
}

// What is said of the chosen options. The feedback of a right one begins with 对。
function lines(question, chosen) {
  if (chosen.length === 0) return [];
  const said = chosen.map((k) => {
    const { text, right, feedback } = question.options[k];
    const name = question.several ? `${text}：` : "";
    return line(right, name + (right ? "" : "不对。") + feedback);
  });
  if (!question.several) return said;
  if (isRight(question, chosen)) return [...said, line(true, "全部选对了。")];
  const missing = question.options.some((option, k) => option.right && !chosen.includes(k));
  return missing ? [...said, line(false, "还有该选的没有选。")] : said;
}

function line(right, text) {
  return element("p", { class: verdict(right) }, `${right ? "✓" : "✗"} ${text}`);
}

function verdict(right) {
  return right ? "course-quiz-right" : "course-quiz-wrong";
}

function isRight(question, chosen) {
  return question.options.every((option, k) => option.right === chosen.includes(k));
}

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
