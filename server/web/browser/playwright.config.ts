import { defineConfig } from "@playwright/test";

// The browser is the system's, and the server is started by scripts/server-browser.sh.
export default defineConfig({
  testDir: ".",
  outputDir: "results",
  workers: 1,
  timeout: 30_000,
  use: {
    baseURL: process.env.RETROGRADE_URL ?? "http://127.0.0.1:8080",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    },
  },
});
