// Tests of input by hand beside the main paths: typing, copying, keys after clicks.

import { expect, fen, square, test, verdict, visit } from "./page";

test("numbers can be typed anew", async ({ page }) => {
  await visit(page, "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_42%2B50_0_1");
  await page.getByRole("button", { name: "Set up" }).click();
  const field = page.getByLabel("White’s vitality");
  await field.click();
  await field.press("End");
  for (let key = 0; key < 3; key += 1) await field.press("Backspace");
  await expect(field).toHaveValue("");
  await field.pressSequentially("23");
  await expect(fen(page)).toHaveValue(/ 23\+50 /);
  // What does not fit is brought to what does, when it is finished.
  await field.fill("99");
  await field.blur();
  await expect(field).toHaveValue("50");
  await expect(fen(page)).toHaveValue(/ 50\+50 /);
  await field.fill("");
  await field.blur();
  await expect(field).toHaveValue("50");

  await visit(page, "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_72_90");
  await page.getByRole("button", { name: "Set up" }).click();
  const clock = page.getByLabel("Half-move clock");
  await clock.click();
  await clock.press("End");
  for (let key = 0; key < 2; key += 1) await clock.press("Backspace");
  await expect(clock).toHaveValue("");
  await clock.pressSequentially("31");
  await expect(fen(page)).toHaveValue(/ 31 90$/);
});

test("a FEN that is half typed is not asked for; each one typed is one step", async ({ page }) => {
  await visit(page, "/");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/orthodox?")) asked.push(request.url());
  });
  const before = await page.evaluate(() => history.length);
  await fen(page).fill("");
  await fen(page).pressSequentially("8/8/8/3k4/8/8/8/KR6 w - - 0 1", { delay: 20 });
  await expect(verdict(page)).toHaveText(/White wins in \d+ moves/);
  await expect(page).toHaveURL(/KR6/);
  expect(asked.length).toBeLessThan(4);
  await fen(page).press("Enter");
  await fen(page).fill("8/8/8/3k4/8/8/8/KRR5 w - - 0 1");
  await fen(page).press("Enter");
  await expect(page).toHaveURL(/KRR5/);
  expect(await page.evaluate(() => history.length)).toBe(before + 2);
  await page.goBack();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
});

for (const [what, clipboard] of [
  ["without a clipboard", undefined],
  ["with a clipboard that refuses", { writeText: "refused" }],
] as const) {
  test(`${what}, the FEN is selected and nothing is said to be copied`, async ({ page }) => {
    await page.addInitScript((clipboard) => {
      const value = clipboard && { writeText: () => Promise.reject(new Error(clipboard.writeText)) };
      Object.defineProperty(navigator, "clipboard", { value });
      document.execCommand = () => false;
    }, clipboard);
    await visit(page, "/");
    await page.getByRole("button", { name: "Copy" }).click();
    await expect(page.getByText("The FEN is selected")).toBeVisible();
    await expect(page.getByRole("button", { name: "Copied" })).toHaveCount(0);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  });
}

test("after a move by mouse, arrows take back and go forward, and no square is framed", async ({ page }) => {
  await visit(page, "/");
  const board = page.getByRole("application");
  const framed = page.locator('[data-square] div[style*="--focus"]');
  await square(page, "b1").click();
  await expect(page.locator('[data-square="b1"] div[style*="--mark-chosen"]')).toHaveCount(1);
  await expect(framed).toHaveCount(0);
  await square(page, "b4").click();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/1Q6/8/8/K7 b - - 1 1");
  await page.keyboard.press("ArrowLeft");
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await page.keyboard.press("ArrowRight");
  await expect(fen(page)).toHaveValue("8/8/8/3k4/1Q6/8/8/K7 b - - 1 1");
  await expect(framed).toHaveCount(0);
  // Other keys begin where the click was.
  await page.keyboard.press("ArrowUp");
  await expect(board).toContainText("b4: white queen");
  await page.keyboard.press("ArrowLeft");
  await expect(board).toContainText("a4: empty");
  await expect(framed).toHaveCount(1);
});

test("a letter puts a piece on the square that was clicked", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("button", { name: "Set up" }).click();
  await square(page, "e4").click();
  await page.keyboard.press("n");
  await expect(fen(page)).toHaveValue("8/8/8/3k4/4n3/8/8/KQ6 w - - 0 1");
});

test("after a promotion by keyboard the board has the focus", async ({ page }) => {
  await visit(page, "/?fen=8/P7/8/8/8/8/k7/7K_w_-_-_0_1");
  const board = page.getByRole("application");
  await board.focus();
  for (let rank = 1; rank < 7; rank += 1) await page.keyboard.press("ArrowUp");
  await expect(board).toContainText("a7: white pawn");
  for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(board).toBeFocused();
  for (const key of ["ArrowDown", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("dialog").getByRole("button", { name: /a8=Q/ }).press("Enter");
  await expect(fen(page)).toHaveValue("Q7/8/8/8/8/8/k7/7K b - - 0 1");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(board).toBeFocused();
  await expect(board).toContainText("a8: white queen");
});

test("Chess 99: no double step begins on the first rank", async ({ page }) => {
  await visit(page, "/?game=chess99&fen=9/9/4k4/9/4P4/9/1P7/9/4K4_b_-_-_0_1");
  await page.getByRole("button", { name: "Set up" }).click();
  const offered = page.getByRole("combobox", { name: "En passant" }).getByRole("option");
  await expect(offered).toHaveText(["none", "e4"]);
  await page.getByRole("button", { name: "Swap colours" }).click();
  await expect(offered).toHaveText(["none", "e6"]);
});
