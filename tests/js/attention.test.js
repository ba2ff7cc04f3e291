// The chain in the browser against the running example and against properties that it must have.
import assert from "node:assert/strict";
import test from "node:test";

import { dot, fuse, rebalance, scores, softmax, transpose } from "../../course_utils/explorers/shared/attention.js";
import { known, near } from "./known.js";

const { Q, K, V, QKT, A, B } = known.example;

test("the dot products of the running example are the whole numbers that a class finds by hand", () => {
  assert.deepEqual(scores(Q, K, 0), QKT);
  assert.equal(dot([0, 0, 2], [0, 0, 2]), 4);
});

test("the divisor is the power of d_k", () => {
  near(scores(Q, K, 0.5)[2][3], 4 / Math.sqrt(3));
  near(scores(Q, K, 1)[2][3], 4 / 3);
});

test("weights and fusion of the running example, to the four digits of the course", () => {
  const weights = scores(Q, K, 0.5).map(softmax);
  near(weights, A, 6e-5);
  near(weights.map((row) => fuse(row, V)), B, 6e-5);
});

for (const { why, scores: row, weights } of known.softmax) {
  test(`softmax: ${why}`, () => near(softmax(row), weights));
}

test("softmax: rows sum to 1, a constant changes nothing", () => {
  near(softmax([1, 2, 4]).reduce((a, b) => a + b), 1);
  near(softmax([1, 2, 4]), softmax([101, 102, 104]));
});

test("weights set by hand stay non-negative and sum to 1, and the others keep their proportions", () => {
  near(rebalance([0.4, 0.2, 0.4, 0.5], 3), [0.2, 0.1, 0.2, 0.5]);
  near(rebalance([0, 0, 0, 0.4], 3), [0.2, 0.2, 0.2, 0.4]);
  near(rebalance([0.1, 0.2, 1.7, 0], 2), [0, 0, 1, 0]);
  near(rebalance([0.5, -0.3, 0.2, 0.3], 1), [0.5, 0, 0.2, 0.3]);
  near(rebalance([0.5, -0.1, 0.5, 0.2], 3), [0.4, 0, 0.4, 0.2]);
});

test("transpose", () => assert.deepEqual(transpose([[1, 2, 3], [4, 5, 6]]), [[1, 4], [2, 5], [3, 6]]));
