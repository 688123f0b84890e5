// Answers without a server: tables are read by the WebAssembly package, file by file as they are
// needed; what a server says of games and endings lies beside them.

import { PAUSE, Problem } from "../problem";
import type { Answer, Ending, Game, Move, Ply, Probed, Recorded, Statistics } from "../types";
import { told, type Source, type Wish } from "./source";

/** The package, as far as the page uses it. */
interface Package {
  default(): Promise<unknown>;
  Tablebase: new (game: string) => Tablebase;
}

interface Told extends Omit<Answer, "moves"> {
  moves?: Omit<Move, "fen">[];
  line?: string[] | null;
  line_end?: string | null;
}

interface Tablebase {
  load(fen: string, get: (file: string) => Promise<ArrayBuffer | null>, options?: { line?: boolean }): Promise<string[]>;
  probe(fen: string, options?: { moves?: boolean; line?: boolean; played?: string }): Told;
  play(fen: string, uci: string): string;
  random(material: string, wish?: Omit<Wish, "material">): string | null;
  readPgn(pgn: string): Recorded[];
  writePgn(fen: string, moves: string, players?: string): string;
  readonly rules: Omit<Game, "file" | "claims" | "tables">;
}

/** A file beside the page, whatever the page's own address says after the question mark. */
const beside = (path: string) => new URL(path, new URL(".", document.baseURI)).href;

async function fetched(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(beside(path));
  } catch {
    throw new Problem("a file of this page cannot be fetched", "offline", PAUSE);
  }
  if (response.ok) return response;
  throw new Problem(`there is no file ${path} here`, response.status === 404 ? "not-found" : "fault");
}

/** Keeps what has been asked for once, unless it has failed. */
function kept<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const all = new Map<string, Promise<T>>();
  return (key) => {
    const found = all.get(key) ?? ask(key);
    all.set(key, found);
    found.catch(() => all.delete(key));
    return found;
  };
}

const recorded = kept(async (path) => (await fetched(`data/${path}.json`)).json());

/** The name of a game's folder. */
const folder = (id: string) => id.replaceAll(/[:,]/g, "+");

const games = async () => (await recorded("games")) as Game[];

async function game(id: string): Promise<Game> {
  const all = await games();
  const found = all.find((game) => game.id === id) ?? all.find(({ file, name }) => (file ?? name) === id);
  return found ?? other(id, all);
}

/** A game with other options, of which the package knows the rules and there are no tables. */
const other = (id: string, all: Game[]) =>
  use(id, undefined, ({ rules }): Game => {
    const usual = all.find(({ name }) => name === rules.name);
    return { ...rules, file: null, claims: usual?.claims ?? null, tables: [] };
  }).catch((error) => {
    if (error instanceof Problem && error.kind !== "usage") throw error;
    throw new Problem(`there is no game "${id}" here`, "unknown-game");
  });

/** The files of tables that are there. */
const present = kept(async (id) => {
  const { tables } = await game(id);
  return new Set(
    tables.flatMap(({ material, metrics }) => metrics.map((metric) => `${folder(id)}/${material}.${metric}`)),
  );
});

const contents = kept(async (file) => (await fetched(`tables/${file}`)).arrayBuffer());

const opened = kept(async (id) => {
  const module = beside("retrograde/browser.js");
  const { default: init, Tablebase } = (await import(/* @vite-ignore */ module).catch(() => {
    throw new Problem("the package that reads tables cannot be fetched", "offline", PAUSE);
  })) as Package;
  await init();
  return new Tablebase(id);
});

/** Turns what the package throws into problems. */
function problem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { message, kind, offset } = error as { message: string; kind?: string; offset?: number | null };
  return new Problem(plain(message), kind ?? "fault", undefined, offset ?? undefined);
}

/** A message without its advice on files, which nobody can add here. */
const plain = (message: string) => message.replace(/; add the files .*$/, "");

/** Lets the package do something. */
async function use<T>(id: string, signal: AbortSignal | undefined, work: (tables: Tablebase) => T | Promise<T>): Promise<T> {
  try {
    const found = await work(await opened(id));
    signal?.throwIfAborted();
    return found;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw problem(error);
  }
}

/** Fetches the tables that a position and its moves need or, with `line`, best play to the end. */
async function load(tables: Tablebase, id: string, fen: string, line = false) {
  const there = await present(id);
  await tables.load(fen, async (file) => (there.has(file) ? contents(file) : null), { line });
}

