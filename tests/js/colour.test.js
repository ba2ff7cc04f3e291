// Every number must be readable on its cell: at least 4.5:1 by WCAG 2.
import assert from "node:assert/strict";
import test from "node:test";

import { ACCENTS, channels, contrast, ink, luminance, tint } from "../../course_utils/explorers/shared/colour.js";
import { known } from "./known.js";

test("luminance and contrast of the colours that WCAG names", () => {
  assert.equal(luminance([255, 255, 255]), 1);
  assert.equal(luminance([0, 0, 0]), 0);
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  // The grey #767676 is known as the lightest with 4.5:1 on white.
  assert.ok(contrast([0x76, 0x76, 0x76], [255, 255, 255]) >= 4.5);
  assert.ok(contrast([0x77, 0x77, 0x77], [255, 255, 255]) < 4.5);
});

for (const { why, colour, ink: expected } of known.ink) {
  test(`ink: ${why}`, () => assert.equal(ink(channels(colour)), expected));
}

test("the ink on every cell colour has at least 4.5:1", () => {
  const inks = { black: [0, 0, 0], white: [255, 255, 255] };
  for (const accent of Object.values(ACCENTS)) {
    for (let n = -200; n <= 200; n++) {
      const colour = tint(n / 200, accent);
      assert.ok(contrast(colour, inks[ink(colour)]) >= 4.5, `${colour}`);
    }
  }
});

test("a larger weight is a darker cell, and shares beyond 1 stay in range", () => {
  const lights = [0, 0.25, 0.5, 0.75, 1].map((share) => luminance(tint(share, ACCENTS.A)));
  assert.deepEqual(lights, [...lights].sort((a, b) => b - a));
  assert.deepEqual(tint(3, ACCENTS.A), tint(1, ACCENTS.A));
});
