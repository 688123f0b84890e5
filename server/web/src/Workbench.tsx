// The workbench of one game: its board, with the panels and keys around it.

import { useEffect, useMemo, useState } from "react";
import { ChessboardProvider } from "react-chessboard";
import { BoardView, isPlaying, useBoard, useLasting } from "./board/BoardView";
import { firstSubject, fullVitality, pieceName, readFen, rearranged, writeFen, type Fields } from "./board/placement";
import { mapSigns, plainTargetSigns, playSigns, targetSigns } from "./board/signs";
import { step } from "./board/uci";
import { Chooser } from "./panels/Chooser";
import { Curve } from "./panels/Curve";
import { Editor } from "./panels/Editor";
import { FenBox } from "./panels/FenBox";
import { MapPanel, squareWords } from "./panels/MapPanel";
import { History } from "./panels/History";
import { MoveList } from "./panels/MoveList";
import { PgnBox } from "./panels/PgnBox";
import { Points } from "./panels/Points";
import { PracticePanel } from "./panels/PracticePanel";
import { Proof } from "./panels/Proof";
import { RandomPosition } from "./panels/RandomPosition";
import { SideToMove } from "./panels/SideToMove";
import { SpareTray } from "./panels/SpareTray";
import { Spoken } from "./panels/Spoken";
import { Statistics } from "./panels/Statistics";
import { Verdict } from "./panels/Verdict";
import type { Explorer, Mode } from "./state/useExplorer";
import { useKeys } from "./state/useKeys";
import { useOpponent } from "./state/useOpponent";
import { tablesOf, usePractice } from "./state/usePractice";
import { useSquareMap } from "./state/useSquareMap";
import { useKnown, useRecent } from "./state/useKnown";
import type { Answer, Game, Move, Side } from "./types";
import { turnOf } from "./words";

interface Props {
  game: Game;
  explorer: Explorer;
}

const MODES: [Mode, string][] = [
  ["play", "Play"],
  ["edit", "Set up"],
  ["map", "Map"],
  ["practice", "Practice"],
];

