// Which game, with which rule options.

import { useState } from "react";
import { NAMES } from "../words";
import type { Game } from "../types";

interface Props {
  game: Game;
  onChange(id: string): void;
}

/** A game id with options that are not the default. */
function idOf(game: Game, changed: Record<string, string>): string {
  const options = game.options
    .map((option) => ({ ...option, value: changed[option.name] ?? option.value }))
    .filter((option) => option.value !== option.default)
    .map((option) => `${option.name}=${option.value}`)
    .sort();
  return options.length > 0 ? `${game.name}:${options.join(",")}` : game.name;
}

export function GamePicker({ game, onChange }: Props) {
  const changed = game.options.filter((option) => option.value !== option.default).length;
  const [isOpen, setOpen] = useState(changed > 0);
  return (
    <div className="picker">
      <label className="field">
        <span>Game</span>
        <select value={game.name} onChange={(event) => onChange(event.target.value)}>
          {Object.entries(NAMES).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {game.options.length > 0 && (
        <details className="options" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Rule options{changed > 0 && ` (${changed} changed)`}</summary>
          {game.options.map((option) => (
            <Option key={option.name} game={game} option={option} onChange={onChange} />
          ))}
        </details>
      )}
    </div>
  );
}

function Option({ game, option, onChange }: Props & { option: Game["options"][number] }) {
  const choose = (value: string) => {
    const changed = { [option.name]: value };
    // A chancellor needs ten files: it comes and goes with them.
    if (option.name === "board" && value === option.default) changed.chancellor = "off";
    if (option.name === "chancellor" && value === "on" && game.files < 10) changed.board = "10x8";
    onChange(idOf(game, changed));
  };
  return (
    <label className="field">
      <span>{option.name.replaceAll("-", " ")}</span>
      <select value={option.value} onChange={(event) => choose(event.target.value)}>
        {option.values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
}
