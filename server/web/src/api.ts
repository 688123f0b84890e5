// Answers to the questions of the page, from the source that it is built for.

import { files } from "./source/files";
import { server } from "./source/server";
import type { Source } from "./source/source";

export { told } from "./source/source";
export { Problem, persist, problemOf } from "./problem";

/** Whether the page has a server, or only files beside it. */
export const hasServer = import.meta.env.MODE !== "static";

const source: Source = import.meta.env.MODE === "static" ? files : server;

export const { tables, games, game, endings, statistics, probe, batch, play, line, search, random, pgn, read } = source;
