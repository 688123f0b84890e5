// Lets the tables play one side.

import { useEffect } from "react";
import type { Side } from "../types";
import { turnOf } from "../words";
import type { Explorer } from "./useExplorer";

/** Long enough to see the move before. */
const PAUSE = 500;

export function useOpponent(explorer: Explorer, side: Side | null) {
  const { answer, best, play, undone } = explorer;
  // Whoever takes back a move wants to look, not to be answered at once.
  const isTurn = answer !== null && turnOf(answer.fen) === side && undone.length === 0;
  useEffect(() => {
    if (!isTurn || !best) return;
    const timer = setTimeout(() => play(best), PAUSE);
    return () => clearTimeout(timer);
  }, [isTurn, best, play]);
}
