// Settings of Vite, which builds the page.

import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const [, repository] = /^repository = "(.*)"$/m.exec(readFileSync("../../Cargo.toml", "utf8")) ?? [];

/** Without a server there is no interface for programs to speak of. */
const withoutInterface: Plugin = {
  name: "without-interface",
  transformIndexHtml: (html) => html.replace(/<noscript>.*<\/noscript>/s, "<noscript>The board needs JavaScript.</noscript>"),
};

/** The board's library has pieces of its own, which others drew and which are not drawn here. */
const withoutPieces: Plugin = {
  name: "without-pieces",
  transform(code, id) {
    if (!id.includes("/react-chessboard/dist/")) return null;
    const without = code.replace(/^(const defaultPieces = \{)\n.*?^\};/ms, "$1};");
    if (without === code) this.error("react-chessboard has its pieces elsewhere");
    return { code: without, map: null };
  },
};

// The mode `static` is for a page of files alone, in any folder of any host.
//
// Nothing in the bundle may depend on when or where it is built: it is kept beside its
// sources, and the tests build it again and compare.
export default defineConfig(({ mode }) => ({
  plugins: [react(), withoutPieces, ...(mode === "static" ? [withoutInterface] : [])],
  define: { REPOSITORY: JSON.stringify(repository) },
  base: mode === "static" ? "./" : "/",
  build: {
    target: "es2022",
    // A picture inside a style sheet would need an exception in the page's policy.
    assetsInlineLimit: 0,
    // Those of the libraries in the bundle, which ask for it.
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: { input: mode === "static" ? ["index.html"] : ["index.html", "api.html"] },
  },
  // While working on the page: `cargo run -p retrograde-server`, then `npm run dev`.
  server: { proxy: { "^/(api/|standard|health|claims/)": "http://127.0.0.1:8080" } },
}));
