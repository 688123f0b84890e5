// Tests the TypeScript types of the package: programs that must, and must not, compile.
import init, { type Answer, RetrogradeError, Tablebase, games } from "retrograde";

export async function types(bytes: Uint8Array): Promise<number | undefined> {
  await init();
  await init({ module_or_path: "/retrograde.wasm" });
  const tablebase = new Tablebase("orthodox");
  tablebase.add("KQvK.dtm", bytes);
  const answer: Answer = tablebase.probe("8/8/8/3k4/8/8/8/KQ6 w - -", { moves: true });
  // @ts-expect-error a FEN is a string
  tablebase.probe(5);
  // @ts-expect-error there is no such option
  tablebase.probe("", { depth: 5 });
  // @ts-expect-error there is no such category
  const isMaybe = answer.category === "maybe";
  const { wdl, dtz }: { wdl: Int8Array; dtz: Int16Array | null } = tablebase.probeMany([""]);
  // @ts-expect-error FENs are strings
  tablebase.probeMany([5]);
  const added: string[] = await tablebase.load("", async () => bytes, { line: true });
  // @ts-expect-error bytes or null
  await tablebase.load("", async () => "bytes");
  const next: string = tablebase.play("", tablebase.legalMoves("")[0] ?? "");
  const board: string | undefined = games()[0]?.board;
  try {
    return tablebase.probeWdl("");
  } catch (error) {
    if (!(error instanceof RetrogradeError)) throw error;
    const { kind, offset } = error;
    return kind === "bad-fen" && wdl[0] === dtz?.[0] && isMaybe && board && added && next ? (offset ?? undefined) : answer.vitality?.thresholds[0];
  }
}
