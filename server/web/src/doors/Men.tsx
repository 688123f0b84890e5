// The men of a material, drawn and in words.

import { Piece } from "../board/pieces";
import type { Game } from "../types";

/** White's and Black's letters in the name of a material. */
const sidesOf = (material: string) => material.split("v");

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven"];

/** A material in words: king and two rooks against king. */
export function materialWords(game: Game, material: string): string {
  const sides = sidesOf(material).map((letters) => {
    const kinds = [...game.pieces].filter((letter) => letters.includes(letter));
    const words = kinds.map((letter) => {
      const name = game.piece_names[game.pieces.indexOf(letter)] ?? letter;
      const count = letters.split(letter).length - 1;
      return count === 1 ? name : `${NUMBERS[count] ?? count} ${name}s`;
    });
    return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");
  });
  return sides.filter(Boolean).join(" against ");
}

export function Men({ game, material }: { game: Game; material: string }) {
  const [white = "", black = ""] = sidesOf(material);
  const drawn = (letters: string) =>
    [...letters].map((letter, place) => (
      <Piece key={place} letter={letter} figure={game.figures[game.pieces.indexOf(letter.toUpperCase())] ?? "."} />
    ));
  return (
    <span className="men" aria-hidden="true">
      {drawn(white)}
      <span className="versus" />
      {drawn(black.toLowerCase())}
    </span>
  );
}
