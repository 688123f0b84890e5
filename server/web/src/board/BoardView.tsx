// The board: pieces, arrows, dragging, and the same by keyboard.

import {
  useEffect,
  useMemo,
  useState,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { Chessboard, type ChessboardOptions } from "react-chessboard";
import type { Mode } from "../state/useExplorer";
import type { Game } from "../types";
import { code, letterOf, renderers } from "./pieces";
import { coordinates, holesOf, squareName, type Placement } from "./placement";
import type { Step } from "./uci";
import { useBare } from "./useBare";

/** What a square says by its colour, and by a few characters. */
export interface Sign {
  /** Classes of `styles/board.css`. */
  look: string;
  text?: string;
  /** How strong the colour is, in percent. */
  strength?: number;
}

interface Props {
  game: Game;
  /** The position; what was chosen in another one is not chosen any more. */
  fen: string;
  placement: Placement;
  flipped: boolean;
  mode: Mode;
  arrow: Step | null;
  /** Squares to mark, by the name of the mark. */
  marks: Record<string, string[]>;
  signs: Record<string, Sign>;
  /** The squares that the piece on a square may go to, and what that does; none if it may not move. */
  targets(square: string): Record<string, Sign>;
  /** Called when a piece was moved by hand, or, with null, off the board. */
  onMove(from: string, to: string | null): void;
  /** Called when a spare piece was put on the board. */
  onPut(letter: string, to: string): void;
  /** Called with a square that was clicked, unless that is about a move. */
  onSquare(square: string): void;
  /** Called with the square below the pointer, or null. */
  onPoint(square: string | null): void;
  describe(square: string): string;
}

/** A state that lasts as long as what it belongs to. */
export function useLasting<T>(key: string) {
  const [held, setHeld] = useState<{ key: string; value: T | null }>({ key, value: null });
  // Gone for good: whoever comes back finds nothing chosen.
  if (held.key !== key) setHeld({ key, value: null });
  const set = (value: T | null) => setHeld({ key, value });
  return [held.key === key ? held.value : null, set] as const;
}

/** Whether pieces go where the rules let them. */
export const isPlaying = (mode: Mode) => mode === "play" || mode === "practice";

const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The options of the board; spare pieces need them, too. */
export function useBoard(props: Props) {
  const { game, placement, mode, arrow, marks, targets, flipped } = props;
  const editing = mode === "edit";
  const mapping = mode === "map";
  // Where keys act: a square that was clicked, too. It is framed once keys have moved it.
  const [at, setAt] = useState("a1");
  const [isFramed, setFramed] = useState(false);
  useEffect(() => setAt("a1"), [game.id, mode]);
  const cursor = isFramed ? at : null;
  const [chosen, setChosen] = useLasting<string>(`${game.id} ${mode} ${props.fen}`);
  const position = useMemo(() => {
    const entries = Object.entries(placement);
    return Object.fromEntries(entries.map(([s, letter]) => [s, { pieceType: code(letter) }]));
  }, [placement]);

  const canMove = (square: string) => Object.keys(targets(square)).length > 0;
  const holes = useMemo(() => holesOf(game), [game]);
  const activate = (square: string) => {
    if (holes.has(square)) return;
    if (!isPlaying(mode)) return props.onSquare(square);
    if (chosen && square in targets(chosen)) {
      setChosen(null);
      props.onMove(chosen, square);
    } else {
      setChosen(chosen !== square && canMove(square) ? square : null);
    }
  };

  const styles: Record<string, CSSProperties> = {};
  const add = (square: string, shadow: string) => {
    const before = styles[square]?.boxShadow;
    styles[square] = { boxShadow: before ? `${shadow}, ${before}` : shadow };
  };
  for (const [mark, squares] of Object.entries(marks)) {
    for (const square of squares) add(square, `inset 0 0 0 4px var(--mark-${mark})`);
  }
  for (const hole of holes) styles[hole] = { boxShadow: "inset 0 0 0 100px var(--paper)" };
  if (chosen) {
    add(chosen, "inset 0 0 0 100px var(--mark-chosen)");
  }
  const signs = chosen ? { ...props.signs, ...targets(chosen) } : props.signs;
  if (cursor) add(cursor, "inset 0 0 0 5px var(--focus), inset 0 0 0 7px #fff");

  const pieces = useMemo(() => renderers(game), [game]);

  // The component has a light square in the top left corner; a1 is to be dark on every board.
  const [light, dark] = game.ranks % 2 === 0 ? ["light", "dark"] : ["dark", "light"];
  const options: ChessboardOptions = {
    id: "board",
    pieces,
    position,
    chessboardRows: game.ranks,
    chessboardColumns: game.files,
    boardOrientation: flipped ? "black" : "white",
    squareRenderer: ({ square, children }) => (
      <Square style={styles[square]} sign={signs[square]} isFree={!placement[square]}>
        {children}
      </Square>
    ),
    // What the map colours has no colours of its own.
    darkSquareStyle: { backgroundColor: `var(--${dark}-${mapping ? "plain" : "square"})` },
    lightSquareStyle: { backgroundColor: `var(--${light}-${mapping ? "plain" : "square"})` },
    dropSquareStyle: { boxShadow: "inset 0 0 0 5px var(--focus)" },
    darkSquareNotationStyle: { color: mapping ? "var(--on-plain)" : `var(--on-${dark}-square)` },
    lightSquareNotationStyle: { color: mapping ? "var(--on-plain)" : `var(--on-${light}-square)` },
    alphaNotationStyle: { fontSize: "0.75rem", position: "absolute", bottom: 1, right: 3, zIndex: 1, userSelect: "none" },
    numericNotationStyle: { fontSize: "0.75rem", position: "absolute", top: 1, left: 3, zIndex: 1, userSelect: "none" },
    boardStyle: { borderRadius: 6, overflow: "hidden" },
    arrows: arrow ? [{ startSquare: arrow.from, endSquare: arrow.to, color: "var(--arrow)" }] : [],
    allowDrawingArrows: false,
    allowDragOffBoard: editing,
    allowDragging: true,
    dragActivationDistance: 4,
    showAnimations: !reduced(),
    animationDurationInMs: 180,
    canDragPiece: ({ isSparePiece, square }) =>
      isSparePiece || !isPlaying(mode) || (square !== null && canMove(square)),
    onPieceDrag: ({ square }) => setChosen(isPlaying(mode) ? square : null),
    onPieceDrop: ({ piece, sourceSquare, targetSquare }) => {
      setChosen(null);
      if (targetSquare) setAt(targetSquare);
      if (piece.isSparePiece) {
        if (targetSquare) props.onPut(letterOf(piece.pieceType), targetSquare);
        return targetSquare !== null;
      }
      if (targetSquare === sourceSquare) return false;
      if (mapping && (!targetSquare || placement[targetSquare])) return false;
      if (isPlaying(mode) && (!targetSquare || !(targetSquare in targets(sourceSquare)))) return false;
      props.onMove(sourceSquare, targetSquare);
      return true;
    },
    onSquareClick: ({ square }) => {
      setAt(square);
      setFramed(false);
      activate(square);
    },
    onMouseOverSquare: ({ square }) => props.onPoint(square),
    onMouseOutSquare: () => props.onPoint(null),
    onSquareRightClick: ({ square }) => editing && props.onMove(square, null),
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const towards = DIRECTIONS[event.key];
    // After a click these two still go through the game.
    if (!isFramed && (event.key === "ArrowLeft" || event.key === "ArrowRight")) return;
    if (towards) {
      const [file, rank] = coordinates(at);
      const sign = flipped ? -1 : 1;
      const next: [number, number] = [file + towards[0] * sign, rank + towards[1] * sign];
      const within = next[0] >= 0 && next[0] < game.files && next[1] >= 0 && next[1] < game.ranks;
      if (isFramed && within) setAt(squareName(...next));
    } else if (event.key === "Enter") {
      activate(at);
    } else if (event.key === "Escape") {
      setChosen(null);
    } else if (editing && (event.key === "Delete" || event.key === "Backspace")) {
      props.onMove(at, null);
    } else if (editing && game.pieces.includes(event.key.toUpperCase())) {
      props.onPut(event.key, at);
    } else {
      return;
    }
    setFramed(true);
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    options,
    frame: {
      onKeyDown,
      onFocus: (event: FocusEvent) => setFramed(event.currentTarget.matches(":focus-visible")),
      onBlur: () => setFramed(false),
    },
    cursor,
    spoken: cursor ? `${cursor}: ${props.describe(cursor)}${chosen === cursor ? ", chosen" : ""}` : "",
  };
}

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The inside of a square: its piece, on the sign and below the characters of it. */
function Square({ style, sign, isFree, children }: { style?: CSSProperties; sign?: Sign; isFree: boolean; children?: ReactNode }) {
  const strength = sign?.strength === undefined ? null : { "--strength": `${sign.strength}%` };
  return (
    <div className={`square ${isFree ? "" : "occupied"} ${sign?.look ?? ""}`} style={{ ...strength, ...style } as CSSProperties}>
      {children}
      {sign?.text && <span className={isFree ? "number" : "number beside"}>{sign.text}</span>}
    </div>
  );
}

const HELP: Record<Mode, string> = {
  play: "Enter takes a piece, and Enter again puts it down.",
  practice: "Enter takes a piece, and Enter again puts it down.",
  edit: "A letter of a piece puts it there, a capital for White; Delete takes it off.",
  map: "Each square says what happens with the chosen piece there; Enter puts it there, or chooses another piece.",
};

/** The board itself, within a `ChessboardProvider`. */
export function BoardView({ board, game, mode }: { board: ReturnType<typeof useBoard>; game: Game; mode: Mode }) {
  const help = `Arrow keys go from square to square. ${HELP[mode]}`;
  return (
    <div
      ref={useBare<HTMLDivElement>()}
      className="board-frame"
      role="application"
      aria-label={`Board of ${game.files} by ${game.ranks}. ${help}`}
      tabIndex={0}
      style={{ aspectRatio: `${game.files} / ${game.ranks}`, "--files": game.files } as CSSProperties}
      {...board.frame}
    >
      <Chessboard />
      <p className="hidden" aria-live="assertive">
        {board.spoken}
      </p>
    </div>
  );
}
