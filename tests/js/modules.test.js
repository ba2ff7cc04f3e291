// Every name that a module imports is exported where it is sought: the bundle, one scope for all, wouldn't tell.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";

const folder = new URL("../../course_utils/explorers/", import.meta.url);

for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"))) {
  test(file, async () => {
    const { default: view } = await import(new URL(file, folder));
    // A module is a view or is imported by one.
    if (view) assert.equal(typeof view.render, "function");
  });
}
