// Which of several moves between the same squares is meant, such as a promotion.

import { useEffect, useRef } from "react";
import type { Move } from "../types";
import { distance, tone } from "../words";

export function Chooser({ moves, onChoose }: { moves: Move[]; onChoose(move: Move | null): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="chooser" aria-label="Which move?" onClose={() => onChoose(null)}>
      <h2>Which move?</h2>
      {moves.map((move) => (
        <button key={move.uci} type="button" className={tone(move.category)} onClick={() => onChoose(move)}>
          {move.san} <span className="detail">{distance(move)}</span>
        </button>
      ))}
      <button type="button" onClick={() => onChoose(null)}>
        Cancel
      </button>
    </dialog>
  );
}
