// The package in browsers, which fetch the module: `init` says when it is there.
export { default, initSync } from "./retrograde.js";
export { Tablebase, games, version } from "./tablebase.js";
export { RetrogradeError } from "./error.js";
