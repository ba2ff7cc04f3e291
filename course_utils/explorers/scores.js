// Scores: which row of Q and which row of K a cell of S comes from, and what softmax along the wrong axis breaks.
import { dot, scores, softmax, transpose } from "./shared/attention.js";
import { ACCENTS } from "./shared/colour.js";
import { join } from "./shared/controls.js";
import { coloured, element, matrix, paint, setAttributes, showNumber, symbol } from "./shared/dom.js";
import { short } from "./shared/format.js";

const TITLES = ["QKᵀ 得分（除之前）", "S = QKᵀ ÷ √dₖ", "A = softmax(S)，按行", "按列 softmax（错）"];
const WEIGHTS = 2;
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export default { render };

async function render({ model, el }) {
  const push = await join(model, model.get("controls"));
  const [tokens, X, Q, K] = ["tokens", "X", "Q", "K"].map((name) => model.get(name));
  const d_k = Q[0].length;
  const S = scores(Q, K, 0.5);
  const A = S.map(softmax);
  const stages = [scores(Q, K, 0), S, A, transpose(transpose(S).map(softmax))];

  const sources = [
    ["Q", Q],
    ["K", K],
  ].map(([name, values]) => {
    const title = [letter(name), " = ", letter("X"), "·", symbol("W", name, name), `（${tokens.length}×${d_k}）`];
    return filled(name, title, values, tokens, model.get("channels"));
  });
  const input = filled("X", "", X, tokens, model.get("features")).table;
  input.caption.remove();
  const result = matrix("S", "", tokens, tokens);
  const rowSums = result.lines.map((line, i) => {
    const sum = element("td", { class: "sa-sum", "data-name": "row-sum", "data-i": i });
    line.append(sum);
    return sum;
  });
  result.head.append(element("th", { scope: "col" }, "行和"));
  const equation = element("p", { "aria-live": "polite" });
  const verdict = element("p", { class: "sa-verdict", role: "status" });

  const present = () => (model.get("stage") === WEIGHTS && model.get("wrong_axis") ? 3 : model.get("stage"));

  function showStage() {
    const values = stages[present()];
    const largest = present() >= WEIGHTS ? 1 : Math.max(...values.flat().map(Math.abs)) || 1;
    result.table.caption.textContent = TITLES[present()];
    values.forEach((row, i) => {
      row.forEach((value, j) => {
        showNumber(result.cells[i][j], value, short(value));
        paint(result.cells[i][j], value / largest, ACCENTS.S);
      });
      const sum = row.reduce((total, value) => total + value, 0);
      const off = Math.abs(sum - 1) > 1e-9;
      showNumber(rowSums[i], sum, present() < WEIGHTS ? "–" : `${off ? "✗" : "✓"} ${sum.toFixed(2)}`);
      rowSums[i].classList.toggle("sa-bad", present() >= WEIGHTS && off);
    });
    verdict.classList.toggle("sa-bad", present() === 3);
    verdict.textContent = ["除以 √dₖ 之前的点积。", "每个点积都除以同一个数 √dₖ。", "每一行的和都是 1：每个词元把 1 分给大家。"][
      present()
    ] ?? "方向错了：现在每一列的和是 1，行和不再是 1，一个词元分给大家的不再是一整份。";
    showCell();
  }

  function showCell() {
    const [i, j] = [model.get("row"), model.get("column")];
    result.cells.forEach((line, r) =>
      line.forEach((cell, c) => {
        const chosen = r === i && c === j;
        cell.classList.toggle("sa-lit", chosen);
        cell.tabIndex = chosen ? 0 : -1;
      }),
    );
    sources.forEach(({ lines }, n) =>
      lines.forEach((line, r) => line.classList.toggle("sa-lit", r === (n === 1 ? j : i))),
    );
    const product = dot(Q[i], K[j]);
    const terms = Q[i].map((q, t) => `${factor(q)}×${factor(K[j][t])}`).join(" + ");
    const parts = [` = ${terms} = ${short(product)}`];
    if (present() >= 1) parts.push(`${short(product)} ÷ √${d_k} = ${short(S[i][j])}`);
    if (present() === 2) parts.push(`e^${factor(S[i][j])} ÷ 这一行的总和 = ${short(A[i][j])}`);
    if (present() === 3) parts.push(`e^${factor(S[i][j])} ÷ 这一列的总和 = ${short(stages[3][i][j])}`);
    const names = [symbol("q", tokens[i], "Q"), " · ", symbol("k", tokens[j], "K")];
    equation.replaceChildren(...names, parts.join(" → "));
    equation.dataset.value = stages[present()][i][j];
  }

  function choose(i, j) {
    model.set("row", i);
    model.set("column", j);
  }

  result.table.setAttribute("role", "grid");
  result.cells.forEach((line, i) =>
    line.forEach((cell, j) => {
      // JupyterLab would take the arrow keys for itself.
      setAttributes(cell, { role: "gridcell", "data-lm-suppress-shortcuts": "true" });
      cell.addEventListener("pointerenter", () => choose(i, j));
      cell.addEventListener("focus", () => choose(i, j));
      cell.addEventListener("keydown", (event) => {
        const [down, right] = STEPS[event.key] ?? [];
        const next = result.cells[i + down]?.[j + right];
        if (!next) return;
        event.preventDefault();
        next.focus();
      });
    }),
  );

  el.append(
    element(
      "div",
      {
        class: "sa-view sa-scores",
        role: "group",
        "aria-label": "得分：每一格是一行 Q 和一行 K 的点积",
      },
      element("p", {}, "指向得分的一格，或者用方向键移动：它来自 Q 的哪一行、K 的哪一行？"),
      element(
        "div",
        { class: "sa-matrices" },
        element("div", { class: "sa-sources" }, ...sources.map(({ table }) => table)),
        element("div", { class: "sa-scroll" }, result.table),
      ),
      equation,
      verdict,
      element(
        "details",
        {},
        element("summary", {}, "看看 ", letter("X"), `（${tokens.length}×${X[0].length}），Q 和 K 是从它来的`),
        element("div", { class: "sa-scroll" }, input),
      ),
    ),
  );
  showStage();
  model.on("change:stage", showStage);
  model.on("change:wrong_axis", () => {
    // One click is enough to see the damage.
    if (model.get("wrong_axis")) model.set("stage", WEIGHTS);
    showStage();
    push();
  });
  model.on("change:row change:column", showCell);
}

function letter(name) {
  return coloured(element("span", {}, name), name);
}

function filled(name, title, values, rows, columns) {
  const built = matrix(name, title, rows, columns);
  const largest = Math.max(...values.flat().map(Math.abs)) || 1;
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      showNumber(built.cells[i][j], value, short(value));
      paint(built.cells[i][j], value / largest / 2, ACCENTS[name]);
    }),
  );
  return built;
}

function factor(value) {
  return value < 0 ? `(${short(value)})` : short(value);
}
