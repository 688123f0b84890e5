// The threshold curve of High Chess: who wins for every pair of counters.

import type { Vitality } from "../types";

interface Props {
  vitality: Vitality;
  onChoose(white: number, black: number): void;
}

/** The pairs that White wins, as one shape: above a flight of steps. */
function outline(thresholds: number[], edge: number, cell: number): string {
  const full = thresholds.length;
  const steps = thresholds.map((least, place) => {
    const height = 8 + (full - least + 1) * cell;
    return `L${edge + place * cell} ${height}L${edge + (place + 1) * cell} ${height}`;
  });
  return `M${edge} 8${steps.join("")}L${edge + full * cell} 8z`;
}

const SIZE = 240;
const EDGE = 34;

export function Curve({ vitality, onChoose }: Props) {
  const { thresholds, white, black, white_needs, black_needs, white_mates, black_mates } = vitality;
  const full = thresholds.length;
  const can = (mates: number | null): mates is number => mates !== null && mates <= full;
  const cell = SIZE / full;
  const x = (points: number) => EDGE + (points - 1) * cell;
  const y = (points: number) => 8 + (full - points) * cell;
  const needs = (side: string, points: number) =>
    points > full ? `${side} cannot win with any number` : `${side} wins with ${points} or more`;
  const choose = (event: React.MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const scale = (SIZE + EDGE + 8) / box.width;
    const column = Math.floor(((event.clientX - box.left) * scale - EDGE) / cell) + 1;
    const row = full - Math.floor(((event.clientY - box.top) * scale - 8) / cell);
    if (column >= 1 && column <= full && row >= 1 && row <= full) onChoose(row, column);
  };
  const wins = vitality.white >= white_needs ? "White" : "Black";
  const ticks = [...new Set([1, Math.ceil(full / 2), full])];
  return (
    <figure className="curve">
      <svg
        viewBox={`0 0 ${SIZE + EDGE + 8} ${SIZE + EDGE + 8}`}
        role="img"
        aria-label={`With ${white} points against ${black}, ${wins} wins. ${needs("White", white_needs)}; ${needs("Black", black_needs)}.`}
        onClick={choose}
      >
        <rect className="black-wins" x={EDGE} y={8} width={SIZE} height={SIZE} />
        <path className="white-wins" d={outline(thresholds, EDGE, cell)} />
        {can(white_mates) && (
          <line className="mates" x1={EDGE} x2={EDGE + SIZE} y1={y(white_mates) + cell} y2={y(white_mates) + cell} />
        )}
        {can(black_mates) && <line className="mates" y1={8} y2={8 + SIZE} x1={x(black_mates)} x2={x(black_mates)} />}
        <circle className="present" cx={x(black) + cell / 2} cy={y(white) + cell / 2} r={6} />
        {ticks.map((tick) => (
          <g key={tick} className="tick">
            <text x={EDGE - 5} y={y(tick) + cell / 2 + 4} textAnchor="end">
              {tick}
            </text>
            <text x={x(tick) + cell / 2} y={SIZE + 22} textAnchor="middle">
              {tick}
            </text>
          </g>
        ))}
        <text className="axis" x={EDGE + SIZE / 2} y={SIZE + 38} textAnchor="middle">
          Black’s vitality
        </text>
        <text className="axis" transform={`translate(11 ${8 + SIZE / 2}) rotate(-90)`} textAnchor="middle">
          White’s vitality
        </text>
      </svg>
      <figcaption>
        <span className="key white-wins">White wins</span> <span className="key black-wins">Black wins</span>
        <span>
          Against {black} points {needs("White", white_needs)}; against {white}, {needs("Black", black_needs)}.
        </span>
        {(can(white_mates) || can(black_mates)) && <span>Beyond the dashed line the winner forces mate.</span>}
      </figcaption>
    </figure>
  );
}
