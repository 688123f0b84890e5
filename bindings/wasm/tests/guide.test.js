// The programs of the guide and of the READMEs say what is written beside them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

for (const program of ["guide.js", "readme.js", "bindings.js"]) {
  test(program, async (context) => {
    context.mock.method(globalThis, "fetch", async (path) => {
      const file = join(process.env.RETROGRADE_TABLES, path.replace("/tables/", ""));
      return new Response(readFileSync(file));
    });
    const printed = [];
    const print = (...values) => printed.push(values.join(" "));
    const said = context.mock.method(console, "log", print);
    await import(`./${program}`);
    said.mock.restore();
    const source = readFileSync(new URL(program, import.meta.url), "utf8");
    const expected = [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)];
    assert(expected.length > 0, "the program says nothing");
    assert.deepEqual(printed, expected.map(([, text]) => text));
  });
}
