// Tests of the main paths of the page, in every game.

import { drag, expect, fen, square, test, verdict, visit } from "./page";

const GAMES: [string, string, RegExp][] = [
  ["orthodox", "Orthodox chess", /^White wins in 9 moves \(17 plies\)$/],
  ["high-chess", "High Chess", /^White wins by exhaustion$/],
  ["chess99", "Chess 99", /^White wins in 15 moves \(29 plies\)$/],
  ["kings", "Kings", /^White wins in \d+ moves/],
  ["wild9", "Wild 9", /^White wins in \d+ moves/],
  ["extinction-mating", "Extinction chess with mating rules", /wins|Draw/],
  ["extinction", "Extinction chess", /wins|Draw/],
  ["king-of-the-hill", "King of the Hill", /^White wins in \d+ moves/],
];

test("the board's first answer is asked for together with its game, and once", async ({ page }) => {
  let asked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  page.on("request", (request) => {
    if (request.url().includes("/api/orthodox?fen=")) asked += 1;
  });
  await page.route(/\/api\/games\/orthodox$/, async (route) => {
    await held;
    await route.continue();
  });
  const probe = page.waitForRequest(/\/api\/orthodox\?fen=/);
  const games = page.waitForRequest(/\/api\/games$/);
  await page.goto("/");
  await Promise.all([probe, games]);
  await expect(page.getByRole("application", { name: /^Board/ })).toHaveCount(0);
  release();
  await expect(verdict(page)).toHaveText("White wins in 9 moves (17 plies)");
  expect(asked).toBe(1);
});

for (const [id, name, answer] of GAMES) {
  test(`${id}: open, play the line, take back, share`, async ({ page }) => {
    await visit(page, "/");
    await page.getByRole("combobox", { name: "Game" }).selectOption({ label: name });
    await expect(verdict(page)).toHaveText(answer);
    await expect(page).toHaveURL(new RegExp(`game=${id}`));
    const before = await fen(page).inputValue();
    // The best move, then any other.
    await page.getByRole("button", { name: "Play best" }).click();
    await expect(fen(page)).not.toHaveValue(before);
    await expect(page).toHaveURL(/moves=/);
    const after = await fen(page).inputValue();
    await expect(page.getByRole("region", { name: "Legal moves" })).toBeVisible();
    // Whoever follows the link sees the same.
    const link = page.url();
    await page.goto("about:blank");
    await visit(page, link);
    await expect(fen(page)).toHaveValue(after);
    await page.getByRole("button", { name: "Take back" }).click();
    await expect(fen(page)).toHaveValue(before);
    await page.getByRole("button", { name: "Forward" }).click();
    await expect(fen(page)).toHaveValue(after);
  });
}

test("space plays the line to mate", async ({ page }) => {
  await visit(page, "/?fen=k7/8/1K6/8/8/8/8/7R_w_-_-_0_1");
  await expect(verdict(page)).toHaveText(/White wins in 1 move /);
  await page.keyboard.press("Space");
  await expect(verdict(page)).toHaveText("Checkmate: White has won");
  await expect(page.getByRole("list", { name: "Moves played" })).toHaveText(/1\. Rh8#/);
  await expect(page.getByRole("link", { name: "Game as PGN" })).toBeVisible();
});

test("hover shows the arrow, a click plays, the back button takes back", async ({ page }) => {
  await visit(page, "/");
  const move = page.getByRole("button", { name: /^Kb2 / });
  await move.hover();
  await expect(page.locator(".board-frame svg path[stroke='var(--arrow)'], .board-frame [data-arrow]").first()).toBeAttached();
  await move.click();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/1K6/1Q6 b - - 1 1");
  await page.goBack();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
});

test("dragging moves a piece; an illegal move does not", async ({ page }) => {
  await visit(page, "/");
  await expect(verdict(page)).toHaveText(/White wins/);
  await drag(page, square(page, "b1"), square(page, "c3"));
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
  await drag(page, square(page, "b1"), square(page, "b4"));
  await expect(fen(page)).toHaveValue("8/8/8/3k4/1Q6/8/8/K7 b - - 1 1");
});

test("a promotion is chosen", async ({ page }) => {
  await visit(page, "/?fen=8/1P6/8/8/8/8/k7/7K_w_-_-_0_1");
  await expect(verdict(page)).toHaveText(/White wins/);
  await drag(page, square(page, "b7"), square(page, "b8"));
  await page.getByRole("dialog").getByRole("button", { name: /b8=R/ }).click();
  await expect(fen(page)).toHaveValue("1R6/8/8/8/8/8/k7/7K b - - 0 1");
});

test("the tables answer", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("combobox", { name: "Tables play" }).selectOption("black");
  await page.getByRole("button", { name: /^Kb2 / }).click();
  await expect(fen(page)).toHaveValue(/ w - - 2 2$/);
});

