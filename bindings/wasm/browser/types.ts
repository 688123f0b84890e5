// Programs that must, and must not, compile.
import init, { type Answer, type RetrogradeError, Tablebase, games } from "retrograde";

export async function types(bytes: Uint8Array): Promise<number | undefined> {
  await init();
  const tablebase = new Tablebase("orthodox");
  tablebase.add("KQvK.dtm", bytes);
  const answer: Answer = tablebase.probe("8/8/8/3k4/8/8/8/KQ6 w - -", { moves: true });
  // @ts-expect-error a FEN is a string
  tablebase.probe(5);
  // @ts-expect-error there is no such option
  tablebase.probe("", { depth: 5 });
  // @ts-expect-error there is no such category
  const isMaybe = answer.category === "maybe";
  const board: string | undefined = games()[0]?.board;
  try {
    return tablebase.probeWdl("");
  } catch (error) {
    const { kind, offset } = error as RetrogradeError;
    return kind === "bad-fen" && isMaybe && board ? (offset ?? undefined) : answer.vitality?.thresholds[0];
  }
}
