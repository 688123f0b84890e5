// The board: pieces, arrows, dragging, and the same by keyboard.

import { useEffect, useMemo, useState, type CSSProperties, type FocusEvent, type KeyboardEvent } from "react";
import { Chessboard, type ChessboardOptions } from "react-chessboard";
import type { Game } from "../types";
import { code, letterOf, renderers } from "./pieces";
import { coordinates, squareName, type Placement } from "./placement";
import type { Step } from "./uci";
import { useBare } from "./useBare";

interface Props {
  game: Game;
  /** The position; what was chosen in another one is not chosen any more. */
  fen: string;
  placement: Placement;
  flipped: boolean;
  editing: boolean;
  arrow: Step | null;
  /** Squares to mark, by the name of the mark. */
  marks: Record<string, string[]>;
  /** The squares that the piece on a square may go to; empty if it may not move. */
  targets(square: string): string[];
  /** Called when a piece was moved by hand, or, with null, off the board. */
  onMove(from: string, to: string | null): void;
  /** Called when a spare piece was put on the board. */
  onPut(letter: string, to: string): void;
  /** Called with a square that was clicked while editing. */
  onBrush(square: string): void;
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

const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The options of the board; spare pieces need them, too. */
export function useBoard(props: Props) {
  const { game, placement, editing, arrow, marks, targets, flipped } = props;
  // Where keys act: a square that was clicked, too. It is framed once keys have moved it.
  const [at, setAt] = useState("a1");
  const [isFramed, setFramed] = useState(false);
  useEffect(() => setAt("a1"), [game.id, editing]);
  const cursor = isFramed ? at : null;
  const [chosen, setChosen] = useLasting<string>(`${game.id} ${editing} ${props.fen}`);
  const position = useMemo(() => {
    const entries = Object.entries(placement);
    return Object.fromEntries(entries.map(([s, letter]) => [s, { pieceType: code(letter) }]));
  }, [placement]);

  const activate = (square: string) => {
    if (editing) return props.onBrush(square);
    if (chosen && targets(chosen).includes(square)) {
      setChosen(null);
      props.onMove(chosen, square);
    } else {
      setChosen(chosen !== square && targets(square).length > 0 ? square : null);
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
  if (chosen) {
    add(chosen, "inset 0 0 0 100px var(--mark-chosen)");
    for (const square of targets(chosen)) add(square, "inset 0 0 0 7px var(--mark-target)");
  }
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
    squareStyles: styles,
    darkSquareStyle: { backgroundColor: `var(--${dark}-square)` },
    lightSquareStyle: { backgroundColor: `var(--${light}-square)` },
    dropSquareStyle: { boxShadow: "inset 0 0 0 5px var(--focus)" },
    darkSquareNotationStyle: { color: `var(--on-${dark}-square)` },
    lightSquareNotationStyle: { color: `var(--on-${light}-square)` },
    alphaNotationStyle: { fontSize: "0.75rem", position: "absolute", bottom: 1, right: 3, userSelect: "none" },
    numericNotationStyle: { fontSize: "0.75rem", position: "absolute", top: 1, left: 3, userSelect: "none" },
    boardStyle: { borderRadius: 6, overflow: "hidden" },
    arrows: arrow ? [{ startSquare: arrow.from, endSquare: arrow.to, color: "var(--arrow)" }] : [],
    allowDrawingArrows: false,
    allowDragOffBoard: editing,
    allowDragging: true,
    dragActivationDistance: 4,
    showAnimations: !reduced(),
    animationDurationInMs: 180,
    canDragPiece: ({ isSparePiece, square }) =>
      isSparePiece || editing || (square !== null && targets(square).length > 0),
    onPieceDrag: ({ square }) => setChosen(editing ? null : square),
    onPieceDrop: ({ piece, sourceSquare, targetSquare }) => {
      setChosen(null);
      if (targetSquare) setAt(targetSquare);
      if (piece.isSparePiece) {
        if (targetSquare) props.onPut(letterOf(piece.pieceType), targetSquare);
        return targetSquare !== null;
      }
      if (targetSquare === sourceSquare) return false;
      if (!editing && (!targetSquare || !targets(sourceSquare).includes(targetSquare))) return false;
      props.onMove(sourceSquare, targetSquare);
      return true;
    },
    onSquareClick: ({ square }) => {
      setAt(square);
      setFramed(false);
      activate(square);
    },
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
    spoken: cursor ? `${cursor}: ${props.describe(cursor)}${chosen === cursor ? ", chosen" : ""}` : "",
  };
}

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The board itself, within a `ChessboardProvider`. */
export function BoardView({ board, game, editing }: { board: ReturnType<typeof useBoard>; game: Game; editing: boolean }) {
  const help = editing
    ? "Arrow keys go from square to square; a letter of a piece puts it there, a capital for White; Delete takes it off."
    : "Arrow keys go from square to square; Enter takes a piece, and Enter again puts it down.";
  return (
    <div
      ref={useBare<HTMLDivElement>()}
      className="board-frame"
      role="application"
      aria-label={`Board of ${game.files} by ${game.ranks}. ${help}`}
      tabIndex={0}
      style={{ aspectRatio: `${game.files} / ${game.ranks}` }}
      {...board.frame}
    >
      <Chessboard />
      <p className="hidden" aria-live="assertive">
        {board.spoken}
      </p>
    </div>
  );
}
