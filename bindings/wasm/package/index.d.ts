// TypeScript types of the package: the module and what JavaScript adds to it.

import { Tablebase as Tables, type Fault, type FaultKind } from "./retrograde.js";

export * from "./retrograde.js";

/** The bytes of a file; null if there is no such file. */
export type Bytes = Uint8Array | ArrayBuffer | null | undefined;

export class Tablebase extends Tables {
  /**
   * A tablebase of a game, by its id or definition. With `at`, the address of a folder of tables
   * on any web server that answers requests for ranges, `ask` reads parts of these.
   */
  constructor(game?: string, options?: { at?: string | URL });

  /**
   * Asks a question such as `(tables) => tables.probe(fen)`: again and again, until all parts of
   * tables are there that it lacked. Those that each time lacked are fetched together.
   */
  ask<T>(question: (tables: Tablebase) => T): Promise<T>;

  /**
   * Adds the files that a position and its moves need, and with `line` those that best play
   * to the end needs, as far as they exist: `get` is called with names such as
   * `orthodox/KQvK.dtm`, and returns the bytes or null. Returns the names of what was added.
   */
  load(
    fen: string,
    get: (file: string) => Bytes | Promise<Bytes>,
    options?: { line?: boolean },
  ): Promise<string[]>;
}

/** The error that is thrown where there is no answer. */
export class RetrogradeError extends Error implements Fault {
  constructor(message: string, kind: FaultKind, offset?: number | null, material?: string);
  get name(): "RetrogradeError";
  kind: FaultKind;
  /** The place in the FEN, in bytes of UTF-8. */
  offset: number | null;
  /** The material of a table that is missing. */
  material?: string;
}

/** An address, a response of `fetch`, the bytes, or a compiled module. */
export type Module = string | object;

/** Fetches the module, from beside the package unless another place is named. In node it is there already. */
export default function init(options?: {
  module_or_path?: Module | Promise<Module>;
}): Promise<unknown>;

/** Loads the module at once, from bytes or a compiled module. */
export function initSync(options: { module: object }): unknown;
