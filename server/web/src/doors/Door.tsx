// What the pages of games and endings share: their frame, and what is missing.

import type { ReactNode } from "react";
import { hasServer, type Problem } from "../api";
import { Frame } from "../Frame";
import { idOf } from "../panels/GamePicker";
import { endingsLink, go } from "../state/route";
import type { Game } from "../types";
import { problemWords } from "../words";

interface Props {
  /** Null until there is an answer. */
  game: Game | null;
  problem: Problem | null;
  children: ReactNode;
}

export function Door({ game, problem, children }: Props) {
  return (
    <Frame game={game} view="endings" onGame={(id) => go(endingsLink(id))}>
      <main className="door">
        {problem && (
          <p className="complaint" role="alert">
            {problemWords(problem)}
            {problem.wait !== undefined && " The page goes on asking."}
          </p>
        )}
        {children}
      </main>
    </Frame>
  );
}

/** Whether the server is on the visitor's own machine. */
const isLocal = hasServer && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** The address of the project, which the build knows. */
declare const REPOSITORY: string;

/** The link to the program, for what takes more than this page. */
export const Program = () => <a href={REPOSITORY}>The program Retrograde</a>;

/** The command that makes the tables of a material, for those who can run it; without a server, where
    to get the program. */
export function Command({ game, material }: { game: Game; material: string }) {
  const command = <code>{`retrograde generate ${idOf(game)} ${material}`}</code>;
  if (!hasServer) {
    return (
      <p className="command">
        This page has only the tables that ship. <Program /> makes this one, with {command}, and shows this page with
        all its tables, with <code>retrograde serve</code>.
      </p>
    );
  }
  if (!isLocal) return null;
  return (
    <p className="command">
      Make it with {command} where this server was started, and start it again.
    </p>
  );
}
