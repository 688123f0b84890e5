/** The names of the tables, such as `orthodox/KQvK.dtm`. */
export const files: readonly string[];

/**
 * The function that `Tablebase.load` gets files by: null where there is no such table. In browsers
 * the address is that to which the folder `tables` of this package was copied; in node there is
 * none, since the tables are on disk.
 */
export function from(folder?: string): (file: string) => Promise<Uint8Array | ArrayBuffer | null>;
