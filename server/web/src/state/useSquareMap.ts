// Asks what becomes of the game with a piece on each of the squares.

import { useMemo } from "react";
import * as api from "../api";
import { measureOf, outcomeOf, type Measure, type Outcome } from "../board/outcome";
import { rearranged, squareName, writeFen, type Fields } from "../board/placement";
import type { Game, Side } from "../types";
import { SIDES } from "../words";
import { useAsked } from "./useAsked";

export interface SquareMap {
  measure: Measure;
  /** The outcomes by the side to move, then by square; occupied squares have none. */
  outcomes: Record<Side, Record<string, Outcome>>;
}

interface Question {
  side: Side;
  square: string;
  fen: string;
}

/** The positions with a piece on each free square and on its own, and each side to move. */
function questions(game: Game, fields: Fields, subject: string): Question[] {
  const { [subject]: piece, ...others } = fields.placement;
  if (!piece) return [];
  const asked: Question[] = [];
  for (const side of SIDES) {
    const turn = side === "white" ? "w" : "b";
    for (let place = 0; place < game.files * game.ranks; place += 1) {
      const square = squareName(place % game.files, Math.floor(place / game.files));
      if (others[square]) continue;
      const isPresent = square === subject && turn === fields.turn;
      const there = rearranged({ ...fields, turn }, { ...others, [square]: piece });
      asked.push({ side, square, fen: writeFen(isPresent ? fields : there, game) });
    }
  }
  return asked;
}

/** The map of the piece on a square; null while it is asked for, and if `subject` has no piece. */
export function useSquareMap(game: Game, fields: Fields, subject: string) {
  const asked = useMemo(() => questions(game, fields, subject), [game, fields, subject]);
  // A piece that goes from square to square has one map.
  const key = asked.length > 0 ? [game.id, ...asked.map(({ fen }) => fen)].join("\n") : "";
  const { answer: map, problem } = useAsked(key, async (signal): Promise<SquareMap> => {
    const probed = await api.batch(game.id, asked.map(({ fen }) => fen), signal);
    const measure = measureOf(game, probed);
    const outcomes: SquareMap["outcomes"] = { white: {}, black: {} };
    asked.forEach(({ side, square }, place) => {
      outcomes[side][square] = outcomeOf(probed[place] ?? {}, measure);
    });
    return { measure, outcomes };
  });
  return { map, problem };
}
