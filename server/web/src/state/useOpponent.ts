// The tables play one side.

import { useEffect } from "react";
import type { Side } from "../types";
import type { Explorer } from "./useExplorer";

/** Long enough to see the move before. */
const PAUSE = 500;

export function useOpponent(explorer: Explorer, side: Side | null) {
  const { answer, play, undone } = explorer;
  const best = answer?.moves[0];
  const turn = answer && / b /.test(answer.fen) ? "black" : "white";
  // Who takes back a move wants to look, not to be answered at once.
  const isTurn = side !== null && turn === side && undone.length === 0;
  useEffect(() => {
    if (!isTurn || !best || best.category === "unknown") return;
    const timer = setTimeout(() => play(best), PAUSE);
    return () => clearTimeout(timer);
  }, [isTurn, best, play]);
}