test("the tables know the game so far when they play", async ({ page }) => {
  const moves = "a1b2,d5d6,b2a1,d6d5,a1b2,d5d6,b2a1";
  await visit(page, `/?game=orthodox&fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&moves=${moves}`);
  await page.getByRole("combobox", { name: "Tables play" }).selectOption("black");
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 w - - 8 5");
});

test("the tables wait while a position is set up", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("combobox", { name: "Tables play" }).selectOption("black");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("button", { name: "Black to move" }).click();
  await expect(verdict(page)).toHaveText(/White wins/);
  await page.getByRole("heading", { name: "Retrograde" }).focus();
  await page.keyboard.press("Space");
  await page.waitForTimeout(1000);
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/KQ6 b - - 0 1");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(fen(page)).toHaveValue(/ w - - 1 2$/);
});

test("typing is one step for the back button", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("button", { name: /^Kb2 / }).click();
  await fen(page).fill("");
  await fen(page).pressSequentially("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
  await expect(page).toHaveURL(/KR6/);
  await expect(verdict(page)).toHaveText(/White wins in \d+ moves/);
  await page.goBack();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/1K6/1Q6 b - - 1 1");
});

test("set up by mouse: spare pieces, off the board, side to move", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("button", { name: "Set up" }).click();
  await drag(page, square(page, "b1"), square(page, "h8"));
  await expect(fen(page)).toHaveValue("7Q/8/8/3k4/8/8/8/K7 w - - 0 1");
  await square(page, "h8").click({ button: "right" });
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/K7 w - - 0 1");
  await page.getByRole("button", { name: "white rook" }).click();
  await square(page, "e2").click();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/4R3/K7 w - - 0 1");
  await drag(page, page.getByRole("button", { name: "black knight" }), square(page, "g8"));
  await expect(fen(page)).toHaveValue("6n1/8/8/3k4/8/8/4R3/K7 w - - 0 1");
  await expect(verdict(page)).toHaveText(/wins|Draw/);
  await page.getByRole("button", { name: "Black to move" }).click();
  await page.getByRole("button", { name: "Swap colours" }).click();
  await expect(fen(page)).toHaveValue("k7/4r3/8/8/3K4/8/8/6N1 w - - 0 1");
  await page.getByRole("button", { name: "Mirror" }).click();
  await expect(fen(page)).toHaveValue("7k/3r4/8/8/4K3/8/8/1N6 w - - 0 1");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(fen(page)).toHaveValue("8/8/8/8/8/8/8/8 w - - 0 1");
  await expect(verdict(page)).toHaveText("Not a position of this game");
});

