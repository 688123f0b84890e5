// Asks the server's HTTP interface for answers, and asks again if it is busy.

import type { Answer, Game, Played, Statistics } from "./types";

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

async function ask<T>(url: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("the server does not answer", "offline", PAUSE);
  }
  const body = await response.json().catch((error) => {
    if (signal?.aborted) throw error;
    return null;
  });
  if (!response.ok) {
    const told = body?.detail ?? `the server answers ${response.status}`;
    const kind = body?.kind ?? "fault";
    throw new Problem(told, kind, waitOf(response, kind), body?.offset);
  }
  if (body === null) throw new Problem("the server's answer cannot be read", "fault");
  return body as T;
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
