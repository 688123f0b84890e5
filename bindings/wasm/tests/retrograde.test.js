// What the package says about positions, and how it refuses what is none.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import init, { RetrogradeError, Tablebase, games, version } from "retrograde";

const TABLES = process.env.RETROGRADE_TABLES;
const FEN = "8/8/8/3k4/8/8/8/KQ6 w - -";

/** The tables of a game that ship. */
function open(game) {
  const tablebase = new Tablebase(game);
  const folder = join(TABLES, game);
  for (const name of readdirSync(folder)) {
    tablebase.add(name, readFileSync(join(folder, name)));
  }
  return tablebase;
}

/** What is thrown. */
function thrown(action) {
  try {
    action();
  } catch (error) {
    assert(error instanceof RetrogradeError && error instanceof Error, String(error));
    assert.equal(error.name, "RetrogradeError");
    return error;
  }
  assert.fail("nothing was thrown");
}

test("init may be awaited in node too", async () => {
  await init();
  const read = (name) => readFileSync(new URL(`./node_modules/retrograde/${name}`, import.meta.url));
  assert.equal(version(), JSON.parse(read("package.json")).version);
  // The module has code of others in it.
  assert.match(String(read("THIRD-PARTY.txt")), /^wasm-bindgen /m);
});

test("games in PGN are read and written", () => {
  const tablebase = new Tablebase();
  const [first, second] = tablebase.readPgn(
    '[White "A"]\n\n1. e4 {good} e5 (1... c5) 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0\n\n' +
      '[FEN "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"]\n\n1. Qb4 Kc6 2. Qb9 *',
  );
  assert.equal(first.tags.White, "A");
  assert.equal(first.plies.length, 7);
  assert.deepEqual([first.plies[6].uci, first.plies[6].san], ["h5f7", "Qxf7#"]);
  assert.deepEqual([first.end, first.winner, first.error], ["checkmate", "white", null]);
  assert.equal(second.fen, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  assert.equal(second.plies.length, 2);
  assert.match(second.error, /^line 7, column 15: /);
  const moves = first.plies.map(({ uci }) => uci).join(",");
  const written = tablebase.writePgn(first.fen, moves, "Nobody");
  assert.match(written, /\[White "Nobody"\][^]*\[Result "1-0"\][^]*1\. e4 e5 2\. Bc4 Nc6 3\. Qh5 Nf6 4\. Qxf7# 1-0/);
  assert.deepEqual(tablebase.readPgn(written)[0].plies, first.plies);
  assert.match(tablebase.writePgn(FEN, ""), /\[White "\?"\][^]*\[FEN "8\/8.*\n\n\*/);
  assert.equal(thrown(() => tablebase.writePgn(FEN, "b1b9")).kind, "usage");
  assert.equal(thrown(() => tablebase.readPgn(5)).kind, "usage");
  assert.deepEqual(tablebase.readPgn(""), []);
});

test("the rules of a game, with its options", () => {
  const rules = new Tablebase("kings:board=10x8").rules;
  assert.deepEqual([rules.id, rules.name, rules.title], ["kings:board=10x8", "kings", "Kings"]);
  assert.deepEqual([rules.board, rules.files, rules.ranks], ["10x8", 10, 8]);
  const board = rules.options.find(({ name }) => name === "board");
  assert.deepEqual([board.default, board.value], ["8x8", "10x8"]);
  assert.equal(new Tablebase("high-chess").rules.vitality, 50);
  assert.equal(new Tablebase("three-check").rules.checks, 3);
});

test("values know the game so far", () => {
  const tablebase = open("orthodox");
  const played = "a1b2,d5d6,b2a1,d6d5,a1b2,d5d6,b2a1,d6d5";
  const fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
  assert.equal(tablebase.probe(fen, { played }).category, "draw");
  assert.equal(tablebase.probe(fen, { played: "b1b4" }).fen, "8/8/8/3k4/1Q6/8/8/K7 b - - 1 1");
  assert.equal(tablebase.probe(fen, { played: "" }).depth_plies, 17);
  assert.equal(thrown(() => tablebase.probe(fen, { played: "b1b9" })).kind, "usage");
  assert.equal(thrown(() => tablebase.probe(fen, { played: ["b1b4"] })).kind, "usage");
});

test("random positions", () => {
  const tablebase = open("orthodox");
  for (const [material, wish] of [
    ["KPvK", { side: "white", category: "win", depth_plies: 55 }],
    ["KvKP", { side: "white", category: "loss", depth_plies: 54 }],
    ["KRvK", { category: "loss", dtz_plies: 32 }],
    ["KQvK", { side: "black", category: "draw" }],
    ["KRvK", {}],
    ["KRvK"],
  ]) {
    const fen = tablebase.random(material, wish);
    const answer = tablebase.probe(fen);
    for (const name of ["category", "depth_plies", "dtz_plies"]) {
      if (wish?.[name] !== undefined) assert.equal(answer[name], wish[name], fen);
    }
    if (wish?.side) assert.equal(fen.split(" ")[1], wish.side[0]);
    if (material === "KvKP") assert.match(fen, /p.* w /);
  }
  assert.equal(tablebase.random("KPvK", { depth_plies: 57 }), null);
  // A win may be settled by a capture, but none that is so far away.
  assert.equal(thrown(() => tablebase.random("KQvKR", { depth_plies: 33 })).kind, "missing-table");
  for (const [material, wish] of [
    ["KX"],
    [7],
    ["KQvK", { side: "red" }],
    ["KQvK", { side: 3 }],
    ["KQvK", { category: "unknown" }],
    ["KQvK", { category: null }],
    ["KQvK", { depth_plies: -1 }],
    ["KQvK", { depth_plies: NaN }],
    ["KQvK", { depth_plies: 2 ** 32 }],
    ["KQvK", { depth_plies: "17" }],
    ["KQvK", { dtz_plies: 2.5 }],
    ["KQvK", { depth_plies: 17, dtz_plies: 17 }],
  ]) {
    const { kind } = thrown(() => tablebase.random(material, wish));
    assert.equal(kind, "usage", JSON.stringify(wish));
  }
  const wish = { side: undefined, category: undefined, depth_plies: undefined, dtz_plies: 17 };
  assert.equal(tablebase.probe(tablebase.random("KQvK", wish)).dtz_plies, 17);
});

test("values, moves and lines", () => {
  const tablebase = open("orthodox");
  const answer = tablebase.probe(FEN, { moves: true, line: true });
  assert.equal(answer.category, "win");
  assert.equal(answer.depth_plies, 17);
  assert.equal(answer.winner, "white");
  assert.equal(answer.line.length, 17);
  assert.equal(answer.line_end, "checkmate");
  assert.equal(answer.moves[0].category, "win");
  assert.equal("vitality" in answer, false);
  assert.equal("moves" in tablebase.probe(FEN), false);
  assert.equal("moves" in tablebase.probe(FEN, { moves: false }), false);
  assert.equal("moves" in tablebase.probe(FEN, null), false);
  assert.equal(tablebase.probeWdl(FEN), 2);
  assert.equal(tablebase.probeDtz(FEN), 17);
  assert.equal(tablebase.probeDtm(FEN), 17);
  const black = FEN.replace("w", "b");
  assert.equal(tablebase.probeWdl(black), -2);
  assert.equal(tablebase.probeDtm(black), -18);
  assert.deepEqual(
    tablebase.moves("8/8/8/8/8/k7/p7/K7 b - -").map(({ uci }) => uci),
    ["a3a4", "a3b3", "a3b4"],
  );
  assert.deepEqual(tablebase.line("k7/8/2K5/8/8/8/8/7R w - -"), {
    moves: ["c6b6", "a8b8", "h1h8"],
    end: "checkmate",
  });
  assert.deepEqual(tablebase.line("8/8/8/8/8/k7/p7/K7 b - -"), { moves: [], end: null });
});

test("the half-move clock counts for probe, and not for the numbers", () => {
  const tablebase = open("orthodox");
  const fen = `${FEN} 90 120`;
  const answer = tablebase.probe(fen);
  assert.equal(answer.category, "cursed-win");
  assert.equal(answer.category_at_clock_0, "win");
  assert.equal(tablebase.probeWdl(fen), 2);
});

/** A FEN with pieces on squares, which are numbered from a1. */
function placed(pieces, turn) {
  const board = Array(64).fill("1");
  for (const [piece, square] of pieces) board[square] = piece;
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => board.slice(8 * rank, 8 * rank + 8).join(""));
  return `${ranks.join("/").replace(/1+/g, (empty) => empty.length)} ${turn} - - 40 60`;
}

test("many positions at once are as one by one", () => {
  for (const [game, third] of [["orthodox", "P"], ["orthodox", "q"], ["kings", "K"]]) {
    const tablebase = open(game);
    const fens = [];
    for (let number = 0; number < 2000; number += 1) {
      const [a, b, c] = [7, 11, 13].map((step) => (number * step + (number >> 6)) % 64);
      fens.push(placed([["K", a], ["k", b], [third, c]], "wb"[number % 2]));
    }
    const { wdl, dtm, dtz, errors } = tablebase.probeMany(fens);
    assert.equal(dtz === null, game === "kings");
    assert.deepEqual([wdl.length, dtm.length, dtz?.length ?? 2000], [2000, 2000, 2000]);
    assert(errors.size > 0 && errors.size < 1000, `${errors.size}`);
    for (const [place, fen] of fens.entries()) {
      const error = errors.get(place);
      if (error) {
        assert(error instanceof RetrogradeError);
        const { kind, message } = thrown(() => tablebase.probeWdl(fen));
        assert.deepEqual([error.kind, error.message, wdl[place], dtm[place]], [kind, message, -128, -32768]);
        continue;
      }
      assert.equal(wdl[place], tablebase.probeWdl(fen), fen);
      assert.equal(dtm[place], tablebase.probeDtm(fen), fen);
      if (dtz) assert.equal(dtz[place], tablebase.probeDtz(fen), fen);
    }
  }
});

test("many positions, and what is none", () => {
  const tablebase = open("orthodox");
  const missing = "8/8/8/3k3r/8/8/8/KQ6 w - -";
  const { wdl, errors } = tablebase.probeMany(new Set([FEN, "?", missing, 7]));
  assert.deepEqual([...wdl], [2, -128, -128, -128]);
  const kinds = [...errors].map(([place, error]) => [place, error.kind]);
  // Those that cannot be read come first.
  assert.deepEqual(kinds.sort(), [[1, "bad-fen"], [2, "missing-table"], [3, "usage"]]);
  assert.equal(tablebase.probeMany([]).wdl.length, 0);
  for (const wrong of [FEN, 5, null, undefined, {}]) {
    assert.equal(thrown(() => tablebase.probeMany(wrong)).kind, "usage");
  }
  const alone = new Tablebase("orthodox");
  alone.add("KQvK.wdl", readFileSync(join(TABLES, "orthodox", "KQvK.wdl")));
  const batch = alone.probeMany([FEN]);
  assert.deepEqual([batch.wdl[0], batch.dtm[0], batch.dtz[0], batch.errors.size], [2, -32768, -32768, 0]);
  assert.equal(new Tablebase("high-chess").probeMany([]).dtm, null);
});

test("the counters of High Chess", () => {
  const tablebase = open("high-chess");
  const { vitality, win_by } = tablebase.probe("8/8/8/3k4/8/8/8/K6R w - - 50+50");
  assert.equal(vitality.thresholds.length, 50);
  assert.equal(vitality.white, 50);
  assert.equal(typeof win_by, "string");
  const unknown = new Tablebase("high-chess").probe("8/8/8/3k4/8/8/8/K6R w - - 50+50");
  assert.deepEqual([unknown.vitality, unknown.win_by], [null, null]);
  const thresholds = new Tablebase("high-chess");
  const file = "KRvK.thresholds";
  thresholds.add(file, readFileSync(join(TABLES, "high-chess", file)));
  const known = thresholds.probe("8/8/8/3k4/8/8/8/K6R w - - 5+50");
  assert.deepEqual([known.category, known.win_by], ["loss", null]);
  assert.deepEqual([known.vitality.white_needs, known.vitality.white_mates], [6, null]);
  assert.equal(thrown(() => tablebase.probeDtm("8/8/8/3k4/8/8/8/K6R w - -")).kind, "unsupported");
});

test("every game answers from its tables", () => {
  for (const { id, board } of games()) {
    const tablebase = open(id);
    assert.equal(tablebase.game, id);
    assert(tablebase.tables.length > 4, id);
    let fen = board === "9x9" ? "9/9/9/3k5/9/9/9/9/KQ7 w - -" : "8/8/2k5/8/8/8/8/KQ6 b - -";
    // Its tables that ship are of two men.
    if (id === "antichess") fen = "8/8/2r5/8/8/8/8/1Q6 b - -";
    if (id === "capablanca") fen = "10/10/2k7/10/10/10/10/KQ8 b - -";
    if (id === "horde") fen = "8/8/2k5/8/8/8/8/QR6 b - -";
    if (id === "makruk") fen = "8/8/2k5/8/8/8/8/KR6 b - -";
    assert.notEqual(tablebase.probe(fen).category, "unknown", id);
  }
  assert.equal(games().length, 16);
  assert.equal(new Tablebase("high-chess:vitality=5").game, "high-chess:vitality=5");
  assert.equal(new Tablebase().game, "orthodox");
});

test("what is missing can be fetched", () => {
  const tablebase = new Tablebase("orthodox");
  const unknown = tablebase.probe(FEN, { moves: true });
  assert.equal(unknown.category, "unknown");
  assert.equal(unknown.error.kind, "missing-table");
  assert.match(unknown.error.message, /add the files KQvK\.\*$/);
  const error = thrown(() => tablebase.probeWdl(FEN));
  assert.equal(error.kind, "missing-table");
  assert.equal(error.material, "KQvK");
  assert.equal(thrown(() => tablebase.line(FEN)).kind, "missing-table");
  const missing = tablebase.missing(FEN);
  assert.deepEqual(missing, ["orthodox/KQvK.wdl", "orthodox/KQvK.dtm", "orthodox/KQvK.dtz"]);
  for (const file of missing) {
    // The memory of a response, or a view of a part of it.
    const bytes = readFileSync(join(TABLES, file));
    const copy = new Uint8Array(bytes.length + 9).fill(7);
    copy.set(bytes, 5);
    const part = copy.subarray(5, 5 + bytes.length);
    const info = tablebase.add(file, file.endsWith("dtm") ? part.slice().buffer : part);
    assert.deepEqual(info, { game: "orthodox", material: "KQvK", metric: file.slice(-3) });
  }
  assert.deepEqual(tablebase.missing(FEN), []);
  assert.equal(tablebase.probeDtm(FEN), 17);
  // Promotions and captures lead to other tables.
  const files = tablebase.missing("8/P7/8/8/8/8/8/K1k5 w - -");
  assert(files.includes("orthodox/KPvK.wdl") && files.includes("orthodox/KRvK.dtz"));
  assert(!files.includes("orthodox/KQvK.wdl"));
});

test("what is missing is what a position and its moves take, and nothing else", () => {
  for (const [game, fen] of [
    // The double step may be taken, by the king: what the taking leads to is needed.
    ["chess99", "9/9/9/9/3k5/4P4/9/9/K8 w - -"],
    // When the last of a kind is taken the game is over.
    ["extinction", "8/8/8/8/8/1k6/K6Q/8 w - -"],
  ]) {
    const tablebase = new Tablebase(game);
    for (const file of tablebase.missing(fen)) {
      tablebase.add(file, readFileSync(join(TABLES, file)));
    }
    const moves = tablebase.moves(fen);
    const unknown = moves.filter(({ category }) => category === "unknown");
    assert.deepEqual(unknown, [], game);
  }
  assert.deepEqual(new Tablebase("extinction").missing("8/8/8/8/8/1k6/K7/8 w - -"), []);
  const files = new Tablebase("orthodox").missing("8/8/8/8/3p4/8/4P3/k3K3 w - -");
  assert(files.includes("orthodox/KPvK.wdl"));
});

test("a line to a missing table takes nothing from the rest", () => {
  const tablebase = new Tablebase("orthodox");
  for (const name of ["KPvK.wdl", "KPvK.dtm", "KPvK.dtz"]) {
    tablebase.add(name, readFileSync(join(TABLES, "orthodox", name)));
  }
  const fen = "4k3/8/4K3/8/4P3/8/8/8 w - -";
  const answer = tablebase.probe(fen, { moves: true, line: true });
  assert.equal(answer.depth_plies, 25);
  assert.equal(answer.line, null);
  const error = thrown(() => tablebase.line(fen));
  assert.equal(error.kind, "missing-table");
  assert.equal(error.material, "KQvK");
});

test("bad positions are refused with a reason", () => {
  const tablebase = open("orthodox");
  for (const [fen, kind, offset] of [
    ["", "bad-fen", 0],
    ["8/8/8/3k4/8/8/8/KQ6 x - -", "bad-fen", 20],
    ["8/8/8/3k4/8/8/8/KQ6 w - - \0", "bad-fen", 26],
    ["8".repeat(100000), "bad-fen", 1],
    ["8/8/8/3k4/3Q4/8/8/K7 w - -", "illegal-position", null],
  ]) {
    for (const ask of ["probe", "probeWdl", "probeDtz", "probeDtm", "moves", "line", "missing"]) {
      const error = thrown(() => tablebase[ask](fen));
      assert.equal(error.kind, kind, `${ask} ${fen.slice(0, 80)}`);
      assert.equal(error.offset, offset);
    }
  }
  for (const fen of [undefined, null, 5, {}, [], Symbol("fen"), new Uint8Array(5)]) {
    assert.equal(thrown(() => tablebase.probe(fen)).kind, "usage");
  }
  // Castling rights are a position, though no table has it.
  const castling = tablebase.probe("8/8/8/3k4/8/8/8/4K2R w K -");
  assert.equal(castling.error.kind, "unsupported");
  assert.equal(castling.category, "unknown");
});

test("bytes that are no table, or another one, are refused", () => {
  const tablebase = new Tablebase("orthodox");
  const bytes = readFileSync(join(TABLES, "orthodox", "KQvK.wdl"));
  const refused = (name, contents, kind, words) => {
    const error = thrown(() => tablebase.add(name, contents));
    assert.equal(error.kind, kind);
    assert.match(error.message, words);
  };
  refused("KQvK.wdl", new Uint8Array(0), "corrupt-table", /KQvK\.wdl/);
  refused("KQvK.wdl", new Uint8Array(1000), "corrupt-table", /not a Retrograde table/);
  refused("KQvK.wdl", bytes.subarray(0, 200), "corrupt-table", /cut off/);
  refused("KRvK.wdl", bytes, "corrupt-table", /KQvK, not for KRvK/);
  refused("KQvK.dtm", bytes, "corrupt-table", /metric/);
  const chess99 = readFileSync(join(TABLES, "chess99", "KQvK.wdl"));
  refused("KQvK.wdl", chess99, "corrupt-table", /"chess99", not for "orthodox"/);
  refused("README.md", bytes, "usage", /not the name of a table of orthodox/);
  refused("KXvK.wdl", bytes, "usage", /not the name/);
  for (const value of [undefined, null, "text", 5, [1, 2], new DataView(new ArrayBuffer(9))]) {
    refused("KQvK.wdl", value, "usage", /Uint8Array or an ArrayBuffer/);
  }
  refused(undefined, bytes, "usage", /string/);
  assert.deepEqual(tablebase.tables, []);
  // A damaged block is found when it is read, and every other block still answers.
  for (let at = 0; at < bytes.length; at += 97) {
    const damaged = new Uint8Array(bytes);
    damaged[at] ^= 0x20;
    const other = new Tablebase("orthodox");
    try {
      other.add("KQvK.wdl", damaged);
      assert.equal(Math.abs(other.probeWdl(FEN)), 2);
    } catch (error) {
      assert.equal(error.kind, "corrupt-table", String(error));
    }
    other.free();
  }
});

test("games and options that do not exist are refused", () => {
  assert.match(thrown(() => new Tablebase("checkers")).message, /orthodox/);
  assert.equal(thrown(() => new Tablebase("high-chess:vitality=51")).kind, "usage");
  assert.equal(thrown(() => new Tablebase(5)).kind, "usage");
});

test("a tablebase that has been freed says so", async () => {
  const tablebase = new Tablebase("orthodox");
  tablebase.free();
  for (const ask of [
    () => tablebase.probe(FEN),
    () => tablebase.tables,
    () => tablebase.add("KQvK.wdl", new Uint8Array(9)),
  ]) {
    const error = thrown(ask);
    assert.equal(error.kind, "usage");
    assert.match(error.message, /freed/);
  }
  await assert.rejects(() => tablebase.load(FEN, () => null), RetrogradeError);
});

test("a module that is not there yet says so", () => {
  // What browsers load, before anybody has called init.
  const program = `
    import { Tablebase, games, version } from "./node_modules/retrograde/browser.js";
    for (const ask of [() => new Tablebase("orthodox"), games, version]) {
      try {
        ask();
      } catch ({ name, kind, message }) {
        console.log(name, kind, message);
      }
    }`;
  const node = ["--input-type=module", "--eval", program];
  const cwd = new URL(".", import.meta.url);
  const said = execFileSync(process.execPath, node, { cwd, encoding: "utf8" });
  const line = "RetrogradeError usage the module is not there yet; await init() first\n";
  assert.equal(said, line.repeat(3));
});

test("positions of every game can be stepped through", () => {
  const tablebase = new Tablebase("orthodox");
  const fen = "8/2k5/8/8/8/8/3p4/1K6 b - - 7 30";
  const moves = tablebase.legalMoves(fen);
  assert.equal(moves.length, 12);
  assert.deepEqual([...moves].sort(), moves);
  assert(moves.includes("d2d1q"));
  assert.equal(tablebase.play(fen, "d2d1q"), "8/2k5/8/8/8/8/8/1K1q4 w - - 0 31");
  assert.match(thrown(() => tablebase.play(fen, "d2d3")).message, /d2d3/);
  assert.equal(thrown(() => tablebase.play(fen, 5)).kind, "usage");
  assert.equal(thrown(() => tablebase.play("x", "d2d1q")).kind, "bad-fen");
  assert.equal(thrown(() => tablebase.legalMoves("x")).kind, "bad-fen");
  const chess99 = new Tablebase("chess99");
  const start = "9/9/9/4k4/9/9/9/3A5/K8 w - - 0 1";
  const [first] = chess99.legalMoves(start);
  assert.notEqual(chess99.play(start, first), start);
});

test("load gets all that a position, its moves and its line need", async () => {
  for (const [game, fen] of [
    ["orthodox", "8/2k5/8/8/8/8/3p4/1K6 b - -"],
    ["orthodox", "8/3P4/1K3k2/8/8/8/8/8 b - -"],
    ["high-chess", "8/8/8/3k4/8/8/4P3/K7 w - - 9+9"],
    ["chess99", "9/9/9/4k4/9/9/9/3A5/K8 w - -"],
  ]) {
    const all = open(game);
    for (const tables of game === "orthodox" ? [TABLES, process.env.RETROGRADE_SMALL_TABLES] : [TABLES]) {
      const asked = [];
      const get = async (file) => {
        asked.push(file);
        return existsSync(join(tables, file)) ? readFileSync(join(tables, file)) : null;
      };
      const tablebase = new Tablebase(game);
      const added = await tablebase.load(fen, get, { line: true });
      const options = { moves: true, line: true };
      const answer = tablebase.probe(fen, options);
      assert.deepEqual(answer, all.probe(fen, options));
      assert.notEqual(answer.line, null);
      assert.equal(new Set(asked).size, asked.length, "a file is asked for once");
      assert.deepEqual(added.sort(), asked.filter((file) => existsSync(join(tables, file))).sort());
      assert.deepEqual(await tablebase.load(fen, () => assert.fail(), { line: true }), []);
      // Without the line fewer are needed, or as many.
      const short = new Tablebase(game);
      assert((await short.load(fen, get)).length <= added.length);
      assert.deepEqual(short.probe(fen, { moves: true }), all.probe(fen, { moves: true }));
    }
  }
  const empty = new Tablebase("orthodox");
  assert.deepEqual(await empty.load(FEN, async () => null, { line: true }), []);
  await assert.rejects(() => empty.load("x", async () => null), { kind: "bad-fen" });
  await assert.rejects(
    () => empty.load(FEN, async () => Promise.reject(new Error("offline"))),
    /offline/,
  );
});

test("tables that are packed small may rest on others", () => {
  const tablebase = new Tablebase("orthodox");
  const small = process.env.RETROGRADE_SMALL_TABLES;
  const fen = "8/P7/8/8/8/8/8/K1k5 w - -";
  const add = (file) => tablebase.add(file, readFileSync(join(small, file)));
  // Who wins rests on nothing.
  add("orthodox/KPvK.wdl");
  assert.equal(tablebase.probeWdl(fen), 2);
  // Of the side to move that is left out, distances rest on what moves lead to. What is not
  // there is said, and it may come later.
  add("orthodox/KPvK.dtz");
  const sides = [fen, "8/P7/8/8/8/8/8/K1k5 b - -"];
  const left = sides.filter((side) => tablebase.probe(side).dtz_plies === null);
  assert.equal(left.length, 1);
  for (let files = tablebase.missing(fen); files.length; files = tablebase.missing(fen)) {
    files.forEach(add);
  }
  assert.equal(tablebase.probeWdl(fen), 2);
  const shipped = open("orthodox");
  assert.deepEqual(
    tablebase.probe(fen, { moves: true, line: true }),
    shipped.probe(fen, { moves: true, line: true }),
  );
});

test("a game may be the text of its definition", () => {
  const text = readFileSync(process.env.RETROGRADE_EXAMPLE, "utf8");
  const tablebase = new Tablebase(text);
  assert.match(tablebase.game, /^gardner@[0-9a-f]{8}$/);
  const fen = "4k/5/5/5/KQ3 w - -";
  assert.deepEqual(tablebase.missing(fen), [
    `${tablebase.game}/KQvK.wdl`,
    `${tablebase.game}/KQvK.dtm`,
    `${tablebase.game}/KQvK.dtz`,
  ]);
  assert.equal(tablebase.probe(fen).material, "KQvK");
  const error = thrown(() => new Tablebase('name = "x"\nend.stalemat = "loss"\n'));
  assert.equal(error.kind, "usage");
  assert.match(error.message, /the definition:2:5: .*end.stalemate/);
});
