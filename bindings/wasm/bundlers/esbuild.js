// The same page for esbuild, which is told of the module: esbuild --loader:.wasm=file.
import init, { Tablebase } from "retrograde";
import module_or_path from "retrograde/retrograde_bg.wasm";
import { from } from "retrograde-tables";

await init({ module_or_path });
const tablebase = new Tablebase("orthodox");
const fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
await tablebase.load(fen, from("./tables"));
document.title = `${tablebase.probe(fen).depth_plies} plies`;
