// The statistics panel: counts of a material, and in how many moves its positions are decided.

import { useState } from "react";
import { Anchor } from "../Anchor";
import * as api from "../api";
import { DepthCharts } from "../doors/DepthChart";
import { endingLink } from "../state/route";
import { useAsked } from "../state/useAsked";
import { useRandom } from "../state/useRandom";
import type { Answer, Game, Side, Statistics as Counts } from "../types";
import { SIDES, problemWords, turnOf } from "../words";

interface Props {
  game: Game;
  answer: Answer;
  onOpen(fen: string): void;
}

export function Statistics({ game, answer, onOpen }: Props) {
  const [open, setOpen] = useState(false);
  const { material } = answer;
  const { answer: counts, problem } = useAsked(open ? `${game.id} ${material}` : "", (signal) =>
    api.statistics(game.id, material, signal),
  );
  const { find, complaint } = useRandom(game.id, answer.fen, onOpen);
  const { category, depth_plies, dtz_plies } = answer;
  const present = { side: turnOf(answer.fen), category, depth_plies, dtz_plies };
  const said = problem ? problemWords(problem) : complaint;
  return (
    <details className="statistics" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Statistics of {material}</summary>
      {said && <p className="complaint">{said}</p>}
      {!counts && !problem && open && <p>Counting…</p>}
      {counts && (
        <>
          <Shares counts={counts} />
          <DepthCharts counts={counts} present={present} onPick={(wish) => void find({ material, ...wish })} />
          <p>
            <Anchor href={endingLink(game.id, material)}>Longest wins and zugzwangs of {material}</Anchor>
          </p>
        </>
      )}
    </details>
  );
}

/** The shares won, drawn and lost, for each side to move. */
export function Shares({ counts }: { counts: Counts }) {
  const rows: [string, Record<Side, number | null> | undefined][] = [
    ["Positions", counts.positions],
    ["Won", counts.win],
    ["of these cursed", counts.cursed_win],
    ["Drawn", counts.draw],
    ["Lost", counts.loss],
    ["of these blessed", counts.blessed_loss],
    ["By mate", counts.win_by?.mate],
    ["By exhaustion", counts.win_by?.exhaustion],
  ];
  const share = (side: Side, number: number | null) => {
    if (number === null) return "–";
    const all = counts.positions[side];
    const percent = all > 0 ? ((100 * number) / all).toFixed(1) : "0.0";
    return `${number.toLocaleString("en")} (${percent} %)`;
  };
  const some = (row: Record<Side, number | null>) => SIDES.some((side) => row[side]);
  return (
    <table>
      <thead>
        <tr>
          <td />
          <th scope="col">White to move</th>
          <th scope="col">Black to move</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(
          ([name, row]) =>
            row &&
            (some(row) || !/of these|By/.test(name)) && (
              <tr key={name}>
                <th scope="row">{name}</th>
                {SIDES.map((side) => (
                  <td key={side}>{name === "Positions" ? (row[side] ?? 0).toLocaleString("en") : share(side, row[side])}</td>
                ))}
              </tr>
            ),
        )}
      </tbody>
    </table>
  );
}
