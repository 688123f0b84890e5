// The verdict on the position in one sentence, with its details.

import { Anchor } from "../Anchor";
import { Command } from "../doors/Door";
import { endingLink } from "../state/route";
import type { Answer, Game, Ply } from "../types";
import type { Problem } from "../api";
import { capital, ending, problemWords, sideTone, turnOf, verdict } from "../words";

interface Props {
  /** Null until it is known. */
  game: Game | null;
  answer: Answer | null;
  /** What is known while there is no answer yet. */
  pending?: Answer | null;
  problem: Problem | null;
  /** The move that has ended the game, if the position does not show it. */
  ended?: Ply | null;
  onRetry(): void;
}

export function Verdict({ game, answer, pending, problem, ended, onRetry }: Props) {
  if (ended?.end) {
    return (
      <section className={`verdict ${sideTone(ended.winner ?? null)}`} role="status" aria-label="Verdict">
        <h2>{ending(ended.end, ended.winner ?? null)}</h2>
      </section>
    );
  }
  if (problem) {
    const title = problem.isOfPosition ? "Not a position of this game" : "No answer";
    return (
      <section className="verdict tone-problem" role="status" aria-label="Verdict">
        <h2>{title}</h2>
        {problem.isOfFen ? (
          <p>The FEN cannot be read; what is wrong stands below it.</p>
        ) : (
          <p id="verdict-problem">
            {problemWords(problem)}
            {problem.wait !== undefined && " The page goes on asking."}
          </p>
        )}
        {!problem.isOfPosition && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </section>
    );
  }
  if (!answer) {
    return (
      <section className="verdict" role="status" aria-label="Verdict" aria-busy="true">
        <h2>…</h2>
        {pending && <Facts answer={pending} />}
      </section>
    );
  }
  const look = answer.category === "unknown" && !answer.end ? "tone-unknown" : sideTone(answer.winner);
  return (
    <section className={`verdict ${look}`} role="status" aria-label="Verdict">
      <h2>{verdict(answer)}</h2>
      <Facts answer={answer} />
      {isClaimable(answer) && (
        <p>The draw can be claimed now. The moves are judged as if nobody claims it.</p>
      )}
      {answer.error && <p>{capital(answer.error.message)}.</p>}
      {game && answer.error?.kind === "missing-table" && <Command game={game} material={answer.material} />}
    </section>
  );
}

/** The remark at a clock of 100 or more, if there is a win to lose by it. */
const isClaimable = ({ clock, end, category }: Answer) =>
  !end && (clock ?? 0) >= 100 && (category === "cursed-win" || category === "blessed-loss");

function Facts({ answer }: { answer: Answer }) {
  const facts: string[] = [`${capital(turnOf(answer.fen))} to move`];
  if (answer.vitality) facts.push(`vitality ${answer.vitality.white} + ${answer.vitality.black}`);
  // The heading has the depth; DTZ is news if it is another number.
  if (answer.dtz_plies !== null && answer.dtz_plies !== answer.depth_plies) {
    facts.push(`DTZ ${answer.dtz_plies}`);
  }
  if (answer.check && !answer.checkmate) facts.push("in check");
  for (const side of ["white", "black"] as const) {
    if (answer.checks?.[side]) facts.push(`${side} king attacked`);
  }
  if (answer.high) facts.push(`${capital(answer.high.side)} is High`);
  return (
    <p className="facts">
      <Anchor className="material" href={endingLink(answer.game, answer.material)}>
        {answer.material}
      </Anchor>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}
