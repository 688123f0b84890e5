export default {
  base: "./",
  build: { outDir: "dist/vite", target: "esnext" },
  // While developing, packages are joined together, and the module would not be found beside them.
  optimizeDeps: { exclude: ["retrograde"] },
};
