// The games that there are, each once.

import * as api from "../api";
import type { Game } from "../types";
import { ahead } from "./ahead";
import { useAsked } from "./useAsked";

const isFirst = (game: Game, place: number, all: Game[]) =>
  !game.is_built_in || all.findIndex((other) => other.name === game.name) === place;

/** All games; none until there is an answer. */
export function useGames(): Game[] {
  const { answer } = useAsked("games", async (signal) =>
    (await ahead("games", signal, () => api.games(signal))).filter(isFirst),
  );
  return answer ?? [];
}
