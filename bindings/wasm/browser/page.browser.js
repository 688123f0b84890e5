// The example page in a headless Chromium: node page.browser.js FOLDER CHROMIUM, the folder having
// the page, the package and the tables.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import puppeteer from "puppeteer-core";

const [folder, executablePath] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const server = createServer(async ({ url }, response) => {
  const path = normalize(new URL(url, "http://localhost").pathname);
  try {
    const body = await readFile(join(folder, path));
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // Tables that there are none of.
    if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
  await page.waitForSelector("html[data-ready]");

  /** The text that the page shows once it has changed. */
  async function shown(action) {
    await page.evaluate(() => (document.getElementById("answer").textContent = ""));
    await action();
    await page.waitForFunction(() => document.getElementById("answer").textContent);
    return page.$eval("#answer", (answer) => answer.textContent);
  }
  const press = (label) => () => page.locator(`button ::-p-text(${label})`).click();

  /** Drops the files of tables on the page. */
  const drop = (files) => async () => {
    const dropped = [];
    for (const file of files) {
      const bytes = await readFile(join(folder, "tables/orthodox", file));
      dropped.push([file, bytes.toString("base64")]);
    }
    await page.evaluate((dropped) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of dropped) {
        const bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer }));
    }, dropped);
  };

  const unknown = JSON.parse(await shown(press("Probe")));
  assert.equal(unknown.error.kind, "missing-table");
  const some = JSON.parse(await shown(drop(["KQvK.wdl"])));
  assert.equal(some.category, "win");
  assert.equal(some.depth_plies, null);
  const more = JSON.parse(await shown(drop(["KQvK.dtm", "KQvK.dtz"])));
  assert.equal(more.depth_plies, 17);
  assert.equal(more.line.length, 17);

  await page.locator("#fen").fill("8/2k5/8/8/8/8/3p4/1K6 b - -");
  const fetched = JSON.parse(await shown(press("Fetch what is missing")));
  assert.equal(fetched.depth_plies, 13);
  assert.equal(fetched.moves[0].san, "d1=Q+");

  await page.locator("#fen").fill("8/2k5/8/8/8/8/3p4/1K6 x - -");
  assert.match(await shown(press("Probe")), /^bad-fen: at byte 22/);
  assert.deepEqual(complaints, []);
  console.log(`wasm: the page works in ${await browser.version()}`);
} finally {
  await browser.close();
  server.close();
}
