// Values that are known without the code, the same as for the Python tests, and how near is near enough.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

export const known = JSON.parse(readFileSync(new URL("../support/known_values.json", import.meta.url)));

export function near(actual, expected, tolerance = 1e-12) {
  const [numbers, wanted] = [actual, expected].map((value) => [value].flat(2));
  assert.equal(numbers.length, wanted.length);
  numbers.forEach((value, n) =>
    assert.ok(Math.abs(value - wanted[n]) <= tolerance, `${value} is not ${wanted[n]}`),
  );
}
