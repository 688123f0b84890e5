// A picker of the game and its rule options.

import { useState } from "react";
import type { Game } from "../types";

interface Props {
  game: Game;
  /** The games that there are; empty until there is an answer. */
  games: Game[];
  onChange(id: string): void;
}

/** The id by which a game is found, with options that are not the default, some of them changed. */
export function idOf(game: Game, changed: Record<string, string> = {}): string {
  const options = game.options
    .map((option) => ({ ...option, value: changed[option.name] ?? option.value }))
    .filter((option) => option.value !== option.default)
    .map((option) => `${option.name}=${option.value}`)
    .sort();
  const name = game.file ?? game.name;
  return options.length > 0 ? `${name}:${options.join(",")}` : name;
}

export function GamePicker({ game, games, onChange }: Props) {
  const changed = game.options.filter((option) => option.value !== option.default).length;
  // On a narrow screen they would push the board out of view.
  const [isOpen, setOpen] = useState(() => changed > 0 && matchMedia("(width >= 60rem)").matches);
  const listed = games.find(({ id }) => id === game.id) ?? games.find(({ name }) => name === game.name);
  const choices = listed ? games : [...games, game];
  const named = ({ name, id, is_built_in }: Game) => (is_built_in ? name : id);
  return (
    <div className="picker">
      <label className="field">
        <span>Game</span>
        <select value={named(listed ?? game)} onChange={(event) => onChange(event.target.value)}>
          {choices.map((choice) => (
            <option key={named(choice)} value={named(choice)}>
              {choice.title}
            </option>
          ))}
        </select>
      </label>
      {!game.is_built_in && game.about && <p className="about">{game.about}</p>}
      {game.options.length > 0 && (
        <details className="options" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary><span className="word">Rule </span>options{changed > 0 && ` (${changed} changed)`}</summary>
          {game.options.map((option) => (
            <Option key={option.name} game={game} option={option} onChange={onChange} />
          ))}
        </details>
      )}
    </div>
  );
}

function Option({ game, option, onChange }: Omit<Props, "games"> & { option: Game["options"][number] }) {
  const choose = (value: string) => {
    const changed = { [option.name]: value };
    // A chancellor needs ten files: it comes and goes with them.
    if (option.name === "board" && value === option.default) changed.chancellor = "off";
    if (option.name === "chancellor" && value === "on" && game.files < 10) changed.board = "10x8";
    onChange(idOf(game, changed));
  };
  const aboutId = `about-${option.name}`;
  return (
    <div className="option">
      <label className="field">
        <span>{option.name.replaceAll("-", " ")}</span>
        <select
          value={option.value}
          aria-describedby={option.about ? aboutId : undefined}
          onChange={(event) => choose(event.target.value)}
        >
          {option.values.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      </label>
      {option.about && <p id={aboutId}>{option.about}</p>}
    </div>
  );
}
