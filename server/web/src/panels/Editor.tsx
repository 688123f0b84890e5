// What a position has beside its pieces, and what can be done with all of it.

import type { Game } from "../types";
import { coloursSwapped, mirrored, passedOver, rearranged, type Fields } from "../board/placement";

interface Props {
  game: Game;
  fields: Fields;
  onChange(fields: Fields, typed?: boolean): void;
}

export function Editor({ game, fields, onChange }: Props) {
  const squares = passedOver(fields, game);
  if (fields.ep !== "-" && !squares.includes(fields.ep)) squares.push(fields.ep);
  const set = (change: Partial<Fields>) => onChange({ ...fields, ...change });
  return (
    <section className="editor" aria-label="Set up">
      <div className="row" role="group" aria-label="Side to move">
        {(["w", "b"] as const).map((turn) => (
          <button
            key={turn}
            type="button"
            aria-pressed={fields.turn === turn}
            onClick={() => set({ turn, ep: "-" })}
          >
            {turn === "w" ? "White to move" : "Black to move"}
          </button>
        ))}
      </div>
      <div className="row">
        <label className="field">
          <span>En passant</span>
          <select value={fields.ep} onChange={(event) => set({ ep: event.target.value })}>
            <option value="-">none</option>
            {squares.map((square) => (
              <option key={square}>{square}</option>
            ))}
          </select>
        </label>
        {game.fifty_moves && (
          <label className="field">
            <span>Half-move clock</span>
            <input
              type="number"
              min={0}
              max={150}
              value={fields.halfmoves}
              onChange={(event) => onChange({ ...fields, halfmoves: event.target.value || "0" }, true)}
            />
          </label>
        )}
        {game.vitality !== null && <Counters game={game} fields={fields} onChange={onChange} />}
      </div>
      <div className="row tools">
        <button type="button" onClick={() => onChange(mirrored(fields, game))}>
          Mirror
        </button>
        <button type="button" onClick={() => onChange(coloursSwapped(fields, game))}>
          Swap colours
        </button>
        <button type="button" onClick={() => onChange(rearranged(fields, {}))}>
          Clear
        </button>
      </div>
    </section>
  );
}

/** Vitality of both sides. */
function Counters({ game, fields, onChange }: Props) {
  const [white = "", black = ""] = (fields.vitality ?? "").split("+");
  const full = game.vitality ?? 1;
  const input = (name: string, value: string, write: (value: string) => string) => (
    <label className="field" key={name}>
      <span>{name}’s vitality</span>
      <input
        type="number"
        min={1}
        max={full}
        value={value}
        onChange={(event) => onChange({ ...fields, vitality: write(event.target.value || "1") }, true)}
      />
    </label>
  );
  return (
    <>
      {input("White", white, (value) => `${value}+${black}`)}
      {input("Black", black, (value) => `${white}+${value}`)}
    </>
  );
}
