// Asks the server's HTTP interface for answers, and asks again if it is busy.

import { PAUSE, Problem } from "../problem";
import type { Answer, Ending, Game, Line, Played, Probed, Recorded, Searched, Statistics } from "../types";
import { told, type Source } from "./source";

/** The statuses of too many questions, a busy server, or none behind a proxy. */
const PASSING = [429, 502, 503, 504];

function waitOf(response: Response, kind: string): number | undefined {
  if (!PASSING.includes(response.status) || kind === "unsupported") return undefined;
  return Math.max(Number(response.headers.get("Retry-After")) || PAUSE, 1);
}

type Parameters = Record<string, string | number | boolean | undefined>;

/** The address of a question. */
function address(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** The answer to a question, as text; a `body` is sent with it. */
async function asked(url: string, signal?: AbortSignal, body?: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, { signal, body, method: body === undefined ? "GET" : "POST" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("the server does not answer", "offline", PAUSE);
  }
  const text = await response.text().catch((error) => {
    if (signal?.aborted) throw error;
    return "";
  });
  if (response.ok) return text;
  const told = parsed<{ detail?: string; kind?: string; offset?: number }>(text);
  const kind = told?.kind ?? "fault";
  const detail = told?.detail ?? `the server answers ${response.status}`;
  throw new Problem(detail, kind, waitOf(response, kind), told?.offset);
}

/** A text as JSON; null if it is none. */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}

const unreadable = () => new Problem("the server's answer cannot be read", "fault");

async function ask<T>(url: string, signal?: AbortSignal, body?: string): Promise<T> {
  const found = parsed<T>(await asked(url, signal, body));
  if (found === null) throw unreadable();
  return found;
}

/** A game id within a path. */
const part = (id: string) => encodeURIComponent(id);

export const server: Source = {
  tables: async (signal) => (await ask<{ tables: number }>("/health", signal)).tables,

  games: (signal) => ask<Game[]>("/api/games", signal),

  game: (id, signal) => ask<Game>(`/api/games/${part(id)}`, signal),

  endings: (id, signal) => ask<Ending[]>(`/api/${part(id)}/endings`, signal),

  statistics: (id, material, signal) => ask<Statistics>(`/api/${part(id)}/stats/${part(material)}`, signal),

  probe: (id, fen, played, signal) =>
    ask<Answer>(address(`/api/${part(id)}`, { fen, played: played || undefined, after: true }), signal),

  async batch(id, fens, signal) {
    const text = await asked(`/api/${part(id)}/batch`, signal, fens.join("\n"));
    const found = text.trimEnd().split("\n").map((line) => parsed<Probed>(line));
    // The last line of a batch that ends early is no position, but says why.
    const last = found.at(-1);
    if (last && last.fen === undefined && last.error) {
      const { message, kind } = last.error;
      throw new Problem(message, kind, kind === "busy" ? PAUSE : undefined);
    }
    return fens.map((_, place) => {
      const probed = found[place];
      if (!probed) throw unreadable();
      return probed;
    });
  },

  play: (id, fen, moves, signal) => ask<Played>(address(`/api/${part(id)}/play`, { fen, moves }), signal),

  async line(id, fen, signal) {
    const { plies, line_end, winner } = await ask<Line>(address(`/api/${part(id)}/line`, { fen }), signal);
    return told({ plies, end: line_end, winner });
  },

  search: (id, fen, signal) => ask<Searched>(address(`/api/${part(id)}/search`, { fen }), signal),

  random: (id, wish, signal) => ask<Answer>(address(`/api/${part(id)}/random`, { ...wish }), signal),

  pgn: {
    played: (id, fen, moves) => address(`/api/${part(id)}/play`, { fen, moves, format: "pgn" }),
    line: (id, fen) => address(`/api/${part(id)}/line`, { fen, format: "pgn" }),
  },

  read: (id, pgn, signal) => ask<Recorded[]>(`/api/${part(id)}/pgn`, signal, pgn),
};
