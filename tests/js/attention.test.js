// The browser's mathematics against values worked out by hand or by other formulas.
import assert from "node:assert/strict";
import test from "node:test";

import {
  deviation,
  dot,
  entropy,
  fuse,
  hull,
  jacobianNorm,
  rebalance,
  rowsOf,
  rowState,
  scores,
  softmax,
  transpose,
} from "../../course_utils/explorers/shared/attention.js";

const Q = [[0, 1, 0], [4, 0, 2], [0, 0, 2], [0, 2, 0]];
const K = [[1, 0, 0], [0, 2, 0], [0, 3, 0], [0, 0, 2]];
const V = [[0, 0], [0, 2], [0, 0], [2, 0]];

function near(actual, expected, tolerance = 1e-12) {
  [actual].flat(2).forEach((value, n) => {
    const wanted = [expected].flat(2)[n];
    assert.ok(Math.abs(value - wanted) <= tolerance, `${value} is not ${wanted}`);
  });
  assert.equal([actual].flat(2).length, [expected].flat(2).length);
}

test("the dot products of the running example are the whole numbers that a class finds by hand", () => {
  assert.deepEqual(scores(Q, K, 0), [[0, 2, 3, 0], [4, 0, 0, 4], [0, 0, 0, 4], [0, 4, 6, 0]]);
  assert.equal(dot([0, 0, 2], [0, 0, 2]), 4);
});

test("the divisor is the power of d_k", () => {
  near(scores(Q, K, 0.5)[2][3], 4 / Math.sqrt(3));
  near(scores(Q, K, 1)[2][3], 4 / 3);
});

test("softmax: closed forms, rows sum to 1, large scores don't overflow, a constant changes nothing", () => {
  near(softmax([0, 0, 0, 0]), [0.25, 0.25, 0.25, 0.25]);
  near(softmax([0, Math.log(3)]), [0.25, 0.75]);
  near(softmax([1000, 1000 + Math.log(3)]), [0.25, 0.75]);
  near(softmax([-1e4, 0]), [0, 1]);
  near(softmax([1, 2, 4]).reduce((a, b) => a + b), 1);
  near(softmax([1, 2, 4]), softmax([101, 102, 104]));
});

test("weights and fusion of the running example, to the four digits of the course", () => {
  const A = scores(Q, K, 0.5).map(softmax);
  near(A[2], [0.0765, 0.0765, 0.0765, 0.7704], 5e-5);
  near(fuse(A[2], V), [1.5409, 0.153], 5e-5);
});

test("entropy: ln L for uniform weights, 0 for a single one, without NaN", () => {
  near(entropy([0.25, 0.25, 0.25, 0.25]), Math.log(4));
  assert.equal(entropy([0, 1, 0, 0]), 0);
  near(entropy([0.5, 0.5, 0, 0]), Math.log(2));
});

test("the norm of the Jacobian: entry by entry, uniform, and where 1 - a has no digits left", () => {
  const a = softmax([0.3, -1, 2, 0.5]);
  const J = a.map((x, i) => a.map((y, j) => (i === j ? x - x * y : -x * y)));
  near(jacobianNorm(a), Math.sqrt(J.flat().reduce((sum, value) => sum + value ** 2, 0)));
  near(jacobianNorm([0.25, 0.25, 0.25, 0.25]), Math.sqrt(3) / 4);
  near(jacobianNorm([0.5, 0.5]), 0.5);
  // Two tokens, a = (1 - e, e): ‖J‖ = 2 e (1 - e).
  near(jacobianNorm([1, 1e-20]) / 2e-20, 1);
  assert.equal(jacobianNorm([1, 0]), 0);
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

test("deviation has n - 1 below", () => near(deviation([[1, 2], [3, 4]]), Math.sqrt(5 / 3)));

test("weights set by hand stay non-negative and sum to 1, and the others keep their proportions", () => {
  near(rebalance([0.4, 0.2, 0.4, 0.5], 3), [0.2, 0.1, 0.2, 0.5]);
  near(rebalance([0, 0, 0, 0.4], 3), [0.2, 0.2, 0.2, 0.4]);
  near(rebalance([0.1, 0.2, 1.7, 0], 2), [0, 0, 1, 0]);
  near(rebalance([0.5, -0.3, 0.2, 0.3], 1), [0.5, 0, 0.2, 0.3]);
  near(rebalance([0.5, -0.1, 0.5, 0.2], 3), [0.4, 0, 0.4, 0.2]);
});

test("rows of a float32 buffer, also when the buffer is a part of a larger one", () => {
  const numbers = Float32Array.from({ length: 13 }, (_, n) => n);
  const view = new DataView(numbers.buffer, 4);
  assert.deepEqual(rowsOf(view, 1, 2, 4, 3), [[5, 6, 7], [9, 10, 11]]);
});

test("states in words", () => {
  assert.equal(rowState([0.25, 0.25, 0.25, 0.25], [0.95, 0.99]), "均匀");
  assert.equal(rowState([0.1, 0.6, 0.2, 0.1], [0.95, 0.99]), "适中");
  assert.equal(rowState([0.999, 0.001, 0, 0], [0.95, 0.99]), "饱和");
});

test("hull: corners only, points inside and doubled points left out", () => {
  const corners = hull([[0, 0], [2, 0], [0, 2], [0, 0], [0.5, 0.5], [1, 0]]);
  assert.deepEqual(new Set(corners.map(String)), new Set(["0,0", "2,0", "0,2"]));
});

test("transpose", () => assert.deepEqual(transpose([[1, 2, 3], [4, 5, 6]]), [[1, 4], [2, 5], [3, 6]]));
