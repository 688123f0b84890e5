// A switch of the side to move.

import type { Fields } from "../board/placement";

export function SideToMove({ fields, onChange }: { fields: Fields; onChange(fields: Fields): void }) {
  return (
    <div className="joined" role="group" aria-label="Side to move">
      {(["w", "b"] as const).map((turn) => (
        <button
          key={turn}
          type="button"
          className={`turn disc-${turn}`}
          aria-pressed={fields.turn === turn}
          onClick={() => fields.turn !== turn && onChange({ ...fields, turn, ep: "-" })}
        >
          {turn === "w" ? "White to move" : "Black to move"}
        </button>
      ))}
    </div>
  );
}
