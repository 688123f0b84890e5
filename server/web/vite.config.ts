// Settings of Vite, which builds the page.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Nothing in the bundle may depend on when or where it is built: it is kept beside its
// sources, and the tests build it again and compare.
export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2022",
    // A picture inside a style sheet would need an exception in the page's policy.
    assetsInlineLimit: 0,
    // Those of the libraries in the bundle, which ask for it.
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: { input: ["index.html", "api.html"] },
  },
  // While working on the page: `cargo run -p retrograde-server`, then `npm run dev`.
  server: { proxy: { "^/(api/|standard|health)": "http://127.0.0.1:8080" } },
});
