// The hull of points whose corners can be seen.
import assert from "node:assert/strict";
import test from "node:test";

import { hull } from "../../course_utils/explorers/shared/hull.js";
import { known } from "./known.js";

for (const { why, points, corners } of known.hull) {
  test(`hull: ${why}`, () => assert.deepEqual(hull(points), corners));
}

test("the points given keep their order", () => {
  const points = [[2, 0], [0, 0], [0, 2]];
  hull(points);
  assert.deepEqual(points, [[2, 0], [0, 0], [0, 2]]);
});
