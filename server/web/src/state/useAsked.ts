// Asks a question again whenever it changes, and keeps the answer.

import { useEffect, useState } from "react";
import { persist, problemOf, type Problem } from "../api";

/** What is known of a question: an answer, or the reason why there is none. */
interface Known<T> {
  key: string;
  answer: T | null;
  problem: Problem | null;
}

const NOTHING = { answer: null, problem: null };

/** The answer to a question; without a `key` nothing is asked. */
export function useAsked<T>(key: string, ask: (signal: AbortSignal) => Promise<T>) {
  const [known, setKnown] = useState<Known<T>>({ key: "", answer: null, problem: null });
  useEffect(() => {
    if (!key) return;
    const abort = new AbortController();
    const { signal } = abort;
    const fail = (problem: Problem) => setKnown({ key, answer: null, problem });
    const work = async () => {
      try {
        const answer = await persist(() => ask(signal), signal, fail);
        setKnown({ key, answer, problem: null });
      } catch (error) {
        if (!signal.aborted) fail(problemOf(error));
      }
    };
    void work();
    return () => abort.abort();
    // The key says all there is to know.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return known.key === key ? known : NOTHING;
}
