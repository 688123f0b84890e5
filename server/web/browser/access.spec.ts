// What tools for accessibility find: nothing, in light and dark, wide and narrow.

import { createRequire } from "node:module";
import { expect, test } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core");
const PAGES = ["/", "/?game=high-chess", "/?game=kings:board=10x10", "/?fen=8/8", "/api"];

// The page's content security policy blocks foreign scripts, axe included.
test.use({ bypassCSP: true });

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`nothing to complain about: ${colorScheme}, ${width} wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      for (const address of PAGES) {
        await page.goto(address);
        await page.waitForLoadState("networkidle");
        if (address === "/") {
          await page.getByRole("button", { name: "Set up" }).click();
          await page.getByText("Statistics of").click();
          await page.getByRole("row", { name: /Positions/ }).waitFor();
        }
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
}
