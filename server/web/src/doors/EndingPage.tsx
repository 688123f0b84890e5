// The page of an ending: who wins how often and in how many moves, the longest wins and the mutual
// zugzwangs.

import { useEffect } from "react";
import { Anchor } from "../Anchor";
import * as api from "../api";
import { verdictWords } from "../board/outcome";
import { writeLink } from "../state/link";
import { endingLink, endingsLink, go } from "../state/route";
import { useAsked } from "../state/useAsked";
import { useRandom } from "../state/useRandom";
import type { Game, Side, Statistics } from "../types";
import { SIDES, capital, moveCount, movesOf } from "../words";
import { Bars, Key } from "./Bars";
import { DepthCharts } from "./DepthChart";
import { Command, Door } from "./Door";
import { Men, materialWords } from "./Men";
import { MiniBoard } from "./MiniBoard";
import { Shares } from "../panels/Statistics";

/** The most boards of one kind. */
const BOARDS = 8;

/** The link to a position, for a side to practise if one is named. */
const boardLink = (game: Game, fen: string, practice: Side | null = null) =>
  writeLink({ game: game.id, fen, moves: "", flipped: practice === "black", map: "", practice });

export function EndingPage({ id, material }: { id: string; material: string }) {
  const { answer: game, problem } = useAsked(id, (signal) => api.game(id, signal));
  const { answer: counts, problem: missing } = useAsked(`${id} ${material}`, (signal) =>
    api.statistics(id, material, signal),
  );
  const name = counts?.material ?? material;
  useEffect(() => {
    document.title = [name, game?.title, "Retrograde"].filter(Boolean).join(" · ");
  }, [game, name]);
  // The normal form of a material is its address.
  useEffect(() => {
    if (name !== material) history.replaceState(null, "", endingLink(id, name));
  }, [id, name, material]);
  const isAbsent = missing?.kind === "missing-table";
  return (
    <Door game={game} problem={problem ?? (isAbsent ? null : missing)}>
      {game && (
        <>
          <section className="hero" aria-labelledby="title">
            <div>
              <Anchor className="crumb" href={endingsLink(game.id)}>
                {game.title}
              </Anchor>
              <h2 id="title">
                {name} <Men game={game} material={name} />
              </h2>
              <p className="about">{capital(materialWords(game, name))}</p>
              {isAbsent && <Absent game={game} material={name} />}
              {counts && <Numbers game={game} counts={counts} />}
            </div>
            {counts && longestWins(counts).slice(0, 1).map((board) => <BoardLink key={board.fen} game={game} {...board} />)}
          </section>
          {counts && <Depths game={game} counts={counts} />}
          {counts && <LongestWins game={game} counts={counts} />}
          {counts && <Zugzwangs game={game} counts={counts} />}
          {counts && (
            <section aria-labelledby="counts">
              <h3 id="counts">All counts</h3>
              <Shares counts={counts} />
            </section>
          )}
        </>
      )}
      {!counts && !missing && !problem && <p role="status">Counting…</p>}
    </Door>
  );
}

function Absent({ game, material }: { game: Game; material: string }) {
  const { find, complaint } = useRandom(game.id, material, (fen) => go(boardLink(game, fen)));
  return (
    <>
      <p>There is no table of this ending here.</p>
      <Command game={game} material={material} />
      <p className="row">
        <button type="button" onClick={() => void find({ material })}>
          Show a random position
        </button>
      </p>
      <Complaint words={complaint} />
    </>
  );
}

const Complaint = ({ words }: { words: string }) =>
  words ? (
    <p className="complaint" role="alert">
      {words}
    </p>
  ) : null;

