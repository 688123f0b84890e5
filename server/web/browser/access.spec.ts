// Tests that tools for accessibility find nothing: on wide screens in light colours, and on narrow
// ones in dark colours.

import { createRequire } from "node:module";
import { expect, test } from "@playwright/test";

const axe = createRequire(import.meta.url).resolve("axe-core");
const PAGES = ["/", "/?game=high-chess", "/?game=kings:board=10x10", "/?fen=8/8", "/?fen=8/8/4k3/8/4K3/4P3/8/8_w_-_-_0_1&map=e6", "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&practice=white", "/?fen=6k1/8/8/8/8/8/5PPP/R5K1_w_-_-_0_1", "/?game=orthodox&page=endings", "/?game=chess99&page=endings", "/?ending=KPvK", "/?ending=KRvKB", "/?game=high-chess&ending=KRvK", "/?ending=KQRvKR", "/api"];

// The page's content security policy blocks foreign scripts, axe included.
test.use({ bypassCSP: true });

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]] as const) {
  test(`nothing to complain about: ${colorScheme}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    for (const address of PAGES) {
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      if (address === "/") {
        await page.getByRole("button", { name: "Set up" }).click();
        await page.getByText("Read a game").click();
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

test("nothing scrolls sideways on the narrowest screens", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  const men = "/?game=wild9&fen=qqqqkkkk/8/8/8/8/8/8/QQQQKKKK_w_-_-_0_1";
  for (const address of ["/?page=endings", "/?game=antichess&page=endings", "/?ending=KPvK", "/?game=chess99&ending=KAvK"]) {
    await page.goto(address);
    await page.waitForLoadState("networkidle");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, `${address} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  for (const address of ["/", "/?game=extinction-mating", "/?game=kings:board=10x10,chancellor=on", men]) {
    await page.goto(address);
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByText("Read a game").click();
    await page.getByText("Statistics of").click();
    await page.waitForLoadState("networkidle");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, `${address} scrolls sideways`).toBeLessThanOrEqual(0);
  }
});

test("with the colours of the system, squares, marks and pressed buttons are seen", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/?game=kings&fen=8/8/8/3k4/8/8/1K6/K7_w_-_-_0_1");
  await page.getByText("Framed pieces are royal").waitFor();
  const seen = await page.evaluate(() => {
    const style = (selector: string) => getComputedStyle(document.querySelector(selector)!);
    return {
      squares: ["a8", "b8"].map((name) => style(`[data-square="${name}"]`).backgroundColor),
      mark: style('[data-square="a1"] div[style*="--mark-royal"]').boxShadow,
      borders: ["true", "false"].map((pressed) => style(`.modes [aria-pressed="${pressed}"]`).borderWidth),
    };
  });
  expect(seen.squares[0]).not.toBe(seen.squares[1]);
  expect(seen.mark).not.toBe("none");
  expect(seen.borders[0]).not.toBe(seen.borders[1]);
});
