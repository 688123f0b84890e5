// Settings of the browser tests.

import { defineConfig } from "@playwright/test";

// The browser is the system's, and the server is started by scripts/run server browser.
export default defineConfig({
  testDir: ".",
  outputDir: "results",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // On a busy machine a browser's timing varies; what passes only when it is tried again is
  // reported as flaky.
  retries: 1,
  use: {
    baseURL: process.env.RETROGRADE_URL ?? "http://127.0.0.1:8080",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    },
  },
});
