// Tests of the page on a touch screen: fingers instead of a mouse.

import { expect, fen, square, test, verdict, visit } from "./page";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 900 } });

test("set up and play by tapping", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("button", { name: "Set up" }).tap();
  const rook = page.getByRole("button", { name: "white rook" });
  await rook.tap();
  await expect(rook).toHaveAttribute("aria-pressed", "true");
  await square(page, "e2").tap();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/4R3/KQ6 w - - 0 1");
  // Once more on the same square takes it off, and on the spare piece puts it back.
  await square(page, "e2").tap();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await rook.tap();
  await expect(rook).toHaveAttribute("aria-pressed", "false");
  await square(page, "e2").tap();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await square(page, "b1").tap();
  await square(page, "b4").tap();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/1Q6/8/8/K7 b - - 1 1");
  await expect(verdict(page)).toHaveText(/White wins/);
});

test("on the map a tap puts the piece there", async ({ page }) => {
  await visit(page, "/?fen=8/8/4k3/8/4K3/4P3/8/8_w_-_-_0_1");
  await page.getByRole("button", { name: "Map" }).tap();
  await expect(square(page, "a1").locator(".number")).toHaveText("11");
  await square(page, "a1").tap();
  await expect(fen(page)).toHaveValue("8/8/8/8/4K3/4P3/8/k7 w - - 0 1");
  await expect(verdict(page)).toHaveText("White wins in 11 moves (21 plies)");
});

test("a finger drags pieces and spare pieces", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("button", { name: "Set up" }).tap();
  const client = await page.context().newCDPSession(page);
  const drag = async (from: ReturnType<typeof square>, to: ReturnType<typeof square>) => {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    if (!a || !b) throw new Error("nothing to drag");
    const [x, y, dx, dy] = [a.x + a.width / 2, a.y + a.height / 2, b.x + b.width / 2, b.y + b.height / 2];
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", part: number) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [{ x: x + (dx - x) * part, y: y + (dy - y) * part }],
      });
    await touch("touchStart", 0);
    for (let step = 1; step <= 8; step += 1) await touch("touchMove", step / 8);
    await expect(to).toHaveCSS("box-shadow", /inset/);
    await touch("touchEnd", 1);
  };
  const knight = page.getByRole("button", { name: "black knight" });
  await drag(knight, square(page, "g8"));
  await expect(fen(page)).toHaveValue("6n1/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await expect(knight).toHaveAttribute("aria-pressed", "false");
  await drag(square(page, "b1"), square(page, "c3"));
  await expect(fen(page)).toHaveValue("6n1/8/8/3k4/8/2Q5/8/K7 w - - 0 1");
});
