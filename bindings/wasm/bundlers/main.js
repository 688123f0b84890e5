// A page that probes a position; Vite and webpack find and copy the module by themselves.
import init, { Tablebase } from "retrograde";
import { from } from "retrograde-tables";

await init();
const tablebase = new Tablebase("orthodox");
const fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
await tablebase.load(fen, from("./tables"));
document.title = `${tablebase.probe(fen).depth_plies} plies`;