test("set up and play by keyboard alone", async ({ page }) => {
  await visit(page, "/?game=chess99");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  const board = page.getByRole("application");
  await board.focus();
  await page.keyboard.press("K");
  for (let file = 0; file < 8; file += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("A");
  for (let rank = 0; rank < 8; rank += 1) await page.keyboard.press("ArrowUp");
  await expect(board).toContainText("i9: empty");
  await page.keyboard.press("k");
  await expect(fen(page)).toHaveValue("8k/9/9/9/9/9/9/9/K7A w - - 0 1");
  await expect(verdict(page)).toHaveText(/White wins/);
  await page.keyboard.press("Delete");
  await expect(verdict(page)).toHaveText("Not a position of this game");
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await board.focus();
  for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await expect(fen(page)).toHaveValue("8k/9/9/9/9/9/9/K8/8A b - - 1 1");
});

test("a FEN that is wrong says where, once", async ({ page }) => {
  await visit(page, "/");
  const message = /is not a piece of/;
  const marked = page.locator(".fault mark");
  await fen(page).fill("8/8/8/3k4/8/8/8/KX6 w - -");
  await expect(page.locator("#fen-problem")).toHaveText(/^Character 18: "X" is not a piece of/);
  await expect(fen(page)).toHaveAccessibleDescription(message);
  await expect(marked).toHaveText("X");
  await expect(page.locator(".fault")).toHaveText("8/8/8/3k4/8/8/8/KX6 w - -");
  await expect(page.getByText(message)).toHaveCount(1);
  // Characters are counted, not bytes.
  await fen(page).fill("8/8/8/3k4/8/8/8/K😀6 w - -");
  await expect(marked).toHaveText("😀");
  await fen(page).fill("8/8/8/3k4/8/8/8/KQ6 w - é X");
  await expect(marked).toHaveText("é");
  await expect(page.getByText(/byte/)).toHaveCount(0);
  await fen(page).fill("8/8/8/3k4/8/8/8/KQ6");
  await expect(page.locator("#fen-problem")).toHaveText(/^At the end: /);
  // What is wrong with the position as a whole is said above.
  await fen(page).fill("8/8/8/8/8/8/8/KQ6 w - -");
  await expect(page.locator("#fen-problem")).toHaveCount(0);
  await expect(page.locator("#verdict-problem")).toHaveText(/king/);
  await expect(fen(page)).toHaveAccessibleDescription(/king/);
  await fen(page).fill("8/8/8/3k4/8/8/8/KR6 w - -");
  await expect(verdict(page)).toHaveText(/White wins in \d+ moves/);
});

test("the hill is marked", async ({ page }) => {
  await visit(page, "/?game=king-of-the-hill");
  const marked = page.locator('[data-square] div[style*="--mark-hill"]');
  await expect(marked).toHaveCount(4);
  await expect(page.locator('[data-square="e5"] div[style*="--mark-hill"]')).toHaveCount(1);
  await expect(page.getByText("A king on a framed square wins")).toBeVisible();
  await visit(page, "/");
  await expect(marked).toHaveCount(0);
});

test("what was chosen in one position is not in another", async ({ page }) => {
  await visit(page, "/");
  const chosen = page.locator('[data-square] div[style*="--mark-chosen"]');
  await page.getByRole("button", { name: /^Kb2 / }).click();
  await expect(fen(page)).toHaveValue(/ b - - 1 1$/);
  for (const leave of ["Take back", "Forward", "Set up"]) {
    await expect(page.getByRole("region", { name: "Legal moves" })).toBeVisible();
    await square(page, leave === "Forward" ? "b1" : "d5").click();
    await expect(chosen).toHaveCount(1);
    await page.getByRole("button", { name: leave }).click();
    await expect(chosen).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(chosen).toHaveCount(0);
  await square(page, "d5").click();
  await expect(chosen).toHaveCount(1);
  await fen(page).fill("8/8/8/3k4/8/8/8/KR6 b - - 0 1");
  await expect(page).toHaveURL(/KR6/);
  await expect(chosen).toHaveCount(0);
});

test("the interface for programs is written for people", async ({ page }) => {
  await page.goto("/api");
  await expect(page.getByRole("heading", { name: /interface for programs/ })).toBeVisible();
  await expect(page.locator("main")).not.toContainText("`");
  await expect(page.locator("main code").filter({ hasText: /^%2B$/ }).first()).toBeVisible();
});

test("High Chess: counters, curve, pass", async ({ page }) => {
  await visit(page, "/?game=high-chess");
  await expect(verdict(page)).toHaveText("White wins by exhaustion");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByLabel("White’s vitality").fill("5");
  await expect(verdict(page)).toHaveText("Black wins by exhaustion");
  await expect(page.getByRole("img", { name: /With 5 points against 50, Black wins/ })).toBeVisible();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Pass", exact: true }).click();
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/K6R b - - 4+50 1 1");
});

test("White and Black may have different counters", async ({ page }) => {
  // The games that ship have the same for both, so the server's answers are changed.
  await page.route(/\/api\/(games\b|high-chess)/, async (route) => {
    const response = await route.fetch();
    const change = (said: { vitality?: unknown }) =>
      JSON.parse(JSON.stringify(said), (key, value) => {
        if (key === "vitality" && value === 50) return [50, 20];
        return key === "thresholds" ? value.slice(0, 20) : value;
      });
    // The page may have stopped asking meanwhile.
    const said = await response.json().catch(() => undefined);
    if (said !== undefined) await route.fulfill({ response, json: change(said) });
  });
  await visit(page, "/?game=high-chess");
  await expect(fen(page)).toHaveValue("8/8/8/3k4/8/8/8/K6R w - - 50+20 0 1");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByLabel("White’s vitality")).toHaveAttribute("max", "50");
  const black = page.getByLabel("Black’s vitality");
  await expect(black).toHaveAttribute("max", "20");
  await black.fill("21");
  await black.blur();
  await expect(fen(page)).toHaveValue(/ 50\+20 /);
  const curve = page.getByRole("img", { name: /With 50 points against 20, White wins/ });
  await expect(curve.locator(".tick text")).toHaveText(["1", "25", "50", "1", "10", "20"]);
  await page.getByRole("button", { name: "Swap colours" }).click();
  await expect(fen(page)).toHaveValue(/ 20\+20 /);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("the verdict says what its heading does not", async ({ page }) => {
  const all = page.getByRole("status", { name: "Verdict" });
  await visit(page, "/?game=high-chess&fen=8/8/8/3k4/8/8/8/K6R_w_-_-_6%2B50_0_1");
  await expect(all).toContainText("vitality 6 + 50");
  await visit(page, "/");
  await expect(all).not.toContainText("DTZ");
  await expect(all).not.toContainText("depth");
  await visit(page, "/?fen=8/1P6/8/8/8/8/k7/7K_w_-_-_0_1");
  await expect(all).toContainText("DTZ 1");
  await expect(all).not.toContainText("claimed");
  // A pawn move starts the count anew, but the draw may be claimed before.
  await visit(page, "/?fen=8/1P6/8/8/8/8/k7/7K_w_-_-_100_80");
  await expect(all).toContainText("but for the fifty-move rule");
  await expect(all).toContainText("The draw can be claimed now.");
});

test("options change the board", async ({ page }) => {
  await visit(page, "/?game=kings");
  await page.getByText("Rule options").click();
  await page.getByRole("combobox", { name: "board" }).selectOption("10x10");
  await expect(page).toHaveURL(/game=kings:board=10x10/);
  await expect(page.locator('[data-square="j10"]')).toBeVisible();
  await expect(page.getByRole("status", { name: "Verdict" })).toHaveText(/no table KRvK of kings:board=10x10/);
  await page.getByRole("combobox", { name: "chancellor" }).selectOption("on");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("button", { name: "white chancellor" })).toBeVisible();
  await page.getByRole("combobox", { name: "promote to king" }).selectOption("off");
  await expect(page).toHaveURL(/game=kings:board=10x10,chancellor=on,promote-to-king=off&/);
  await page.getByRole("combobox", { name: "board" }).selectOption("8x8");
  await expect(page).toHaveURL(/game=kings:promote-to-king=off&/);
  await page.getByRole("combobox", { name: "chancellor" }).selectOption("on");
  await expect(page).toHaveURL(/game=kings:board=10x8,chancellor=on,promote-to-king=off&/);
});

test("options say what they mean", async ({ page }) => {
  await visit(page, "/?game=kings");
  await page.getByText("Rule options").click();
  await expect(page.getByText(/^How a king moves that is not royal\./)).toBeVisible();
  await expect(page.getByRole("combobox", { name: "spare king" })).toHaveAccessibleDescription(/duke: like a king or a knight/);
});

test("random positions and statistics", async ({ page }) => {
  await visit(page, "/");
  await page.getByRole("combobox", { name: "Material" }).fill("KPvK");
  await page.getByRole("combobox", { name: "Verdict" }).selectOption("lost");
  await page.getByRole("button", { name: "Random position" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(fen(page)).toHaveValue(/ b - - 0 1$/);
  await expect(verdict(page)).toHaveText(/White wins|Checkmate/);
  await page.getByText("Statistics of KPvK").click();
  await expect(page.getByRole("row", { name: /Positions/ })).toContainText("163,328");
  const chart = page.getByRole("slider", { name: /^White to move wins/ });
  await chart.press("End");
  await expect(chart).toHaveAttribute("aria-valuenow", "55");
  await chart.press("Enter");
  await expect(verdict(page)).toHaveText(/^White wins in 28 moves \(55 plies\)/);
  // The depth of the position is marked, and the keys have left the board alone.
  await expect(page.locator(".column.now")).toHaveCount(1);
  await expect(chart).toHaveAttribute("aria-valuenow", "55");
  await page.getByRole("link", { name: "Longest wins and zugzwangs of KPvK" }).click();
  await expect(page.getByRole("heading", { name: "Longest wins" })).toBeVisible();
});

test("statistics by DTZ mark the present position", async ({ page }) => {
  await visit(page, "/?fen=8/8/8/3k4/8/8/7r/KQ6_w_-_-_0_1");
  await page.getByText("Statistics of KQvKR").click();
  await expect(page.getByRole("slider", { name: /^White to move wins, by moves to the next capture/ })).toBeVisible();
  await expect(page.locator(".column.now")).toHaveCount(1);
});

test("a link to what is not there says so", async ({ page }) => {
  await visit(page, "/?game=nonsense");
  await expect(page.getByRole("alert")).toContainText("nonsense");
  await expect(verdict(page)).toHaveText("White wins in 9 moves (17 plies)");
  await visit(page, "/?fen=8/8/8/3k4/8/8/8/KQ6_w_-_-_0_1&moves=b1b4,b4b5");
  await expect(page.getByRole("alert")).toContainText("Move 2");
  // The move before it is played.
  await expect(fen(page)).toHaveValue("8/8/8/3k4/1Q6/8/8/K7 b - - 1 1");
  await expect(page).toHaveURL(/moves=b1b4$/);
  await expect(verdict(page)).toHaveText("White wins in 9 moves (18 plies)");
  await page.getByRole("button", { name: "Play best" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a link with moves alone begins where the game begins", async ({ page }) => {
  await visit(page, "/?game=orthodox&moves=e2e4,e7e5");
  await expect(fen(page)).toHaveValue("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("an option that leaves the board as it is leaves the position, too", async ({ page }) => {
  await visit(page, "/?game=kings&fen=8/8/2k5/8/8/1Q6/8/K7_w_-_-_0_1");
  await page.getByText("Rule options").click();
  await page.getByRole("combobox", { name: "promote to king" }).selectOption("off");
  await expect(page).toHaveURL(/promote-to-king=off/);
  await expect(fen(page)).toHaveValue("8/8/2k5/8/8/1Q6/8/K7 w - - 0 1");
  // The back button undoes the choice, and the options stay in view.
  await page.goBack();
  await expect(page).not.toHaveURL(/promote-to-king/);
  await expect(page.getByRole("combobox", { name: "promote to king" })).toHaveValue("on");
  await expect(page.getByRole("combobox", { name: "promote to king" })).toBeVisible();
  await visit(page, "/?game=high-chess&fen=8/8/2k5/8/8/1Q6/8/K7_w_-_-_50%2B20_0_1");
  await page.getByText("Rule options").click();
  await page.getByRole("combobox", { name: "vitality", exact: true }).selectOption("7");
  await expect(fen(page)).toHaveValue("8/8/2k5/8/8/1Q6/8/K7 w - - 7+7 0 1");
});

test("a link keeps the side that is seen below", async ({ page }) => {
  await visit(page, "/?game=kings&fen=8/8/8/3k4/8/8/1K6/K7_w_-_-_0_1&view=black");
  await expect(verdict(page)).toHaveText(/wins|Draw/);
  await page.getByRole("button", { name: "Flip" }).click();
  await expect(page).not.toHaveURL(/view=black/);
});
