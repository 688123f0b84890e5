// What happens when the module's memory is full. It is not given back, so this is a file, and a
// process, of its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import init, { RetrogradeError, Tablebase } from "retrograde";

test("a table is refused unless there is memory to read it", async () => {
  const tablebase = new Tablebase("orthodox");
  const name = "KQvK.wdl";
  tablebase.add(name, readFileSync(join(process.env.RETROGRADE_TABLES, "orthodox", name)));
  // What is left is what reading takes: others have the rest.
  const { memory } = await init();
  memory.grow((1 << 16) - memory.buffer.byteLength / (1 << 16));
  assert.throws(
    () => tablebase.add("KRvK.wdl", new Uint8Array(1 << 20)),
    (error) => error instanceof RetrogradeError && error.kind === "out-of-memory",
  );
  assert.equal(tablebase.probeWdl("8/8/8/3k4/8/8/8/KQ6 w - -"), 2);
  assert.deepEqual(tablebase.tables.map(({ material }) => material), ["KQvK"]);
});
