// The tables in node, which has them on disk.
import { readFile } from "node:fs/promises";
import { files } from "./files.js";

export { files };

const there = new Set(files);

/** What `Tablebase.load` gets files by. */
export function from() {
  const get = (file) => readFile(new URL(`./tables/${file}`, import.meta.url));
  return async (file) => (there.has(file) ? get(file) : null);
}
