// The position in words, for those who do not see the board.

import type { Fields } from "../board/placement";
import type { Game } from "../types";

export function Spoken({ game, fields }: { game: Game; fields: Fields }) {
  const pieces = (isWhite: boolean) => {
    const found = Object.entries(fields.placement).filter(([, letter]) => letter < "a" === isWhite);
    const rank = ([, letter]: [string, string]) => game.pieces.indexOf(letter.toUpperCase());
    const words = found
      .sort((a, b) => rank(a) - rank(b))
      .map((entry) => `${game.piece_names[rank(entry)]} ${entry[0]}`);
    return words.join(", ") || "nothing";
  };
  return (
    <p className="hidden">
      White has {pieces(true)}. Black has {pieces(false)}. {fields.turn === "w" ? "White" : "Black"} moves.
    </p>
  );
}
