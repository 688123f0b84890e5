// The pages of the address: the board, the endings of a game, and one ending.

import { useEffect, useState } from "react";
import { escaped, gameOf } from "./link";

export type Route =
  | { page: "board" }
  | { page: "endings"; game: string }
  | { page: "ending"; game: string; material: string };

export function readRoute(search: string): Route {
  const query = new URLSearchParams(search);
  const game = gameOf(query);
  const material = query.get("ending");
  if (material) return { page: "ending", game, material };
  return query.get("page") === "endings" ? { page: "endings", game } : { page: "board" };
}

/** The link to the endings of a game. */
export const endingsLink = (game: string) => `?game=${escaped(game)}&page=endings`;

/** The link to an ending. */
export const endingLink = (game: string, material: string) => `?game=${escaped(game)}&ending=${escaped(material)}`;

/** Goes to a link as the browser would, without loading the page again. */
export function go(link: string) {
  try {
    history.pushState(null, "", link);
  } catch {
    // Browsers allow only so many changes in some seconds.
    location.assign(link);
    return;
  }
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

/** The page that the address names. */
export function useRoute(): Route {
  const [search, setSearch] = useState(location.search);
  useEffect(() => {
    const listener = () => setSearch(location.search);
    addEventListener("popstate", listener);
    return () => removeEventListener("popstate", listener);
  }, []);
  return readRoute(search);
}
