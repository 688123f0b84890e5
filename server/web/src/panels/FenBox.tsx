// The position as a FEN, to copy and to paste.

import { useEffect, useState } from "react";
import type { Problem } from "../api";

interface Props {
  fen: string;
  problem: Problem | null;
  onChange(fen: string, typed: true): void;
}

export function FenBox({ fen, problem, onChange }: Props) {
  const [text, setText] = useState(fen);
  const [copied, setCopied] = useState(false);
  useEffect(() => setText(fen), [fen]);
  const isBad = problem?.isOfPosition;
  const copy = async () => {
    await navigator.clipboard?.writeText(fen).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div className="fen">
      <label className="field wide">
        <span>FEN</span>
        <input
          type="text"
          value={text}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isBad}
          aria-describedby={isBad ? "fen-problem" : undefined}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value.trim()) onChange(event.target.value.trim(), true);
          }}
        />
      </label>
      <button type="button" onClick={() => void copy()}>
        {copied ? "Copied" : "Copy"}
      </button>
      {isBad && (
        <p id="fen-problem" className="complaint">
          {problem.message}
        </p>
      )}
    </div>
  );
}
