// Asks for what the board shows first while the page is still being set up: whoever asks for it then
// finds the answer on its way.

import * as api from "../api";
import { exampleOf } from "./examples";
import { readLink } from "./link";
import { readRoute } from "./route";

const asked = new Map<string, Promise<unknown>>();

/** A question about a position, to tell it from others. */
export const keyOf = (game: string, from: string, played: string) => `${game} ${from} ${played}`;

/** Asks for the games, and for the game and the position that an address names. */
export function askAhead(search: string) {
  if (readRoute(search).page !== "board") return;
  const { game, fen, moves } = readLink(search);
  const start = fen || exampleOf(game);
  asked.set("games", api.games());
  asked.set(game, api.game(game));
  if (start && !moves) asked.set(keyOf(game, start, ""), api.probe(game, start, ""));
  // Whoever comes later asks anew.
  for (const [key, answer] of asked) answer.catch(() => asked.delete(key));
}

/** The answer to a question, which may have been asked ahead. */
export async function ahead<T>(key: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const answer = asked.get(key) as Promise<T> | undefined;
  asked.delete(key);
  if (!answer) return ask();
  const found = await answer;
  // It comes even if nobody waits for it any more.
  signal.throwIfAborted();
  return found;
}
