// Finds the moves of a game that throw a result away.

import * as api from "../api";
import { OPPOSITE, type Category, type Game, type Ply, type Slip } from "../types";

/** Categories from the best to the worst. */
const BEST_FIRST: Category[] = ["win", "cursed-win", "draw", "blessed-loss", "loss"];

/** What a move throws away, from the results before and after it for the side that makes it; undefined
    if it keeps the result, or one of the two is not known. */
export function slip(before: Category, after: Category): Slip | undefined {
  const [from, to] = [BEST_FIRST.indexOf(before), BEST_FIRST.indexOf(after)];
  return from >= 0 && to > from ? { before, after } : undefined;
}

/** What each move of a game throws away. */
export async function slipsOf(game: Game, start: string, plies: Ply[], signal: AbortSignal) {
  const probed = await api.batch(game.id, [start, ...plies.map(({ fen }) => fen)], signal);
  return plies.map((_, place) => {
    const [before, after] = [probed[place]?.category, probed[place + 1]?.category];
    return before && after ? slip(before, OPPOSITE[after]) : undefined;
  });
}
