// Compares the values of tables with rows that `retrograde export` writes to standard
// input as CSV: node values.js GAME TABLES STEP; every STEP-th row is asked for.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Tablebase } from "retrograde";

const [game, tables, step] = process.argv.slice(2);
const tablebase = new Tablebase(game);
const folder = join(tables, game.replace(/[:,]/g, "+"));
for (const name of readdirSync(folder)) {
  if (/^K.*\.[a-z]+$/.test(name)) tablebase.add(name, readFileSync(join(folder, name)));
}

let columns;
let row = 0;
let compared = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const cells = line.split(",");
  if (!columns) {
    columns = cells;
    continue;
  }
  row += 1;
  if (row % Number(step)) continue;
  compared += 1;
  const [fen, , ...values] = cells;
  const answer = tablebase.probe(fen);
  const found = answer.vitality
    ? [...answer.vitality.thresholds, answer.vitality.white_mates, answer.vitality.black_mates]
    : [answer.category, answer.depth_plies, answer.dtz_plies];
  if (found.map((value) => value ?? "").join() !== values.join()) {
    console.error(`${line}: found ${found}`);
    process.exit(1);
  }
}
console.log(compared);
