// A box for games as PGN: their moves come next on the board, and those that throw the result away
// are marked.

import { useRef, useState } from "react";
import * as api from "../api";
import { useLasting } from "../board/BoardView";
import type { Explorer } from "../state/useExplorer";
import { slipsOf } from "../state/slips";
import type { Game, Recorded } from "../types";
import { capital, moveCount, movesOf, problemWords } from "../words";

export function PgnBox({ game, explorer }: { game: Game; explorer: Explorer }) {
  const [text, setText] = useState("");
  const [games, setGames] = useLasting<Recorded[]>(game.id);
  const [shown, setShown] = useLasting<Recorded>(game.id);
  const [complaint, setComplaint] = useState("");
  const asking = useRef<AbortController>(null);

  /** Does something that may be given up for something else. */
  const attempt = async (work: (signal: AbortSignal) => Promise<void>) => {
    setComplaint("");
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) setComplaint(problemWords(api.problemOf(error)));
    }
  };
  const show = async (record: Recorded, signal: AbortSignal) => {
    setShown(record);
    const { fen, plies, end, winner } = record;
    if (fen === null) return;
    const moves = api.told({ plies, end, winner });
    explorer.setMode("play");
    explorer.setPosition(fen);
    explorer.lookAhead(moves);
    const slips = await slipsOf(game, fen, moves, signal).catch(() => []);
    // Whoever has gone on sees another game.
    if (!signal.aborted && slips.length > 0) explorer.mark(fen, moves, slips);
  };
  const read = () =>
    attempt(async (signal) => {
      const found = await api.read(game.id, text, signal);
      setGames(found);
      const [first] = found;
      if (first) await show(first, signal);
      else setComplaint("There is no game in this text.");
    });
  const many = games && games.length > 1 ? games : null;
  return (
    <details className="pgn">
      <summary>Read a game (PGN)</summary>
      <form
        aria-label="Read a game"
        onSubmit={(event) => {
          event.preventDefault();
          void read();
        }}
      >
        <label className="field wide">
          <span>Moves, or a whole file</span>
          <textarea rows={5} value={text} spellCheck={false} onChange={(event) => setText(event.target.value)} />
        </label>
        <div className="row">
          <button type="submit" disabled={text.trim() === ""}>
            Read
          </button>
          <input
            type="file"
            aria-label="A PGN file"
            accept=".pgn,.txt,application/x-chess-pgn,text/plain"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) void file.text().then(setText, () => setComplaint("The file cannot be read."));
            }}
          />
        </div>
      </form>
      {many && (
        <label className="field">
          <span>Game</span>
          <select
            value={shown ? many.indexOf(shown) : 0}
            onChange={(event) => {
              const record = many[Number(event.target.value)];
              if (record) void attempt((signal) => show(record, signal));
            }}
          >
            {many.map((record, place) => (
              <option key={place} value={place}>
                {place + 1}. {titleOf(record)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div role="status" aria-label="The game that was read">
        {shown && (
          <p>
            {many ? "" : `${titleOf(shown)}: `}
            {moveCount(movesOf(shown.plies.length))}, which come next on the board. The arrow keys go through them.
          </p>
        )}
        {shown?.error && <p className="complaint">{capital(shown.error)}.</p>}
      </div>
      {complaint && (
        <p className="complaint" role="alert">
          {complaint}
        </p>
      )}
    </details>
  );
}

/** The players of a game. */
function titleOf({ tags }: Recorded): string {
  const [white, black] = [tags.White ?? "?", tags.Black ?? "?"];
  const players = white === "?" && black === "?" ? "A game" : `${white} – ${black}`;
  return [players, tags.Result].filter(Boolean).join(", ");
}
