// Lets the tables play one side.

import { useEffect } from "react";
import type { Side } from "../types";
import { turnOf } from "../words";
import type { Explorer } from "./useExplorer";

/** Long enough to see the move before. */
const PAUSE = 500;

/**
 * Plays the best moves of a side, if there is one. Whoever takes back a move wants to look, not to
 * be answered at once, unless that is practice.
 */
export function useOpponent(explorer: Explorer, side: Side | null) {
  const { answer, best, play, undone, mode } = explorer;
  const isLooking = undone.length > 0 && mode !== "practice";
  const isTurn = answer !== null && turnOf(answer.fen) === side && !isLooking;
  useEffect(() => {
    if (!isTurn || !best) return;
    const timer = setTimeout(() => play(best), PAUSE);
    return () => clearTimeout(timer);
  }, [isTurn, best, play]);
}
