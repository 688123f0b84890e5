// The package with the tables that ship: each is there, and positions are answered from them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Tablebase } from "retrograde";
import { files, from } from "retrograde-tables";

test("positions are answered from the package", async () => {
  const get = from();
  const tablebase = new Tablebase("orthodox");
  const fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
  await tablebase.load(fen, get);
  assert.equal(tablebase.probe(fen).depth_plies, 17);
  // Of four men there are no depths.
  const four = "8/8/8/3k3r/8/8/8/KQ6 w - - 0 1";
  await tablebase.load(four, get);
  assert.equal(tablebase.probe(four).category, "win");
  assert.equal(await get("orthodox/KQvKR.dtm"), null);
});

test("what is listed is there", async () => {
  const lists = ["SHA256SUMS", "SHA256SUMS.four"].map((name) => readFileSync(`${process.env.RETROGRADE_SUMS}/${name}`, "utf8"));
  const names = lists.join("").trim().split("\n").map((line) => line.split("  ")[1]);
  assert.deepEqual([...files].sort(), names.sort());
  for (const file of files) assert.ok((await from()(file)).length > 0, file);
});
