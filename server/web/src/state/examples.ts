// Tells the position that a game shows first: from a list by name, or built to fit its board.

import { fullVitality } from "../board/placement";
import type { Game } from "../types";

const EXAMPLES: Record<string, string> = {
  orthodox: "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
  "high-chess": "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1",
  chess99: "9/9/9/4k4/9/9/9/3A5/K8 w - - 0 1",
  kings: "8/8/8/3k4/8/8/8/K6R w - - 0 1",
  wild9: "8/8/8/3k4/8/8/8/K6R w - - 0 1",
  "extinction-mating": "8/8/8/3k4/8/8/8/K6R w - - 0 1",
  extinction: "8/8/8/3k4/8/8/8/K6R w - - 0 1",
  antichess: "8/8/8/3k4/8/8/8/R7 w - - 0 1",
  atomic: "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
  "racing-kings": "8/8/8/8/8/2k5/8/K6R w - - 0 1",
  // A bare king has a move left.
  shatranj: "8/8/8/3k4/8/8/8/K6R b - - 0 1",
  makruk: "8/8/8/3k4/8/8/8/K6R w - - 0 1",
  capablanca: "10/10/10/3k6/10/10/10/K8A w - - 0 1",
  "three-check": "8/8/8/3k4/8/8/8/K6N w - - 3+3 0 1",
  horde: "8/8/8/3k4/8/8/8/Q6P w - - 0 1",
  "king-of-the-hill": "8/7k/8/8/8/8/8/K5R1 w - - 0 1",
};

/** The files of a row of a FEN. */
const width = (row: string) =>
  [...row.matchAll(/\d+|\D/g)].reduce((sum, [part]) => sum + (Number(part) || 1), 0);

/** The first position of a game whose name alone tells it; empty for others. */
export const exampleOf = (id: string): string => EXAMPLES[id] ?? "";

/** The first position of a game with such a board. */
export function example(game: Game): string {
  const plain = EXAMPLES[game.name];
  const known = plain?.split(" ")[0]?.split("/") ?? [];
  if (plain && known.length === game.ranks && width(known[0] ?? "") === game.files) {
    return plain.replace("50+50", fullVitality(game)?.join("+") ?? "");
  }
  const officers = [...game.pieces].filter((letter) => letter !== "P");
  const [royal, other] = game.is_built_in ? ["K", "R"] : officers;
  if (!royal || !other) return game.array;
  const empty = Array.from({ length: game.ranks - 2 }, () => String(game.files));
  // Not on the diagonal of the piece in the corner.
  const left = game.files === game.ranks + 1 ? 2 : 1;
  const right = game.files - 1 - left;
  const first = `${left}${royal.toLowerCase()}${right || ""}`;
  const rows = [first, ...empty, `${royal}${game.files - 2 || ""}${other}`];
  return `${rows.join("/")} w - - 0 1`;
}
