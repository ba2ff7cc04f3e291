// Sizes, parameters and multiplications of the chain, counted one by one.
import assert from "node:assert/strict";
import test from "node:test";

import { costOf } from "../../course_utils/explorers/shared/cost.js";

const sizes = ({ matrices }) => matrices.map(({ name, rows, columns }) => `${name} ${rows}×${columns}`).join(" ");

test("the running example", () => {
  const result = costOf({ L: 4, D: 5, d_k: 3, d_v: 2, d_other: 3 });
  assert.equal(sizes(result), "X 4×5 W_Q 5×3 W_K 5×3 W_V 5×2 Q 4×3 K 4×3 V 4×2 S 4×4 A 4×4 B 4×2");
  assert.equal(result.parameters, 15 + 15 + 10);
  // Q and K 60 each, V 40, S 48, B 32.
  assert.equal(result.multiplications, 60 + 60 + 40 + 48 + 32);
  assert.equal(result.fault, null);
});

test("W_Q and W_K with different d_k break at S, and what follows waits", () => {
  const result = costOf({ L: 4, D: 5, d_k: 3, d_v: 2, d_other: 6 });
  assert.deepEqual(
    result.matrices.filter(({ state }) => state !== "ok").map(({ name, state }) => [name, state]),
    [["S", "broken"], ["A", "waiting"], ["B", "waiting"]],
  );
  assert.equal(result.parameters, 15 + 30 + 10);
  assert.equal(result.multiplications, null);
  assert.match(result.fault, /Q 是 4×3，Kᵀ 是 6×4.*3 不等于.*6/);
});
