// The start page of a game: what it is, its endings with what their tables say, and other games.

import { useEffect, useState } from "react";
import { Anchor } from "../Anchor";
import * as api from "../api";
import { endingLink, endingsLink, go } from "../state/route";
import { useAsked } from "../state/useAsked";
import { useGames } from "../state/useGames";
import type { Ending, Game } from "../types";
import { capital, moveCount, movesOf } from "../words";
import { Bars, Key } from "./Bars";
import { Door, Program } from "./Door";
import { Men, materialWords } from "./Men";
import { MiniBoard } from "./MiniBoard";

/** The moves of the longest win of either side; 0 where none is known. */
const longestOf = ({ counts }: Ending) =>
  movesOf(Math.max(0, ...Object.values(counts?.longest_win_plies ?? {}).map((plies) => plies ?? 0)));

/** The orders of the endings. The first one is that of the list. */
const ORDERS: Record<string, (ending: Ending) => number> = {
  men: () => 0,
  "longest win": (ending) => -longestOf(ending),
  "mutual zugzwangs": ({ counts }) => -(counts?.mutual_zugzwang ?? 0),
};

/** What is typed as a material, as names have it. */
const written = (text: string) => text.trim().toUpperCase().replaceAll("V", "v");

export function StartPage({ id }: { id: string }) {
  const { answer: game, problem } = useAsked(id, (signal) => api.game(id, signal));
  const { answer: endings, problem: unlisted } = useAsked(`endings of ${id}`, (signal) => api.endings(id, signal));
  useEffect(() => {
    document.title = [game && `Endings of ${game.title}`, "Retrograde"].filter(Boolean).join(" · ");
  }, [game]);
  return (
    <Door game={game} problem={problem ?? unlisted}>
      {game && <Hero game={game} endings={endings} />}
      {game && endings && <Endings key={game.id} game={game} endings={endings} />}
      {game && <OtherGames game={game} />}
    </Door>
  );
}

function Hero({ game, endings }: { game: Game; endings: Ending[] | null }) {
  const by = [game.author, game.year].filter(Boolean).join(", ");
  const known = endings?.filter(({ metrics }) => metrics.length > 0).length;
  const facts = [
    `${game.files}×${game.ranks} board`,
    by,
    known === undefined ? "" : `${known} ${known === 1 ? "ending" : "endings"} with tables here`,
  ];
  return (
    <section className="hero" aria-labelledby="title">
      <div>
        <h2 id="title">{game.title}</h2>
        {game.about && <p className="about">{game.about}</p>}
        <ul className="facts">
          {facts.filter(Boolean).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <p className="row">
          <Anchor className="button primary" href={`?game=${game.id}`}>
            Open the board
          </Anchor>
          {game.claims && (
            <a className="button" href={game.claims}>
              What the tables say about the game
            </a>
          )}
        </p>
      </div>
      <MiniBoard game={game} fen={game.array} />
    </section>
  );
}

function Endings({ game, endings }: { game: Game; endings: Ending[] }) {
  const [typed, setTyped] = useState("");
  const [order, setOrder] = useState("men");
  const wanted = written(typed);
  const found = endings.filter(({ material }) => material.includes(wanted) || material.replace("v", "").includes(wanted));
  const rank = ORDERS[order] ?? (() => 0);
  const present = found.filter(({ metrics }) => metrics.length > 0).sort((a, b) => rank(a) - rank(b));
  const absent = found.filter(({ metrics }) => metrics.length === 0);
  const open = () => {
    const [only, ...others] = found;
    if (only && others.length === 0) go(endingLink(game.id, only.material));
    else if (wanted) go(endingLink(game.id, wanted));
  };
  return (
    <section aria-labelledby="endings">
      <div className="search">
        <h2 id="endings">Endings</h2>
        <form
          className="row"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            open();
          }}
        >
          <label className="field">
            <span>Material</span>
            <input
              type="search"
              placeholder={endings[0]?.material}
              value={typed}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
          <label className="field">
            <span>Sort by</span>
            <select value={order} onChange={(event) => setOrder(event.target.value)}>
              {Object.keys(ORDERS).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <button type="submit">Open</button>
        </form>
      </div>
      <p className="fine" role="status">
        {present.length} with tables{absent.length > 0 && `, ${absent.length} without`}
        {present.length > 0 && ". The upper bar is for White to move, the lower for Black."}
      </p>
      {endings.length === 0 && !api.hasServer && (
        <p>
          The tables that ship are of games with their usual rules, so here only the rules of this one are known.{" "}
          <Program /> makes tables of it, with <code>{`retrograde generate ${game.id} --men 3`}</code>, and shows this
          page with them, with <code>retrograde serve</code>.
        </p>
      )}
      {present.length > 0 && <Key hasDraws={game.vitality === null} />}
      <ul className="endings">
        {present.map((ending) => (
          <li key={ending.material}>
            <Card game={game} ending={ending} />
          </li>
        ))}
      </ul>
      {absent.length > 0 && (
        <>
          <h3>Without a table here</h3>
          <ul className="chips">
            {absent.map(({ material }) => (
              <li key={material}>
                <Anchor className="button" href={endingLink(game.id, material)}>
                  {material}
                </Anchor>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Card({ game, ending }: { game: Game; ending: Ending }) {
  const { material, counts } = ending;
  const longest = longestOf(ending);
  const facts = [
    longest > 0 && `Longest win ${moveCount(longest)}`,
    counts && counts.mutual_zugzwang > 0 && `${counts.mutual_zugzwang.toLocaleString("en")} mutual zugzwangs`,
    !counts && "Not counted yet",
  ].filter(Boolean);
  return (
    <Anchor className="card" href={endingLink(game.id, material)}>
      <span className="card-head">
        <strong>{material}</strong>
        <span className="hidden">{materialWords(game, material)}</span>
        <Men game={game} material={material} />
      </span>
      {counts && <Bars counts={counts} />}
      {facts.length > 0 && <span className="fine">{facts.join(" · ")}</span>}
    </Anchor>
  );
}

function OtherGames({ game }: { game: Game }) {
  const others = useGames().filter(({ id, name }) => id !== game.id && name !== game.name);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">Other games</h2>
      <ul className="games">
        {others.map(({ id, title, about, tables }) => (
          <li key={id}>
            <Anchor className="card" href={endingsLink(id)}>
              <strong>{title}</strong>
              <span>{about}</span>
              <span className="fine">{capital(tables.length === 0 ? "no tables yet" : `${tables.length} endings with tables`)}</span>
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}
