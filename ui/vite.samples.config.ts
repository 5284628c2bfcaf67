/**
 * Builds the sample page of `assets/samples/` into `dist-samples/`: plain files that `shidi sample` serves.
 *
 * The page stands for any page of anybody: it shares nothing with the windows, and its library is bundled with it.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('../assets/samples/graphql'),
  base: './',
  resolve: { alias: { graphql: here('./node_modules/graphql') } },
  build: {
    outDir: here('./dist-samples/graphql'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    // One name each, so that the program that embeds them needs no list.
    rollupOptions: { output: { entryFileNames: 'main.js', assetFileNames: '[name][extname]' } },
  },
});
