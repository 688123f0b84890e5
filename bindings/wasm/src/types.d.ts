
/** The result for the side to move. */
export type Category =
  "win" | "cursed-win" | "draw" | "blessed-loss" | "loss" | "unknown";

export type Side = "white" | "black";

/** The parts wanted beside the value of a position. */
export interface ProbeOptions {
  /** The legal moves, best first. */
  moves?: boolean;
  /** Best play to the end. */
  line?: boolean;
  /**
   * Moves that were played from the FEN, in UCI's long form and separated by commas. The answer is
   * about the position after them, and knows the game so far: the third occurrence of a position is
   * a draw in games with the fifty-move rule.
   */
  played?: string;
}

/** The wishes for a random position. */
export interface RandomOptions {
  /** The side to move. */
  side?: Side;
  /** The result for the side to move. */
  category?: Exclude<Category, "unknown">;
  /** The plies to the end of the game. */
  depth_plies?: number;
  /** The plies to the next capture, pawn move or mate, instead of those to the end. */
  dtz_plies?: number;
  /** Whether the winner is to have just the vitality that it needs, in games with vitality. */
  edge?: boolean;
}

/** The answer about a position. Fields that a game does not have are left out. */
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
  win_by?: "mate" | "exhaustion" | null;
  check: boolean;
  checks?: Record<Side, boolean>;
  double_check?: boolean;
  checkmate: boolean;
  stalemate: boolean;
  royal?: Record<Side, string[]>;
  royal_attacked?: Record<Side, string[]>;
  dead?: boolean;
  helpmate?: Record<Side, boolean> | null;
  high?: { side: Side; white_distance: number; black_distance: number };
  end: string | null;
  moves?: Move[];
  line?: string[] | null;
  line_end?: string | null;
  /** The reason why the category is unknown. */
  error?: Fault;
}

/** The counters of vitality, and what each side needs. */
export interface Vitality {
  white: number;
  black: number;
  thresholds: number[];
  white_needs: number;
  black_needs: number;
  white_mates: number | null;
  black_mates: number | null;
}

/** A legal move, from the view of the side that makes it; distances from the position after it. */
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
  /** The least vitality with which the mover wins by it; one more than all points for never. */
  needs?: number | null;
  vital?: boolean;
  zeroing?: boolean;
  double_check?: boolean;
  royal_after?: Record<Side, string[]>;
}

/** Best play: no moves for a draw. */
export interface Line {
  moves: string[];
  end: string | null;
}

/** The values of many positions, in the order in which they were given. */
export interface Batch {
  /** The results, as by `probeWdl`; -128 where it is not known. */
  wdl: Int8Array;
  /** The depths, as by `probeDtm`; -32768 where it is not known. Null in games without it. */
  dtm: Int16Array | null;
  /** The plies, as by `probeDtz`; -32768 where it is not known. Null in games without it. */
  dtz: Int16Array | null;
  /** The reasons why positions have no value, by their places. */
  errors: Map<number, Error & Fault>;
}

/** A recorded game, as far as its moves are legal. */
export interface RecordedGame {
  tags: Record<string, string>;
  /** The position that the game begins with; null if the record has none. */
  fen: string | null;
  /** The moves, each with the position after it. */
  plies: { uci: string; san: string; fen: string }[];
  /** The end of the game by the rules, and the winner. */
  end: string | null;
  winner: Side | null;
  /** The fault of the record, or of the first move that is not among `plies`. */
  error: string | null;
}

/** A game with all that it takes to show a board of it. */
export interface Rules {
  id: string;
  name: string;
  title: string;
  about: string | null;
  author: string | null;
  year: number | null;
  is_built_in: boolean;
  board: string;
  files: number;
  ranks: number;
  pieces: string;
  piece_names: string[];
  /** The letters by which the pieces may be drawn; `.` if there is none. */
  figures: string;
  promotions: string;
  /** The first and the last rank of White's pawns, then of Black's. */
  pawn_ranks: [[number, number], [number, number]];
  double_step_from_anywhere: boolean;
  royals_vary: boolean;
  /** The fewest and the most kings of a side; null for any number. */
  kings: [number | null, number | null];
  has_pass: boolean;
  fifty_moves: boolean;
  /** The full counters: of both sides, or White's and Black's where they differ. */
  vitality: number | [number, number] | null;
  least_vitality: number | null;
  /** The number of checks that win; null in games that do not count them. */
  checks: number | null;
  /** Squares on which a king, or other pieces in games that are not built in, win. */
  hill: string[];
  array: string;
  metrics: string[];
  options: { name: string; values: string[]; default: string; value: string; about: string | null }[];
}

/** A table that has been added. */
export interface TableInfo {
  game: string;
  material: string;
  metric: string;
}

/** A game that there can be tables of. */
export interface Game {
  id: string;
  board: string;
  pieces: string;
  metrics: string[];
  options: { name: string; values: string[]; default: string }[];
}

export type FaultKind =
  | "bad-fen"
  | "illegal-position"
  | "missing-table"
  | "corrupt-table"
  | "unsupported"
  | "out-of-memory"
  | "usage";

/** The reason why a position has no answer. */
export interface Fault {
  kind: FaultKind;
  message: string;
  /** The place in the FEN, in bytes of UTF-8. */
  offset: number | null;
}
