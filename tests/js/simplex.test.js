// Weights for a wanted point, against cases that can be seen and against other weights that give the same point.
import assert from "node:assert/strict";
import test from "node:test";

import { fuse, scores, softmax } from "../../course_utils/explorers/shared/attention.js";
import { nearest } from "../../course_utils/explorers/shared/hull.js";
import { weightsFor } from "../../course_utils/explorers/shared/simplex.js";
import { known, near } from "./known.js";

const { Q, K, V } = known.example;
const A = scores(Q, K, 0.5).map(softmax);
const distance = (a, b) => Math.hypot(...a.map((value, j) => value - b[j]));

test("where b already is, the weights stay", () => A.forEach((a, i) => near(weightsFor(fuse(a, V), V, a), a, 1e-9)));

test("the points of V take all the weight that they need", () => {
  near(weightsFor([2, 0], V, A[2]), [0, 0, 0, 1], 1e-9);
  near(weightsFor([0, 2], V, A[2]), [0, 1, 0, 0], 1e-9);
  // 我 and 打 both have the value 0: they share what is left, each moved by the same.
  near(weightsFor([0, 0], V, [0.5, 0, 0.3, 0.2]), [0.6, 0, 0.4, 0], 1e-9);
});

test("outside the hull b stops at the nearest place", () => {
  near(nearest([9, 9], V), [1, 1]);
  near(nearest([-1, 0.5], V), [0, 0.5]);
  near(fuse(weightsFor([9, 9], V, A[2]), V), [1, 1], 1e-9);
  near(nearest([3, 4], [[1, 1], [1, 1]]), [1, 1]);
  near(nearest([0, 2], [[0, 0], [1, 1], [2, 2]]), [1, 1]);
});

test("no other weights that give the same point are nearer", () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const simplex = (n) => {
    const cuts = Array.from({ length: n }, () => -Math.log(random()));
    return cuts.map((cut) => cut / cuts.reduce((a, b) => a + b));
  };
  for (let round = 0; round < 200; round++) {
    const points = Array.from({ length: 4 }, () => [random() * 4 - 2, random() * 4 - 2]);
    const [present, other] = [simplex(4), simplex(4)];
    const found = weightsFor(fuse(other, points), points, present);
    assert.ok(Math.min(...found) >= 0);
    near(found.reduce((a, b) => a + b), 1, 1e-9);
    near(fuse(found, points), fuse(other, points), 1e-8);
    // other gives the point as well, and so does everything between.
    assert.ok(distance(found, present) <= distance(other, present) + 1e-9);
    const between = found.map((weight, j) => weight + 0.01 * (other[j] - weight));
    assert.ok(distance(found, present) <= distance(between, present) + 1e-9);
  }
});
