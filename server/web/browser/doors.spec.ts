// Tests of the pages of games and endings, in which visitors find positions.

import type { Page } from "@playwright/test";
import { expect, fen, test, verdict, visit } from "./page";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 2, name });
const cards = (page: Page) => page.locator(".endings").getByRole("link");
const slider = (page: Page, name: RegExp) => page.getByRole("slider", { name });

const GAMES = ["antichess", "atomic", "capablanca", "chess99", "extinction", "extinction-mating", "high-chess", "horde", "king-of-the-hill",
  "kings", "makruk", "orthodox", "racing-kings", "shatranj", "three-check", "wild9"];

test("every game has a start page, from which its endings lead to the board", async ({ page, request }) => {
  test.slow();
  for (const id of GAMES) {
    const game = await (await request.get(`/api/games/${id}`)).json();
    await page.goto(`/?game=${id}&page=endings`);
    await expect(heading(page, game.title)).toBeVisible();
    await expect(page.locator(".hero .about")).toHaveText(game.about);
    await expect(cards(page)).toHaveCount(game.tables.length);
    await cards(page).first().click();
    await expect(page).toHaveURL(new RegExp(`game=${id}&ending=`));
    await expect(page.locator(".large-bars [role=img]").first()).toHaveAttribute("aria-label", /to move: /);
    await page.getByRole("group", { name: "Show a random position" }).getByRole("button").first().click();
    await expect(verdict(page)).toHaveText(/[^…]/);
    await expect(page.getByRole("application", { name: /^Board/ })).toBeVisible();
  }
});

test("the board leads to the endings, and back", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("navigation").getByRole("link", { name: "Endings" }).click();
  await expect(heading(page, "Orthodox chess")).toBeVisible();
  await expect(page).toHaveTitle("Endings of Orthodox chess · Retrograde");
  await expect(page.getByRole("link", { name: "Endings", exact: true })).toHaveAttribute("aria-current", "page");
  await page.goBack();
  await expect(verdict(page)).toHaveText("White wins in 9 moves (17 plies)");
  await page.goForward();
  await page.getByRole("combobox", { name: "Game" }).selectOption("kings");
  await expect(heading(page, "Kings")).toBeVisible();
  await page.getByRole("link", { name: "Open the board" }).click();
  await expect(verdict(page)).toHaveText(/wins/);
  await page.getByRole("status", { name: "Verdict" }).getByRole("link", { name: "KRvK" }).click();
  await expect(heading(page, /^KRvK/)).toBeVisible();
  // Many steps back, past pages of both kinds.
  for (let step = 0; step < 4; step += 1) await page.goBack();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await expect(page).not.toHaveURL(/ending/);
});

test("endings are searched for, and sorted", async ({ page }) => {
  await page.goto("/?page=endings");
  const search = page.getByRole("searchbox", { name: "Material" });
  await expect(cards(page)).toHaveCount(35);
  await expect(cards(page).first()).toContainText(/^K.vK/);
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("longest win");
  await expect(cards(page).first()).toHaveText(/^KPvK.*Longest win 28 moves/);
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("mutual zugzwangs");
  await expect(cards(page).first()).toContainText("mutual zugzwangs");
  // Small letters do, and the letter between the sides may be left out.
  await search.fill("krk");
  await expect(cards(page)).toHaveCount(5);
  await expect(page.getByRole("status")).toContainText("5 with tables");
  await search.fill("KRvK");
  await search.fill("krvkp");
  await expect(cards(page)).toHaveCount(1);
  await search.press("Enter");
  await expect(page).toHaveURL(/ending=KRvKP$/);
  await page.goBack();
  // Colours may be swapped; the address gets the usual name.
  await search.fill("kkp");
  await search.press("Enter");
  await expect(page).toHaveURL(/ending=KPvK$/);
  await expect(heading(page, /^KPvK/)).toBeVisible();
  await page.goBack();
  await search.fill("KXvK");
  await search.press("Enter");
  await expect(page.getByRole("alert")).toContainText("X");
});

test("an ending without a table says which command makes it", async ({ page }) => {
  await page.goto("/?game=king-of-the-hill&page=endings");
  await page.getByRole("link", { name: "KQvKR", exact: true }).click();
  await expect(page.getByText("There is no table of this ending here")).toBeVisible();
  await expect(page.getByText("retrograde generate king-of-the-hill KQvKR")).toBeVisible();
  await page.getByRole("button", { name: "Show a random position" }).click();
  await expect(verdict(page)).toHaveText(/[^…]/);
  await visit(page, "/?game=kings:board=10x10&fen=10/10/10/3k6/10/10/10/10/10/K8R_w_-_-_0_1");
  await expect(page.getByText("retrograde generate kings:board=10x10 KRvK")).toBeVisible();
  await visit(page, "/");
  await expect(page.getByText("retrograde generate")).toHaveCount(0);
});

