// The signs on squares: colours and numbers of the square map, of a piece's moves, and of check.

import type { SquareMap } from "../state/useSquareMap";
import type { Answer, Move } from "../types";
import { SIDES, distance, movesOf, onlyMove, tone, turnOf } from "../words";
import type { Sign } from "./BoardView";
import { comparison, type Outcome } from "./outcome";
import { sideOf, type Fields } from "./placement";
import { step } from "./uci";

/** The colour of an outcome without a number, and the range of those that have one, in percent. */
const STRENGTH = { plain: 75, nearest: 100, farthest: 36 };
/** The least difference between the nearest and the farthest outcome that has the whole range. */
const RANGE = 6;

/** The strength of an outcome's colour among those of one winner. */
function strengthOf({ number }: Outcome, numbers: number[]): number {
  if (number === null) return STRENGTH.plain;
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const share = (number - least) / Math.max(most - least, RANGE);
  return Math.round(STRENGTH.nearest - share * (STRENGTH.nearest - STRENGTH.farthest));
}

function textOf({ kind, number, end }: Outcome): string {
  if (kind === "impossible") return "";
  if (kind === "unknown") return "?";
  if (kind === "draw") return "=";
  return end ? "#" : String(number ?? "");
}

/** The square map: each square in the colour of its outcome, with a corner in that of the outcome
    if the other side is to move, where that is another one. */
export function mapSigns(map: SquareMap | null, fields: Fields, subject: string): Record<string, Sign> {
  const signs: Record<string, Sign> = {};
  if (map) {
    const { white, black } = map.outcomes;
    const [here, there] = fields.turn === "w" ? [white, black] : [black, white];
    const numbersOf = (wanted: Outcome["kind"]) =>
      Object.values(here).flatMap(({ kind, number }) => (kind === wanted && number !== null ? [number] : []));
    const numbers = { white: numbersOf("white"), black: numbersOf("black"), draw: [], unknown: [], impossible: [] };
    for (const [square, outcome] of Object.entries(here)) {
      const looks = [`is-${outcome.kind}`];
      const other = there[square];
      const { differs, isZugzwang } = comparison(white[square] ?? outcome, black[square] ?? outcome);
      if (differs && other) looks.push("corner", `corner-${other.isCursed ? "draw" : other.kind}`);
      if (isZugzwang) looks.push("zugzwang");
      if (outcome.isCursed) looks.push("cursed");
      signs[square] = { look: looks.join(" "), text: textOf(outcome), strength: strengthOf(outcome, numbers[outcome.kind]) };
    }
  }
  if (subject) {
    const sign = signs[subject];
    signs[subject] = { ...sign, look: `${sign?.look ?? ""} subject` };
  }
  return signs;
}

/** The distance of a move, or what it needs, without words; null if it takes some. */
function numberOf({ category, end, depth_plies, needs }: Move, most?: number): string | null {
  if (category === "draw") return "=";
  if (end) return "#";
  if (most !== undefined && needs != null) return needs > most ? "–" : String(needs);
  return depth_plies === null ? null : String(movesOf(depth_plies));
}

/** The squares that the piece on a square may go to, by what that does to the one who moves. */
export function targetSigns(moves: Move[], from: string, most?: number): Record<string, Sign> {
  const only = onlyMove(moves);
  const signs: Record<string, Sign> = {};
  for (const move of moves) {
    const found = step(move.uci);
    // Of several moves to a square the best comes first.
    if (found?.from !== from || signs[found.to]) continue;
    const looks = ["target", tone(move.category)];
    if (move === only) looks.push("only");
    const number = numberOf(move, most);
    if (number === null) looks.push("wordy");
    signs[found.to] = { look: looks.join(" "), text: number ?? distance(move) };
  }
  return signs;
}

/** The squares that a piece may go to, without a word on what that does. */
export function plainTargetSigns(moves: Move[], from: string): Record<string, Sign> {
  const steps = moves.map(({ uci }) => step(uci)).filter((found) => found?.from === from);
  return Object.fromEntries(steps.map((found) => [found?.to, { look: "target plain" }]));
}

/** Royal pieces in check. */
export function playSigns(answer: Answer | null, { placement }: Fields): Record<string, Sign> {
  if (!answer) return {};
  const turn = turnOf(answer.fen);
  const attacked = SIDES.flatMap((side) => {
    if (answer.royal_attacked) return answer.royal_attacked[side];
    const isAttacked = answer.checks ? answer.checks[side] : answer.check && side === turn;
    const isKing = ([, letter]: [string, string]) => letter.toUpperCase() === "K" && sideOf(letter) === side;
    return isAttacked ? Object.entries(placement).filter(isKing).map(([square]) => square) : [];
  });
  return Object.fromEntries(attacked.map((square) => [square, { look: "check" }]));
}
