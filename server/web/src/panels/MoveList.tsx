// The list of legal moves in groups, best first.

import type { Move } from "../types";
import { GROUPS, distance, tone } from "../words";

interface Props {
  moves: Move[];
  onHover(uci: string | null): void;
  onPlay(move: Move): void;
}

export function MoveList({ moves, onHover, onPlay }: Props) {
  if (moves.length === 0) return null;
  return (
    <section className="moves" aria-label="Legal moves">
      {GROUPS.map(([category, title]) => {
        const group = moves.filter((move) => move.category === category);
        if (group.length === 0) return null;
        return (
          <div key={category} className={`group ${tone(category)}`}>
            <h3>
              {title} <span className="count">{group.length}</span>
            </h3>
            <ul>
              {group.map((move) => (
                <li key={move.uci}>
                  <MoveButton move={move} onHover={onHover} onPlay={onPlay} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

function MoveButton({ move, onHover, onPlay }: Omit<Props, "moves"> & { move: Move }) {
  const badges = [move.zeroing && "zeroing", move.vital && "vital"].filter(Boolean);
  const dtz = move.dtz_plies !== null && move.dtz_plies !== move.depth_plies && !move.end;
  return (
    <button
      type="button"
      className="move"
      title={move.uci}
      onMouseEnter={() => onHover(move.uci)}
      onMouseLeave={() => onHover(null)}
      onFocus={() => onHover(move.uci)}
      onBlur={() => onHover(null)}
      onClick={() => {
        onHover(null);
        onPlay(move);
      }}
    >
      <span className="san">{move.san === "--" ? "pass" : move.san}</span>
      <span className="detail">
        {distance(move)}
        {dtz && <span className="dtz"> DTZ {move.dtz_plies}</span>}
        {badges.map((badge) => (
          <span key={String(badge)} className="badge">
            {badge}
          </span>
        ))}
      </span>
    </button>
  );
}
