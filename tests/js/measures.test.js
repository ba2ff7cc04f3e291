// What is measured of scores and weights, against closed forms and other formulas.
import assert from "node:assert/strict";
import test from "node:test";

import { softmax } from "../../course_utils/explorers/shared/attention.js";
import { deviation, entropy, jacobianNorm, rowState } from "../../course_utils/explorers/shared/measures.js";
import { known, near } from "./known.js";

for (const { why, weights, entropy: expected } of known.entropy) {
  test(`entropy: ${why}`, () => near(entropy(weights), expected));
}

for (const { why, weights, norm } of known.jacobian_norm) {
  test(`the norm of the Jacobian: ${why}`, () => near(jacobianNorm(weights), norm));
}

test("the norm of the Jacobian: entry by entry, and where 1 - a has no digits left", () => {
  const a = softmax([0.3, -1, 2, 0.5]);
  const J = a.map((x, i) => a.map((y, j) => (i === j ? x - x * y : -x * y)));
  near(jacobianNorm(a), Math.sqrt(J.flat().reduce((sum, value) => sum + value ** 2, 0)));
  // Two tokens, a = (1 - e, e): ‖J‖ = 2 e (1 - e).
  near(jacobianNorm([1, 1e-20]) / 2e-20, 1);
});

test("the finite differences of softmax agree with the norm of its Jacobian", () => {
  const s = [0.3, -1, 2, 0.5];
  const step = 1e-6;
  const slopes = s.flatMap((_, j) => {
    const moved = (by) => softmax(s.map((value, k) => (k === j ? value + by : value)));
    return moved(step).map((value, i) => (value - moved(-step)[i]) / (2 * step));
  });
  near(jacobianNorm(softmax(s)), Math.hypot(...slopes), 1e-9);
});

const { limits, rows } = known.states;
for (const { why, weights, state } of rows) {
  test(`the state of a row: ${why}`, () =>
    assert.equal(rowState(weights, [limits.uniform, limits.saturated]), state));
}

test("deviation has n - 1 below", () => near(deviation([[1, 2], [3, 4]]), Math.sqrt(5 / 3)));
