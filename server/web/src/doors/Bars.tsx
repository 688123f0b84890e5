// The shares of positions that White wins, that are drawn and that Black wins, as bars.

import type { Ending } from "../types";
import { SIDES, capital } from "../words";

type Counts = Pick<NonNullable<Ending["counts"]>, "positions" | "win" | "draw" | "loss">;

/** The least share whose number fits into its part of a bar. */
const ROOM = 0.2;

/** A share in percent. What is there is not 0 %, and what is not all is not 100 %. */
export function percent(part: number, all: number): string {
  if (part === 0 || part === all) return part === 0 ? "0 %" : "100 %";
  const text = ((100 * part) / all).toFixed(1);
  if (text === "0.0") return "<0.1 %";
  return text === "100.0" ? ">99.9 %" : `${text} %`;
}

export function Bars({ counts }: { counts: Counts }) {
  return SIDES.map((side) => {
    const all = counts.positions[side];
    if (all === 0) return null;
    const [win, loss] = [counts.win[side], counts.loss[side]];
    const parts = [
      { look: "is-white", words: "White wins", number: side === "white" ? win : loss },
      { look: "is-draw", words: "draw", number: counts.draw[side] },
      { look: "is-black", words: "Black wins", number: side === "white" ? loss : win },
    ].filter(({ number }) => number > 0);
    const told = parts.map(({ words, number }) => `${words} ${percent(number, all)}`).join(", ");
    return (
      <span key={side} className={`bar turn disc-${side.charAt(0)}`} role="img" aria-label={`${capital(side)} to move: ${told}`}>
        <span className="parts">
          {parts.map(({ look, number }) => (
            <span key={look} className={look} style={{ flexGrow: number / all }}>
              {number / all >= ROOM && percent(number, all)}
            </span>
          ))}
        </span>
      </span>
    );
  });
}

/** What the colours of bars mean. */
export function Key({ hasDraws }: { hasDraws: boolean }) {
  return (
    <p className="fine bar-key" aria-hidden="true">
      <span className="swatch is-white" /> White wins
      {hasDraws && (
        <>
          <span className="swatch is-draw" /> Draw
        </>
      )}
      <span className="swatch is-black" /> Black wins
    </p>
  );
}
