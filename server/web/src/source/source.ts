// A source of answers: a server, or files beside the page.

import type { Answer, Category, Ending, Game, Played, Ply, Probed, Recorded, Searched, Side, Statistics } from "../types";

/** The wishes for a random position. */
export interface Wish {
  material: string;
  /** The category for the side to move. */
  category?: Category;
  /** The side to move. */
  side?: Side;
  /** The plies to the end of the game. */
  depth_plies?: number;
  /** The plies to the next capture, pawn move or mate. */
  dtz_plies?: number;
  /** Whether the winner is to have just the vitality that it needs. */
  edge?: boolean;
}

/** The moves of a game or a line; the last one knows whether it has ended the game. */
export const told = ({ plies, end, winner }: Played): Ply[] =>
  plies.map((ply, place) => (place === plies.length - 1 ? { ...ply, end, winner } : ply));

/** The address of a file, or a way to make its text. */
export type File = string | (() => Promise<string>);

/** A source of answers. Where there is none, the promise fails with a `Problem`. */
export interface Source {
  /** The number of tables that there are. */
  tables(signal?: AbortSignal): Promise<number>;
  games(signal?: AbortSignal): Promise<Game[]>;
  game(id: string, signal?: AbortSignal): Promise<Game>;
  /** The endings of a game, with what their tables say in numbers. */
  endings(id: string, signal?: AbortSignal): Promise<Ending[]>;
  statistics(id: string, material: string, signal?: AbortSignal): Promise<Statistics>;
  /** Asks about a position; `played` are the moves from `fen` to it. */
  probe(id: string, fen: string, played: string, signal?: AbortSignal): Promise<Answer>;
  /** Asks about many positions at once; the answers are in their order. */
  batch(id: string, fens: string[], signal?: AbortSignal): Promise<Probed[]>;
  /** Plays moves by the rules alone. */
  play(id: string, fen: string, moves: string, signal?: AbortSignal): Promise<Played>;
  /** Best play from a position to the end; empty where that is a draw, or no table tells. */
  line(id: string, fen: string, signal?: AbortSignal): Promise<Ply[]>;
  /** Searches for a proof where no table has the answer, until it is aborted; null if that cannot
      be done. */
  search: ((id: string, fen: string, signal: AbortSignal) => Promise<Searched>) | null;
  /** Finds a random position. */
  random(id: string, wish: Wish, signal?: AbortSignal): Promise<Answer>;
  /** A game and a best line as PGN. */
  pgn: {
    played(id: string, fen: string, moves: string): File;
    line(id: string, fen: string): File;
  };
  /** Reads the games of a PGN text. */
  read(id: string, pgn: string, signal?: AbortSignal): Promise<Recorded[]>;
}
