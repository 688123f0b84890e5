// What the module offers, with what takes JavaScript: loading tables, and errors that say what
// is wrong where the module cannot.
import * as module from "./retrograde.js";
import { RetrogradeError } from "./error.js";

/** The result of an action of the module; an error until the module is there. */
function started(action) {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RetrogradeError("the module is not there yet; await init() first", "usage");
  }
}

/** Fetches part of a file and gives it to a tablebase. */
async function fetchPart(tablebase, { address, from, to }) {
  const unreadable = (what) => new RetrogradeError(`${address}: ${what}`, "unreadable-table");
  const headers = { Range: `bytes=${from}-${to - 1}` };
  const response = await fetch(address, { headers }).catch((error) => {
    throw unreadable(error.message);
  });
  if (response.status === 404 || response.status === 410) {
    return tablebase.give(address, from, to, null, 0);
  }
  if (response.status === 200) throw unreadable("the server sends whole files only");
  if (response.status !== 206) throw unreadable(`the server answers: ${response.status}`);
  const range = response.headers.get("Content-Range") ?? "";
  const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [];
  if (Number(first) !== from || Number(last) !== Math.min(to, Number(length)) - 1) {
    throw unreadable(`the server sends another range than was asked for: "${range}"`);
  }
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength !== Number(last) - from + 1) throw unreadable("the connection broke off");
  const version = response.headers.get("ETag") ?? response.headers.get("Last-Modified");
  tablebase.give(address, from, to, bytes, Number(length), version ?? undefined);
}

export const games = () => started(module.games);

export const version = () => started(module.version);

export class Tablebase extends module.Tablebase {
  constructor(game, { at } = {}) {
    started(module.version);
    super(game, at === undefined ? undefined : String(new URL(at, globalThis.location?.href)));
  }

  async ask(question) {
    try {
      // Each round fetches what those before did not, so that this ends.
      for (;;) {
        let answer, failure;
        try {
          answer = question(this);
        } catch (error) {
          failure = error;
        }
        const parts = this.lacking();
        if (!parts.length) {
          if (failure) throw failure;
          return answer;
        }
        await Promise.all(parts.map((part) => fetchPart(this, part)));
      }
    } finally {
      this.forget();
    }
  }

  async load(fen, get, { line = false } = {}) {
    const asked = new Set();
    const added = [];
    const loadPosition = async () => {
      // What has come may rest on further files.
      for (;;) {
        const files = this.missing(fen).filter((file) => !asked.has(file));
        if (!files.length) return;
        files.forEach((file) => asked.add(file));
        const contents = await Promise.all(files.map((file) => get(file)));
        contents.forEach((bytes, place) => {
          if (bytes === null || bytes === undefined) return;
          this.add(files[place], bytes);
          added.push(files[place]);
        });
      }
    };
    await loadPosition();
    while (line) {
      const [best] = this.moves(fen);
      if (!best || best.end || !best.winner) break;
      // Without a table of depths there is no line; High Chess has none of them.
      if (best.depth_plies === null && best.white === undefined) break;
      fen = this.play(fen, best.uci);
      await loadPosition();
    }
    return added;
  }
}

// What has been freed says so.
const members = Object.getOwnPropertyDescriptors(module.Tablebase.prototype);
for (const [name, { get, value }] of Object.entries(members)) {
  if (["constructor", "free"].includes(name)) continue;
  const guarded = (member) =>
    function (...given) {
      if (this.__wbg_ptr) return member.apply(this, given);
      throw new RetrogradeError("the tablebase has been freed; make another one", "usage");
    };
  const guard = get ? { get: guarded(get) } : { value: guarded(value) };
  Object.defineProperty(Tablebase.prototype, name, { ...guard, configurable: true });
}
