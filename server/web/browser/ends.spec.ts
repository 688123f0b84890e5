// Tests of games that end in a way that the position does not show.

import { expect, fen, square, test, verdict, visit } from "./page";

const PLAYED: [string, string, string, string][] = [
  ["extinction", "8/P7/8/1K6/8/8/8/7k_w_-_-_0_1", "a7a8q", "Extinction: Black has won"],
  ["extinction", "8/8/8/1K6/3n4/8/4N3/7k_w_-_-_0_1", "e2d4", "Extinction: White has won"],
  ["chess99", "9/9/9/4k4/3P5/9/9/9/K8_w_-_-_0_1", "d5e6", "King captured: White has won"],
  ["high-chess", "8/8/8/3k4/8/8/8/K6R_w_-_-_1%2B50_0_1", "0000", "Exhaustion: Black has won"],
];

for (const [game, start, moves, words] of PLAYED) {
  test(`a link to the end of a game: ${game}, ${moves}`, async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\/api\/[^/?]+\?/.test(request.url())) asked.push(request.url());
    });
    await visit(page, `/?game=${game}&fen=${start}&moves=${moves}`);
    await expect(verdict(page)).toHaveText(words);
    await expect(page.getByRole("region", { name: "Legal moves" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Play best" })).toBeDisabled();
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Take back" }).click();
    await expect(page.getByRole("region", { name: "Legal moves" })).toBeVisible();
    await page.getByRole("button", { name: "Forward" }).click();
    await expect(verdict(page)).toHaveText(words);
  });
}

const BEST: [string, string, string][] = [
  ["extinction", "8/8/8/1K6/k7/8/7N/3n4_w_-_-_0_1", "Extinction: White has won"],
  ["chess99", "9/9/9/4k4/3P5/9/9/9/K8_w_-_-_0_1", "King captured: White has won"],
  ["king-of-the-hill", "8/7k/8/8/8/2K5/8/6R1_w_-_-_0_1", "King on the hill: White has won"],
];

for (const [game, start, words] of BEST) {
  test(`the best move ends the game: ${game}, ${words}`, async ({ page }) => {
    await visit(page, `/?game=${game}&fen=${start}`);
    const before = await fen(page).inputValue();
    await page.keyboard.press("Space");
    await expect(fen(page)).not.toHaveValue(before);
    await expect(verdict(page)).toHaveText(words);
    await expect(page.getByRole("region", { name: "Legal moves" })).toHaveCount(0);
    await expect(page.getByRole("alert")).toHaveCount(0);
    // Whoever follows the link sees the same.
    await page.reload();
    await expect(verdict(page)).toHaveText(words);
  });
}

test("High Chess: who passes with the last point has lost", async ({ page }) => {
  await visit(page, "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_1%2B50_0_1");
  await page.getByRole("button", { name: "Pass", exact: true }).click();
  await expect(verdict(page)).toHaveText("Exhaustion: Black has won");
  await expect(page.getByRole("button", { name: "Pass", exact: true })).toHaveCount(0);
});

test("Chess 99: a king captured in check is a draw", async ({ page }) => {
  const fen = "r8/9/9/4k4/3P5/9/9/9/K8_w_-_-_0_1";
  await visit(page, `/?game=chess99:king-capture-in-check=draw&fen=${fen}&moves=d5e6`);
  await expect(verdict(page)).toHaveText("King captured in check: a draw");
});

test("a move that mates says who wins, without any table", async ({ page }) => {
  await visit(page, "/?game=orthodox&fen=6k1/5ppp/8/8/8/8/5PPP/R5K1_w_-_-_0_1");
  await expect(verdict(page)).toHaveText("White wins in 1 move (1 ply)");
});

test("all royal pieces in check are marked, and no others", async ({ page }) => {
  for (const [start, marked] of [
    ["8/5p2/8/8/r7/8/6p1/3Q3k_b_-_-_0_1", ["a4", "h1"]],
    ["8/8/8/4k3/8/8/8/K2Q4_w_-_-_0_1", []],
  ] as const) {
    await visit(page, `/?game=extinction-mating&fen=${start}`);
    await expect(page.locator(".square.check")).toHaveCount(marked.length);
    for (const name of marked) await expect(square(page, name).locator(".square")).toHaveClass(/check/);
  }
});
