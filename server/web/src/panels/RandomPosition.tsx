// A form that asks for a random position of a material with a verdict.

import { useEffect, useRef, useState } from "react";
import { useRandom } from "../state/useRandom";
import type { Category, Game, Side } from "../types";

interface Props {
  game: Game;
  fen: string;
  material: string;
  /** The words on its button. */
  title: string;
  onFound(fen: string): void;
}

const WISHES: [Category, string][] = [
  ["win", "won"],
  ["draw", "drawn"],
  ["loss", "lost"],
  ["cursed-win", "cursed win"],
  ["blessed-loss", "blessed loss"],
];

/** The plies of so many moves to the end: of a win, unless a loss is wanted. */
const pliesOf = (moves: number, category: string) => (/loss/.test(category) ? 2 * moves : 2 * moves - 1);

export function RandomPosition({ game, fen, material, title, onFound }: Props) {
  const [name, setName] = useState(material);
  const [category, setCategory] = useState<Category | "">("");
  const [side, setSide] = useState<Side | "">("");
  const [moves, setMoves] = useState("");
  const [isOnEdge, setOnEdge] = useState(false);
  const shown = useRef(material);
  useEffect(() => {
    if (!material) return;
    const before = shown.current;
    shown.current = material;
    // What has been typed stays.
    setName((name) => (name === before ? material : name));
  }, [material]);
  // Whoever has gone on meanwhile does not want the answer any more.
  const { find, complaint } = useRandom(game.id, fen, onFound);
  const hasDepth = game.vitality === null && category !== "draw";
  const wishes = WISHES.filter(([wish]) => {
    if (wish === "draw") return game.vitality === null;
    return game.fifty_moves || wish === "win" || wish === "loss";
  });
  return (
    <form
      className="random row"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void find({
          material: name.trim(),
          category: category || undefined,
          side: side || undefined,
          depth_plies: hasDepth && moves ? pliesOf(Number(moves), category) : undefined,
          edge: (game.vitality !== null && isOnEdge) || undefined,
        });
      }}
    >
      <label className="field">
        <span>Material</span>
        <input
          type="text"
          list="materials"
          value={name}
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <datalist id="materials">
          {game.tables.map((table) => (
            <option key={table.material} value={table.material} />
          ))}
        </datalist>
      </label>
      <label className="field">
        <span>Verdict</span>
        <select value={category} onChange={(event) => setCategory(event.target.value as Category | "")}>
          <option value="">any</option>
          {wishes.map(([wish, word]) => (
            <option key={wish} value={wish}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>To move</span>
        <select value={side} onChange={(event) => setSide(event.target.value as Side | "")}>
          <option value="">either</option>
          <option value="white">White</option>
          <option value="black">Black</option>
        </select>
      </label>
      {hasDepth && (
        <label className="field">
          <span>In moves</span>
          <input
            className="moves-left"
            type="number"
            min={1}
            max={999}
            value={moves}
            placeholder="any"
            onChange={(event) => setMoves(event.target.value)}
          />
        </label>
      )}
      {game.vitality !== null && (
        <label className="check">
          <input type="checkbox" checked={isOnEdge} onChange={(event) => setOnEdge(event.target.checked)} />
          On the edge: a point fewer loses
        </label>
      )}
      <button type="submit">{title}</button>
      {complaint && (
        <p className="complaint" role="alert">
          {complaint}
        </p>
      )}
    </form>
  );
}
