// Pieces to put on the board.

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

export function SpareTray({ game, side, brush, onBrush }: Props) {
  return (
    <div ref={useBare<HTMLDivElement>()} className="tray" role="group" aria-label={`Spare pieces of ${side === "white" ? "White" : "Black"}`}>
      {[...game.pieces].map((letter, place) => {
        const piece = side === "white" ? letter : letter.toLowerCase();
        return (
          <button
            key={piece}
            type="button"
            className="spare"
            aria-pressed={brush === piece}
            aria-label={`${side} ${game.piece_names[place]}`}
            title={`${side} ${game.piece_names[place]}: drag it, or choose it and click squares`}
            onClick={() => onBrush(brush === piece ? null : piece)}
          >
            <SparePiece pieceType={code(piece)} />
          </button>
        );
      })}
    </div>
  );
}
