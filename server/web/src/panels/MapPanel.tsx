// The square map beside the board: its piece, its colours with how often each is there, and what
// one square says.

import type { Problem } from "../api";
import { comparison, outcomeWords, type Measure, type Outcome } from "../board/outcome";
import { pieceName, type Fields } from "../board/placement";
import type { SquareMap } from "../state/useSquareMap";
import type { Game } from "../types";
import { capital, problemWords } from "../words";

interface Props {
  game: Game;
  fields: Fields;
  subject: string;
  map: SquareMap | null;
  problem: Problem | null;
  /** The square below the pointer, or that keys are at. */
  pointed: string | null;
  onSubject(square: string): void;
}

/** Outcomes by their looks, in words. */
const KINDS: [string, string][] = [
  ["is-white", "White wins"],
  ["is-white cursed", "White would win but for the fifty-move rule"],
  ["is-draw", "Draw"],
  ["is-black cursed", "Black would win but for the fifty-move rule"],
  ["is-black", "Black wins"],
  ["is-unknown", "Not known"],
  ["is-impossible", "Impossible"],
];

const lookOf = ({ kind, isCursed }: Outcome) => `is-${kind}${isCursed ? " cursed" : ""}`;

const MEASURES: Record<Measure, string> = {
  end: "Numbers are moves to the end; the fewer, the stronger the colour.",
  zeroing: "Numbers are moves to the next capture or pawn move; the fewer, the stronger the colour.",
  vitality: "Numbers are the points that the winner needs; the fewer, the stronger the colour.",
};

const isWhite = ({ turn }: Fields) => turn === "w";

/** What a square says: the outcome and, where that is another one, if the other side moves. */
export function squareWords({ measure, outcomes }: SquareMap, fields: Fields, square: string): string {
  const [here, there] = isWhite(fields) ? [outcomes.white, outcomes.black] : [outcomes.black, outcomes.white];
  const [outcome, other] = [here[square], there[square]];
  if (!outcome || !other) return "";
  const { white = outcome, black = outcome } = { white: outcomes.white[square], black: outcomes.black[square] };
  const { differs, isZugzwang } = comparison(white, black);
  const mover = isWhite(fields) ? "Black" : "White";
  const contrast = differs ? `; with ${mover} to move: ${outcomeWords(other, measure)}` : "";
  return `${capital(outcomeWords(outcome, measure))}${contrast}${isZugzwang ? " (mutual zugzwang)" : ""}.`;
}

export function MapPanel({ game, fields, subject, map, problem, pointed, onSubject }: Props) {
  const pieces = Object.entries(fields.placement).sort(([a], [b]) => (a < b ? -1 : 1));
  const told = pointed && map ? squareWords(map, fields, pointed) : "";
  return (
    <section className="map-panel" aria-label="Square map">
      <label className="field">
        <span>What happens with this piece on each square</span>
        <select value={subject} onChange={(event) => onSubject(event.target.value)}>
          {pieces.map(([square, letter]) => (
            <option key={square} value={square}>
              {capital(pieceName(game, letter))} {square}
            </option>
          ))}
        </select>
      </label>
      {problem && <p className="complaint">{problemWords(problem)}</p>}
      {map && <Key map={map} fields={fields} />}
      <p className="told" aria-hidden="true">
        {told ? (
          <>
            <strong>{pointed}</strong> {told}
          </>
        ) : (
          "Choose a square to put the piece there, or another piece to see its squares."
        )}
      </p>
      <p className="hidden" role="status" aria-label="Summary of the square map">
        {map && summary(game, fields, subject, map)}
      </p>
    </section>
  );
}

function counts(map: SquareMap, fields: Fields) {
  const { white, black } = map.outcomes;
  const here = isWhite(fields) ? white : black;
  const number = (look: string) => Object.values(here).filter((outcome) => lookOf(outcome) === look).length;
  const compared = Object.keys(here).flatMap((square) => {
    const [first, second] = [white[square], black[square]];
    return first && second ? [comparison(first, second)] : [];
  });
  return {
    kinds: KINDS.map(([look, words]) => ({ look, words, count: number(look) })).filter(({ count }) => count > 0),
    differing: compared.filter(({ differs }) => differs).length,
    zugzwangs: compared.filter(({ isZugzwang }) => isZugzwang).length,
  };
}

/** The colours of the map, and how many squares have each. */
function Key({ map, fields }: { map: SquareMap; fields: Fields }) {
  const { kinds, differing, zugzwangs } = counts(map, fields);
  const mover = isWhite(fields) ? "Black" : "White";
  return (
    <>
      <ul className="map-key">
        {kinds.map(({ look, words, count }) => (
          <li key={look}>
            <span className={`swatch ${look}`} /> {words} <b>{count}</b>
          </li>
        ))}
        {differing > 0 && (
          <li>
            <span className="swatch corner corner-other" /> Other result with {mover} to move <b>{differing}</b>
          </li>
        )}
        {zugzwangs > 0 && (
          <li>
            <span className="swatch zugzwang" /> Mutual zugzwang <b>{zugzwangs}</b>
          </li>
        )}
      </ul>
      {kinds.some(({ look }) => /white|black/.test(look)) && <p className="fine">{MEASURES[map.measure]}</p>}
    </>
  );
}

/** The whole map in a sentence, for those who do not see it. */
function summary(game: Game, fields: Fields, subject: string, map: SquareMap): string {
  const { kinds, zugzwangs } = counts(map, fields);
  const parts = kinds.map(({ words, count }) => `${words}: ${count}`);
  if (zugzwangs > 0) parts.push(`Mutual zugzwang: ${zugzwangs}`);
  const mover = isWhite(fields) ? "White" : "Black";
  return `Squares for the ${pieceName(game, fields.placement[subject])}, ${mover} to move. ${parts.join("; ")}.`;
}
