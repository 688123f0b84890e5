// The statistics panel: counts, histogram and longest wins of a material.

import { useEffect, useState } from "react";
import * as api from "../api";
import type { Answer, Game, Side, Statistics as Counts } from "../types";
import { SIDES, capital, problemWords } from "../words";
import { Histogram } from "./Histogram";

interface Props {
  game: Game;
  answer: Answer;
  link(fen: string): string;
  onOpen(fen: string): void;
}

export function Statistics({ game, answer, link, onOpen }: Props) {
  const [open, setOpen] = useState(false);
  const [counts, setCounts] = useState<Counts | null>(null);
  const [complaint, setComplaint] = useState("");
  const { material } = answer;
  useEffect(() => {
    setCounts(null);
    setComplaint("");
    if (!open) return;
    const abort = new AbortController();
    const { signal } = abort;
    const complain = (error: unknown) => setComplaint(problemWords(api.problemOf(error)));
    const ask = async () => {
      try {
        setCounts(await api.persist(() => api.statistics(game.id, material, signal), signal, complain));
        setComplaint("");
      } catch (error) {
        if (!signal.aborted) complain(error);
      }
    };
    void ask();
    return () => abort.abort();
  }, [open, game.id, material]);
  return (
    <details className="statistics" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Statistics of {material}</summary>
      {complaint && <p className="complaint">{complaint}</p>}
      {!counts && !complaint && open && <p>Counting…</p>}
      {counts && (
        <>
          <Shares counts={counts} />
          {counts.histogram && <Histogram counts={counts} answer={answer} />}
          <Longest counts={counts} link={link} onOpen={onOpen} />
        </>
      )}
    </details>
  );
}

/** The shares won, drawn and lost, for each side to move. */
function Shares({ counts }: { counts: Counts }) {
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

function Longest({ counts, link, onOpen }: { counts: Counts } & Pick<Props, "link" | "onOpen">) {
  return SIDES.map((side) => {
    const fens = counts.longest_fens[side];
    const plies = Math.max(counts.longest_win_plies[side] ?? 0, counts.longest_loss_plies[side] ?? 0);
    if (fens.length === 0) return null;
    return (
      <div key={side} className="longest">
        <h3>
          {capital(side)} to move, {plies} plies
        </h3>
        <ul>
          {fens.slice(0, 5).map((fen) => (
            <li key={fen}>
              <a
                href={link(fen)}
                onClick={(event) => {
                  event.preventDefault();
                  onOpen(fen);
                }}
              >
                {fen}
              </a>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}
