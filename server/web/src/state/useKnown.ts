// What is known of a placement whatever the counters: while these are changed, it stays.

import { useRef } from "react";
import { fullVitality, type Fields } from "../board/placement";
import type { Answer, Game } from "../types";

/** The answer or, while there is none yet, the last one of the game: what is open stays so. */
export function useRecent(game: Game, answer: Answer | null): Answer | null {
  const last = useRef<Answer | null>(null);
  if (answer) last.current = answer;
  return last.current?.game === game.id ? last.current : null;
}

/** A position without its counters and clocks. */
const placement = (fen: string) => fen.split(" ").slice(0, 4).join(" ");

/** The least of Black's points with which Black wins, given White's: one more than all for never. */
function blackNeeds(thresholds: number[], white: number, least: number): number {
  const lost = thresholds.findIndex((needed) => needed > white);
  return least + (lost < 0 ? thresholds.length : lost);
}

/**
 * The answer or, while it is asked for with other counters, that of the same placement with these
 * counters; who wins may be out of date then. Null in games without vitality until there is one.
 */
export function useKnown(game: Game, answer: Answer | null, fen: string, fields: Fields): Answer | null {
  const known = useRecent(game, answer);
  if (!known || !fullVitality(game)) return answer;
  if (placement(known.fen) !== placement(fen)) return answer;
  const [white = 0, black = 0] = (fields.vitality ?? "").split("+").map(Number);
  const { vitality } = known;
  if (!vitality) return known;
  const least = game.least_vitality ?? 1;
  const { thresholds, white_needs } = vitality;
  const needs = {
    white_needs: thresholds[black - least] ?? white_needs,
    black_needs: blackNeeds(thresholds, white, least),
  };
  return { ...known, vitality: { ...vitality, white, black, ...needs } };
}
