// Reads and writes FENs, and edits the pieces on squares. Letters are those of FENs: capitals
// are White's.

import type { Game, Side } from "../types";

export type Placement = Record<string, string>;

export interface Fields {
  placement: Placement;
  turn: "w" | "b";
  castling: string;
  ep: string;
  /** "W+B" in games that have counters: vitality, or the checks that each side still has to give. */
  vitality: string | null;
  halfmoves: string;
  fullmoves: string;
}

export const squareName = (file: number, rank: number) =>
  String.fromCharCode(97 + file) + (rank + 1);

/** White's and Black's full vitality; null in games without it. */
export function fullVitality({ vitality }: Game): [number, number] | null {
  return typeof vitality === "number" ? [vitality, vitality] : vitality;
}

/** White's and Black's full counters, whatever they count; null in games without any. */
export function fullCounters(game: Game): [number, number] | null {
  return game.checks === null ? fullVitality(game) : [game.checks, game.checks];
}

/** File and rank from 0. */
export function coordinates(square: string): [number, number] {
  return [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
}

/** The squares that the board of a game does not have: a FEN writes each as a star. */
export function holesOf(game: Game): Set<string> {
  const holes = new Set<string>();
  eachToken(game.array, (token, file, place) => {
    if (token === "*") holes.add(squareName(file, game.ranks - 1 - place));
  });
  return holes;
}

/** Goes through the letters and stars of a FEN, each with its file and its rank from the top. */
function eachToken(fen: string, act: (token: string, file: number, place: number) => void) {
  const [board = ""] = fen.split(" ");
  board.split("/").forEach((row, place) => {
    let file = 0;
    for (const [token] of row.matchAll(/\d+|[A-Za-z*]/g)) {
      const run = Number(token);
      if (Number.isNaN(run)) act(token, file, place);
      file += Number.isNaN(run) ? 1 : run;
    }
  });
}

/** Reads a FEN as far as it can; the server says what is wrong with it. */
export function readFen(fen: string, game: Game): Fields {
  const words = fen.replaceAll("_", " ").split(/\s+/).filter(Boolean);
  const [board = "", turn, castling = "-", ep = "-", ...rest] = words;
  let vitality: string | null = null;
  const full = fullCounters(game);
  if (full !== null) {
    const given = rest[0]?.includes("+") ? rest.shift() : undefined;
    vitality = given ?? full.join("+");
  }
  const placement: Placement = {};
  eachToken(board, (token, file, place) => {
    // What the game does not have cannot be drawn, and what is off the board neither.
    const isKnown = game.pieces.includes(token.toUpperCase());
    if (isKnown && file < game.files && place < game.ranks) {
      placement[squareName(file, game.ranks - 1 - place)] = token;
    }
  });
  return {
    placement,
    turn: turn === "b" ? "b" : "w",
    castling,
    ep,
    vitality,
    halfmoves: rest[0] ?? "0",
    fullmoves: rest[1] ?? "1",
  };
}

export function writeFen(fields: Fields, game: Game): string {
  const rows: string[] = [];
  const holes = holesOf(game);
  for (let rank = game.ranks - 1; rank >= 0; rank -= 1) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < game.files; file += 1) {
      const square = squareName(file, rank);
      const piece = holes.has(square) ? "*" : fields.placement[square];
      if (piece === undefined) {
        empty += 1;
      } else {
        row += (empty || "") + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  const { turn, castling, ep, vitality, halfmoves, fullmoves } = fields;
  const words = [rows.join("/"), turn, castling, ep, vitality, halfmoves, fullmoves];
  return words.filter((word) => word !== null).join(" ");
}

/** Who has a piece. */
export const sideOf = (letter: string): Side => (letter < "a" ? "white" : "black");

/** A piece in words. */
export function pieceName(game: Game, letter: string | undefined): string {
  if (!letter) return "empty";
  const name = game.piece_names[game.pieces.indexOf(letter.toUpperCase())] ?? letter;
  return `${sideOf(letter)} ${name}`;
}

/** The square of the piece that is looked at first: Black's first kind of piece, or else any. */
export function firstSubject({ placement }: Fields, game: Game): string {
  const letters = [...game.pieces.toLowerCase(), ...game.pieces];
  const squares = Object.keys(placement);
  return letters.flatMap((letter) => squares.filter((square) => placement[square] === letter))[0] ?? "";
}

/** The position after pieces were moved by hand: no right outlives that. */
export function rearranged(fields: Fields, placement: Placement): Fields {
  return { ...fields, placement, castling: "-", ep: "-" };
}

const swapCase = (piece: string) =>
  piece === piece.toUpperCase() ? piece.toLowerCase() : piece.toUpperCase();

function mapped(placement: Placement, map: (file: number, rank: number) => [number, number]) {
  const image: Placement = {};
  for (const [square, piece] of Object.entries(placement)) {
    const [file, rank] = coordinates(square);
    image[squareName(...map(file, rank))] = piece;
  }
  return image;
}

/** The position with left and right swapped. */
export const mirrored = (fields: Fields, game: Game) =>
  rearranged(fields, mapped(fields.placement, (file, rank) => [game.files - 1 - file, rank]));

/** The position with the colours swapped and the ranks mirrored; the other side moves. */
export function coloursSwapped(fields: Fields, game: Game): Fields {
  const placement = mapped(fields.placement, (file, rank) => [file, game.ranks - 1 - rank]);
  for (const square of Object.keys(placement)) {
    placement[square] = swapCase(placement[square] ?? "");
  }
  const full = fullCounters(game) ?? [];
  const points = fields.vitality?.split("+").reverse();
  // A side may have room for fewer points than the other.
  const kept = points?.map((number, side) => (Number(number) > (full[side] ?? 0) ? full[side] : number));
  const vitality = kept?.join("+") ?? null;
  return { ...rearranged(fields, placement), turn: fields.turn === "w" ? "b" : "w", vitality };
}

/** Squares that a pawn of the side not to move may just have passed over. */
export function passedOver(fields: Fields, game: Game): string[] {
  const pusher = fields.turn === "w" ? -1 : 1;
  const pawn = fields.turn === "w" ? "p" : "P";
  const home = game.pawn_ranks[fields.turn === "w" ? 1 : 0];
  // No double step begins there, even where one may begin anywhere else.
  const first = pusher > 0 ? 0 : game.ranks - 1;
  const start = fields.turn === "w" ? home[1] - 1 : home[0] - 1;
  const at = (file: number, rank: number) => fields.placement[squareName(file, rank)];
  const found: string[] = [];
  for (let file = 0; file < game.files; file += 1) {
    for (let rank = 1; rank < game.ranks - 1; rank += 1) {
      const from = rank - pusher;
      const to = at(file, rank + pusher);
      const isLast = rank + pusher === (pusher > 0 ? game.ranks - 1 : 0);
      const promoted = game.double_step_from_anywhere && isLast && /[bn]/i.test(to ?? "");
      const isPawn = to === pawn || (promoted && (to! < "a") === (pawn < "a"));
      const fits = game.double_step_from_anywhere ? from !== first : from === start;
      if (isPawn && fits && !at(file, rank) && !at(file, from)) {
        found.push(squareName(file, rank));
      }
    }
  }
  return found;
}

/**
 * A position in the same game with other options; null if the board or the pieces are not those.
 * Counters that were full stay full.
 */
export function carried(fen: string, from: Game, to: Game): string | null {
  if (from.name !== to.name || from.files !== to.files || from.ranks !== to.ranks) return null;
  const fields = readFen(fen, from);
  const isKnown = Object.values(fields.placement).every((piece) => to.pieces.includes(piece.toUpperCase()));
  if (!isKnown) return null;
  const [old, full] = [fullCounters(from), fullCounters(to)];
  if (full === null || full.join() === old?.join()) return fen;
  const points = (fields.vitality ?? "").split("+").map(Number);
  const kept = full.map((most, side) => {
    const number = points[side] ?? most;
    return number === old?.[side] ? most : Math.min(number, most);
  });
  return writeFen({ ...fields, vitality: kept.join("+") }, to);
}
