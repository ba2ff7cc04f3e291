// How numbers are written.
import assert from "node:assert/strict";
import test from "node:test";

import { scientific, short } from "../../course_utils/explorers/shared/format.js";

test("small numbers in powers of ten", () => {
  assert.equal(scientific(0.5), "0.500");
  assert.equal(scientific(2.13e-8), "2.1×10⁻⁸");
  assert.equal(scientific(4e-120), "4.0×10⁻¹²⁰");
  assert.equal(scientific(0), "0.000");
});

test("integers whole, a true minus sign", () => {
  assert.equal(short(4), "4");
  assert.equal(short(-2), "−2");
  assert.equal(short(0.12345), "0.123");
});
