// Tests of the page when something fails: the browser, the network or the page itself.

import type { Page } from "@playwright/test";
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

/** Answers questions by a problem until what it returns is called: no machine is too slow to see it. */
async function refuse(page: Page, address: string | RegExp, status: number, kind = "limit") {
  let isRefused = true;
  await page.route(address, async (route) => {
    if (!isRefused) return route.fallback();
    const headers = { "Retry-After": "2", "Content-Type": "application/problem+json" };
    return route.fulfill({ status, headers, body: JSON.stringify({ kind, detail: "too much; wait, or ask by a batch" }) });
  });
  return () => {
    isRefused = false;
  };
}

test("too many questions: the page waits and asks again", async ({ page, errors }) => {
  const answer = await refuse(page, /\/api\/orthodox\?/, 429);
  await page.goto("/");
  await expect(page.getByRole("status", { name: "Verdict" })).toContainText("Too many questions were asked in a short time.");
  await expect(page.getByRole("status", { name: "Verdict" })).not.toContainText("batch");
  answer();
  await expect(verdict(page)).toHaveText("White wins in 9 moves (17 plies)");
  errors.length = 0;
});

test("a server that was away: the page asks again by itself, and at once if it is told to", async ({ page, errors }) => {
  let isAway = true;
  await page.route("**/api/**", (route) => (isAway ? route.abort() : route.fallback()));
  await page.goto("/?game=kings");
  await expect(page.getByText("The server does not answer.")).toBeVisible();
  isAway = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(verdict(page)).toHaveText(/^White wins/, { timeout: 2500 });
  // It is not taken for a game that is not there.
  await expect(page).toHaveURL(/game=kings/);
  isAway = true;
  await page.getByRole("button", { name: "Play best" }).click();
  await expect(page.getByText("The server does not answer.")).toBeVisible();
  isAway = false;
  await expect(verdict(page)).toHaveText(/^White wins/);
  errors.length = 0;
});

test("statistics that are being counted come in the end", async ({ page, errors }) => {
  const answer = await refuse(page, "**/stats/**", 503, "busy");
  await visit(page, "/");
  await page.getByText("Statistics of").click();
  await expect(page.getByText("Too much; wait")).toBeVisible();
  answer();
  await expect(page.getByRole("row", { name: /Positions/ })).toBeVisible();
  await expect(page.getByText("Too much; wait")).toHaveCount(0);
  errors.length = 0;
});

/** Makes answers late. */
const delay = (page: Page, address: string | RegExp) =>
  page.route(address, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => undefined);
  });

test("of two games chosen in turn, the last one is shown", async ({ page }) => {
  await delay(page, "**/api/games/chess99");
  await visit(page, "/");
  await page.getByRole("combobox", { name: "Game" }).selectOption("chess99");
  await page.getByRole("combobox", { name: "Game" }).selectOption("kings");
  await expect(page).toHaveURL(/game=kings/);
  await page.waitForTimeout(2000);
  await expect(page).toHaveURL(/game=kings/);
});

test("from a game with pieces of its own to one without them", async ({ page }) => {
  await visit(page, "/?game=chess99");
  await page.getByRole("combobox", { name: "Game" }).selectOption("kings");
  await expect(page).toHaveURL(/game=kings/);
  await expect(verdict(page)).toHaveText(/^White wins/);
});

test("going back several steps ends where it should", async ({ page }) => {
  await visit(page, "/");
  for (const [move, after] of [[/^Kb2 /, / b - - 1 1$/], [/^K/, / w - - 2 2$/], [/^Q/, / b - - 3 2$/]] as const) {
    await page.getByRole("button", { name: move }).first().click();
    await expect(fen(page)).toHaveValue(after);
    await expect(page.getByRole("region", { name: "Legal moves" })).toBeVisible();
  }
  await delay(page, "**/play?**");
  for (let step = 0; step < 3; step += 1) await page.evaluate(() => history.back());
  await page.waitForTimeout(2500);
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await expect(page).not.toHaveURL(/moves=/);
});

test("a random position that comes too late is not shown", async ({ page }) => {
  await visit(page, "/");
  await delay(page, "**/random?**");
  await page.getByRole("button", { name: "Random position" }).click();
  await page.getByRole("combobox", { name: "Game" }).selectOption("kings");
  await expect(page).toHaveURL(/game=kings/);
  const before = await fen(page).inputValue();
  await page.waitForTimeout(2000);
  await expect(fen(page)).toHaveValue(before);
});

test("complaints begin with a capital", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("combobox", { name: "Material" }).fill("KNvK");
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("won");
  await page.getByRole("button", { name: "Random position" }).click();
  await expect(page.getByRole("alert")).toHaveText(/^[A-Z].*\.$/);
});

test("a server without tables says what to do", async ({ page }) => {
  const hint = page.getByRole("note");
  await visit(page, "/");
  await expect(hint).toHaveCount(0);
  await page.route("**/api/games/*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), tables: [] } });
  });
  // No table of a game is not yet no table at all.
  await visit(page, "/");
  await expect(hint).toHaveCount(0);
  await page.route("**/health", (route) => route.fulfill({ json: { status: "ok", tables: 0 } }));
  await visit(page, "/");
  await expect(hint).toContainText("retrograde generate");
});
