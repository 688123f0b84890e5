// The position as a FEN, to copy and to paste.

import { useEffect, useRef, useState } from "react";
import type { Problem } from "../api";

interface Props {
  fen: string;
  problem: Problem | null;
  onChange(fen: string, typed: true): void;
  /** Nothing more is typed. */
  onSettle(): void;
}

/** Shorter between two keys means that the FEN is not finished. */
const PAUSE = 300;

export function FenBox({ fen, problem, onChange, onSettle }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const isBad = problem?.isOfPosition;
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
          aria-describedby={isBad ? "fen-problem" : undefined}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && settle()}
          onBlur={settle}
        />
      </label>
      <CopyButton text={fen} input={input} />
      {isBad && (
        <p id="fen-problem" className="complaint">
          {problem.message}
        </p>
      )}
    </div>
  );
}

/** Copies a text, or else selects it where it stands. */
function CopyButton({ text, input }: { text: string; input: React.RefObject<HTMLInputElement | null> }) {
  const [outcome, setOutcome] = useState<"copied" | "selected" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), outcome === "copied" ? 1500 : 6000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // Without HTTPS there is no clipboard.
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      input.current?.focus();
      input.current?.select();
      setOutcome(document.execCommand("copy") ? "copied" : "selected");
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {outcome === "copied" ? "Copied" : "Copy"}
      </button>
      <p className={outcome === "selected" ? "note" : "hidden"} role="status">
        {outcome === "copied" && "Copied"}
        {outcome === "selected" && "The browser does not let this page copy. The FEN is selected: copy it by hand."}
      </p>
    </>
  );
}
