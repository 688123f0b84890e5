// The vitality of a side as a slider beside the board, with the points from which on that side
// wins.

import type { CSSProperties } from "react";
import type { Side } from "../types";
import { capital, otherSide } from "../words";

interface Props {
  side: Side;
  value: number;
  least: number;
  most: number;
  /** The fewest points with which the side wins, more than it can have for never; null if that is
      not known. */
  needs: number | null;
  onChange(value: number): void;
  /** Called when the slider is let go. */
  onSettle(): void;
}

export function Points({ side, value, least, most, needs, onChange, onSettle }: Props) {
  const name = capital(side);
  const wins = needs === null ? "" : `, ${value >= needs ? name : capital(otherSide(side))} wins`;
  // The colours meet halfway between what loses and what wins.
  const share = needs === null ? 0 : (Math.min(needs, most + 1) - 0.5 - least) / Math.max(most - least, 1);
  const style = { "--share": Math.min(Math.max(share, -1), 2) } as CSSProperties;
  return (
    <label className={`points ${side}-points ${needs === null ? "" : "known"}`} style={style}>
      <span className={`turn disc-${side[0]}`}>{name}</span>
      <input
        type="range"
        min={least}
        max={most}
        value={value}
        aria-label={`${name}’s points`}
        aria-valuetext={`${value} of ${most}${wins}`}
        onChange={(event) => onChange(Number(event.target.value))}
        onPointerUp={onSettle}
        onBlur={onSettle}
      />
      <output>{value}</output>
      {needs !== null && <span className="detail">{needs > most ? "never wins" : `needs ${needs}`}</span>}
    </label>
  );
}
