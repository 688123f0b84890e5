// A list of moves: those that were played and, paler, those that may come next.

import { useEffect, useRef } from "react";
import type { Ply } from "../types";
import { numbered, sanWords } from "../words";

interface Props {
  label: string;
  /** The position before the first move. */
  start: string;
  plies: Ply[];
  /** Moves that are not played yet. */
  ahead?: Ply[];
  /** Called with the number of moves to go forward, or back if it is negative. Without it the list
      is only to be read. */
  onGo?(moves: number): void;
}

export function Played({ label, start, plies, ahead = [], onGo }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const now = plies.length - 1;
  useEffect(() => {
    // The page itself stays where it is.
    const [all, current] = [list.current, list.current?.children[Math.max(now, 0)]];
    if (all && current instanceof HTMLElement) all.scrollTop = current.offsetTop - all.clientHeight / 2;
  }, [now]);
  const every = [...plies, ...ahead];
  if (every.length === 0) return null;
  return (
    <ol ref={list} className="played" aria-label={label}>
      {every.map((ply, place) => {
        const words = (
          <>
            {numbered(start, place)}
            {sanWords(ply.san)}
            {ply.slip && <span title="It throws the result away">?</span>}
          </>
        );
        return (
          <li key={place} className={place > now ? "ahead" : undefined}>
            {onGo ? (
              <button type="button" aria-current={place === now ? "step" : undefined} onClick={() => onGo(place - now)}>
                {words}
              </button>
            ) : (
              <span>{words}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
