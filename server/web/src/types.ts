// Types of the server's answers. Names are those of its JSON.

export type Category =
  | "win"
  | "cursed-win"
  | "draw"
  | "blessed-loss"
  | "loss"
  | "unknown";

/** Each category as the other side sees it. */
export const OPPOSITE: Record<Category, Category> = {
  win: "loss",
  "cursed-win": "blessed-loss",
  draw: "draw",
  "blessed-loss": "cursed-win",
  loss: "win",
  unknown: "unknown",
};

export type Side = "white" | "black";

export interface GameOption {
  name: string;
  values: string[];
  default: string;
  value: string;
  about: string | null;
}

export interface Game {
  id: string;
  name: string;
  title: string;
  about: string | null;
  author: string | null;
  year: number | null;
  /** The address of the report on what is claimed about the game; null if there is none. */
  claims: string | null;
  /** The name that a definition is found by; null for other games. */
  file: string | null;
  is_built_in: boolean;
  files: number;
  ranks: number;
  pieces: string;
  piece_names: string[];
  /** The letter of the figure that each piece is drawn as; `.` if there is none. */
  figures: string;
  pawn_ranks: [[number, number], [number, number]];
  double_step_from_anywhere: boolean;
  royals_vary: boolean;
  has_pass: boolean;
  fifty_moves: boolean;
  /** The full counters: of both sides, or White's and Black's where they differ. */
  vitality: number | [number, number] | null;
  /** The fewest points that a side can have. */
  least_vitality: number | null;
  /** The number of checks that win; null in games that do not count them. */
  checks: number | null;
  array: string;
  /** Squares on which a king, or other pieces in games that are not built in, win. */
  hill: string[];
  options: GameOption[];
  tables: { material: string; metrics: string[] }[];
}

export interface Move {
  uci: string;
  san: string;
  category: Category;
  winner: Side | null;
  depth_plies: number | null;
  dtz_plies: number | null;
  end: string | null;
  white?: number;
  black?: number;
  /** The least vitality with which the mover wins by it, more than all for never. */
  needs?: number | null;
  vital?: boolean;
  zeroing?: boolean;
  fen: string;
}

export interface Vitality {
  white: number;
  black: number;
  thresholds: number[];
  white_needs: number;
  black_needs: number;
  white_mates: number | null;
  black_mates: number | null;
}

export interface Answer {
  fen: string;
  game: string;
  material: string;
  category: Category;
  clock?: number;
  category_at_clock_0?: Category | null;
  winner: Side | null;
  depth_plies: number | null;
  dtz_plies: number | null;
  vitality?: Vitality | null;
  win_by?: string | null;
  check: boolean;
  checks?: { white: boolean; black: boolean };
  checkmate: boolean;
  stalemate: boolean;
  royal?: { white: string[]; black: string[] };
  royal_attacked?: { white: string[]; black: string[] };
  dead?: boolean;
  high?: { side: Side; white_distance: number; black_distance: number };
  end: string | null;
  moves: Move[];
  error?: { kind: string; message: string };
}

/** What a batch says of a position: without an answer only the error is there. */
export type Probed = Partial<Omit<Answer, "moves">>;

/** What a search has found where no table has the answer. */
export interface Searched extends Omit<Answer, "moves"> {
  /** The play that the proof of a win rests on. */
  plies: Ply[];
}

export interface Ply {
  uci: string;
  san: string;
  fen: string;
  /** The end of the game by the move, and the winner; null for a draw. */
  end?: string | null;
  winner?: Side | null;
  /** Set if another move was worth more to the side that made this one. */
  slip?: Slip;
}

/** The result that a move throws away, and the one that it leaves. */
export interface Slip {
  before: Category;
  after: Category;
}

/** The moves that a link has, played by the rules. */
export interface Played {
  plies: Ply[];
  end: string | null;
  winner: Side | null;
}

/** A game read from PGN, as far as its moves are legal. */
export interface Recorded {
  tags: Record<string, string>;
  /** The position that it begins with; null if the record has none. */
  fen: string | null;
  plies: Ply[];
  end: string | null;
  winner: Side | null;
  /** What is wrong with the record, or with the first move that is not there. */
  error: string | null;
}

/** Best play from a position. */
export interface Line {
  plies: Ply[];
  line_end: string | null;
  winner: Side | null;
}

/** Numbers of positions by plies. */
export type Counts = Record<string, number>;

/** An ending of a game. */
export interface Ending {
  material: string;
  /** The metrics of its tables; none if there is no table. */
  metrics: string[];
  /** Null if there is no table, or if the positions have to be counted first. */
  counts: {
    positions: Record<Side, number>;
    win: Record<Side, number>;
    draw: Record<Side, number>;
    loss: Record<Side, number>;
    longest_win_plies: Record<Side, number | null>;
    mutual_zugzwang: number;
  } | null;
}

export interface Statistics {
  game: string;
  material: string;
  positions: Record<Side, number>;
  win: Record<Side, number>;
  draw: Record<Side, number>;
  loss: Record<Side, number>;
  cursed_win?: Record<Side, number | null>;
  blessed_loss?: Record<Side, number | null>;
  longest_win_plies: Record<Side, number | null>;
  longest_loss_plies: Record<Side, number | null>;
  /** By the plies to the end, and to the next capture, pawn move or mate. */
  histogram?: Record<Side, { win: Counts; loss: Counts }>;
  dtz_histogram?: Record<Side, { win: Counts; cursed_win: Counts; blessed_loss: Counts; loss: Counts }>;
  longest_fens: Record<Side, string[]>;
  win_by?: { mate: Record<Side, number>; exhaustion: Record<Side, number> };
  mutual_zugzwang: { positions: number; up_to_symmetry: number; full_point: number; fens: string[] };
}
