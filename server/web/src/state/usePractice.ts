// Practice: the visitor plays one side against the tables, which hide what they know, and is told
// at once when a move throws the result away.

import { useEffect } from "react";
import * as api from "../api";
import { useLasting } from "../board/BoardView";
import { OPPOSITE, type Answer, type Category, type Ply, type Side } from "../types";
import { otherSide, turnOf } from "../words";
import { useAsked } from "./useAsked";
import type { Explorer } from "./useExplorer";

/** What there is to do: the result of best play for the pupil. */
export interface Task {
  category: Category;
  /** The moves of the pupil to the end with best play; null if no table counts them. */
  moves: number | null;
}

/** The end of a game, and the reason for it in JSON's words or in those of practice. */
export interface Outcome {
  winner: Side | null;
  why: string;
}

export interface Practice {
  pupil: Side;
  /** Null until it is known. */
  task: Task | null;
  /** The reason why the task is not known. */
  problem: api.Problem | null;
  /** The last move, if it has thrown the result away and the pupil has not played on. */
  slip: Ply | null;
  /** The moves that refute it; empty until they are known, and if it has ended the game. */
  refutation: Ply[];
  outcome: Outcome | null;
  /** Whether the pupil is to move, and may. */
  isTurn: boolean;
  /** The moves that the pupil has made. */
  moves: number;
  /** The moves that threw a result away, those that were taken back included. */
  slips: number;
  takeBack(): void;
  /** Leaves a slip as it is. */
  goOn(): void;
  restart(): void;
}

function taskOf({ fen, category, depth_plies }: Answer, pupil: Side): Task {
  const begins = turnOf(fen) === pupil;
  const plies = depth_plies === null ? null : depth_plies + (begins ? 1 : 0);
  return { category: begins ? category : OPPOSITE[category], moves: plies === null ? null : plies >> 1 };
}

/** A position without its clocks: the same position may occur again. */
const timeless = (fen: string) => fen.split(" ").slice(0, -2).join(" ");

/** The end of the game as far as it has come: also where a draw would be claimed. */
function outcomeOf({ answer, ended, fen, start, plies }: Explorer): Outcome | null {
  if (ended?.end) return { winner: ended.winner ?? null, why: ended.end };
  if (!answer) return null;
  if (answer.end) return { winner: answer.winner, why: answer.end };
  if (answer.dead) return { winner: null, why: "dead" };
  const isDrawn = answer.winner === null && answer.category !== "unknown";
  if ((answer.clock ?? 0) >= 100) return { winner: null, why: "fifty" };
  const occurred = [start, ...plies.map((ply) => ply.fen)].filter((other) => timeless(other) === timeless(fen));
  return isDrawn && occurred.length >= 3 ? { winner: null, why: "repetition" } : null;
}

/** The moves that punish one that throws the result away, from the position after it. */
function useRefutation(explorer: Explorer, isWanted: boolean): Ply[] {
  const { game, fen, answer, best } = explorer;
  const id = game?.id ?? "";
  const hasLine = isWanted && answer !== null && answer.winner !== null && answer.end === null;
  const [line, setLine] = useLasting<Ply[]>(`${id} ${fen}`);
  useEffect(() => {
    if (!hasLine) return;
    const abort = new AbortController();
    // Without a line there is the best move at least.
    api.line(id, fen, abort.signal).then(setLine, () => undefined);
    return () => abort.abort();
    // `setLine` belongs to the position.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id, fen, hasLine]);
  if (!isWanted) return [];
  return line && line.length > 0 ? line : best ? [best] : [];
}

/** Practice, if it is on. */
export function usePractice(explorer: Explorer): Practice | null {
  const { game, start, plies, answer, pupil, fen } = explorer;
  const isOn = explorer.mode === "practice" && game !== null;
  const id = game?.id ?? "";
  const exercise = `${id} ${start} ${pupil}`;
  const { answer: task, problem } = useAsked(isOn ? exercise : "", async (signal) =>
    taskOf(await api.probe(id, start, "", signal), pupil),
  );
  const [takenBack, setTakenBack] = useLasting<number>(exercise);
  const [isAccepted, setAccepted] = useLasting<boolean>(`${exercise} ${plies.map((ply) => ply.uci).join()}`);

  const mine = plies.filter((_, place) => (place % 2 === 0) === (turnOf(start) === pupil));
  const last = plies.at(-1);
  const isMine = last !== undefined && last === mine.at(-1);
  const slip = isMine && last.slip && !isAccepted ? last : null;
  const refutation = useRefutation(explorer, isOn && slip !== null);
  if (!isOn) return null;
  const outcome = slip ? null : outcomeOf(explorer);
  return {
    pupil,
    task,
    problem,
    slip,
    refutation,
    outcome,
    isTurn: answer !== null && turnOf(fen) === pupil && !outcome,
    moves: mine.length,
    slips: (takenBack ?? 0) + mine.filter((ply) => ply.slip).length,
    takeBack: () => {
      const count = isMine ? 1 : 2;
      const slipped = plies.slice(-count).filter((ply) => mine.includes(ply) && ply.slip).length;
      if (mine.length === 0) return;
      if (slipped > 0) setTakenBack((takenBack ?? 0) + slipped);
      explorer.back(count);
    },
    goOn: () => setAccepted(true),
    restart: () => {
      setTakenBack(0);
      explorer.practise(pupil, start);
    },
  };
}

/** The side that the tables play in practice; null while they wait for the pupil. */
export const tablesOf = (practice: Practice): Side | null =>
  practice.slip || practice.outcome ? null : otherSide(practice.pupil);
