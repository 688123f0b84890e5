// The list of legal moves in groups, best first: with vitality, those that need the least.

import type { CSSProperties } from "react";
import type { Move } from "../types";
import { GROUPS, distance, onlyMove, tone } from "../words";

interface Props {
  moves: Move[];
  /** The most vitality that the side to move can have, in games with vitality. */
  most?: number;
  onHover(uci: string | null): void;
  onPlay(move: Move): void;
}

/** The share of the bar below a move: its distance, or what it needs of the most points. */
const lengthOf = (move: Move, most?: number) => (most === undefined ? move.depth_plies : move.needs) ?? 0;

export function MoveList({ moves, most, onHover, onPlay }: Props) {
  if (moves.length === 0) return null;
  const only = onlyMove(moves);
  return (
    <section className="moves" aria-label="Legal moves">
      {GROUPS.map(([category, title]) => {
        const group = moves.filter((move) => move.category === category);
        if (group.length === 0) return null;
        // Among those that need the same the best stays first.
        if (most !== undefined) group.sort((a, b) => lengthOf(a, most) - lengthOf(b, most));
        const farthest = most ?? Math.max(1, ...group.map((move) => lengthOf(move)));
        return (
          <div key={category} className={`group ${tone(category)}`}>
            <h3>
              {title} <span className="count">{group.length}</span>
            </h3>
            <ul>
              {group.map((move) => (
                <li key={move.uci}>
                  <MoveButton
                    move={move}
                    isOnly={move === only}
                    most={most}
                    share={Math.min(lengthOf(move, most) / farthest, 1)}
                    onHover={onHover}
                    onPlay={onPlay}
                  />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

interface ButtonProps extends Omit<Props, "moves"> {
  move: Move;
  /** Whether every other move throws something away. */
  isOnly: boolean;
  /** The distance, as a share of the longest one in the group. */
  share: number;
}

function MoveButton({ move, most, isOnly, share, onHover, onPlay }: ButtonProps) {
  const badges = [isOnly && "only move", move.zeroing && "zeroing", move.vital && "vital"].filter(Boolean);
  const { depth_plies, dtz_plies, end } = move;
  const dtz = depth_plies !== null && dtz_plies !== null && dtz_plies !== depth_plies && !end;
  return (
    <button
      type="button"
      className="move"
      title={move.uci}
      style={{ "--share": `${Math.round(100 * share)}%` } as CSSProperties}
      onMouseEnter={() => onHover(move.uci)}
      onMouseLeave={() => onHover(null)}
      onFocus={() => onHover(move.uci)}
      onBlur={() => onHover(null)}
      onClick={() => {
        onHover(null);
        onPlay(move);
      }}
    >
      <span className="san">{move.san === "--" ? "pass" : move.san}</span>{" "}
      <span className="badges">
        {badges.map((badge) => (
          <span key={String(badge)} className="badge">
            {badge}
          </span>
        ))}
        {move.white !== undefined && !end && (
          <span className="left" title={most === undefined ? "Checks to give after the move" : "Vitality after the move"}>
            {move.white}+{move.black}
          </span>
        )}
        {dtz && <span className="badge">DTZ {dtz_plies}</span>}
      </span>{" "}
      <span className="detail">{distance(move, most)}</span>
    </button>
  );
}
