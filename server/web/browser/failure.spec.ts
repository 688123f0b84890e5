// What the page does when something fails: the browser, the network or the page itself.

import { expect, fen, test, verdict, visit } from "./page";

test("the page survives a browser that takes no more addresses", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["pushState", "replaceState"] as const) {
      history[name] = () => {
        throw new DOMException("too many calls", "SecurityError");
      };
    }
  });
  await visit(page, "/");
  await page.keyboard.press("f");
  await page.getByRole("button", { name: /^Kb2 / }).click();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/1K6/1Q6 b - - 1 1");
  await expect(verdict(page)).toHaveText(/White wins/);
});

test("turning the board is no step for the back button, and a held key turns it once", async ({ page }) => {
  await visit(page, "/");
  const before = await page.evaluate(() => history.length);
  await page.keyboard.down("f");
  await page.keyboard.down("f");
  await page.keyboard.down("f");
  await page.keyboard.up("f");
  await expect(page).toHaveURL(/view=black/);
  await page.getByRole("button", { name: "Flip" }).click();
  await expect(page).not.toHaveURL(/view=black/);
  expect(await page.evaluate(() => history.length)).toBe(before);
});

test("a page that fails says so", async ({ page, errors }) => {
  await page.route("**/api/games/orthodox", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), options: null } });
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Load it again" })).toBeVisible();
  errors.length = 0;
});
