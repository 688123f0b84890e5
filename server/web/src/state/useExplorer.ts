// The state of the page: a game, a position, the moves played from it, and what is known.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import * as api from "../api";
import type { Answer, Game, Move, Ply, Side, Slip } from "../types";
import { ahead, keyOf } from "./ahead";
import { example } from "./examples";
import { carried } from "../board/placement";
import { step } from "../board/uci";
import { readLink, visit, writeLink } from "./link";
import { slip } from "./slips";
import { isVisible, turnOf } from "../words";

/** What the board is for: playing, setting up a position, the square map, or playing against the
    tables with the answers hidden. */
export type Mode = "play" | "edit" | "map" | "practice";

export interface Explorer {
  /** Null until the server has answered. */
  game: Game | null;
  /** The position shown. */
  fen: string;
  start: string;
  plies: Ply[];
  /** Moves that were taken back, the next one first. */
  undone: Ply[];
  flipped: boolean;
  mode: Mode;
  /** The square of the piece that the square map is about; empty before one is chosen. */
  subject: string;
  /** The side that the visitor plays in practice. */
  pupil: Side;
  /** The last move, if it has ended the game in a way that the position does not show. */
  ended: Ply | null;
  /** Null while it is being asked for, and if the game has ended so. */
  answer: Answer | null;
  /** The best move; null unless it is known. */
  best: Move | null;
  problem: api.Problem | null;
  /** The part of a link, or of a choice of game, that could not be shown. */
  trouble: api.Problem | null;
  setGame(id: string): void;
  /** `typed`: what is typed one key after another is one step for the back button. */
  setPosition(fen: string, typed?: boolean): void;
  /** What is typed next is another step. */
  settle(): void;
  play(move: Move): void;
  back(plies?: number): void;
  forward(plies?: number): void;
  /** Shows moves as those that may come next. */
  lookAhead(plies: Ply[]): void;
  /** Marks the moves of a game, which begins with a position, that throw something away. */
  mark(start: string, game: Ply[], slips: (Slip | undefined)[]): void;
  /** Asks once more what had no answer. */
  retry(): void;
  flip(): void;
  setMode(mode: Mode): void;
  /** Begins practice for a side, from the position that is shown or from another. */
  practise(pupil: Side, start?: string): void;
  /** Chooses the piece of the square map. */
  setSubject(square: string): void;
}

interface Place {
  game: string;
  start: string;
  plies: Ply[];
  undone: Ply[];
  flipped: boolean;
  mode: Mode;
  subject: string;
  pupil: Side;
}

/** The moves since the last capture or pawn move, before which nothing can be repeated. */
function sinceZeroing({ start, plies }: Place): { from: string; played: string } {
  const fen = plies.at(-1)?.fen ?? start;
  const clock = Number(fen.split(" ").at(-2)) || 0;
  const first = Math.max(plies.length - Math.min(clock, 400), 0);
  const played = plies.slice(first).map((ply) => ply.uci).join(",");
  return { from: plies[first - 1]?.fen ?? start, played };
}

/** The moves before the one that a problem complains of. */
function goodOf(moves: string, problem: api.Problem): string {
  const place = Number(/^move (\d+)\b/.exec(problem.message)?.[1] ?? 1);
  const all = moves.split(/[, ]/).filter(Boolean);
  return all.slice(0, Math.min(place, all.length) - 1).join(",");
}