function Numbers({ game, counts }: { game: Game; counts: Statistics }) {
  const { find, complaint } = useRandom(game.id, counts.material, (fen) => go(boardLink(game, fen)));
  const pupil = counts.win.black > counts.win.white ? "black" : "white";
  const lesson = useRandom(game.id, counts.material, (fen) => go(boardLink(game, fen, pupil)));
  const longest = Math.max(0, ...SIDES.map((side) => counts.longest_win_plies[side] ?? 0));
  const { positions, full_point } = counts.mutual_zugzwang;
  const all = counts.positions.white + counts.positions.black;
  const facts = [
    `${all.toLocaleString("en")} positions`,
    longest > 0 && `the longest win takes ${moveCount(movesOf(longest))}`,
    positions > 0
      ? `${positions.toLocaleString("en")} mutual zugzwangs${full_point > 0 ? `, in ${full_point.toLocaleString("en")} of which whoever moves loses` : ""}`
      : "no mutual zugzwang",
  ].filter((fact) => fact !== false);
  const wishes = [
    { name: "White wins", side: "white", category: "win", number: counts.win.white },
    { name: "Draw", side: undefined, category: "draw", number: counts.draw.white + counts.draw.black },
    { name: "Black wins", side: "black", category: "win", number: counts.win.black },
  ] as const;
  return (
    <>
      <div className="large-bars">
        <Bars counts={counts} />
      </div>
      <Key hasDraws={game.vitality === null} />
      <ul className="facts">
        {facts.map((fact) => (
          <li key={fact}>{capital(fact)}</li>
        ))}
      </ul>
      <div className="row" role="group" aria-label="Show a random position">
        <span className="fine">A random position:</span>
        {wishes.map(
          ({ name, side, category, number }) =>
            number > 0 && (
              <button key={name} type="button" onClick={() => void find({ material: counts.material, side, category })}>
                {name}
              </button>
            ),
        )}
      </div>
      <p className="row">
        {counts.win[pupil] > 0 && (
          <button
            type="button"
            className="primary"
            onClick={() => void lesson.find({ material: counts.material, side: pupil, category: "win" })}
          >
            Practise this ending
          </button>
        )}
        {game.claims && (
          <a className="button" href={game.claims}>
            What the tables say about {game.title}
          </a>
        )}
      </p>
      <Complaint words={complaint || lesson.complaint} />
    </>
  );
}

function Depths({ game, counts }: { game: Game; counts: Statistics }) {
  const { find, complaint } = useRandom(game.id, counts.material, (fen) => go(boardLink(game, fen)));
  const has = (histogram?: Record<Side, Record<string, object>>) =>
    SIDES.some((side) => Object.values(histogram?.[side] ?? {}).some((counts) => Object.keys(counts).length > 0));
  const toEnd = has(counts.histogram);
  if (!toEnd && !has(counts.dtz_histogram)) return null;
  return (
    <section aria-labelledby="depths">
      <h3 id="depths">How long it takes</h3>
      <p className="fine">
        Positions by the moves to {toEnd ? "the end" : "the next capture, pawn move or mate"}, on a logarithmic scale. A
        bar leads to a random position of that depth.
      </p>
      <Complaint words={complaint} />
      <DepthCharts counts={counts} onPick={(wish) => void find({ material: counts.material, ...wish })} />
    </section>
  );
}

/** A position to look at, with what there is to see. */
interface Sight {
  fen: string;
  words: string;
}

/** The longest wins and losses of either side to move. */
function longestWins(counts: Statistics): Sight[] {
  return SIDES.flatMap((side) => {
    const [win, loss] = [counts.longest_win_plies[side] ?? 0, counts.longest_loss_plies[side] ?? 0];
    const plies = Math.max(win, loss);
    if (plies === 0) return [];
    const words = `${capital(side)} to move ${win > loss ? "wins" : "loses"} in ${moveCount(movesOf(plies))}`;
    return counts.longest_fens[side].slice(0, BOARDS / 2).map((fen) => ({ fen, words }));
  });
}

function LongestWins({ game, counts }: { game: Game; counts: Statistics }) {
  const boards = longestWins(counts);
  if (boards.length === 0) return null;
  return (
    <section aria-labelledby="longest">
      <h3 id="longest">Longest wins</h3>
      <Boards game={game} boards={boards} />
    </section>
  );
}

function Zugzwangs({ game, counts }: { game: Game; counts: Statistics }) {
  const fens = counts.mutual_zugzwang.fens.slice(0, BOARDS);
  const turned = (fen: string, turn: string) => fen.replace(/ [wb] /, ` ${turn} `);
  const { answer } = useAsked(fens.length > 0 ? [game.id, ...fens].join("\n") : "", (signal) =>
    api.batch(game.id, fens.flatMap((fen) => [turned(fen, "w"), turned(fen, "b")]), signal),
  );
  if (fens.length === 0) return null;
  const boards = fens.map((fen, place) => {
    const [white, black] = [answer?.[2 * place], answer?.[2 * place + 1]];
    const words = white && black ? `White to move: ${verdictWords(white)}. Black to move: ${verdictWords(black)}.` : "";
    return { fen, words };
  });
  return (
    <section aria-labelledby="zugzwangs">
      <h3 id="zugzwangs">Mutual zugzwangs</h3>
      <p className="fine">Whoever is to move would rather not be.</p>
      <Boards game={game} boards={boards} />
    </section>
  );
}

function Boards({ game, boards }: { game: Game; boards: Sight[] }) {
  return (
    <ul className="boards">
      {boards.map((board) => (
        <li key={board.fen}>
          <BoardLink game={game} {...board} />
        </li>
      ))}
    </ul>
  );
}

function BoardLink({ game, fen, words }: { game: Game } & Sight) {
  return (
    <Anchor href={boardLink(game, fen)}>
      <MiniBoard game={game} fen={fen} />
      <span className="fine">{words}</span>
    </Anchor>
  );
}