test("a bar leads to a random position of its depth", async ({ page }) => {
  await page.goto("/?ending=KPvK");
  const chart = slider(page, /^White to move wins/);
  await expect(chart).toHaveAttribute("aria-valuetext", /^[\d,]+ in \d+ moves/);
  // By keys.
  await chart.press("Home");
  await chart.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuenow", "3");
  await chart.press("Enter");
  await expect(verdict(page)).toHaveText("White wins in 2 moves (3 plies)");
  await page.goBack();
  // By mouse: the last bar is at the right end.
  const box = await chart.boundingBox();
  if (!box) throw new Error("no chart");
  await chart.hover({ position: { x: box.width - 2, y: box.height - 10 } });
  await expect(chart).toHaveAttribute("aria-valuenow", "55");
  await chart.click({ position: { x: box.width - 2, y: box.height - 10 } });
  await expect(verdict(page)).toHaveText("White wins in 28 moves (55 plies)");
  await page.goBack();
  // By the button, from the other side.
  await slider(page, /^Black to move loses/).press("End");
  await page.getByRole("button", { name: "Show one of them: Black to move loses in 28 moves" }).click();
  await expect(verdict(page)).toHaveText("White wins in 28 moves (56 plies)");
});

test("a bar of two positions leads to one of them", async ({ page }) => {
  await page.goto("/?ending=KPvKP");
  const chart = slider(page, /^Black to move wins/);
  await chart.press("End");
  await expect(chart).toHaveAttribute("aria-valuetext", "2 in 11 moves (21 plies)");
  await chart.press("Enter");
  await expect(page.getByRole("status", { name: "Verdict" })).toContainText("DTZ 21");
});

test("where only the plies to a zeroing move are known, bars are of those", async ({ page }) => {
  await page.goto("/?ending=KBNvK");
  await slider(page, /^White to move wins, by moves to the next capture/).press("End");
  await page.getByRole("button", { name: /^Show one of them: White to move wins/ }).click();
  await expect(verdict(page)).toHaveText(/^White wins/);
  await expect(page.getByRole("status", { name: "Verdict" })).toContainText("DTZ 65");
});

test("longest wins and zugzwangs are boards that lead to their positions", async ({ page }) => {
  await page.goto("/?ending=KPvK");
  const section = (name: string) => page.getByRole("region", { name });
  const longest = section("Longest wins").getByRole("link");
  await expect(longest.first()).toContainText("White to move wins in 28 moves");
  await expect(longest.first().getByRole("img")).toHaveAttribute("aria-label", /^White has king/);
  await longest.first().click();
  await expect(verdict(page)).toHaveText("White wins in 28 moves (55 plies)");
  await page.goBack();
  const zugzwangs = section("Mutual zugzwangs").getByRole("link");
  await expect(zugzwangs.first()).toContainText("White to move: draw. Black to move: White wins.");
  await zugzwangs.first().click();
  await expect(verdict(page)).toHaveText("Draw");
});

test("an ending is practised by the side that wins more often", async ({ page }) => {
  await page.goto("/?game=high-chess&ending=KvKR");
  await page.getByRole("button", { name: "Practise this ending" }).click();
  await expect(page).toHaveURL(/practice=black/);
  await expect(fen(page)).toHaveValue(/r.* b /);
  await expect(page.getByRole("region", { name: "Legal moves" })).toHaveCount(0);
});

test("the claims about a game are linked", async ({ page }) => {
  await page.goto("/?game=high-chess&page=endings");
  await page.getByRole("link", { name: "What the tables say about the game" }).click();
  await expect(page).toHaveURL(/\/claims\/high-chess\.html$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/?game=antichess&page=endings");
  await expect(heading(page, "Antichess")).toBeVisible();
  await expect(page.getByRole("link", { name: /What the tables say/ })).toHaveCount(0);
});

test("everything on an ending's page is reached by keys, in the order in which it is read", async ({ page }) => {
  await page.goto("/?ending=KPvK");
  await expect(slider(page, /^White to move wins/)).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Endings" }).focus();
  const reached: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName ?? ""));
  }
  const first = (kind: string) => reached.indexOf(kind);
  expect(first("A")).toBe(0);
  expect(first("BUTTON")).toBeGreaterThan(0);
  expect(first("slider")).toBeGreaterThan(first("BUTTON"));
  expect(reached.filter((kind) => kind === "slider").length).toBeGreaterThan(1);
  expect(reached.lastIndexOf("A")).toBeGreaterThan(reached.lastIndexOf("slider"));
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a tap chooses a bar, and another shows a position", async ({ page }) => {
    await page.goto("/?ending=KPvK");
    const chart = slider(page, /^White to move wins/);
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error("no chart");
    const end = { position: { x: box.width - 2, y: box.height - 10 } };
    await chart.tap(end);
    await expect(chart).toHaveAttribute("aria-valuenow", "55");
    await expect(page).toHaveURL(/ending=KPvK/);
    await chart.tap(end);
    await expect(verdict(page)).toHaveText("White wins in 28 moves (55 plies)");
  });

  test("what is tapped is large enough", async ({ page }) => {
    for (const address of ["/?game=high-chess&page=endings", "/?game=king-of-the-hill&page=endings", "/?ending=KPvK"]) {
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("header a, header select, main a, main button, main select, main input, main [role=slider]")]
          .map((element) => ({ text: element.textContent || element.tagName, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
          .map(({ text, box }) => `${text}: ${box.width} by ${box.height}`),
      );
      expect(small, address).toEqual([]);
    }
  });
});