export function useExplorer(): Explorer {
  const [place, setPlace] = useState<Place | null>(null);
  const [game, setGame] = useState<Game | null>(null);
  const [known, setKnown] = useState<{ key: string; answer: Answer } | null>(null);
  const [problem, setProblem] = useState<api.Problem | null>(null);
  /** The reason why there is no answer to a link, which is shown once there is. */
  const [stuck, setStuck] = useState<api.Problem | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [trouble, setTrouble] = useState<api.Problem | null>(null);
  const writing = useRef(false);
  const typing = useRef(false);

  const asking = useRef<AbortController>(null);
  const opening = useRef(false);
  /** Gives up what was asked before, whose answer may come later. */
  const begin = useCallback(() => {
    asking.current?.abort();
    asking.current = new AbortController();
    return asking.current.signal;
  }, []);

  /** Shows what a link says, and what the back button goes to. */
  const open = useCallback(async (search: string, before: api.Problem | null = null) => {
    const link = readLink(search);
    const signal = begin();
    opening.current = true;
    const persist = <T,>(ask: () => Promise<T>) => api.persist(ask, signal, setStuck);
    try {
      const found = await persist(() => ahead(link.game, signal, () => api.game(link.game, signal)));
      // Moves without a position are those of a game from its beginning.
      const start = link.fen || (link.moves ? found.array : example(found));
      let plies: Ply[] = [];
      let trouble = before;
      let moves = link.moves;
      while (moves) {
        try {
          plies = api.told(await persist(() => api.play(found.id, start, moves, signal)));
          break;
        } catch (error) {
          if (signal.aborted) return;
          trouble ??= api.problemOf(error);
          // Those before the one that is wrong are played.
          moves = goodOf(moves, api.problemOf(error));
        }
      }
      writing.current = false;
      typing.current = false;
      opening.current = false;
      setStuck(null);
      setGame(found);
      const { flipped, map, practice } = link;
      setPlace((place) => {
        const other = place?.mode === "edit" ? "edit" : "play";
        const mode = map ? "map" : practice ? "practice" : other;
        const pupil = practice ?? turnOf(start);
        return { game: found.id, start, plies, undone: [], flipped, mode, subject: map, pupil };
      });
      setTrouble(trouble);
    } catch (error) {
      if (signal.aborted) return;
      if (link.game === "orthodox") setStuck(api.problemOf(error));
      else await open("", api.problemOf(error));
    }
  }, [begin]);

  useEffect(() => {
    void open(location.search);
    const listener = () => void open(location.search);
    addEventListener("popstate", listener);
    return () => {
      removeEventListener("popstate", listener);
      asking.current?.abort();
    };
  }, [open]);

  // The address follows.
  useEffect(() => {
    if (!place) return;
    const moves = place.plies.map((ply) => ply.uci).join(",");
    const { game, start, flipped, mode, subject, pupil } = place;
    const map = mode === "map" ? subject : "";
    const practice = mode === "practice" ? pupil : null;
    const link = writeLink({ game, fen: start, moves, flipped, map, practice });
    visit(link, writing.current);
    writing.current = false;
  }, [place]);

  // Game and position shown belong together.
  const current = game && place && game.id === place.game ? { game, place } : null;
  const fen = current ? (current.place.plies.at(-1)?.fen ?? current.place.start) : "";
  const last = current?.place.plies.at(-1);
  const ended = last?.end && !isVisible(last.end) ? last : null;
  const { from, played } = current ? sinceZeroing(current.place) : { from: "", played: "" };
  const key = current && !ended ? keyOf(current.game.id, from, played) : "";
  useEffect(() => {
    if (!current || ended) return;
    const abort = new AbortController();
    const ask = async () => {
      try {
        const { signal } = abort;
        const question = () => ahead(key, signal, () => api.probe(current.game.id, from, played, signal));
        const answer = await api.persist(question, signal, setProblem);
        setKnown({ key, answer });
        setProblem(null);
      } catch (error) {
        if (!abort.signal.aborted) setProblem(api.problemOf(error));
      }
    };
    void ask();
    return () => abort.abort();
    // The key says all there is to know.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, attempt]);

  const answer = !ended && known?.key === key ? known.answer : null;
  const first = answer?.moves[0];
  const best = first && first.category !== "unknown" ? first : null;
  const shown = useRef({ game: current?.game ?? null, fen, best, mode: current?.place.mode });
  shown.current = { game: current?.game ?? null, fen, best, mode: current?.place.mode };

  const retry = useCallback(() => {
    if (stuck) void open(location.search);
    else setAttempt((attempt) => attempt + 1);
  }, [open, stuck]);

  const change = useCallback((update: (place: Place) => Place, typed = false) => {
    writing.current = !(typed && typing.current);
    typing.current = typed;
    // Whoever goes on from here does not want to go there any more.
    if (opening.current) begin();
    opening.current = false;
    setStuck(null);
    setTrouble(null);
    setPlace((place) => place && update(place));
  }, [begin]);
  /** Goes to and fro within a game. Practice is one step for the back button: there the tables
      would only make their move again. */
  const walk = useCallback((update: (place: Place) => Place) => {
    change(update);
    if (shown.current.mode === "practice") writing.current = false;
  }, [change]);
  const practise = useCallback((pupil: Side, start?: string) =>
    change((place) => {
      const fen = place.plies.at(-1)?.fen ?? place.start;
      const flipped = pupil === "black";
      return { ...place, mode: "practice", pupil, flipped, start: start ?? fen, plies: [], undone: [] };
    }), [change]);

  const actions = useMemo(
    () => ({
      async setGame(id: string) {
        const signal = begin();
        opening.current = false;
        try {
          const found = await api.persist(() => api.game(id, signal), signal, setTrouble);
          writing.current = true;
          typing.current = false;
          setStuck(null);
          setTrouble(null);
          setGame(found);
          const { game, fen } = shown.current;
          const start = (game && carried(fen, game, found)) ?? example(found);
          setPlace((place) => ({
            flipped: false, mode: "play", subject: "",
            ...place, game: found.id, start, plies: [], undone: [], pupil: turnOf(start),
          }));
        } catch (error) {
          if (!signal.aborted) setTrouble(api.problemOf(error));
        }
      },
      setPosition: (start: string, typed?: boolean) =>
        change((place) => ({ ...place, start, plies: [], undone: [] }), typed),
      settle: () => {
        typing.current = false;
      },
      play: (move: Move) => {
        const { uci, san, fen, end, winner } = move;
        const { best } = shown.current;
        const ply = {
          uci, san, fen, end, winner: end ? winner : null,
          slip: best ? slip(best.category, move.category) : undefined,
        };
        walk((place) => {
          const [next, ...rest] = place.undone;
          const undone = next?.uci === uci ? rest : [];
          const moved = step(uci);
          const subject = moved?.from === place.subject ? moved.to : place.subject;
          return { ...place, plies: [...place.plies, ply], undone, subject };
        });
      },
      back: (count = 1) =>
        walk((place) => {
          const kept = Math.max(place.plies.length - count, 0);
          const undone = [...place.plies.slice(kept), ...place.undone];
          return { ...place, plies: place.plies.slice(0, kept), undone };
        }),
      forward: (count = 1) =>
        walk((place) => {
          const plies = [...place.plies, ...place.undone.slice(0, count)];
          return { ...place, plies, undone: place.undone.slice(count) };
        }),
      lookAhead: (undone: Ply[]) => setPlace((place) => place && { ...place, undone }),
      mark: (start: string, game: Ply[], slips: (Slip | undefined)[]) =>
        setPlace((place) => {
          if (!place || place.start !== start) return place;
          const marked = (ply: Ply) => {
            const at = game.indexOf(ply);
            return at < 0 ? ply : { ...ply, slip: slips[at] };
          };
          return { ...place, plies: place.plies.map(marked), undone: place.undone.map(marked) };
        }),
      /** It is the same position: no step for the back button. */
      flip: () => setPlace((place) => place && { ...place, flipped: !place.flipped }),
      setMode: (mode: Mode) => {
        if (mode === "practice") practise(turnOf(shown.current.fen));
        else setPlace((place) => place && { ...place, mode });
      },
      practise,
      setSubject: (subject: string) => setPlace((place) => place && { ...place, subject }),
    }),
    [begin, change, practise, walk],
  );

  return {
    ...actions,
    game: current?.game ?? null,
    fen,
    start: current?.place.start ?? "",
    plies: current?.place.plies ?? [],
    undone: current?.place.undone ?? [],
    flipped: current?.place.flipped ?? false,
    mode: current?.place.mode ?? "play",
    subject: current?.place.subject ?? "",
    pupil: current?.place.pupil ?? "white",
    ended,
    answer,
    best,
    problem: stuck ?? (ended ? null : problem),
    retry,
    trouble,
  };
}
