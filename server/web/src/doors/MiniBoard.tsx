// A small board with a position, to look at.

import type { CSSProperties } from "react";
import { Piece } from "../board/pieces";
import { coordinates, readFen } from "../board/placement";
import { spokenWords } from "../panels/Spoken";
import type { Game } from "../types";

export function MiniBoard({ game, fen }: { game: Game; fen: string }) {
  const fields = readFen(fen, game);
  return (
    <span
      className="mini"
      role="img"
      aria-label={spokenWords(game, fields)}
      style={{ "--files": game.files, "--ranks": game.ranks } as CSSProperties}
    >
      {Object.entries(fields.placement).map(([square, letter]) => {
        const [file, rank] = coordinates(square);
        const place = { "--file": file, "--rank": rank } as CSSProperties;
        return (
          <span key={square} style={place}>
            <Piece letter={letter} figure={game.figures[game.pieces.indexOf(letter.toUpperCase())] ?? "."} />
          </span>
        );
      })}
    </span>
  );
}
