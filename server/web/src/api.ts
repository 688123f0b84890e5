// Asks the server's HTTP interface for answers, and asks again if it is busy.

import type { Answer, Game, Played, Probed, Statistics } from "./types";

/** The reason why there is no answer, as the server or the browser gives it. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly kind: string,
    /** The seconds after which it may help to ask again; undefined if it will not. */
    readonly wait?: number,
    /** The place in the FEN, in bytes, if that is known. */
    readonly offset?: number,
  ) {
    super(message);
  }

  /** Whether the FEN cannot be read. */
  get isOfFen() {
    return this.kind === "bad-fen";
  }

  /** Whether it is the position that is wrong. */
  get isOfPosition() {
    return this.isOfFen || this.kind === "illegal-position";
  }
}

export const problemOf = (error: unknown) =>
  error instanceof Problem ? error : new Problem(String(error), "fault");

/** Seconds before a question is asked again, if the server does not say how many. */
const PAUSE = 4;
/** The statuses of too many questions, a busy server, or none behind a proxy. */
const PASSING = [429, 502, 503, 504];

function waitOf(response: Response, kind: string): number | undefined {
  if (!PASSING.includes(response.status) || kind === "unsupported") return undefined;
  return Math.max(Number(response.headers.get("Retry-After")) || PAUSE, 1);
}

/**
 * Asks again, after a while, if that may help. `onWait` gets the reason for the wait.
 */
export async function persist<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  onWait: (problem: Problem) => void,
): Promise<T> {
  for (let longer = 1; ; longer = Math.min(2 * longer, 8)) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.wait === undefined) throw error;
      onWait(error);
      await pause(error.wait * longer, signal);
    }
  }
}

/** Waits some seconds; an error if they are cut off. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

type Parameters = Record<string, string | number | boolean | undefined>;

/** The address of a question. */
export function address(path: string, parameters: Parameters = {}): string {
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

async function ask<T>(url: string, signal?: AbortSignal): Promise<T> {
  const found = parsed<T>(await asked(url, signal));
  if (found === null) throw unreadable();
  return found;
}

/** A game id within a path. */
const part = (id: string) => encodeURIComponent(id);

/** The number of tables that the server has. */
export const tables = async (signal?: AbortSignal) =>
  (await ask<{ tables: number }>("/health", signal)).tables;

export const games = (signal?: AbortSignal) => ask<Game[]>("/api/games", signal);

export const game = (id: string, signal?: AbortSignal) =>
  ask<Game>(`/api/games/${part(id)}`, signal);

/** Asks about a position; `played` are the moves from `fen` to it. */
export const probe = (id: string, fen: string, played: string, signal?: AbortSignal) =>
  ask<Answer>(address(`/api/${part(id)}`, { fen, played: played || undefined, after: true }), signal);

/** Asks about many positions at once; the answers are in their order. */
export async function batch(id: string, fens: string[], signal?: AbortSignal): Promise<Probed[]> {
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
}

export const play = (id: string, fen: string, moves: string, signal?: AbortSignal) =>
  ask<Played>(address(`/api/${part(id)}/play`, { fen, moves }), signal);

export const random = (
  id: string,
  wish: { material: string; category?: string; side?: string },
  signal?: AbortSignal,
) => ask<Answer>(address(`/api/${part(id)}/random`, wish), signal);

export const statistics = (id: string, material: string, signal?: AbortSignal) =>
  ask<Statistics>(`/api/${part(id)}/stats/${part(material)}`, signal);

/** The address of a game or a line as PGN. */
export const pgn = {
  played: (id: string, fen: string, moves: string) =>
    address(`/api/${part(id)}/play`, { fen, moves, format: "pgn" }),
  line: (id: string, fen: string) =>
    address(`/api/${part(id)}/line`, { fen, format: "pgn" }),
};
