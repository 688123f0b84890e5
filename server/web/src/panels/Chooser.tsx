// A dialog to choose between moves of the same squares, such as promotions.

import { useEffect, useRef } from "react";
import type { Move } from "../types";
import { distance, tone } from "../words";

interface Props {
  moves: Move[];
  /** The most vitality that the mover can have. */
  most?: number;
  /** Whether the moves do not say what they are worth. */
  isPlain: boolean;
  onChoose(move: Move | null): void;
}

export function Chooser({ moves, most, isPlain, onChoose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Closing it gives the focus back, which taking it away would not.
  const close = (uci: string) => dialog.current?.close(uci);
  const closed = () => onChoose(moves.find((move) => move.uci === dialog.current?.returnValue) ?? null);
  return (
    <dialog ref={dialog} className="chooser" aria-label="Which move?" onClose={closed}>
      <h2>Which move?</h2>
      {moves.map((move) => (
        <button key={move.uci} type="button" className={isPlain ? "" : tone(move.category)} onClick={() => close(move.uci)}>
          {move.san} {!isPlain && <span className="detail">{distance(move, most)}</span>}
        </button>
      ))}
      <button type="button" onClick={() => close("")}>
        Cancel
      </button>
    </dialog>
  );
}
