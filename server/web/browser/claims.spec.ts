// The pages of the report on claims, which need neither a server nor a network.

import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { expect, test } from "./page";

const axe = createRequire(import.meta.url).resolve("axe-core");
const FOLDER = new URL("../../../docs/claims/", import.meta.url);
const PAGES = readdirSync(FOLDER).map((name) => new URL(name, FOLDER).href);

/** Opens a page with all that it folds away. */
async function unfold(page: Page, address: string) {
  await page.goto(address);
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`no page scrolls sideways on a phone, and nothing to complain about: ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const address of PAGES) {
      await unfold(page, address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, `${address} scrolls sideways`).toBeLessThanOrEqual(0);
      await page.addScriptTag({ path: axe });
      const found = await page.evaluate(async () => {
        const { violations } = await (window as never as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe.run();
        return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map((node) => node.html + node.failureSummary)]);
      });
      expect(found, address).toEqual([]);
    }
  });
}

test("no page is longer than one likes to read", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const address of PAGES) {
    await page.goto(address);
    expect(await page.evaluate(() => document.documentElement.scrollHeight), address).toBeLessThanOrEqual(20_000);
  }
});

test("a line is played through, forward and back", async ({ page }) => {
  for (const address of PAGES) {
    await unfold(page, address);
    // One whose first move is no pass.
    const lines = await page.locator("[data-line]").evaluateAll((all) => all.map((figure) => (figure as HTMLElement).dataset.line));
    const place = lines.findIndex((line) => new Set(line?.split("|").slice(0, 2)).size === 2);
    if (place < 0) continue;
    const figure = page.locator("[data-line]").nth(place);
    const board = figure.getByRole("img");
    const before = await board.getAttribute("aria-label");
    const pieces = await board.locator("use").count();
    await figure.getByRole("button", { name: "Next move" }).click();
    await expect(board).not.toHaveAttribute("aria-label", before ?? "");
    await expect(board.locator(".moved")).not.toHaveCount(0);
    await figure.getByRole("button", { name: "Next move" }).press("ArrowLeft");
    await expect(board).toHaveAttribute("aria-label", before ?? "");
    await expect(board.locator("use")).toHaveCount(pieces);
  }
});
