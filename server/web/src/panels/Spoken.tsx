// The position in words, for those who do not see the board.

import type { Fields } from "../board/placement";
import type { Game } from "../types";

export const Spoken = ({ game, fields }: { game: Game; fields: Fields }) => (
  <p className="hidden">{spokenWords(game, fields)}</p>
);

/** A position in words. */
export function spokenWords(game: Game, fields: Fields): string {
  const pieces = (isWhite: boolean) => {
    const found = Object.entries(fields.placement).filter(([, letter]) => letter < "a" === isWhite);
    const rank = ([, letter]: [string, string]) => game.pieces.indexOf(letter.toUpperCase());
    const words = found
      .sort((a, b) => rank(a) - rank(b))
      .map((entry) => `${game.piece_names[rank(entry)]} ${entry[0]}`);
    return words.join(", ") || "nothing";
  };
  return `White has ${pieces(true)}. Black has ${pieces(false)}. ${fields.turn === "w" ? "White" : "Black"} moves.`;
}
