// Tables on a web server, of which only parts are fetched.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { RetrogradeError, Tablebase } from "retrograde";

const FEN = "8/8/8/3k4/8/8/8/KQ6 w - -";

let server, at;
const sent = { requests: 0, bytes: 0, rounds: 0, open: 0 };
const faults = { ranges: true, tag: 1 };

before(async () => {
  server = createServer((request, response) => {
    // Requests that are open at once are a round.
    sent.rounds += sent.open++ === 0;
    sent.requests++;
    response.on("close", () => sent.open--);
    let file;
    try {
      file = readFileSync(join(process.env.RETROGRADE_TABLES, request.url.replace("/t/", "")));
    } catch {
      return response.writeHead(404).end();
    }
    const [from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).slice(1).map(Number);
    const part = faults.ranges ? file.subarray(from, to + 1) : file;
    sent.bytes += part.length;
    response.setHeader("ETag", `"${faults.tag}"`);
    response.setHeader("Content-Range", `bytes ${from}-${from + part.length - 1}/${file.length}`);
    response.writeHead(faults.ranges ? 206 : 200).end(part);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  at = `http://127.0.0.1:${server.address().port}/t`;
});

after(() => server.close());

/** All that the whole files say of a position. */
async function expected(fen, options) {
  const tables = new Tablebase("orthodox");
  const get = (file) => {
    try {
      return readFileSync(join(process.env.RETROGRADE_TABLES, file));
    } catch {
      return null;
    }
  };
  await tables.load(fen, get);
  return tables.probe(fen, options);
}

test("answers are those of whole files", async () => {
  const tables = new Tablebase("orthodox", { at });
  for (const fen of [FEN, "8/8/8/3k4/8/8/8/KR6 b - -", "8/8/8/8/4k3/8/4P3/4K3 w - -"]) {
    const answer = await tables.ask((tables) => tables.probe(fen, { moves: true }));
    assert.deepEqual(answer, await expected(fen, { moves: true }));
  }
  const before = sent.requests;
  assert.equal(await tables.ask(() => tables.probeWdl(FEN)), 2);
  assert.equal(sent.requests, before);
});

test("a result takes few requests and bytes", async () => {
  Object.assign(sent, { requests: 0, bytes: 0, rounds: 0 });
  const tables = new Tablebase("orthodox", { at });
  await tables.ask(() => tables.probeWdl(FEN));
  assert(sent.requests <= 3 && sent.bytes <= 16384, JSON.stringify(sent));
});

test("what goes wrong is said, and is tried again", async () => {
  const tables = new Tablebase("orthodox", { at });
  const ask = () => tables.ask(() => tables.probeWdl(FEN));
  faults.ranges = false;
  await assert.rejects(ask, (error) => {
    assert(error instanceof RetrogradeError);
    assert.equal(error.kind, "unreadable-table");
    return error.message.includes("whole files only");
  });
  faults.ranges = true;
  assert.equal(await ask(), 2);
  const nothing = new Tablebase("orthodox", { at: `${at}/nothing` });
  const none = () => nothing.ask(() => nothing.probeWdl(FEN));
  await assert.rejects(none, (error) => error.kind === "missing-table");
});

test("a question takes as many rounds as it needs", async () => {
  const tables = new Tablebase("orthodox", { at });
  const white = ["QQQ", "QQR", "QQB", "QQN", "QRR", "QRB", "QRN", "QBB", "QBN", "QNN"];
  const fens = white.flatMap((pieces) =>
    [..."qrbn"].map((piece) => `6${piece}k/8/8/8/8/8/8/K1${pieces}3 b - -`),
  );
  let rounds = 0;
  // None of these tables is there, which takes a round of its own for each file.
  const kinds = await tables.ask(() => {
    rounds++;
    return fens.map((fen) => {
      try {
        return tables.probeWdl(fen);
      } catch (error) {
        if (error.kind !== "missing-table") throw error;
        return error.kind;
      }
    });
  });
  assert.deepEqual(new Set(kinds), new Set(["missing-table"]));
  assert(rounds > 100, `${rounds}`);
});
