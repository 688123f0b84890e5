// Tests of vitality: sliders, the curve, what moves need, and positions on the edge.

import type { Page } from "@playwright/test";
import { expect, fen, square, test, verdict, visit } from "./page";

const ROOK = "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_6%2B50_0_1";
const slider = (page: Page, side: string) => page.getByRole("slider", { name: `${side}’s points` });
const plane = (page: Page) => page.getByRole("application", { name: /^Vitality/ });
const curve = (page: Page) => plane(page).getByRole("img");

test("sliders beside the board say and change who wins", async ({ page }) => {
  await visit(page, ROOK);
  const white = slider(page, "White");
  await expect(white).toHaveAttribute("aria-valuetext", "6 of 50, White wins");
  await expect(slider(page, "Black")).toHaveAttribute("aria-valuetext", "50 of 50, White wins");
  await expect(page.locator(".white-points")).toContainText("needs 6");
  await expect(page.locator(".black-points")).toContainText("never wins");
  const before = await page.evaluate(() => history.length);
  await white.focus();
  // Elsewhere this key takes back a move.
  await page.keyboard.press("ArrowLeft");
  await expect(fen(page)).toHaveValue(/ 5\+50 /);
  await expect(white).toHaveAttribute("aria-valuetext", "5 of 50, Black wins");
  await expect(verdict(page)).toHaveText("Black wins by exhaustion");
  // It keeps the focus, and the curve stays.
  await page.keyboard.press("End");
  await expect(fen(page)).toHaveValue(/ 50\+50 /);
  await expect(curve(page)).toHaveAccessibleName(/^With 50 points against 50, White wins/);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.goBack();
  await expect(fen(page)).toHaveValue(/ 6\+50 /);
  // Where numbers are typed there are none, and in practice they would tell.
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(white).toHaveCount(0);
  await page.getByRole("button", { name: "Practice" }).click();
  await expect(page.getByRole("status", { name: "Task" })).toContainText("Vitality 6 + 50");
  await expect(white).toHaveCount(0);
  await expect(plane(page)).toHaveCount(0);
});

test("the point of the curve is dragged, and moved by keys", async ({ page }) => {
  await visit(page, ROOK);
  await expect(curve(page)).toHaveAccessibleName(/^With 6 points against 50, White wins/);
  const before = await page.evaluate(() => history.length);
  const box = (await curve(page).boundingBox())!;
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(0.9, 0.8));
  await page.mouse.down();
  await page.mouse.move(...at(0.5, 0.5), { steps: 5 });
  await expect(fen(page)).toHaveValue(/ 2\d\+2\d /);
  // Beyond the edge it stays at the edge.
  await page.mouse.move(box.x - 50, box.y - 50, { steps: 5 });
  await page.mouse.up();
  await expect(fen(page)).toHaveValue(/ 50\+1 /);
  await expect(curve(page)).toHaveAccessibleName(/^With 50 points against 1,/);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await plane(page).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(fen(page)).toHaveValue(/ 44\+2 /);
  await expect(plane(page)).toContainText("44 against 2: White wins");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(fen(page)).toHaveValue(/ 44\+1 /);
});

test("moves say what they need, those that need the least first", async ({ page }) => {
  await visit(page, ROOK);
  const moves = page.getByRole("region", { name: "Legal moves" });
  await expect(moves.getByRole("button").first()).toHaveText(/^Kb1.*5\+50.*needs 6$/);
  const needs = async () => {
    const words = await moves.locator(".detail").allTextContents();
    return words.map((word) => (word === "never wins" ? 51 : Number(/\d+/.exec(word)?.[0])));
  };
  const found = await needs();
  expect(found.length).toBe(17);
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect(found.filter((need) => need <= 6).length).toBe(3);
  await square(page, "h1").click();
  await expect(page.locator('[data-square="h4"] .number')).toHaveText("6");
  // With the points that a move needs it wins, with one fewer it does not.
  await slider(page, "White").fill("5");
  await expect(verdict(page)).toHaveText("Black wins by exhaustion");
  await expect(moves.getByText("Winning")).toHaveCount(0);
  await expect(moves.getByRole("button").first()).toHaveText(/needs 6$/);
});

test("random positions on the edge", async ({ page }) => {
  await visit(page, ROOK);
  await page.getByRole("checkbox", { name: /^On the edge/ }).check();
  const before = await fen(page).inputValue();
  await page.getByRole("button", { name: "Random position" }).click();
  await expect(fen(page)).not.toHaveValue(before);
  await expect(verdict(page)).toHaveText(/wins by/);
  const winner = (await verdict(page).textContent())!.split(" ")[0]!;
  const points = await slider(page, winner).inputValue();
  await expect(page.locator(`.${winner.toLowerCase()}-points`)).toContainText(`needs ${points}`);
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a finger drags the point of the curve; sliders are as high as a finger", async ({ page }) => {
    await visit(page, ROOK);
    for (const side of ["White", "Black"]) {
      expect((await slider(page, side).boundingBox())!.height).toBeGreaterThanOrEqual(44);
    }
    await curve(page).scrollIntoViewIfNeeded();
    const box = (await curve(page).boundingBox())!;
    const client = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number, y: number) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [{ x: box.x + box.width * x, y: box.y + box.height * y }],
      });
    const scrolled = await page.evaluate(() => scrollY);
    await touch("touchStart", 0.9, 0.75);
    for (let step = 1; step <= 5; step += 1) await touch("touchMove", 0.9 - 0.08 * step, 0.75 - 0.05 * step);
    await touch("touchEnd", 0, 0);
    await expect(fen(page)).toHaveValue(/ 2\d\+2\d /);
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  });
});
