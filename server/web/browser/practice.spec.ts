// Tests of practice: the tables play one side and hide what they know.

import type { Page } from "@playwright/test";
import { drag, expect, fen, square, test, verdict, visit } from "./page";

const panel = (page: Page) => page.getByRole("region", { name: "Practice" });
const task = (page: Page) => page.getByRole("status", { name: "Task" });
const played = (page: Page) => page.getByRole("list", { name: "Moves played" });

/** Opens a link to practice. */
async function practise(page: Page, address: string) {
  await page.goto(address);
  await expect(task(page).getByRole("heading")).toHaveText(/[^…]/);
}

test("from any position: answers are hidden, and the tables reply", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("button", { name: "Practice" }).click();
  await expect(task(page)).toContainText("White to play and win");
  await expect(page).toHaveURL(/&practice=white$/);
  await expect(verdict(page)).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Legal moves" })).toHaveCount(0);
  await expect(page.getByText("Statistics of")).toHaveCount(0);
  // Squares that a piece may go to say nothing more.
  await square(page, "b1").click();
  await expect(square(page, "b4").locator(".target.plain")).toHaveCount(1);
  await expect(page.locator(".square .number")).toHaveCount(0);
  await expect(page.locator('[class*="tone-win"], [class*="tone-draw"]')).toHaveCount(0);
  await square(page, "b4").click();
  await expect(fen(page)).toHaveValue(/ w - - 2 2$/);
  await expect(task(page)).toContainText(/Black has played K\w\d\. It is your turn\./);
  // Space would tell the best move.
  const before = await fen(page).inputValue();
  await page.keyboard.press("Space");
  await page.waitForTimeout(800);
  await expect(fen(page)).toHaveValue(before);
  await page.keyboard.press("ArrowLeft");
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  // The back button leaves practice, however many moves were made.
  await page.goBack();
  await expect(verdict(page)).toHaveText(/White wins/);
});

test("a move that throws the win away is marked at once, with the refutation", async ({ page }) => {
  await practise(page, "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&practice=white");
  await drag(page, square(page, "b1"), square(page, "e4"));
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Qe4+ throws away the win");
  await expect(alert).toContainText("Kxe4 holds the draw");
  await expect(page.locator(".board-frame svg path[stroke='var(--arrow)'], .board-frame [data-arrow]").first()).toBeAttached();
  // The tables wait.
  await page.waitForTimeout(900);
  await expect(fen(page)).toHaveValue(/ b - - 1 1$/);
  await alert.getByRole("button", { name: "Take it back" }).click();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await square(page, "b1").click();
  await square(page, "e4").click();
  await page.getByRole("alert").getByRole("button", { name: "Play on" }).click();
  await expect(task(page)).toContainText("Draw after 1 move");
  await expect(task(page)).toContainText("2 moves threw something away");
});

test("a lost move is refuted by a line", async ({ page }) => {
  await practise(page, "/?fen=8/8/3k4/8/4K3/4P3/8/8_b_-_-_0_1&practice=black");
  await expect(task(page)).toContainText("Black to play and draw");
  await square(page, "d6").click();
  await square(page, "c6").click();
  await expect(page.getByRole("alert")).toContainText("Kc6 throws away the draw");
  await expect(page.getByRole("alert")).toContainText(/ wins: 2\. K\S+ K/);
});

test("at the end the moves are counted", async ({ page }) => {
  await practise(page, "/?fen=k7/8/8/1K6/8/8/8/7R_w_-_-_0_1&practice=white");
  await expect(task(page)).toContainText("White to play and win");
  // Best play takes two moves; this takes one more.
  for (const [from, to] of [["b5", "a6"], ["h1", "c1"], ["c1", "c8"]]) {
    await expect(task(page)).toContainText("your turn");
    await square(page, from!).click();
    await square(page, to!).click();
  }
  await expect(task(page)).toContainText("White has won: 3 moves, 2 were needed");
  await expect(task(page)).toContainText("No move threw anything away.");
  await page.getByRole("button", { name: "Start again" }).click();
  await expect(fen(page)).toHaveValue(/ w - - 0 1$/);
  await expect(played(page)).toHaveCount(0);
  for (const [from, to] of [["b5", "b6"], ["h1", "h8"]]) {
    await expect(task(page)).toContainText("your turn");
    await square(page, from!).click();
    await square(page, to!).click();
  }
  await expect(task(page)).toContainText("White has won: 2 moves, as few as can be");
});

test("the side that is lost holds out", async ({ page }) => {
  await practise(page, "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&practice=black");
  await expect(task(page)).toContainText("White begins; Black is to hold out");
  await expect(fen(page)).toHaveValue(/ b - - 1 1$/);
  await expect(page).toHaveURL(/view=black.*practice=black|practice=black/);
  await expect(task(page)).toContainText("White has played");
});

