// The editor of a position: counters and rights, and actions on the whole of it.

import type { Game } from "../types";
import { NumberField } from "./NumberField";
import { coloursSwapped, fullCounters, mirrored, passedOver, rearranged, type Fields } from "../board/placement";

interface Props {
  game: Game;
  fields: Fields;
  onChange(fields: Fields, typed?: boolean): void;
  /** Called when nothing more is typed. */
  onSettle(): void;
}

export function Editor({ game, fields, onChange, onSettle }: Props) {
  const squares = passedOver(fields, game);
  if (fields.ep !== "-" && !squares.includes(fields.ep)) squares.push(fields.ep);
  const set = (change: Partial<Fields>) => onChange({ ...fields, ...change });
  return (
    <section className="editor" aria-label="Set up">
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
          <NumberField
            label="Half-move clock"
            value={fields.halfmoves}
            least={0}
            most={150}
            onChange={(halfmoves) => onChange({ ...fields, halfmoves }, true)}
            onSettle={onSettle}
          />
        )}
        {fullCounters(game) !== null && (
          <Counters game={game} fields={fields} onChange={onChange} onSettle={onSettle} />
        )}
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

/** The counters of both sides: vitality, or the checks that each still has to give. */
function Counters({ game, fields, onChange, onSettle }: Props) {
  const [white = "", black = ""] = (fields.vitality ?? "").split("+");
  const [most, mostOfBlack] = fullCounters(game) ?? [1, 1];
  const input = (name: string, most: number, value: string, write: (value: string) => string) => (
    <NumberField
      key={name}
      label={game.checks === null ? `${name}’s vitality` : `${name}’s checks to give`}
      value={value}
      least={game.least_vitality ?? 1}
      most={most}
      onChange={(value) => onChange({ ...fields, vitality: write(value) }, true)}
      onSettle={onSettle}
    />
  );
  return (
    <>
      {input("White", most, white, (value) => `${value}+${black}`)}
      {input("Black", mostOfBlack, black, (value) => `${white}+${value}`)}
    </>
  );
}
