// What there is to know where no table has the answer: what the moves tell, a search for a proof,
// and another place to ask.

import { useEffect, useRef, useState } from "react";
import * as api from "../api";
import { useLasting } from "../board/BoardView";
import { Program } from "../doors/Door";
import type { Explorer } from "../state/useExplorer";
import type { Answer, Category, Game, Move, Searched } from "../types";
import { capital, moveCount, problemWords, sideTone, verdict } from "../words";
import { Played } from "./Played";

export function Proof({ game, answer, explorer }: { game: Game; answer: Answer; explorer: Explorer }) {
  const { fen } = answer;
  const key = `${game.id} ${fen}`;
  const [found, setFound] = useLasting<Searched>(key);
  const [complaint, setComplaint] = useLasting<string>(key);
  const [isSearching, setSearching] = useLasting<boolean>(key);
  const asking = useRef<AbortController>(null);
  // Whoever has gone on meanwhile does not want the answer any more.
  useEffect(() => () => asking.current?.abort(), [key]);
  const { search } = api;
  const look = async () => {
    if (!search) return;
    const abort = (asking.current = new AbortController());
    const { signal } = abort;
    setComplaint(null);
    setFound(null);
    setSearching(true);
    try {
      setFound(await api.persist(() => search(game.id, fen, signal), signal, (problem) => setComplaint(problemWords(problem))));
      setComplaint(null);
    } catch (error) {
      if (!signal.aborted) setComplaint(problemWords(api.problemOf(error)));
    }
    if (!signal.aborted) setSearching(false);
  };
  const stop = () => {
    asking.current?.abort();
    setSearching(null);
  };
  return (
    <section className="proof" aria-label="Without a table">
      <p>{known(answer.moves)}</p>
      <div className="row">
        {search &&
          (isSearching ? (
            <>
              <button type="button" onClick={stop}>
                Stop the search
              </button>
              <Elapsed />
            </>
          ) : (
            <button type="button" onClick={() => void look()}>
              Search for a proof
            </button>
          ))}
        {game.id === "orthodox" && (
          <a className="button" href={`https://lichess.org/analysis/standard/${fen.replaceAll(" ", "_")}`} rel="noreferrer">
            Ask lichess
          </a>
        )}
      </div>
      {!search && (
        <p className="command">
          Without a server no proof is searched for here. <Program /> does that, with{" "}
          <code>{`retrograde probe ${game.id} "${fen}" --search 50 --time 60`}</code>.
        </p>
      )}
      {complaint && <p className="complaint">{complaint}</p>}
      <div role="status" aria-label="Proof">
        {found && <Finding found={found} explorer={explorer} />}
      </div>
    </section>
  );
}

/** The moves that rules and tables tell something of, in a sentence. */
function known(moves: Move[]): string {
  const told = moves.filter((move) => move.category !== "unknown");
  const [best] = told;
  const legal = moveCount(moves.length).replace("move", "legal move");
  if (!best && moves.length === 1) return "No table tells where the only legal move leads.";
  if (!best) return moves.length > 0 ? `None of the ${legal} leads to where a table tells.` : "";
  return `Rules and tables tell of ${told.length} of ${legal}: the best of these, ${best.san}, ${WORTH[best.category]}.`;
}

const WORTH: Record<Category, string> = {
  win: "wins",
  "cursed-win": "would win, but for the fifty-move rule",
  draw: "draws",
  "blessed-loss": "would lose, but for the fifty-move rule",
  loss: "loses",
  unknown: "is not known",
};

/** The seconds that a search has taken so far. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="facts" role="status">
      Searching… <span aria-hidden="true">{seconds} s</span>
    </p>
  );
}

function Finding({ found, explorer }: { found: Searched; explorer: Explorer }) {
  const { fen, plies, category, error, winner } = found;
  const isShortest = found.depth_plies !== null;
  if (category === "unknown") return <p>{capital(error?.message ?? "not decided")}.</p>;
  return (
    <div className={`verdict ${sideTone(winner)}`}>
      <h2>{verdict(found)}, by search</h2>
      {plies.length > 0 && <p>{isShortest ? "No way is shorter:" : "One way, as far as it is known; there may be a shorter one:"}</p>}
      <Played
        label="Proof"
        start={fen}
        plies={[]}
        ahead={plies}
        onGo={(moves) => {
          explorer.lookAhead(plies);
          explorer.forward(moves);
        }}
      />
    </div>
  );
}
