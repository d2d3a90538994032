// One script and one style sheet; assemble.mjs puts both into the template.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    lib: { entry: "src/main.ts", formats: ["iife"], name: "roctopus", fileName: () => "page.js", cssFileName: "page" },
  },
});
