// Finds random positions, the last one that was asked for.

import { useEffect, useRef, useState } from "react";
import * as api from "../api";
import type { Wish } from "../source/source";
import { problemWords } from "../words";

/** What has been asked for is forgotten once the `key` is another. */
export function useRandom(game: string, key: string, onFound: (fen: string) => void) {
  const [complaint, setComplaint] = useState("");
  const asking = useRef<AbortController>(null);
  useEffect(() => {
    setComplaint("");
    return () => asking.current?.abort();
  }, [game, key]);
  const find = async (wish: Wish) => {
    setComplaint("");
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    try {
      const { fen } = await api.random(game, wish, signal);
      // It may have been given up while the answer was on its way.
      if (!signal.aborted) onFound(fen);
    } catch (error) {
      if (!signal.aborted) setComplaint(problemWords(api.problemOf(error)));
    }
  };
  return { find, complaint };
}
