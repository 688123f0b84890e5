// The vitality that wins, which depends on everything but the counters: while these are changed,
// what is known stays.

import { useRef } from "react";
import type { Answer, Vitality } from "../types";

/** A position without its counters and clocks. */
const placement = (fen: string) => fen.split(" ").slice(0, 4).join(" ");

/** The least of Black's points with which Black wins, given White's: one more than all for never. */
function blackNeeds(thresholds: number[], white: number, least: number): number {
  const lost = thresholds.findIndex((needed) => needed > white);
  return least + (lost < 0 ? thresholds.length : lost);
}

/** What is known of a position with these counters; null if nothing is. */
export function useVitality(answer: Answer | null, fen: string, counters: string | null, least: number): Vitality | null {
  const known = useRef<{ of: string; vitality: Vitality } | null>(null);
  if (answer?.vitality) known.current = { of: placement(answer.fen), vitality: answer.vitality };
  const [white, black] = (counters ?? "").split("+").map(Number);
  if (!known.current || known.current.of !== placement(fen) || !white || !black) return null;
  const { vitality } = known.current;
  const { thresholds, white_needs } = vitality;
  return {
    ...vitality,
    white,
    black,
    white_needs: thresholds[black - least] ?? white_needs,
    black_needs: blackNeeds(thresholds, white, least),
  };
}
