// A histogram of a material: how many positions are decided in how many plies.

import type { Answer, Statistics } from "../types";
import { SIDES, capital, turnOf } from "../words";

const WIDTH = 520;
const HEIGHT = 110;

export function Histogram({ counts, answer }: { counts: Statistics; answer: Answer }) {
  const present = answer.depth_plies;
  const turn = turnOf(answer.fen);
  return SIDES.map((side) => {
    const { win, loss } = counts.histogram![side];
    const depths = [...Object.keys(win), ...Object.keys(loss)].map(Number);
    if (depths.length === 0) return null;
    const most = Math.max(...depths);
    const highest = Math.max(...Object.values(win), ...Object.values(loss));
    const bar = WIDTH / (most + 1);
    // Long wins are rare: only logarithms show them.
    const height = (count: number) => (Math.log(count + 1) / Math.log(highest + 1)) * (HEIGHT - 14);
    const bars = (kind: "win" | "loss", all: Record<string, number>) =>
      Object.entries(all).map(([plies, count]) => (
        <rect
          key={`${kind}${plies}`}
          className={`${(kind === "win") === (side === "white") ? "white" : "black"}-wins ${side === turn && Number(plies) === present && isOf(kind, answer) ? "now" : ""}`}
          x={Number(plies) * bar}
          y={HEIGHT - height(count)}
          width={Math.max(bar - 0.6, 0.6)}
          height={height(count)}
        >
          <title>{`${kind === "win" ? "won" : "lost"} in ${plies} plies: ${count.toLocaleString("en")}`}</title>
        </rect>
      ));
    return (
      <figure key={side} className="histogram">
        <figcaption>{capital(side)} to move, positions by plies to the end (logarithmic)</figcaption>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 16}`} role="img" aria-label={`${capital(side)} to move: decided in up to ${most} plies; most positions are decided in ${commonest(win, loss)} plies`}>
          {bars("loss", loss)}
          {bars("win", win)}
          <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="ground" />
          <text x={0} y={HEIGHT + 13}>
            0
          </text>
          <text x={WIDTH} y={HEIGHT + 13} textAnchor="end">
            {most} plies
          </text>
        </svg>
      </figure>
    );
  });
}

const isOf = (kind: "win" | "loss", answer: Answer) =>
  kind === "win" ? /win/.test(answer.category) : /loss/.test(answer.category);

function commonest(win: Record<string, number>, loss: Record<string, number>): string {
  const all = [...Object.entries(win), ...Object.entries(loss)];
  return all.reduce((best, next) => (next[1] > best[1] ? next : best), ["0", 0] as [string, number])[0];
}
