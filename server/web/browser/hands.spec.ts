// What hands do beside the main paths: typing, copying, keys after clicks.

import { expect, fen, test, verdict, visit } from "./page";

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
