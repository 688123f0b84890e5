// Tests of positions that no table has: what the moves tell, and the search for a proof.

import type { Page } from "@playwright/test";
import { expect, fen, test, verdict, visit } from "./page";

const PROBLEM = "/?fen=8/6R1/7p/5K1k/8/6p1/5bPP/4N3_w_-_-_0_1";
const ARRAY = "/?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
const panel = (page: Page) => page.getByRole("region", { name: "Without a table" });
const found = (page: Page) => page.getByRole("status", { name: "Proof" });

test("a proof is found, and gone through", async ({ page }) => {
  await visit(page, PROBLEM);
  await expect(panel(page)).toContainText("None of the 23 legal moves leads to where a table tells.");
  await expect(panel(page).getByRole("link", { name: "Ask lichess" })).toHaveAttribute(
    "href",
    "https://lichess.org/analysis/standard/8/6R1/7p/5K1k/8/6p1/5bPP/4N3_w_-_-_0_1",
  );
  await panel(page).getByRole("button", { name: "Search for a proof" }).click();
  await expect(found(page)).toContainText(/White wins.*, by search/);
  const proof = page.getByRole("list", { name: "Proof" });
  await expect(proof.getByRole("button").first()).toHaveText("1. Rxg3");
  await proof.getByRole("button").nth(1).click();
  await expect(fen(page)).toHaveValue(/ w - - \d+ 2$/);
  // The rest of it comes next.
  await page.getByRole("button", { name: "Forward" }).click();
  await expect(fen(page)).toHaveValue(/ b - - \d+ 2$/);
});

test("what the known moves tell", async ({ page }) => {
  await visit(page, "/?fen=3b4/8/4k3/8/8/3N4/5p2/5K2_w_-_-_0_1");
  await expect(panel(page)).toContainText(/^Rules and tables tell of 2 of \d+ legal moves: the best of these, \wxf2, draws\./);
  await visit(page, "/?game=kings:board=10x10&fen=10/10/10/4k5/10/10/10/10/10/K8R_w_-_-_0_1");
  await expect(panel(page).getByRole("link", { name: "Ask lichess" })).toHaveCount(0);
});

test("a search can be stopped, and stops when one goes on", async ({ page }) => {
  await visit(page, ARRAY);
  const given: string[] = [];
  page.on("requestfailed", (request) => given.push(request.url()));
  await panel(page).getByRole("button", { name: "Search for a proof" }).click();
  await expect(panel(page).getByText("Searching…")).toBeVisible();
  await panel(page).getByRole("button", { name: "Stop the search" }).click();
  await expect(panel(page).getByRole("button", { name: "Search for a proof" })).toBeVisible();
  await expect.poll(() => given.length).toBe(1);
  await panel(page).getByRole("button", { name: "Search for a proof" }).click();
  await page.getByRole("button", { name: /^e4 / }).click();
  await expect.poll(() => given.length).toBe(2);
  await expect(panel(page).getByText("Searching…")).toHaveCount(0);
  expect(given[0]).toContain("/api/orthodox/search");
});

test("what is not decided says how far the search has come", async ({ page }) => {
  await page.route("**/search?*", async (route) => {
    const url = `${route.request().url()}&seconds=1`;
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await visit(page, ARRAY);
  await panel(page).getByRole("button", { name: "Search for a proof" }).click();
  await expect(found(page)).toContainText(/Not decided within \d+ pl(y|ies) of search \(time is up\)/);
  await expect(verdict(page)).toHaveText("Not known");
});
