// Measures how soon the page has its first answer, each time in a new browser.

import { chromium } from "@playwright/test";

const [url, rounds] = [process.env.RETROGRADE_URL, Number(process.argv[2])];
const [answers, verdicts] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const look = () => {
      if (!window.seen && document.querySelector(".verdict:not([aria-busy]) h2")) window.seen = performance.now();
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const told = await page.evaluate(() => {
    const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
    const asked = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/"));
    return [Math.max(...asked.map(({ responseEnd }) => responseEnd)), window.seen].map((at) => at - loadEventEnd);
  });
  answers.push(told[0]);
  verdicts.push(told[1]);
  await browser.close();
}
for (const [what, times] of [["the last answer has come", answers], ["the verdict is seen", verdicts]]) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  console.log(`ms from the load event until ${what}: median ${sorted[rounds >> 1]}, of ${sorted.join(" ")}`);
}
