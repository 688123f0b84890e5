// What is around every view of the page: the header with the game, and the footer.

import type { ReactNode } from "react";
import { Anchor } from "./Anchor";
import { hasServer } from "./api";
import { GamePicker } from "./panels/GamePicker";
import { ThemeButton } from "./panels/ThemeButton";
import { endingsLink } from "./state/route";
import { useGames } from "./state/useGames";
import type { Game } from "./types";

/** The folder of the page. */
const BASE = import.meta.env.BASE_URL;

interface Props {
  /** Null until there is an answer. */
  game: Game | null;
  view: "board" | "endings";
  onGame(id: string): void;
  children: ReactNode;
}

export function Frame({ game, view, onGame, children }: Props) {
  // They are asked for before there is an answer on this one.
  const games = useGames();
  const id = game?.id ?? "orthodox";
  const views = [
    ["board", "Board", `?game=${id}`],
    ["endings", "Endings", endingsLink(id)],
  ] as const;
  return (
    <>
      <header>
        <h1>
          <a href={BASE}>
            <img src={`${BASE}icon.svg`} alt="" width="28" height="28" /> <span>Retrograde</span>
          </a>
        </h1>
        {game && <GamePicker game={game} games={games} onChange={onGame} />}
        <nav>
          {views.map(([name, title, link]) => (
            <Anchor key={name} href={link} className="view" aria-current={view === name ? "page" : undefined}>
              {title}
            </Anchor>
          ))}
        </nav>
      </header>
      {children}
      <footer>
        Endgame tablebases of chess and its variants.{" "}
        {view === "board" && (
          <>
            Keys: space plays the best move, arrows take back and go forward, f turns the board, e switches
            between playing and setting up, and m shows the square map.{" "}
          </>
        )}
        {hasServer && (
          <>
            <a href="/api">For programs</a>.{" "}
          </>
        )}
        Licences of <a href={`${BASE}licenses.md`}>what this page is made of</a>, and of{" "}
        <a href={`${BASE}licenses-dnd-kit.txt`}>dnd kit</a>. <ThemeButton />
      </footer>
    </>
  );
}
