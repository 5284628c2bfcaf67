/**
 * Builds the windows, `panel.html`, `workbench.html` and `ball.html`, into `dist/`.
 *
 * In the mode `scripted` the backend leads to recorded replies instead of the program, and the result goes to
 * `dist-scripted/`: what ships never contains a scene.
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Every web view that we run in reads WOFF2: the other forms of KaTeX's fonts stay out of the program. */
const onlyWoff2: Plugin = {
  name: 'only-woff2',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('katex') && id.includes('.css')
      ? code.replace(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, '')
      : null,
};

/** In the scripted mode each component says that it was on the page: a check of all states must leave none out. */
const toldViews: Plugin = {
  name: 'told-views',
  enforce: 'pre',
  transform(code, id) {
    const view = /\/src\/((?!shared\/).*\.svelte)$/.exec(id)?.[1];
    if (view === undefined) return null;
    return code.replace(
      /<script lang="ts"[^>]*>/,
      `$& (window.scriptedViews ??= new Set()).add(${JSON.stringify(view)});`,
    );
  },
};

/** In the scripted mode there is one language more: see `src/backend/pseudo.ts`. */
const pseudoLanguage: Plugin = {
  name: 'pseudo-language',
  transform(code, id) {
    if (!id.endsWith('/src/i18n/catalogue.ts')) return null;
    return `${code}
import { PSEUDO, pseudo } from '../backend/pseudo';
TABLES.set(PSEUDO, pseudo(TABLES.get(SOURCE) ?? {}));`;
  },
};

/** One browser for all files of a run. */
const theatre = { globalSetup: [here('./tests/browser/theatre.ts')], hookTimeout: 60_000 };

/** Longest wait for what happens in a browser: that of pages, since the machine may be busy with other tests. */
const patient = { expect: { poll: { timeout: 15_000 } }, testTimeout: 60_000 };

export default defineConfig(({ mode }) => {
  const scripted = mode === 'scripted';
  const backend = here(scripted ? './src/backend/scripted.ts' : './src/backend/tauri.ts');
  const alias = { '#backend': backend };
  return {
    plugins: [...(scripted ? [toldViews, pseudoLanguage] : []), svelte(), onlyWoff2],
    resolve: { alias },
    server: { port: 5177, strictPort: true },
    build: {
      target: ['safari15', 'chrome105'],
      outDir: scripted ? 'dist-scripted' : 'dist',
      emptyOutDir: true,
      // Inline module preload needs no polyfill in the web views we run in.
      modulePreload: { polyfill: false },
      // Everything stays a file: the content security policy allows no inline script and no data URL script.
      assetsInlineLimit: 0,
      // Mermaid and KaTeX are loaded from the disk, when the first diagram or formula is met.
      chunkSizeWarningLimit: 700,
      rollupOptions: {
        input: {
          panel: here('./panel.html'),
          workbench: here('./workbench.html'),
          ball: here('./ball.html'),
          ...(scripted ? { peer: here('./tests/browser/peer.html') } : {}),
        },
      },
    },
    test: {
      projects: [
        {
          resolve: { alias },
          test: { name: 'pure', include: ['tests/*.test.ts', 'tests/companion/*.test.ts'], testTimeout: 60_000 },
        },
        {
          resolve: { alias },
          test: {
            name: 'browser',
            include: ['tests/browser/*.spec.ts'],
            ...theatre,
            ...patient,
            maxWorkers: 2,
            maxConcurrency: 2,
          },
        },
        {
          // Firefox is driven over a WebSocket, which Node 20 has behind this switch.
          test: {
            name: 'companion',
            include: ['tests/companion/*.spec.ts'],
            ...patient,
            hookTimeout: 60_000,
            maxWorkers: 2,
            execArgv: ['--experimental-websocket'],
          },
        },
        {
          resolve: { alias },
          test: {
            name: 'pages',
            include: ['tests/pages/measure.ts'],
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
        {
          resolve: { alias },
          test: { name: 'bench', include: ['tests/browser/bench.ts'], ...theatre, testTimeout: 300_000 },
        },
        {
          resolve: { alias },
          test: { name: 'guide', include: ['tests/browser/guide.ts'], ...theatre, testTimeout: 60_000 },
        },
        {
          resolve: { alias },
          test: { name: 'pictures', include: ['tests/browser/pictures.ts'], ...theatre, testTimeout: 300_000 },
        },
      ],
    },
  };
});