function withoutAdvice<T extends { error?: { kind: string; message: string } }>(answer: T): T {
  const { error } = answer;
  return error ? { ...answer, error: { ...error, message: plain(error.message) } } : answer;
}

/** A position of a depth that few have, which is beside the page: finding it would take long. */
async function exampleOf(id: string, material: string, wish: Omit<Wish, "material">): Promise<string | undefined> {
  const plies = wish.depth_plies ?? wish.dtz_plies;
  if (plies === undefined || !(await present(id)).has(`${folder(id)}/${material}.wdl`)) return undefined;
  const { examples } = (await recorded(`${folder(id)}/${material}`)) as { examples: Record<string, string> };
  return examples[`${wish.side} ${wish.category} ${plies}`];
}

export const files: Source = {
  async tables() {
    return (await games()).reduce((sum, { tables }) => sum + tables.length, 0);
  },

  games,
  game,

  async endings(id) {
    const { tables } = await game(id);
    return tables.length > 0 ? ((await recorded(`${folder(id)}/endings`)) as Ending[]) : [];
  },

  async statistics(id, material) {
    const there = (await files.endings(id)).some((ending) => ending.material === material && ending.metrics.length > 0);
    if (!there) throw new Problem(`there is no table ${material} of ${id} here`, "missing-table");
    return (await recorded(`${folder(id)}/${material}`)) as Statistics;
  },

  probe: (id, fen, played, signal) =>
    use(id, signal, async (tables) => {
      await load(tables, id, tables.probe(fen, { played }).fen);
      const answer = tables.probe(fen, { moves: true, played });
      const moves = (answer.moves ?? []).map((move) => ({ ...move, fen: tables.play(answer.fen, move.uci) }));
      return withoutAdvice({ ...answer, moves });
    }),

  batch: (id, fens, signal) =>
    use(id, signal, async (tables) => {
      const answers: Probed[] = [];
      for (const fen of fens) {
        try {
          await load(tables, id, fen);
          answers.push(withoutAdvice(tables.probe(fen)));
        } catch (error) {
          const { kind, message } = problem(error);
          answers.push({ error: { kind, message } });
        }
      }
      return answers;
    }),

  play: (id, fen, moves, signal) =>
    use(id, signal, (tables) => {
      const plies: Ply[] = [];
      let { fen: position, end, winner } = tables.probe(fen);
      for (const [place, text] of moves.split(/[, ]/).filter(Boolean).entries()) {
        const move = tables.probe(position, { moves: true }).moves?.find(({ uci, san }) => uci === text || san === text);
        if (!move) throw new Problem(`move ${place + 1}: "${text}" is not a legal move`, "bad-request");
        position = tables.play(position, move.uci);
        plies.push({ uci: move.uci, san: move.san, fen: position });
        end = move.end;
        winner = move.end ? move.winner : null;
      }
      return { plies, end, winner };
    }),

  line: (id, fen, signal) =>
    use(id, signal, async (tables) => {
      await load(tables, id, fen, true);
      const { line, line_end = null, winner } = tables.probe(fen, { line: true });
      const played = await files.play(id, fen, (line ?? []).join(","), signal);
      return told({ plies: played.plies, end: line_end, winner });
    }),

  search: null,

  random: (id, { material, ...wish }, signal) =>
    use(id, signal, async (tables) => {
      const example = await exampleOf(id, material, wish);
      if (example) return files.probe(id, example, "", signal);
      const some = tables.random(material);
      if (some) await load(tables, id, some);
      const found = tables.random(material, wish);
      if (!found) throw new Problem(`no such position of ${material} was found among many`, "not-found");
      return files.probe(id, found, "", signal);
    }),

  pgn: {
    played: (id, fen, moves) => () => use(id, undefined, (tables) => tables.writePgn(fen, moves)),
    line: (id, fen) => () =>
      use(id, undefined, async (tables) => {
        await load(tables, id, fen, true);
        const { line } = tables.probe(fen, { line: true });
        if (!line) throw new Problem("no table counts the moves to the end here", "missing-table");
        return tables.writePgn(fen, line.join(","), "Tablebase");
      }),
  },

  read: (id, pgn, signal) => use(id, signal, (tables) => tables.readPgn(pgn)),
};
