// Tests of the page without a server: files on a plain web host.

import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { expect, fen, square, test, verdict } from "./page";

const FILES = process.env.RETROGRADE_FILES ?? "";

/** Opens the page, and notes what is asked of the host from then on. */
async function open(page: Page, search = "") {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url().replace(FILES, "")));
  await page.goto(FILES + search);
  return asked;
}

const saved = async (file: Download) => readFile(await file.path(), "utf8");

test("the board answers from tables that are fetched as they are needed", async ({ page }) => {
  const asked = await open(page);
  await expect(verdict(page)).toHaveText("White wins in 9 moves (17 plies)");
  const tables = () => asked.filter((path) => path.startsWith("tables/")).sort();
  expect(tables()).toEqual(["dtm", "dtz", "wdl"].map((metric) => `tables/orthodox/KQvK.${metric}`));
  // What is there is not fetched again; another material is.
  await page.getByRole("button", { name: "Play best" }).click();
  await expect(verdict(page)).toHaveText("White wins in 8 moves (16 plies)");
  expect(tables()).toHaveLength(3);
  await fen(page).fill("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
  await expect(page.getByRole("link", { name: "KRvK" })).toBeVisible();
  await expect(verdict(page)).toHaveText(/^White wins in \d+ moves/);
  expect(tables()).toHaveLength(6);
  // Everything came from this folder.
  expect(asked.filter((path) => path.includes("://"))).toEqual([]);
});

test("a link to a game that was played, and to its position", async ({ page }) => {
  const moves = "a1b2,d5d6,b2a1,d6d5,a1b2,d5d6,b2a1,d6d5";
  await open(page, `?game=orthodox&fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&moves=${moves}`);
  // It knows the game so far.
  await expect(verdict(page)).toHaveText("Draw");
  await expect(page.getByRole("list", { name: "Moves played" })).toContainText("1. Kb2");
  // Black can repeat the position, but White need not have let it.
  for (let taken = 0; taken < 2; taken += 1) await page.getByRole("button", { name: "Take back" }).click();
  await expect(verdict(page)).toHaveText(/^White wins/);
  await open(page, "?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&moves=b1b4,b4b5");
  await expect(page.getByRole("alert")).toContainText("Move 2");
  await expect(verdict(page)).toHaveText("White wins in 9 moves (18 plies)");
});

test("all games", async ({ page }) => {
  await open(page);
  const games = page.getByRole("combobox", { name: "Game" });
  await expect(games.locator("option")).toHaveCount(16);
  for (const [id, answer] of [
    ["high-chess", /^White wins by exhaustion$/],
    ["chess99", /^White wins in 15 moves \(29 plies\)$/],
    ["kings", /^White wins in \d+ moves/],
    ["antichess", /wins|Draw/],
  ] as const) {
    await games.selectOption(id);
    await expect(page).toHaveURL(new RegExp(`game=${id}`));
    await expect(verdict(page)).toHaveText(answer);
  }
});

test("the square map", async ({ page }) => {
  await open(page, "?fen=8/8/4k3/8/4K3/4P3/8/8_w_-_-_0_1&map=e6");
  await expect(square(page, "a1").locator(".number")).toHaveText("11");
  await square(page, "a1").click();
  await expect(fen(page)).toHaveValue("8/8/8/8/4K3/4P3/8/k7 w - - 0 1");
  await expect(verdict(page)).toHaveText("White wins in 11 moves (21 plies)");
  await open(page, "?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_6%2B50_0_1&map=d5");
  await expect(square(page, "d5").locator(".number")).toHaveText("6");
});

test("what is wrong is said as with a server", async ({ page }) => {
  await open(page, "?fen=8/8/8/3k4/8/8/8/KX6_w_-_-_0_1");
  await expect(page.locator("#fen-problem")).toHaveText(/^Character 18: "X" is not a piece of/);
  await open(page, "?fen=8/8/8/8/8/8/8/KQ6_w_-_-_0_1");
  await expect(verdict(page)).toHaveText("Not a position of this game");
  await open(page, "?game=kings&fen=8/8/8/3k4/8/8/8/KRR5_w_-_-_0_1");
  await expect(page.getByRole("status", { name: "Verdict" })).toHaveText(/table KRRvK of kings is missing/);
  await expect(page.getByRole("status", { name: "Verdict" })).not.toContainText("add the files");
  await open(page, "?game=nonsense");
  await expect(page.getByRole("alert")).toContainText("nonsense");
});

test("start pages, endings and random positions", async ({ page }) => {
  await open(page, "?page=endings");
  await expect(page.locator(".endings").getByRole("link")).toHaveCount(35);
  await page.getByRole("link", { name: /^KPvK king/ }).click();
  const chart = page.getByRole("slider", { name: /^White to move wins/ });
  await chart.press("End");
  await chart.press("Enter");
  await expect(verdict(page)).toHaveText("White wins in 28 moves (55 plies)");
  // One of two positions.
  await page.goto(`${FILES}?ending=KPvKP`);
  await page.getByRole("slider", { name: /^Black to move wins/ }).press("End");
  await page.getByRole("button", { name: "Show one of them: Black to move wins in 11 moves" }).click();
  await expect(page.getByRole("status", { name: "Verdict" })).toContainText("DTZ 21");
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("drawn");
  await page.getByRole("button", { name: "Random position" }).click();
  await expect(verdict(page)).toHaveText(/^Draw|^Stalemate/);
  await open(page, "?game=high-chess&page=endings");
  await page.getByRole("link", { name: "What the tables say about the game" }).click();
  await expect(page).toHaveURL(/claims\/high-chess\.html$/);
  await open(page, "?game=kings&ending=KRRvK");
  await expect(page.getByText("There is no table of this ending here")).toBeVisible();
  // What this page cannot do, the program can.
  await expect(page.getByText("retrograde generate kings KRRvK")).toBeVisible();
  await expect(page.getByRole("link", { name: "The program Retrograde" })).toHaveAttribute("href", /^https:/);
});

test("games in PGN: read, stepped through, and saved", async ({ page }) => {
  await open(page);
  await expect(verdict(page)).toHaveText("White wins in 9 moves (17 plies)");
  await page.getByText("Read a game (PGN)").click();
  const text = '[FEN "8/8/8/8/8/1k6/8/K1R5 w - - 0 1"]\n\n1. Rc8 {best} Kb4 (1... Ka3) 2. Rc4+? Kxc4 *';
  await page.getByRole("textbox", { name: "Moves, or a whole file" }).fill(text);
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await expect(fen(page)).toHaveValue("8/8/8/8/8/1k6/8/K1R5 w - - 0 1");
  await expect(verdict(page)).toHaveText(/^White wins/);
  const list = page.getByRole("list", { name: "Moves played" });
  // The move that throws the win away is marked.
  await expect(list).toHaveText(/1\. Rc8Kb42\. Rc4\+\?Kxc4/);
  await list.getByRole("button", { name: "Kb4" }).click();
  await expect(verdict(page)).toHaveText(/^White wins/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(verdict(page)).toHaveText(/^Draw/);
  const [game] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Game as PGN" }).click(),
  ]);
  expect(game.suggestedFilename()).toBe("game.pgn");
  expect(await saved(game)).toContain("1. Rc8 Kb4 2. Rc4+ Kxc4 *");
  await open(page, "?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1");
  const [line] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Best line as PGN" }).click(),
  ]);
  expect(await saved(line)).toMatch(/# 1-0\s*$/);
});

