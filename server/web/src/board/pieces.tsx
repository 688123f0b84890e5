// The pieces, drawn for this project on a board of 100 by 100.

import type { JSX } from "react";

const BASE = "M24 89h52v-8H24z";
const HORSE =
  "M31 79c0-16 5-25 13-32l-12 6c-4 2-8 1-9-3l-1-4 17-17 4-11 6 7c17 3 26 19 26 54z";

/** The outline of each piece, and what is drawn on it. */
const SHAPES: Record<string, { body: string[]; marks?: JSX.Element }> = {
  P: { body: ["M50 20a13 13 0 0 1 8 23l-1 3h6v6h-5c1 12 5 20 11 29H31c6-9 10-17 11-29h-5v-6h6l-1-3a13 13 0 0 1 8-23z", BASE] },
  R: { body: ["M27 18h12v8h6v-8h10v8h6v-8h12v19l-8 8v24l6 12H29l6-12V45l-8-8z", BASE], marks: <path d="M35 45h30M35 69h30" /> },
  B: { body: ["M50 11a5.5 5.5 0 0 1 4 9c14 9 21 24 14 38-2 4-5 7-8 9l5 14H35l5-14c-3-2-6-5-8-9-7-14 0-29 14-38a5.5 5.5 0 0 1 4-9z", BASE], marks: <path d="M50 36v16M42 44h16" /> },
  N: { body: [HORSE, BASE], marks: <><circle cx="44" cy="35" r="2" /><path d="M57 38c7 9 9 21 9 35" /></> },
  Q: { body: ["M18 26a5 5 0 1 1 4 5l11 22 4-31a5 5 0 1 1 5-1l8 29 8-29a5 5 0 1 1 5 1l4 31 11-22a5 5 0 1 1 4-5 5 5 0 0 1-2 5L69 81H31L20 31a5 5 0 0 1-2-5z", BASE], marks: <path d="M33 71h34" /> },
  K: { body: ["M46 9h8v6h6v7h-6v8c5 2 7 7 6 12 8-8 24-6 24 9 0 11-9 15-14 30H30c-5-15-14-19-14-30 0-15 16-17 24-9-1-5 1-10 6-12v-8h-6v-7h6z", BASE], marks: <path d="M32 71h36M50 44v26" /> },
  A: { body: [HORSE, BASE], marks: <><circle cx="44" cy="35" r="2" /><path d="M57 52v20M48 60h18" strokeWidth="5" /></> },
  C: { body: [HORSE, "M24 89V69h10v6h10v-6h12v6h10v-6h10v20z"], marks: <circle cx="44" cy="35" r="2" /> },
};

/** A piece by its letter in a FEN, drawn as a figure or, where there is none, as that letter. */
export function Piece({ letter, figure }: { letter: string; figure: string }) {
  const shape = SHAPES[figure];
  const side = letter === letter.toUpperCase() ? "white" : "black";
  return (
    <svg viewBox="0 0 100 100" className={`piece ${side}`} aria-hidden="true">
      {shape?.body.map((path) => <path key={path} className="body" d={path} />)}
      <g className="marks">{shape?.marks}</g>
      {!shape && (
        <>
          <circle className="body" cx="50" cy="50" r="36" />
          <text className="letter" x="50" y="50" textAnchor="middle" dominantBaseline="central">
            {letter.toUpperCase()}
          </text>
        </>
      )}
    </svg>
  );
}

/** The pieces of a game, as the board wants them. */
export const renderers = ({ pieces, figures }: { pieces: string; figures: string }) =>
  Object.fromEntries(
    [...pieces].flatMap((letter, place) => [
      [`w${letter}`, () => <Piece letter={letter} figure={figures[place] ?? "."} />],
      [`b${letter}`, () => <Piece letter={letter.toLowerCase()} figure={figures[place] ?? "."} />],
    ]),
  );

/** The board's names of pieces, and the way back. */
export const code = (letter: string) =>
  (letter === letter.toUpperCase() ? "w" : "b") + letter.toUpperCase();

export const letterOf = (piece: string) =>
  piece.startsWith("w") ? piece.slice(1) : piece.slice(1).toLowerCase();
