// The view of a position: the board on one side, what is known of it on the other.

import { useEffect, useState, type CSSProperties } from "react";
import * as api from "./api";
import { Frame } from "./Frame";
import { Verdict } from "./panels/Verdict";
import { useExplorer } from "./state/useExplorer";
import type { Game } from "./types";
import { problemWords } from "./words";
import { Workbench } from "./Workbench";

/** Whether the server has no tables at all. */
function useBareServer(game: Game | null): boolean {
  const hasNone = game?.tables.length === 0;
  const [tables, setTables] = useState<number | null>(null);
  useEffect(() => {
    if (!hasNone) return;
    const abort = new AbortController();
    // Without an answer there is nothing to say.
    api.tables(abort.signal).then(setTables, () => undefined);
    return () => abort.abort();
  }, [hasNone]);
  return hasNone && tables === 0;
}

export function BoardPage() {
  const explorer = useExplorer();
  const { game, answer, problem } = explorer;
  const isBare = useBareServer(game);
  useEffect(() => {
    const name = game?.title ?? "";
    document.title = [answer?.material, name, "Retrograde"].filter(Boolean).join(" · ");
  }, [game, answer]);
  return (
    <Frame game={game} view="board" onGame={explorer.setGame}>
      {explorer.trouble && (
        <p className="complaint notice" role="alert">
          {problemWords(explorer.trouble)}
        </p>
      )}
      {isBare && (
        <p className="notice" role="note">
          This server has no tables, so only what the rules say is known. Make some with{" "}
          <code>retrograde generate orthodox --men 3</code>, or name a folder of tables with <code>--tables</code>, and
          start the server again.
        </p>
      )}
      <main style={{ "--shape": game ? game.files / game.ranks : 1 } as CSSProperties}>
        {game ? (
          <Workbench game={game} explorer={explorer} />
        ) : (
          problem && <Verdict game={null} answer={null} problem={problem} onRetry={explorer.retry} />
        )}
      </main>
    </Frame>
  );
}
