// A box with the position as a FEN, to copy and to paste.

import { useEffect, useRef, useState } from "react";
import type { Problem } from "../api";
import { problemWords } from "../words";
import { CopyButton } from "./CopyButton";

interface Props {
  fen: string;
  problem: Problem | null;
  onChange(fen: string, typed: true): void;
  /** Called when nothing more is typed. */
  onSettle(): void;
}

/** The time between two keys below which the FEN is taken to be unfinished. */
const PAUSE = 300;

export function FenBox({ fen, problem, onChange, onSettle }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const isBad = problem?.isOfPosition;
  const describedBy = problem?.isOfFen ? "fen-problem" : "verdict-problem";
  const input = useRef<HTMLInputElement>(null);
  const commit = () => {
    const text = draft?.trim();
    if (text && text !== fen) onChange(text, true);
  };
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => latest.current(), PAUSE);
    return () => clearTimeout(timer);
  }, [draft]);
  // Another position, as by the back button, is not what is being typed.
  useEffect(() => setDraft((draft) => (draft?.trim() === fen ? draft : null)), [fen]);
  const settle = () => {
    commit();
    setDraft(null);
    onSettle();
  };
  return (
    <div className="fen">
      <label className="field wide">
        <span>FEN</span>
        <input
          ref={input}
          type="text"
          value={draft ?? fen}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isBad}
          aria-describedby={isBad ? describedBy : undefined}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && settle()}
          onBlur={settle}
        />
      </label>
      <CopyButton name="FEN" text={fen} input={input} />
      {problem?.isOfFen && <Fault fen={fen} problem={problem} />}
    </div>
  );
}

/** The reason why a FEN cannot be read, with the place. */
function Fault({ fen, problem }: { fen: string; problem: Problem }) {
  const { offset } = problem;
  if (offset === undefined) {
    return (
      <p id="fen-problem" className="complaint">
        {problemWords(problem)}
      </p>
    );
  }
  const before = new TextDecoder().decode(new TextEncoder().encode(fen).slice(0, offset));
  const [wrong] = fen.slice(before.length);
  const place = wrong ? `Character ${[...before].length + 1}` : "At the end";
  return (
    <div className="complaint">
      <p id="fen-problem">
        {place}: {problem.message.replace(/^at byte \d+: /, "")}.
      </p>
      <code className="fault" aria-hidden="true">
        {before}
        <mark>{wrong ?? "\u00a0"}</mark>
        {fen.slice(before.length + (wrong?.length ?? 0))}
      </code>
    </div>
  );
}
