// Every name that a view imports is exported by the module it names: the bundle, one scope for all, wouldn't tell.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";

const folder = new URL("../../course_utils/explorers/", import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
  test(file, async () => {
    const view = await import(new URL(file, folder));
    assert.deepEqual(Object.keys(view), ["default"]);
    assert.equal(typeof view.default.render, "function");
  });
}