test("a link for pupils begins the exercise; answers can be shown", async ({ page }) => {
  await practise(page, "/?game=chess99&fen=9/9/9/4k4/9/9/9/3A5/K8_w_-_-_0_1&practice=white");
  const link = await page.getByRole("textbox", { name: "Link for pupils" }).inputValue();
  expect(link).toMatch(/game=chess99&fen=9\/9\/9\/4k4\/9\/9\/9\/3A5\/K8_w_-_-_0_1&practice=white$/);
  await page.getByText("Legal moves").click();
  await page.getByRole("list", { name: "Legal moves" }).getByRole("button").first().click();
  await expect(played(page).getByRole("listitem")).toHaveCount(2);
  expect(await page.getByRole("textbox", { name: "Link for pupils" }).inputValue()).toBe(link);
  await page.getByRole("button", { name: "Show answers" }).click();
  await expect(verdict(page)).toHaveText(/[^…]/);
  await expect(played(page).getByRole("button")).toHaveCount(2);
});

test("every game can be practised by keyboard", async ({ page }) => {
  for (const game of ["high-chess", "kings", "extinction", "king-of-the-hill", "antichess", "atomic", "racing-kings", "shatranj", "makruk", "capablanca", "three-check", "horde"]) {
    await visit(page, `/?game=${game}`);
    await page.getByRole("heading", { name: "Retrograde" }).focus();
    await page.keyboard.press("p");
    await expect(task(page)).toContainText(/to play and (win|draw|hold out)/);
    await page.getByText("Legal moves").click();
    await page.getByRole("list", { name: "Legal moves" }).getByRole("button").first().press("Enter");
    await expect(page.getByRole("alert").or(task(page).getByText(/has played|has won|Draw/))).not.toHaveCount(0);
  }
});

test("where no table answers there is nothing to practise", async ({ page }) => {
  await practise(page, "/?fen=8/8/8/3k4/8/8/8/KQQQ4_b_-_-_0_1&practice=black");
  await expect(task(page)).toContainText("No table tells what this position is worth");
});

test("best play is shown step by step", async ({ page }) => {
  await visit(page, "/?fen=k7/8/8/1K6/8/8/8/7R_w_-_-_0_1");
  await page.getByRole("button", { name: "Best line" }).click();
  await expect(played(page)).toHaveText(/^1\. Kb6Kb82\. Rh8#$/);
  await expect(fen(page)).toHaveValue(/ w - - 0 1$/);
  await page.getByRole("heading", { name: "Retrograde" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(fen(page)).toHaveValue("1k6/8/1K6/8/8/8/8/7R w - - 2 2");
  await expect(played(page).locator("[aria-current]")).toHaveText("Kb8");
  await played(page).getByRole("button", { name: /Rh8/ }).click();
  await expect(verdict(page)).toHaveText("Checkmate: White has won");
  await played(page).getByRole("button", { name: /Kb6/ }).click();
  await expect(fen(page)).toHaveValue("k7/8/1K6/8/8/8/8/7R b - - 1 1");
  // In High Chess the game ends by what the position does not show.
  await visit(page, "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_1%2B50_0_1");
  await page.getByRole("button", { name: "Best line" }).click();
  await played(page).getByRole("button").last().click();
  await expect(verdict(page)).toHaveText("Exhaustion: Black has won");
  await visit(page, "/?fen=8/8/8/3k4/8/8/2R5/KQ6_w_-_-_0_1");
  await page.getByRole("button", { name: "Best line" }).click();
  await expect(page.getByRole("alert")).toHaveText("No table counts the moves to the end here.");
});

test("a random exercise of a given depth", async ({ page }) => {
  await practise(page, "/?game=orthodox&fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&practice=white");
  const form = page.getByRole("form", { name: "Random exercise" });
  await form.getByRole("combobox", { name: "Material" }).fill("KPvK");
  await form.getByRole("combobox", { name: "Verdict" }).selectOption("won");
  await form.getByRole("spinbutton", { name: "In moves" }).fill("28");
  await form.getByRole("button", { name: "Random exercise" }).click();
  await expect(page).toHaveURL(/fen=.*P.*&practice=/);
  await expect(task(page)).toContainText(/(White|Black) to play and win/);
  await page.getByRole("button", { name: "Show answers" }).click();
  await expect(verdict(page)).toHaveText(/wins in 28 moves \(55 plies\)/);
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("practice by tapping, with targets that a finger can hit", async ({ page }) => {
    await practise(page, "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&practice=white");
    await square(page, "b1").tap();
    await square(page, "e4").tap();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Qe4+ throws away the win");
    for (const button of await panel(page).getByRole("button").all()) {
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    }
    await alert.getByRole("button", { name: "Take it back" }).tap();
    await square(page, "b1").tap();
    await square(page, "b4").tap();
    await expect(task(page)).toContainText("Black has played");
  });
});
