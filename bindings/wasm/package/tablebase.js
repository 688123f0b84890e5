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

export const games = () => started(module.games);

export const version = () => started(module.version);

export class Tablebase extends module.Tablebase {
  constructor(game) {
    started(module.version);
    super(game);
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
