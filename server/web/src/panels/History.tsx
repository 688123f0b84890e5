// The list of moves played, with buttons to go back and forth, to play on, and to see best play.

import { useEffect, useRef, useState } from "react";
import * as api from "../api";
import type { Explorer } from "../state/useExplorer";
import type { Side } from "../types";
import { problemWords } from "../words";
import { FileLink } from "./FileLink";
import { Played } from "./Played";

interface Props {
  explorer: Explorer;
  tables: Side | null;
  onTables(side: Side | null): void;
}

export function History({ explorer, tables, onTables }: Props) {
  const { game, start, plies, undone, answer, best, fen } = explorer;
  const [complaint, setComplaint] = useState("");
  const asking = useRef<AbortController>(null);
  // Whoever has gone on meanwhile does not want the line any more.
  useEffect(() => {
    setComplaint("");
    return () => asking.current?.abort();
  }, [fen]);
  if (!game) return null;
  const showLine = async () => {
    setComplaint("");
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const line = await api.line(game.id, fen, signal);
      if (line.length > 0) explorer.lookAhead(line);
      else setComplaint("No table counts the moves to the end here.");
    } catch (error) {
      if (!signal.aborted) setComplaint(problemWords(api.problemOf(error)));
    }
  };
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
        <button type="button" disabled={!hasLine} onClick={() => void showLine()} title="Then the arrow keys go through it">
          Best line
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
      <Played
        label="Moves played"
        start={start}
        plies={plies}
        ahead={undone}
        onGo={(moves) => (moves > 0 ? explorer.forward(moves) : explorer.back(-moves))}
      />
      {complaint && (
        <p className="complaint" role="alert">
          {complaint}
        </p>
      )}
      <p className="links">
        {plies.length > 0 && (
          <FileLink name="game.pgn" file={api.pgn.played(game.id, start, moves)} onProblem={setComplaint}>
            Game as PGN
          </FileLink>
        )}
        {hasLine && (
          <FileLink name="line.pgn" file={api.pgn.line(game.id, fen)} onProblem={setComplaint}>
            Best line as PGN
          </FileLink>
        )}
      </p>
    </section>
  );
}
