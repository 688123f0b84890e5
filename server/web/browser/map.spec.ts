// Tests of the square map, and of the colours that squares have while playing.

import type { Page } from "@playwright/test";
import { drag, expect, fen, square, test, verdict, visit } from "./page";

const ENDING = "8/8/4k3/8/4K3/4P3/8/8";
const sign = (page: Page, name: string) => square(page, name).locator(".square");
const summary = (page: Page) => page.getByRole("status", { name: "Summary of the square map" });
const panel = (page: Page) => page.getByRole("region", { name: "Square map" });

test("the square map colours squares, marks zugzwang, tells and puts the piece there", async ({ page }) => {
  const batches: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/batch")) batches.push(request.postData() ?? "");
  });
  await visit(page, `/?fen=${ENDING}_w_-_-_0_1`);
  expect(batches).toEqual([]);
  await page.getByRole("button", { name: "Map" }).click();
  await expect(page).toHaveURL(/map=e6$/);
  await expect(summary(page)).toHaveText(
    "Squares for the black king, White to move. White wins: 54; Draw: 1; Impossible: 7; Mutual zugzwang: 1.",
  );
  // Both sides to move are in one request.
  expect(batches).toHaveLength(1);
  expect(batches[0]?.split("\n")).toHaveLength(124);
  await expect(sign(page, "a1")).toHaveClass(/is-white/);
  await expect(sign(page, "a1")).toHaveText("11");
  await expect(sign(page, "d5")).toHaveClass(/is-impossible/);
  await expect(sign(page, "e6")).toHaveClass(/is-draw.*zugzwang.*subject/);
  await expect(sign(page, "d6")).toHaveClass(/is-white corner corner-draw/);
  await square(page, "d6").hover();
  await expect(panel(page)).toContainText("d6 White wins in 18 moves; with Black to move: draw.");
  await square(page, "e5").hover();
  await expect(panel(page)).toContainText("Impossible: ");
  // The other side to move asks for nothing new, and neither does another square.
  await page.getByRole("button", { name: "Black to move" }).click();
  await expect(summary(page)).toContainText("Black to move. White wins: 50; Draw: 5;");
  await expect(sign(page, "d6")).toHaveClass(/is-draw corner corner-white/);
  await square(page, "h8").click();
  await expect(fen(page)).toHaveValue("7k/8/8/8/4K3/4P3/8/8 b - - 0 1");
  await expect(page).toHaveURL(/map=h8$/);
  await expect(verdict(page)).toHaveText(/^White wins in 17 moves/);
  await expect(sign(page, "h8")).toHaveText("17");
  expect(batches).toHaveLength(1);
  // Another piece has its own map.
  await square(page, "e3").click();
  await expect(summary(page)).toContainText("Squares for the white pawn");
  await expect(sign(page, "a8")).toHaveClass(/is-impossible/);
  await drag(page, square(page, "e3"), square(page, "a3"));
  await expect(fen(page)).toHaveValue("7k/8/8/8/4K3/P7/8/8 b - - 0 1");
  await page.goBack();
  await expect(fen(page)).toHaveValue("7k/8/8/8/4K3/4P3/8/8 b - - 0 1");
});

