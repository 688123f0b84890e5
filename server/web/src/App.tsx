// The page: the board on one side, what is known of it on the other.

import { useEffect, useState, type CSSProperties } from "react";
import * as api from "./api";
import { Verdict } from "./panels/Verdict";
import { GamePicker } from "./panels/GamePicker";
import { ThemeButton } from "./panels/ThemeButton";
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

export function App() {
  const explorer = useExplorer();
  const { game, answer, problem } = explorer;
  const isBare = useBareServer(game);
  useEffect(() => {
    const name = game?.title ?? "";
    document.title = [answer?.material, name, "Retrograde"].filter(Boolean).join(" · ");
  }, [game, answer]);
  return (
    <>
      <header>
        <h1>
          <a href="/">
            <img src="/icon.svg" alt="" width="28" height="28" /> <span>Retrograde</span>
          </a>
        </h1>
        {game && <GamePicker game={game} onChange={explorer.setGame} />}
        <nav>
          <ThemeButton />
          <a className="for-programs" href="/api">
            For programs
          </a>
        </nav>
      </header>
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
          problem && <Verdict answer={null} problem={problem} onRetry={explorer.retry} />
        )}
      </main>
      <footer>
        Endgame tablebases of chess and its variants. Keys: space plays the best move, arrows take back and
        go forward, f turns the board, e switches between playing and setting up, and m shows the square
        map. <a href="/api">For programs</a>.{" "}
        Licences of <a href="/licenses.md">what this page is made of</a>, and of{" "}
        <a href="/licenses-dnd-kit.txt">dnd kit</a>.
      </footer>
    </>
  );
}
