// The threshold curve of High Chess: who wins for every pair of counters. Its point can be moved,
// by hand and by keys.

import type { KeyboardEvent, PointerEvent } from "react";
import type { Vitality } from "../types";

interface Props {
  vitality: Vitality;
  /** White's and Black's full counters. */
  full: [number, number];
  /** The fewest points that a side can have. */
  least: number;
  onChoose(white: number, black: number): void;
  /** Called when the point is let go. */
  onSettle(): void;
}

/** The pairs that White wins, as one shape: above a flight of steps. */
function outline(heights: number[], edge: number, width: number): string {
  const steps = heights.map(
    (height, place) => `L${edge + place * width} ${height}L${edge + (place + 1) * width} ${height}`,
  );
  return `M${edge} 8${steps.join("")}L${edge + heights.length * width} 8z`;
}

const SIZE = 240;
const EDGE = 34;

/** The points that keys add to White's and Black's counters. */
const KEYS: Record<string, [number, number]> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

export function Curve({ vitality, full: [most, mostOfBlack], least, onChoose, onSettle }: Props) {
  const { thresholds, white, black, white_needs, black_needs, white_mates, black_mates } = vitality;
  const can = (mates: number | null, most: number): mates is number => mates !== null && mates <= most;
  const width = SIZE / (mostOfBlack + 1 - least);
  const height = SIZE / (most + 1 - least);
  const x = (points: number) => EDGE + (points - least) * width;
  const y = (points: number) => 8 + (most - points) * height;
  const needs = (side: string, points: number) =>
    points > (side === "White" ? most : mostOfBlack)
      ? `${side} cannot win with any number`
      : `${side} wins with ${points} or more`;
  const choose = (newWhite: number, newBlack: number) => {
    const chosen = [between(least, newWhite, most), between(least, newBlack, mostOfBlack)] as const;
    if (chosen[0] !== white || chosen[1] !== black) onChoose(...chosen);
  };
  const pointAt = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const scale = (SIZE + EDGE + 8) / box.width;
    const column = Math.floor(((event.clientX - box.left) * scale - EDGE) / width) + least;
    const row = most - Math.floor(((event.clientY - box.top) * scale - 8) / height);
    choose(row, column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // Elsewhere these keys go through the game.
    event.stopPropagation();
    const far = event.shiftKey ? 5 : 1;
    choose(white + far * step[0], black + far * step[1]);
  };
  const wins = vitality.white >= white_needs ? "White" : "Black";
  const ticks = (most: number) => [...new Set([least, Math.ceil(most / 2), most])];
  const heights = thresholds.map((needed) => y(needed) + height);
  return (
    <figure className="curve">
      <div
        className="plane"
        role="application"
        aria-label="Vitality. Up and down arrows change White’s points, left and right arrows Black’s; with Shift, by five."
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={onSettle}
      >
        <svg
          viewBox={`0 0 ${SIZE + EDGE + 8} ${SIZE + EDGE + 8}`}
          role="img"
          aria-label={`With ${white} points against ${black}, ${wins} wins. ${needs("White", white_needs)}; ${needs("Black", black_needs)}.`}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            pointAt(event);
          }}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) pointAt(event);
          }}
          onPointerUp={onSettle}
        >
          <rect className="black-wins" x={EDGE} y={8} width={SIZE} height={SIZE} />
          <path className="white-wins" d={outline(heights, EDGE, width)} />
          {can(white_mates, most) && (
            <line className="mates" x1={EDGE} x2={EDGE + SIZE} y1={y(white_mates) + height} y2={y(white_mates) + height} />
          )}
          {can(black_mates, mostOfBlack) && <line className="mates" y1={8} y2={8 + SIZE} x1={x(black_mates)} x2={x(black_mates)} />}
          <path className="guide" d={`M${EDGE} ${y(white) + height / 2}H${x(black) + width / 2}V${8 + SIZE}`} />
          <circle className="present" cx={x(black) + width / 2} cy={y(white) + height / 2} r={7} />
          <g className="tick">
            {ticks(most).map((tick) => (
              <text key={tick} x={EDGE - 5} y={y(tick) + height / 2 + 4} textAnchor="end">
                {tick}
              </text>
            ))}
          </g>
          <g className="tick">
            {ticks(mostOfBlack).map((tick) => (
              <text key={tick} x={x(tick) + width / 2} y={SIZE + 22} textAnchor="middle">
                {tick}
              </text>
            ))}
          </g>
          <text className="axis" x={EDGE + SIZE / 2} y={SIZE + 38} textAnchor="middle">
            Black’s vitality
          </text>
          <text className="axis" transform={`translate(11 ${8 + SIZE / 2}) rotate(-90)`} textAnchor="middle">
            White’s vitality
          </text>
        </svg>
        <p className="hidden" aria-live="polite">
          {white} against {black}: {wins} wins
        </p>
      </div>
      <figcaption>
        <span className="key white-wins">White wins</span> <span className="key black-wins">Black wins</span>
        <span>
          Against {black} points {needs("White", white_needs)}; against {white}, {needs("Black", black_needs)}.
        </span>
        {(can(white_mates, most) || can(black_mates, mostOfBlack)) && <span>Beyond the dashed line the winner forces mate.</span>}
      </figcaption>
    </figure>
  );
}
