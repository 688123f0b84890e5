// Helpers of the browser tests: opening the page, dragging pieces, finding the verdict.

import { expect, test as base, type Locator, type Page } from "@playwright/test";

export { expect };

/** Whatever the browser complains of fails the test, unless the test takes it from `errors`. */
export const test = base.extend<{ errors: string[] }>({
  errors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        // What the server refuses is reported by the browser itself.
        if (message.type() === "error" && !/status of 40[04]/.test(message.text())) errors.push(message.text());
      });
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

export const verdict = (page: Page) => page.getByRole("status", { name: "Verdict" }).getByRole("heading");
export const fen = (page: Page) => page.getByRole("textbox", { name: "FEN" });
export const square = (page: Page, name: string) => page.locator(`[data-square="${name}"]`);

/** Opens the page, and waits until it has its answer: before that, clicks may miss. */
export async function visit(page: Page, address: string) {
  await page.goto(address);
  await expect(verdict(page)).toHaveText(/[^…]/);
}

/**
 * Drags to a square as a hand does: a jump is no drag. A hand waits until the board marks the
 * square below the piece, which it does only with its next frame; a piece that is let go before
 * falls on a square that it has passed, or beside the board. Nor does a hand click again before
 * the board, which swallows clicks for a moment after a drag, has stopped doing so.
 */
export async function drag(page: Page, from: Locator, to: Locator) {
  await from.hover();
  await page.mouse.down();
  const box = await to.boundingBox();
  if (!box) throw new Error("nowhere to drag to");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
  await expect(to).toHaveCSS("box-shadow", /inset/);
  await page.mouse.up();
  await page.waitForFunction(() => {
    let isHeard = false;
    const hear = () => (isHeard = true);
    document.body.addEventListener("click", hear);
    // It reaches this element alone, and those above it that catch clicks before.
    document.body.dispatchEvent(new MouseEvent("click", { bubbles: false }));
    document.body.removeEventListener("click", hear);
    return isHeard;
  });
}
