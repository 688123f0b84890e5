// Practice beside the board: the task, what has just happened, and the score at the end.

import { useRef } from "react";
import type { Fields } from "../board/placement";
import type { Explorer } from "../state/useExplorer";
import { writeLink } from "../state/link";
import type { Outcome, Practice } from "../state/usePractice";
import type { Category, Move, Side } from "../types";
import { SIDES, capital, endWords, moveCount, numbered, otherSide, problemWords, sanWords, sideTone, turnOf } from "../words";
import { CopyButton } from "./CopyButton";
import { Played } from "./Played";

/** The most moves of a refutation that are shown. */
const MOST_SHOWN = 8;

/** What a category is to the side that has it. */
const RESULTS: Record<Category, string> = {
  win: "the win",
  "cursed-win": "the win that comes too late for the fifty-move rule",
  draw: "the draw",
  "blessed-loss": "the draw by the fifty-move rule",
  loss: "nothing",
  unknown: "nothing",
};

const TASKS: Record<Category, string> = {
  win: "win",
  "cursed-win": "win, fifty-move rule aside",
  draw: "draw",
  "blessed-loss": "draw by the fifty-move rule",
  loss: "hold out",
  unknown: "play",
};

interface Props {
  explorer: Explorer;
  practice: Practice;
  fields: Fields;
}