test("rule options: the rules alone, and where tables come from", async ({ page }) => {
  await open(page, "?game=kings");
  await page.getByText("Rule options").click();
  await page.getByRole("combobox", { name: "board" }).selectOption("10x8");
  await expect(page).toHaveURL(/game=kings:board=10x8/);
  await expect(square(page, "j8")).toBeVisible();
  await expect(verdict(page)).toHaveText("Not known");
  await expect(page.getByText("retrograde generate kings:board=10x8 KRvK")).toBeVisible();
  await expect(page.getByText("retrograde probe kings:board=10x8")).toBeVisible();
  // Moves are played by the rules, and links lead back here.
  await page.getByRole("region", { name: "Legal moves" }).getByRole("button").first().click();
  await expect(page).toHaveURL(/moves=/);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByRole("list", { name: "Moves played" }).getByRole("button")).toHaveCount(1);
  await page.getByRole("navigation").getByRole("link", { name: "Endings" }).click();
  await expect(page.getByText("retrograde generate kings:board=10x8 --men 3")).toBeVisible();
  await open(page, "?game=kings:board=11x11");
  await expect(page.getByRole("alert")).toContainText("11x11");
});

test("practice: the tables answer, and a win that is thrown away is marked", async ({ page }) => {
  await open(page, "?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&practice=white");
  await expect(page.getByRole("heading", { name: "White to play and win" })).toBeVisible();
  await square(page, "b1").click();
  await square(page, "b4").click();
  await expect(fen(page)).toHaveValue(/ w - - 2 2$/);
  await open(page, "?fen=8/8/8/8/8/1k6/8/K1R5_w_-_-_0_1&practice=white");
  await square(page, "c1").click();
  await square(page, "c2").click();
  await expect(page.getByText(/throws/i).first()).toBeVisible();
});
