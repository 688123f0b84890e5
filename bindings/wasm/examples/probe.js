// Answers FENs from standard input, one a line, with a line of JSON each, as
// `retrograde probe --json` does: node probe.js GAME TABLES [--moves] [--line] [--numbers]
//
// With --numbers each line is [WDL, DTM, DTZ] instead, null for what the tables lack.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Tablebase } from "retrograde";

const [game, tables, ...options] = process.argv.slice(2);
const moves = options.includes("--moves");
const line = options.includes("--line");

const tablebase = new Tablebase(game);
const folder = join(tables, game.replace(/[:,]/g, "+"));
for (const name of readdirSync(folder)) {
  tablebase.add(name, readFileSync(join(folder, name)));
}

/** What an action gives; otherwise what it throws, if it is one of the package's errors. */
function attempt(action, otherwise) {
  try {
    return action();
  } catch (error) {
    if (error.name !== "RetrogradeError") throw error;
    return otherwise(error);
  }
}

function answer(fen) {
  if (options.includes("--numbers")) {
    const asks = ["probeWdl", "probeDtm", "probeDtz"];
    return asks.map((ask) => attempt(() => tablebase[ask](fen), () => null));
  }
  return attempt(
    () => tablebase.probe(fen, { moves, line }),
    ({ kind, message, offset }) => ({ fen, error: { kind, message, offset } }),
  );
}

const lines = readFileSync(0, "utf8").split("\n");
// What follows the last line end is no line.
if (lines.at(-1) === "") lines.pop();
process.stdout.write(lines.map((fen) => `${JSON.stringify(answer(fen))}\n`).join(""));