export function PracticePanel({ explorer, practice, fields }: Props) {
  const { start, plies, answer } = explorer;
  const { pupil, task, slip, outcome } = practice;
  const pass = practice.isTurn && !slip ? answer?.moves.find((move) => move.uci === "0000") : undefined;
  const last = plies.at(-1);
  const replied = last && !practice.isTurn ? null : last;
  return (
    <section className="practice" aria-label="Practice">
      <div className={`verdict ${outcome ? sideTone(outcome.winner) : ""}`} role="status" aria-label="Task">
        <h2>{outcome ? score(outcome, practice) : taskWords(practice, start)}</h2>
        {outcome && <p>{capital(endWords(outcome.why))}.</p>}
        {outcome && <p>{slipWords(practice.slips)}</p>}
        {!outcome && task?.category === "unknown" && (
          <p>No table tells what this position is worth, so no move can be judged. Choose another position.</p>
        )}
        {!outcome && fields.vitality && <p className="facts">Vitality {fields.vitality.replace("+", " + ")}</p>}
        {!outcome && !slip && answer && (
          <p>
            {replied && `${capital(otherSide(pupil))} has played ${sanWords(replied.san)}. `}
            {practice.isTurn ? "It is your turn." : explorer.best ? "The tables play…" : "No table knows a move here."}
          </p>
        )}
      </div>
      {practice.problem && <p className="complaint">{problemWords(practice.problem)}</p>}
      {slip?.slip && (
        <div className="verdict tone-loss" role="alert">
          <h2>
            {sanWords(slip.san)} throws away {RESULTS[slip.slip.before]}
          </h2>
          <Refutation explorer={explorer} practice={practice} />
          <div className="row">
            <button type="button" onClick={practice.takeBack}>
              Take it back
            </button>
            <button type="button" onClick={practice.goOn}>
              Play on
            </button>
          </div>
        </div>
      )}
      <div className="row tools">
        <button type="button" disabled={practice.moves === 0 || slip !== null} onClick={practice.takeBack}>
          Take back
        </button>
        {pass && (
          <button type="button" onClick={() => explorer.play(pass)}>
            Pass
          </button>
        )}
        <button type="button" disabled={plies.length === 0} onClick={practice.restart}>
          Start again
        </button>
        <button type="button" onClick={() => explorer.setMode("play")}>
          Show answers
        </button>
        <label className="field">
          <span>You play</span>
          <select value={pupil} onChange={(event) => explorer.practise(event.target.value as Side, start)}>
            {SIDES.map((side) => (
              <option key={side} value={side}>
                {capital(side)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Played label="Moves played" start={start} plies={plies} />
      {practice.isTurn && !slip && answer && <PlainMoves moves={answer.moves} onPlay={explorer.play} />}
      <PupilLink explorer={explorer} practice={practice} />
    </section>
  );
}

function taskWords({ task, pupil, problem }: Practice, start: string): string {
  if (!task) return problem ? "Nothing to practise" : "…";
  const name = capital(pupil);
  const what = TASKS[task.category];
  return turnOf(start) === pupil ? `${name} to play and ${what}` : `${capital(otherSide(pupil))} begins; ${name} is to ${what}`;
}

/** The result, with the moves that it took and those that it needed. */
function score({ winner }: Outcome, { pupil, task, moves }: Practice): string {
  const taken = moveCount(moves);
  const needed = task?.moves ?? null;
  const name = winner ? `${capital(winner)} has won` : "Draw";
  if (winner === pupil && needed !== null && /win/.test(task?.category ?? "")) {
    return moves <= needed ? `${name}: ${taken}, as few as can be` : `${name}: ${taken}, ${needed} were needed`;
  }
  if (winner && winner !== pupil && needed !== null && task?.category === "loss") {
    return `${name}: you held out for ${taken} of ${needed}`;
  }
  return `${name} after ${taken}`;
}

const slipWords = (slips: number) =>
  slips === 0
    ? "No move threw anything away."
    : slips === 1
      ? "One move threw something away."
      : `${slips} moves threw something away.`;

/** The moves that show why the last one was wrong. */
function Refutation({ explorer, practice }: { explorer: Explorer; practice: Practice }) {
  const { start, plies, answer, ended } = explorer;
  const { slip, refutation } = practice;
  const end = ended?.end ?? answer?.end;
  if (end) return <p>{capital(endWords(end))}.</p>;
  const reply = refutation[0];
  if (!slip?.slip || !reply) return <p>…</p>;
  const now = slip.slip.after;
  const saved = now === "draw" || now === "cursed-win";
  const shown = refutation.slice(0, MOST_SHOWN);
  const rest = refutation.length > MOST_SHOWN ? " …" : ".";
  const words = shown.map((ply, place) => numberedOn(start, plies.length, place) + sanWords(ply.san));
  return (
    <p>
      {sanWords(reply.san)} {now === "blessed-loss" ? "leaves only the fifty-move rule" : saved ? "holds the draw" : "wins"}
      {words.length > 1 ? `: ${words.join(" ")}${rest}` : "."}
    </p>
  );
}

/** The number before a move that comes after others, as within a game. */
function numberedOn(start: string, before: number, place: number): string {
  const number = numbered(start, before + place);
  if (number || place > 0) return number;
  // A variation that begins with Black's move says so.
  return numbered(start, before - 1).replace(/\. $|… $/, "… ");
}

/** The legal moves by their names, which tell nothing of their worth. */
function PlainMoves({ moves, onPlay }: { moves: Move[]; onPlay(move: Move): void }) {
  const sorted = [...moves].sort((a, b) => (a.san < b.san ? -1 : 1));
  return (
    <details className="plain-moves">
      <summary>Legal moves</summary>
      <ul className="played" aria-label="Legal moves">
        {sorted.map((move) => (
          <li key={move.uci}>
            <button type="button" onClick={() => onPlay(move)}>
              {sanWords(move.san)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A link that begins the exercise anew, for whoever gets it. */
function PupilLink({ explorer, practice }: { explorer: Explorer; practice: Practice }) {
  const input = useRef<HTMLInputElement>(null);
  const { game, start, flipped } = explorer;
  const link = writeLink({ game: game?.id ?? "", fen: start, moves: "", flipped, map: "", practice: practice.pupil });
  const address = new URL(link, location.href).href;
  return (
    <div className="fen">
      <label className="field wide">
        <span>Link for pupils</span>
        <input ref={input} type="text" readOnly value={address} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton name="link" text={address} input={input} />
    </div>
  );
}
