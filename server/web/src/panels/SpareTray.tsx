// The tray of spare pieces to put on the board while editing.

import { useRef, type TouchEvent } from "react";
import { SparePiece } from "react-chessboard";
import type { Game, Side } from "../types";
import { code } from "../board/pieces";
import { useBare } from "../board/useBare";

interface Props {
  game: Game;
  side: Side;
  brush: string | null;
  onBrush(letter: string | null): void;
}

/** The pixels that a finger may move while it taps: further, it drags. */
const STILL = 4;

export function SpareTray({ game, side, brush, onBrush }: Props) {
  // What can be dragged makes no clicks of taps.
  const touched = useRef<{ x: number; y: number } | null>(null);
  const pointOf = ({ changedTouches }: TouchEvent) => {
    const finger = changedTouches[0];
    return { x: finger?.clientX ?? 0, y: finger?.clientY ?? 0 };
  };
  const follow = (event: TouchEvent) => {
    const [from, to] = [touched.current, pointOf(event)];
    if (from && Math.hypot(to.x - from.x, to.y - from.y) > STILL) touched.current = null;
  };
  return (
    <div ref={useBare<HTMLDivElement>()} className="tray" role="group" aria-label={`Spare pieces of ${side === "white" ? "White" : "Black"}`}>
      {[...game.pieces].map((letter, place) => {
        const piece = side === "white" ? letter : letter.toLowerCase();
        const choose = () => onBrush(brush === piece ? null : piece);
        return (
          <button
            key={piece}
            type="button"
            className="spare"
            aria-pressed={brush === piece}
            aria-label={`${side} ${game.piece_names[place]}`}
            title={`${side} ${game.piece_names[place]}: drag it, or choose it and click squares`}
            onClick={choose}
            onTouchStart={(event) => {
              touched.current = pointOf(event);
            }}
            onTouchMove={follow}
            onTouchEnd={(event) => {
              if (!touched.current) return;
              event.preventDefault();
              choose();
            }}
            onTouchCancel={() => {
              touched.current = null;
            }}
          >
            <SparePiece pieceType={code(piece)} />
          </button>
        );
      })}
    </div>
  );
}
