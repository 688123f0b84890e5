// The package in node, which has the module on disk: there is nothing to wait for.
import { readFileSync } from "node:fs";
import { initSync } from "./retrograde.js";

const started = initSync({
  module: readFileSync(new URL("./retrograde_bg.wasm", import.meta.url)),
});

export { initSync } from "./retrograde.js";
export { Tablebase, games, version } from "./tablebase.js";
export { RetrogradeError } from "./error.js";

/** Resolves at once, for programs that run in browsers too: the module is there already. */
export default async function init() {
  return started;
}
