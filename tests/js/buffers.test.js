// Numbers sent as bytes.
import assert from "node:assert/strict";
import test from "node:test";

import { floats, rowsOf } from "../../course_utils/explorers/shared/buffers.js";

// The buffer of a widget may be a part of a larger one: here the first number isn't its own.
const numbers = Float32Array.from({ length: 13 }, (_, n) => n);
const view = new DataView(numbers.buffer, 4);

test("all numbers", () => assert.deepEqual([...floats(view)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));

test("some rows, each cut short", () => assert.deepEqual(rowsOf(view, 1, 2, 4, 3), [[5, 6, 7], [9, 10, 11]]));
