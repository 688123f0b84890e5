// The programs of the guide and of the READMEs say what is written beside them.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const { RETROGRADE_TABLES, RETROGRADE_SMALL_TABLES } = process.env;

for (const [program, tables] of [
  ["guide.js", RETROGRADE_TABLES],
  // Packed small, tables rest on others, which are to be fetched as well.
  ["guide.js", RETROGRADE_SMALL_TABLES],
  ["readme.js", RETROGRADE_TABLES],
  ["readme.js", RETROGRADE_SMALL_TABLES],
  ["bindings.js", RETROGRADE_TABLES],
]) {
  test(`${program} with ${tables}`, async (context) => {
    context.mock.method(globalThis, "fetch", async (path) => {
      const file = join(tables, path.replace("/tables/", ""));
      return existsSync(file) ? new Response(readFileSync(file)) : new Response("", { status: 404 });
    });
    const printed = [];
    const print = (...values) => printed.push(values.join(" "));
    const said = context.mock.method(console, "log", print);
    await import(`./${program}?${tables}`);
    said.mock.restore();
    const source = readFileSync(new URL(program, import.meta.url), "utf8");
    const expected = [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)];
    assert(expected.length > 0, "the program says nothing");
    assert.deepEqual(printed, expected.map(([, text]) => text));
  });
}
