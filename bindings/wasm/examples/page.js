// A page that probes tables which are dropped on it or fetched from tables/.
import init, { Tablebase } from "retrograde";

const element = (id) => document.getElementById(id);

await init();
const tablebase = new Tablebase("orthodox");

/** Shows what an action gives, or why it fails. */
async function show(action) {
  try {
    element("answer").textContent = await action();
  } catch (error) {
    element("answer").textContent = `${error.kind ?? error.name}: ${error.message}`;
  }
}

function probe() {
  const answer = tablebase.probe(element("fen").value, { moves: true, line: true });
  return JSON.stringify(answer, null, 2);
}

async function addFiles(files) {
  for (const file of files) tablebase.add(file.name, await file.arrayBuffer());
  return probe();
}

async function fetchMissing() {
  const get = async (file) => {
    const response = await fetch(`tables/${file}`);
    return response.ok ? response.arrayBuffer() : null;
  };
  await tablebase.load(element("fen").value, get, { line: true });
  return probe();
}

element("drop").addEventListener("dragover", (event) => event.preventDefault());
element("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  show(() => addFiles(event.dataTransfer.files));
});
element("files").addEventListener("change", ({ target }) => show(() => addFiles(target.files)));
element("fetch").addEventListener("click", () => show(fetchMissing));
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  show(probe);
});
document.documentElement.dataset.ready = "yes";
