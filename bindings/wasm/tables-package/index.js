// The tables in browsers: they are fetched from where the folder `tables` of this package was put.
import { files } from "./files.js";

export { files };

const there = new Set(files);

/** What `Tablebase.load` gets files by. */
export function from(folder) {
  const base = String(folder).replace(/\/?$/, "/");
  return async (file) => {
    if (!there.has(file)) return null;
    const response = await fetch(base + file);
    if (!response.ok) throw new Error(`${base}${file}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  };
}
