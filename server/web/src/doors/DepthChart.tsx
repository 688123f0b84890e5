// How many positions of a material are decided in how many moves, as charts whose bars lead to a
// random position of that depth.

import { useState, type KeyboardEvent, type PointerEvent, type MouseEvent } from "react";
import type { Wish } from "../source/source";
import type { Category, Counts, Side, Statistics } from "../types";
import { SIDES, capital, movesOf } from "../words";

/** The positions with one side to move that are decided in one way. */
interface Series {
  side: Side;
  category: Category;
  /** What the plies lead to: the field of an answer that has them. */
  measure: "depth_plies" | "dtz_plies";
  counts: Counts;
}

const WORDS: Partial<Record<Category, string>> = {
  win: "wins",
  "cursed-win": "would win, but for the fifty-move rule",
  "blessed-loss": "would lose, but for the fifty-move rule",
  loss: "loses",
};

/** What the statistics of a material have, by plies to the end if they are known. */
function seriesOf({ histogram, dtz_histogram }: Statistics): Series[] {
  const of = (measure: Series["measure"], bySide?: Record<Side, Partial<Record<string, Counts>>>) =>
    SIDES.flatMap((side) =>
      Object.entries(bySide?.[side] ?? {}).flatMap(([name, counts = {}]) => {
        const category = name.replace("_", "-") as Category;
        return Object.keys(counts).length > 0 ? [{ side, category, measure, counts }] : [];
      }),
    );
  const known = of("depth_plies", histogram);
  return known.length > 0 ? known : of("dtz_plies", dtz_histogram);
}

interface ChartsProps {
  counts: Statistics;
  /** The position to mark, if it is one of these. */
  present?: Pick<Series, "side" | "category"> & Record<Series["measure"], number | null>;
  onPick(wish: Omit<Wish, "material">): void;
}

export function DepthCharts({ counts, present, onPick }: ChartsProps) {
  const all = seriesOf(counts);
  if (all.length === 0) return null;
  const most = Math.max(...all.flatMap(({ counts }) => Object.keys(counts).map(Number)));
  return (
    <div className="depths">
      {all.map((series) => (
        <DepthChart
          key={`${counts.material} ${series.side} ${series.category}`}
          series={series}
          most={most}
          now={present?.side === series.side && present.category === series.category ? present[series.measure] : null}
          onPick={(plies) => onPick({ side: series.side, category: series.category, [series.measure]: plies })}
        />
      ))}
    </div>
  );
}

/** About so many lines go across a chart. */
const TICKS = 6;

/** Round numbers up to the most. */
function ticks(most: number): number[] {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  const step = steps.find((step) => most / step <= TICKS) ?? 1000;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/** The numbers 1, 10, 100 and so on below another. */
const powers = (most: number) =>
  Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, place) => 10 ** place);

const short = (number: number) =>
  new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 0 }).format(number);

interface ChartProps {
  series: Series;
  /** The most plies of all charts beside this one. */
  most: number;
  /** The plies of the position that is looked at. */
  now: number | null;
  onPick(plies: number): void;
}

function DepthChart({ series: { side, category, measure, counts }, most, now, onPick }: ChartProps) {
  const bars = Object.entries(counts).map(([plies, count]) => ({ plies: Number(plies), count }));
  const commonest = bars.reduce((best, bar, place) => (bar.count > (bars[best]?.count ?? 0) ? place : best), 0);
  const marked = bars.findIndex(({ plies }) => plies === now);
  const [touched, setTouched] = useState<number | null>(null);
  const at = touched ?? (marked >= 0 ? marked : commonest);
  const chosen = bars[at];
  if (!chosen) return null;
  const highest = Math.max(...bars.map(({ count }) => count));
  // Long wins are rare: only logarithms show them. One position has a height, too.
  const top = Math.log10(highest) + 0.5;
  const height = (count: number) => (100 * (Math.log10(count) + 0.5)) / top;
  // The moves of one side take two plies.
  const columns = movesOf(most) + 1;
  const column = (plies: number) => (100 * movesOf(plies)) / columns;
  const won = (category === "win" || category === "cursed-win") === (side === "white") ? "white" : "black";
  const verb = WORDS[category] ?? category;
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const inMoves = (plies: number) => `${movesOf(plies)} ${movesOf(plies) === 1 ? "move" : "moves"}`;
  const told = ({ plies, count }: { plies: number; count: number }) =>
    `${count.toLocaleString("en")} in ${inMoves(plies)} (${plies} ${plies === 1 ? "ply" : "plies"})`;

  const nearest = ({ currentTarget, clientX }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect();
    const moves = ((clientX - box.left) / box.width) * columns - 0.5;
    const away = (place: number) => Math.abs(movesOf(bars[place]?.plies ?? 0) - moves);
    return bars.reduce((best, _, place) => (away(place) < away(best) ? place : best), 0);
  };
  const follow = (event: PointerEvent) => {
    if (event.pointerType === "mouse") setTouched(nearest(event));
  };
  // A finger cannot point before it taps: the first tap on a bar chooses it.
  const click = (event: MouseEvent) => {
    const place = nearest(event);
    if (place === at && touched !== null) onPick(bars[place]?.plies ?? 0);
    else setTouched(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
      PageUp: at + 10, PageDown: at - 10, Home: 0, End: bars.length - 1,
    };
    const step = steps[event.key];
    if (step !== undefined) setTouched(Math.min(Math.max(step, 0), bars.length - 1));
    else if (event.key === "Enter" || event.key === " ") onPick(chosen.plies);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const title = `${capital(side)} to move ${verb}`;
  return (
    <figure className="depth">
      <figcaption>
        <strong>{title}</strong> <span className="fine">{total.toLocaleString("en")} positions</span>
      </figcaption>
      <div
        className={`plot ${won}-bars`}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by moves to ${measure === "depth_plies" ? "the end" : "the next capture or pawn move"}. Enter shows such a position.`}
        aria-valuemin={bars[0]?.plies ?? 0}
        aria-valuemax={bars.at(-1)?.plies ?? 0}
        aria-valuenow={chosen.plies}
        aria-valuetext={told(chosen)}
        onPointerMove={follow}
        onClick={click}
        onKeyDown={onKeyDown}
      >
        {powers(highest).map((count) => (
          <span key={count} className="level" style={{ bottom: `${height(count)}%` }}>
            <span>{short(count)}</span>
          </span>
        ))}
        {bars.map(({ plies, count }, place) => (
          <span
            key={plies}
            className={`column ${place === at ? "chosen" : ""} ${place === marked ? "now" : ""}`}
            style={{ left: `${column(plies)}%`, width: `${100 / columns}%`, height: `${height(count)}%` }}
          />
        ))}
      </div>
      <div className="scale" aria-hidden="true">
        {ticks(columns - 1).map((moves) => (
          <span key={moves} style={{ left: `${(100 * (moves + 0.5)) / columns}%` }}>
            {moves}
          </span>
        ))}
      </div>
      <div className="picked row">
        <span>{told(chosen)}</span>
        <button type="button" onClick={() => onPick(chosen.plies)} aria-label={`Show one of them: ${title} in ${inMoves(chosen.plies)}`}>
          Show one
        </button>
      </div>
    </figure>
  );
}
