// A dialog to choose between moves of the same squares, such as promotions.

import { useEffect, useRef } from "react";
import type { Move } from "../types";
import { distance, tone } from "../words";

export function Chooser({ moves, onChoose }: { moves: Move[]; onChoose(move: Move | null): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Closing it gives the focus back, which taking it away would not.
  const close = (uci: string) => dialog.current?.close(uci);
  const closed = () => onChoose(moves.find((move) => move.uci === dialog.current?.returnValue) ?? null);
  return (
    <dialog ref={dialog} className="chooser" aria-label="Which move?" onClose={closed}>
      <h2>Which move?</h2>
      {moves.map((move) => (
        <button key={move.uci} type="button" className={tone(move.category)} onClick={() => close(move.uci)}>
          {move.san} <span className="detail">{distance(move)}</span>
        </button>
      ))}
      <button type="button" onClick={() => close("")}>
        Cancel
      </button>
    </dialog>
  );
}
