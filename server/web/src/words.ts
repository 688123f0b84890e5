// Puts verdicts on positions and moves into words.

import type { Problem } from "./api";
import type { Answer, Category, Move, Side } from "./types";

export const SIDES = ["white", "black"] as const;

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const plies = (count: number) => counted(count, "ply", "plies");

/** The groups of the move list, the best first. Unknown moves are no one's gain. */
export const GROUPS: [Category, string][] = [
  ["win", "Winning"],
  ["cursed-win", "Cursed wins"],
  ["unknown", "Unknown"],
  ["draw", "Drawing"],
  ["blessed-loss", "Blessed losses"],
  ["loss", "Losing"],
];

const ENDS: Record<string, string> = {
  checkmate: "checkmate",
  stalemate: "stalemate",
  exhaustion: "exhaustion",
  blocked: "no move left",
  extinction: "extinction",
  bare: "bare king",
  checks: "last check given",
  explosion: "king exploded",
  hill: "king on the hill",
  "king-capture": "king captured",
  "king-capture-draw": "king captured in check: a draw",
  "king-capture-loss": "king captured in check: a loss",
  repetition: "the position has occurred three times",
  fifty: "fifty moves without a capture or pawn move",
  dead: "neither side can mate",
};

export const endWords = (end: string) => ENDS[end] ?? end;

/** Ends that the position shows by itself. After others it may look as if the game went on. */
const VISIBLE = ["checkmate", "stalemate", "blocked", "hill"];

export const isVisible = (end: string) => VISIBLE.includes(end);

/** The end of a game in words. */
export function ending(end: string, winner: Side | null): string {
  const won = winner ? `: ${capital(winner)} has won` : ": a draw";
  return capital(endWords(end)) + (end.endsWith("-draw") ? "" : won);
}

/** The reason why there is no answer, for people at a board, not for programs. */
export function problemWords(problem: Problem): string {
  if (problem.kind === "limit") return "Too many questions were asked in a short time.";
  if (problem.kind === "offline") return "The server does not answer.";
  return `${capital(problem.message)}.`;
}

/** Moves of one side within so many plies. */
export const movesOf = (plies: number) => Math.ceil(plies / 2);

export const moveCount = (count: number) => counted(count, "move", "moves");

const moves = (plies: number) => moveCount(movesOf(plies));

/** The side to move of a FEN. */
export const turnOf = (fen: string): Side => (/ b /.test(fen) ? "black" : "white");

export const otherSide = (side: Side): Side => (side === "white" ? "black" : "white");

/** Moves in the notation of games, numbered from a position on. */
export function numbered(start: string, place: number): string {
  const black = turnOf(start) === "black" ? 1 : 0;
  const first = Number(start.trim().split(/\s+/).at(-1)) || 1;
  const ply = place + black;
  if (ply % 2 === 0) return `${first + ply / 2}. `;
  return place === 0 ? `${first}… ` : "";
}

/** A move as people write it. */
export const sanWords = (san: string) => (san === "--" ? "pass" : san);

/** One sentence about a position. */
export function verdict(answer: Omit<Answer, "moves">): string {
  if (answer.end) return ending(answer.end, answer.winner);
  if (answer.category === "unknown") return "Not known";
  if (answer.category === "draw") return answer.dead ? "Draw: neither side can mate" : "Draw";
  const winner = capital(answer.winner ?? turnOf(answer.fen));
  const cursed = answer.category === "cursed-win" || answer.category === "blessed-loss";
  const by = answer.win_by ? ` by ${answer.win_by}` : "";
  const depth = answer.depth_plies;
  const within = depth === null ? "" : ` in ${moves(depth)} (${plies(depth)})`;
  return cursed
    ? `${winner} would win${within}, but for the fifty-move rule`
    : `${winner} wins${by}${within}`;
}

/** The vitality that a move needs, of the most that the mover can have. */
const needsWords = (needs: number, most: number) => (needs > most ? "never wins" : `needs ${needs}`);

/** The distance of a move or, with vitality, what it needs of the most that the mover can have. */
export function distance(move: Move, most?: number): string {
  if (move.end) return endWords(move.end);
  if (most !== undefined && move.needs != null) return needsWords(move.needs, most);
  if (move.white !== undefined) return `${move.white}+${move.black}`;
  if (move.depth_plies !== null) return moves(move.depth_plies);
  return move.dtz_plies === null ? "" : `DTZ ${move.dtz_plies}`;
}

/** The move that alone keeps what the position is worth; null if there are others, or none. */
export function onlyMove(moves: Move[]): Move | null {
  const [best, next] = moves;
  const isKnown = moves.every((move) => move.category !== "unknown");
  return best && next && isKnown && best.category !== next.category ? best : null;
}

/** What a move is worth to the side that makes it, for styles. */
export const tone = (category: Category) => `tone-${category}`;

/** Who wins, for styles: the colour of a side is the same wherever it wins. */
export const sideTone = (winner: Side | null) => (winner ? `tone-${winner}` : "tone-draw");