test("the square map by keyboard: squares are read aloud, Enter chooses and puts", async ({ page }) => {
  await visit(page, `/?fen=${ENDING}_w_-_-_0_1`);
  await page.keyboard.press("m");
  await expect(summary(page)).toContainText("White wins: 54");
  const board = page.getByRole("application");
  await board.focus();
  await page.keyboard.press("ArrowRight");
  await expect(board).toContainText("b1: empty. White wins in 11 moves.");
  await page.keyboard.press("Enter");
  await expect(fen(page)).toHaveValue("8/8/8/8/4K3/4P3/8/1k6 w - - 0 1");
  await page.getByRole("combobox", { name: "What happens with this piece on each square" }).selectOption("e4");
  await expect(summary(page)).toContainText("Squares for the white king");
  await expect(page).toHaveURL(/map=e4$/);
  await page.getByRole("heading", { name: "Retrograde" }).focus();
  await page.keyboard.press("m");
  await expect(panel(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/map=/);
});

const GAMES: [string, string, string, RegExp][] = [
  ["chess99", "9/9/9/4k4/9/9/9/3A5/K8_w_-_-_0_1", "d2", /^Squares for the white paladin, White to move\. White wins: \d+/],
  ["kings", "8/8/8/3k4/8/8/8/K6R_w_-_-_0_1", "d5", /White wins: \d+.*Impossible: \d+/],
  ["wild9", "8/8/8/3k4/8/8/8/K6R_w_-_-_0_1", "d5", /White wins: \d+/],
  ["extinction", "8/8/8/3k4/8/8/8/K6R_w_-_-_0_1", "h1", /wins: \d+/],
  ["king-of-the-hill", "8/7k/8/8/8/8/8/K5R1_b_-_-_0_1", "h7", /White wins: \d+; Black wins: \d+/],
  ["antichess", "8/8/8/3k4/8/8/8/R7_w_-_-_0_1", "d5", /^Squares for the black king, White to move\. White wins: \d+; .*Black wins: \d+/],
  ["atomic", "8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1", "d5", /White wins: \d+/],
  ["racing-kings", "8/8/8/8/8/2k5/8/K6R_w_-_-_0_1", "c3", /White wins: \d+.*Impossible: \d+/],
  ["shatranj", "8/8/8/3k4/8/8/8/K6R_b_-_-_0_1", "d5", /White wins: \d+/],
  ["capablanca", "10/10/10/3k6/10/10/10/K8R_w_-_-_0_1", "d5", /White wins: \d+/],
  ["three-check", "8/8/8/3k4/8/8/8/K6R_w_-_-_1+3_0_1", "d5", /White wins: \d+/],
  ["horde", "8/8/8/3k4/8/8/8/Q6P_w_-_-_0_1", "d5", /White wins: \d+/],
  ["makruk", "8/8/8/3k4/8/8/8/K6R_w_-_-_0_1", "d5", /White wins: \d+/],
  ["kings:board=10x10", "10/10/10/4k5/10/10/10/10/10/K8R_w_-_-_0_1", "e7", /Not known: \d+/],
];

for (const [game, position, piece, words] of GAMES) {
  test(`the square map of ${game}`, async ({ page }) => {
    await visit(page, `/?game=${game}&fen=${position}&map=${piece}`);
    await expect(summary(page)).toHaveText(words);
  });
}

test("wins that the fifty-move rule takes away are told apart", async ({ page }) => {
  await visit(page, "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_88_1&map=d5");
  await expect(summary(page)).toContainText("White wins: 6; White would win but for the fifty-move rule: 36;");
  await expect(sign(page, "a3")).toHaveClass(/is-white$/);
  await expect(sign(page, "h8")).toHaveClass(/is-white cursed$/);
});

test("with vitality the squares say what the winner needs", async ({ page }) => {
  await visit(page, "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_2%2B20_0_1&map=a1");
  await expect(summary(page)).toContainText("White wins: 4; Black wins: 50; Impossible: 8.");
  await expect(sign(page, "e3")).toHaveClass(/is-white/);
  await expect(sign(page, "e3")).toHaveText("2");
  await square(page, "e3").hover();
  await expect(panel(page)).toContainText("White wins with 2 points or more");
});

test("targets of a piece have the colour and number of the move; the only move is marked", async ({ page }) => {
  await visit(page, "/");
  await square(page, "b1").click();
  await expect(sign(page, "g6")).toHaveClass(/target tone-win/);
  await expect(sign(page, "g6")).toHaveText("8");
  await expect(sign(page, "e4")).toHaveClass(/target tone-draw/);
  await expect(page.getByText("only move")).toHaveCount(0);
  await visit(page, "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_6%2B50_0_1");
  await square(page, "h1").click();
  // With vitality it is what the move needs.
  await expect(sign(page, "h4")).toHaveClass(/target tone-win$/);
  await expect(sign(page, "h4")).toHaveText("6");
  await visit(page, "/?fen=8/8/3k4/8/4K3/4P3/8/8_b_-_-_0_1");
  await expect(page.getByRole("button", { name: /only move/ })).toHaveText(/^Ke6/);
  await square(page, "d6").click();
  await expect(sign(page, "e6")).toHaveClass(/target tone-draw only/);
  await expect(sign(page, "c6")).toHaveClass(/target tone-loss$/);
});

test("a king in check is marked", async ({ page }) => {
  await visit(page, "/?fen=8/8/8/3k4/8/8/8/K2Q4_b_-_-_0_1");
  await expect(sign(page, "d5")).toHaveClass(/check/);
  await visit(page, "/?game=chess99&fen=9/9/9/4k4/3P5/9/9/9/K8_w_-_-_0_1");
  await expect(sign(page, "e6")).toHaveClass(/check/);
});

test("the board uses the screen, and on a phone it stays in view", async ({ page }) => {
  const board = page.getByRole("application");
  await page.setViewportSize({ width: 2560, height: 1440 });
  await visit(page, "/");
  expect((await board.boundingBox())?.width).toBeGreaterThan(1100);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: /^Qe4\+/ }).scrollIntoViewIfNeeded();
  const box = await board.boundingBox();
  expect(box?.y).toBe(0);
  expect(box?.width).toBe(366);
  const low = await page.locator("button, select, input").evaluateAll(
    (all) => all.filter((one) => one.getBoundingClientRect().height < 44 && one.checkVisibility()).map((one) => one.outerHTML),
  );
  expect(low).toEqual([]);
});
