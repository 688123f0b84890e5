// The list of moves played, with buttons to go back and forth and to play on.

import { pgn } from "../api";
import type { Explorer } from "../state/useExplorer";
import type { Side } from "../types";
import { turnOf } from "../words";

interface Props {
  explorer: Explorer;
  tables: Side | null;
  onTables(side: Side | null): void;
}

export function History({ explorer, tables, onTables }: Props) {
  const { game, start, plies, undone, answer, best, fen } = explorer;
  if (!game) return null;
  const moves = plies.map((ply) => ply.uci).join(",");
  const pass = answer?.moves.find((move) => move.uci === "0000");
  const hasLine = answer !== null && answer.winner !== null && answer.end === null;
  return (
    <section className="history" aria-label="Game">
      <div className="row tools">
        <button type="button" disabled={plies.length === 0} onClick={() => explorer.back()}>
          Take back
        </button>
        <button type="button" disabled={undone.length === 0} onClick={() => explorer.forward()}>
          Forward
        </button>
        <button
          type="button"
          disabled={!best}
          onClick={() => best && explorer.play(best)}
          title="Space"
        >
          Play best
        </button>
        {pass && explorer.mode !== "edit" && (
          <button type="button" onClick={() => explorer.play(pass)}>
            Pass
          </button>
        )}
        <label className="field">
          <span>Tables play</span>
          <select
            value={tables ?? ""}
            onChange={(event) => onTables((event.target.value || null) as Side | null)}
          >
            <option value="">neither side</option>
            <option value="white">White</option>
            <option value="black">Black</option>
          </select>
        </label>
      </div>
      {plies.length > 0 && (
        <ol className="played" aria-label="Moves played">
          {plies.map((ply, place) => (
            <li key={place}>
              <button
                type="button"
                aria-current={place === plies.length - 1 ? "step" : undefined}
                onClick={() => explorer.back(plies.length - 1 - place)}
              >
                {numbered(start, place)}
                {ply.san === "--" ? "pass" : ply.san}
              </button>
            </li>
          ))}
        </ol>
      )}
      <p className="links">
        {pgn && plies.length > 0 && (
          <a href={pgn.played(game.id, start, moves)} download="game.pgn">
            Game as PGN
          </a>
        )}
        {pgn && hasLine && (
          <a href={pgn.line(game.id, fen)} download="line.pgn">
            Best line as PGN
          </a>
        )}
      </p>
    </section>
  );
}

/** The number before a move, if it has one. */
function numbered(start: string, place: number): string {
  const black = turnOf(start) === "black" ? 1 : 0;
  const first = Number(start.trim().split(/\s+/).at(-1)) || 1;
  const ply = place + black;
  if (ply % 2 === 0) return `${first + ply / 2}. `;
  return place === 0 ? `${first}… ` : "";
}
