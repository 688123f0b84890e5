// What becomes of the game with a piece on a square, for the square map.

import type { Game, Probed, Side } from "../types";
import { capital, ending, movesOf } from "../words";

/** What is known of one square. */
export interface Outcome {
  kind: Side | "draw" | "unknown" | "impossible";
  /** Moves to the end or, without such tables, to the next capture or pawn move; with vitality,
      the points that the winner needs. */
  number: number | null;
  /** Whether only the fifty-move rule saves the loser. */
  isCursed: boolean;
  /** The game is over. */
  end: string | null;
  /** Why the square is impossible or unknown. */
  reason: string;
}

/** What the numbers of a map count. */
export type Measure = "end" | "zeroing" | "vitality";

export function outcomeOf(probed: Probed, measure: Measure): Outcome {
  const { error, category = "unknown", winner = null, end = null } = probed;
  const isCursed = category === "cursed-win" || category === "blessed-loss";
  const reason = error?.message ?? "";
  const none = { number: null, isCursed: false, end, reason };
  if (error?.kind === "illegal-position") return { kind: "impossible", ...none };
  if (category === "unknown" && !end) return { kind: "unknown", ...none };
  if (!winner) return { kind: "draw", ...none };
  return { kind: winner, number: numberOf(probed, winner, measure), isCursed, end, reason };
}

function numberOf(probed: Probed, winner: Side, measure: Measure): number | null {
  const { vitality, depth_plies, dtz_plies } = probed;
  if (measure === "vitality") return (winner === "white" ? vitality?.white_needs : vitality?.black_needs) ?? null;
  const plies = measure === "end" ? depth_plies : dtz_plies;
  return plies === null || plies === undefined ? null : movesOf(plies);
}

/** What the answers of a game can be measured by. */
export function measureOf(game: Game, probed: Probed[]): Measure {
  if (game.vitality !== null) return "vitality";
  // Without such tables the end is known of some positions alone.
  const isFar = ({ winner, depth_plies, dtz_plies }: Probed) => winner && depth_plies === null && dtz_plies !== null;
  return probed.some(isFar) ? "zeroing" : "end";
}

/** White's share of an outcome; null if it is not known. */
const worth = ({ kind, isCursed }: Outcome): number | null => {
  if (kind === "draw") return 0;
  const share = isCursed ? 1 : 2;
  return kind === "white" ? share : kind === "black" ? -share : null;
};

/** Whether the side to move matters, and whether it is a burden (mutual zugzwang). */
export function comparison(white: Outcome, black: Outcome): { differs: boolean; isZugzwang: boolean } {
  const [first, second] = [worth(white), worth(black)];
  if (first === null || second === null) return { differs: false, isZugzwang: false };
  return { differs: first !== second, isZugzwang: first < second };
}

/** Who wins a position, in a few words. */
export function verdictWords(probed: Probed): string {
  const { kind, isCursed } = outcomeOf(probed, "end");
  if (kind === "white" || kind === "black") return `${capital(kind)} ${isCursed ? "would win" : "wins"}`;
  return kind === "draw" ? "draw" : "not known";
}

/** An outcome in words. */
export function outcomeWords({ kind, number, isCursed, end, reason }: Outcome, measure: Measure): string {
  if (kind === "impossible") return `impossible: ${reason}`;
  if (kind === "unknown") return reason ? `not known: ${reason}` : "not known";
  if (end) return ending(end, kind === "draw" ? null : kind);
  if (kind === "draw") return "draw";
  const name = capital(kind);
  const would = isCursed ? `${name} would win but for the fifty-move rule` : `${name} wins`;
  if (number === null) return would;
  const moves = number === 1 ? "move" : "moves";
  const points = number === 1 ? "point" : "points";
  if (measure === "vitality") return `${would} with ${number} ${points} or more`;
  return measure === "end" ? `${would} in ${number} ${moves}` : `${would}; next capture or pawn move in ${number} ${moves}`;
}
