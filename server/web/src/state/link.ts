// Reads and writes the state of the page as a link, in the address.

import type { Side } from "../types";
import { SIDES } from "../words";

export interface Link {
  game: string;
  /** The position that the moves begin from; empty for the one that the game shows first. */
  fen: string;
  /** UCI moves, separated by commas. */
  moves: string;
  flipped: boolean;
  /** The square whose piece the square map is about; empty if the map is not shown. */
  map: string;
  /** The side that the visitor plays, with the answers hidden; null if there is no practice. */
  practice: Side | null;
}

/** The game that a link names. */
export const gameOf = (query: URLSearchParams) => query.get("game") || "orthodox";

export function readLink(search: string): Link {
  const query = new URLSearchParams(search);
  return {
    game: gameOf(query),
    fen: (query.get("fen") ?? "").replaceAll("_", " "),
    moves: query.get("moves") ?? "",
    flipped: query.get("view") === "black",
    map: query.get("map") ?? "",
    practice: SIDES.find((side) => side === query.get("practice")) ?? null,
  };
}

export function writeLink(link: Link): string {
  const parts = [`game=${escaped(link.game)}`];
  if (link.fen) parts.push(`fen=${escaped(link.fen.replaceAll(" ", "_"))}`);
  if (link.moves) parts.push(`moves=${escaped(link.moves)}`);
  if (link.flipped) parts.push("view=black");
  if (link.practice) parts.push(`practice=${link.practice}`);
  if (link.map) parts.push(`map=${escaped(link.map)}`);
  return `?${parts.join("&")}`;
}

/**
 * Puts a link into the address, as a new step for the back button or in place of the last one.
 * Browsers allow only so many changes in some seconds; the next change catches up.
 */
export function visit(link: string, isStep: boolean) {
  if (link === location.search) return;
  try {
    if (isStep) history.pushState(null, "", link);
    else history.replaceState(null, "", link);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Leaves readable what need not be escaped in a query. */
export const escaped = (text: string) =>
  encodeURIComponent(text).replace(/%(2F|3A|2C|3D)/g, (code) => decodeURIComponent(code));