export function Workbench({ game, explorer }: Props) {
  const { fen, answer, problem, flipped, mode, setSubject } = explorer;
  const editing = mode === "edit";
  const mapping = mode === "map";
  const fields = useMemo(() => readFen(fen, game), [fen, game]);
  const known = useKnown(game, answer, fen, fields);
  const recent = useRecent(game, answer);
  const [pointed, setPointed] = useState<string | null>(null);
  // Its piece may be gone, or none may have been chosen yet.
  const subject = fields.placement[explorer.subject] ? explorer.subject : firstSubject(fields, game);
  useEffect(() => {
    if (mapping) setSubject(subject);
  }, [mapping, subject, setSubject]);
  const { map, problem: mapProblem } = useSquareMap(game, fields, mapping ? subject : "");
  const [hovered, setHovered] = useLasting<string>(`${game.id} ${fen}`);
  const [taken, setBrush] = useState<string | null>(null);
  // Another game may not have it.
  const brush = taken && game.pieces.includes(taken.toUpperCase()) ? taken : null;
  const [choices, setChoices] = useLasting<Move[]>(`${game.id} ${fen}`);
  const [tables, setTables] = useState<Side | null>(null);
  const practice = usePractice(explorer);
  const opponent = mode === "play" ? tables : null;
  useOpponent(explorer, practice ? tablesOf(practice) : opponent);
  useKeys(explorer, practice);

  const change = (next: Fields, typed?: boolean) => explorer.setPosition(writeFen(next, game), typed);
  const moves = answer?.moves ?? [];
  /** The most vitality that the side to move can have. */
  const most = fullVitality(game)?.[fields.turn === "w" ? 0 : 1];
  const between = (from: string, to: string | null) =>
    moves.filter((move) => {
      const found = step(move.uci);
      return found?.from === from && found.to === to;
    });
  const put = (letter: string | null, square: string, from?: string) => {
    const placement = { ...fields.placement };
    if (from) delete placement[from];
    if (letter) placement[square] = letter;
    else delete placement[square];
    change(rearranged(fields, placement));
  };
  const move = (from: string, to: string | null) => {
    if (!isPlaying(mode)) {
      if (to === null) return put(null, from);
      if (mapping) setSubject(to);
      return put(fields.placement[from] ?? null, to, from);
    }
    const found = between(from, to);
    if (found.length === 1 && found[0]) explorer.play(found[0]);
    else setChoices(found);
  };
  const targets = (square: string) => {
    if (practice) return practice.isTurn ? plainTargetSigns(moves, square) : {};
    return mode === "play" ? targetSigns(moves, square, most) : {};
  };
  const arrow = practice?.refutation[0]?.uci ?? hovered;
  const board = useBoard({
    game,
    fen,
    placement: fields.placement,
    flipped,
    mode,
    arrow: arrow ? step(arrow) : null,
    marks: marksOf(explorer, known, fields),
    signs: mapping ? mapSigns(map, fields, subject) : playSigns(answer, fields),
    targets,
    onMove: move,
    onPut: (letter, to) => put(letter, to),
    onSquare: (square) => {
      if (editing) {
        if (brush) put(fields.placement[square] === brush ? null : brush, square);
      } else if (fields.placement[square]) setSubject(square);
      else move(subject, square);
    },
    onPoint: setPointed,
    describe: (square) => {
      const name = pieceName(game, fields.placement[square]);
      const told = mapping && map ? squareWords(map, fields, square) : "";
      return told ? `${name}. ${told}` : name;
    },
  });
  const [full, least] = [fullVitality(game), game.least_vitality ?? 1];
  const vitality = known?.vitality;
  // What is dragged is one step for the back button.
  const setPoints = (white: number, black: number) => change({ ...fields, vitality: `${white}+${black}` }, true);
  const points = (side: Side) => {
    if (!full || editing || practice) return null;
    const [white = 0, black = 0] = (fields.vitality ?? "").split("+").map(Number);
    const isWhite = side === "white";
    return (
      <Points
        side={side}
        value={isWhite ? white : black}
        least={least}
        most={full[isWhite ? 0 : 1]}
        needs={vitality ? (isWhite ? vitality.white_needs : vitality.black_needs) : null}
        onChange={(value) => (isWhite ? setPoints(value, black) : setPoints(white, value))}
        onSettle={explorer.settle}
      />
    );
  };
  const sides: [Side, Side] = flipped ? ["white", "black"] : ["black", "white"];

  return (
    // A board that stays would draw the pieces of the game before for a moment.
    <ChessboardProvider key={game.id} options={board.options}>
      <section className="board-side" aria-label="Position">
        <div className="modes row" role="group" aria-label="What the board is for">
          <div className="joined">
            {MODES.map(([name, title]) => (
              <button key={name} type="button" aria-pressed={mode === name} onClick={() => explorer.setMode(name)}>
                {title}
              </button>
            ))}
          </div>
          <button type="button" onClick={explorer.flip}>
            Flip
          </button>
          <span className="spring" />
          {isPlaying(mode) && (
            <p className={`turn disc-${fields.turn}`}>
              {fields.turn === "w" ? "White" : "Black"}
              <span className="to-move"> to move</span>
            </p>
          )}
        </div>
        {editing && <SpareTray game={game} side={sides[0]} brush={brush} onBrush={setBrush} />}
        {points(sides[0])}
        <BoardView board={board} game={game} mode={mode} />
        {points(sides[1])}
        {editing && <SpareTray game={game} side={sides[1]} brush={brush} onBrush={setBrush} />}
        <Spoken game={game} fields={fields} />
        {game.hill.length > 0 && <p className="legend mark-hill">A king on a framed square wins</p>}
        <Legend answer={known} varies={game.royals_vary} />
        {choices && choices.length > 1 && (
          <Chooser
            moves={choices}
            most={most}
            isPlain={practice !== null}
            onChoose={(chosen) => {
              setChoices(null);
              if (chosen) explorer.play(chosen);
            }}
          />
        )}
      </section>
      <section className="answer-side" aria-label="Answer">
        {!isPlaying(mode) && <SideToMove fields={fields} onChange={change} />}
        {editing && <Editor game={game} fields={fields} onChange={change} onSettle={explorer.settle} />}
        {mapping && (
          <MapPanel
            game={game}
            fields={fields}
            subject={subject}
            map={map}
            problem={mapProblem}
            pointed={pointed ?? board.cursor}
            onSubject={setSubject}
          />
        )}
        {vitality && !practice && (
          <Curve vitality={vitality} full={full ?? [1, 1]} least={least} onChoose={setPoints} onSettle={explorer.settle} />
        )}
        {practice && <PracticePanel explorer={explorer} practice={practice} fields={fields} />}
        {(!practice || problem) && (
          <Verdict game={game} answer={answer} pending={known} problem={problem} ended={explorer.ended} onRetry={explorer.retry} />
        )}
        {!practice && answer?.category === "unknown" && !answer.end && (
          <Proof game={game} answer={answer} explorer={explorer} />
        )}
        {!practice && (
          <>
            <History explorer={explorer} tables={tables} onTables={setTables} />
            {answer && <MoveList moves={moves} most={most} onHover={setHovered} onPlay={explorer.play} />}
          </>
        )}
      </section>
      <section className="tools-side" aria-label="Other positions">
        <FenBox
          fen={fen}
          problem={problem}
          onChange={explorer.setPosition}
          onSettle={explorer.settle}
        />
        <RandomPosition
          key={game.id}
          game={game}
          fen={fen}
          material={answer?.material ?? ""}
          title={practice ? "Random exercise" : "Random position"}
          onFound={(found) =>
            practice ? explorer.practise(turnOf(found), found) : explorer.setPosition(found)
          }
        />
        {!practice && <PgnBox key={`${game.id} games`} game={game} explorer={explorer} />}
        {!practice && recent && (
          <Statistics
            game={game}
            answer={recent}
            onOpen={explorer.setPosition}
          />
        )}
      </section>
    </ChessboardProvider>
  );
}

/** The legend of the frames around squares. */
function Legend({ answer, varies }: { answer: Answer | null; varies: boolean }) {
  if (answer?.high) return <p className="legend mark-high">The framed king is High</p>;
  const isRoyal = varies && answer?.royal && answer.royal.white.length + answer.royal.black.length > 0;
  return isRoyal ? <p className="legend mark-royal">Framed pieces are royal</p> : null;
}

/** Squares with a mark: the last move, royal pieces, the High king. */
function marksOf({ game, plies }: Explorer, answer: Answer | null, fields: Fields): Record<string, string[]> {
  const last = plies.at(-1);
  const played = last ? step(last.uci) : null;
  const royal = game?.royals_vary && answer?.royal ? [...answer.royal.white, ...answer.royal.black] : [];
  const king = answer?.high?.side === "white" ? "K" : "k";
  const high = answer?.high
    ? Object.keys(fields.placement).filter((square) => fields.placement[square] === king)
    : [];
  return {
    hill: game?.hill ?? [],
    last: played ? [played.from, played.to] : [],
    royal,
    high,
    ep: fields.ep === "-" ? [] : [fields.ep],
  };
}
