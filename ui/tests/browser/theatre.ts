/**
 * One browser and one server for all files of browser tests, started once: starting them is most of what a test takes.
 *
 * Serves what was built from this process; reaches no network.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';

/** Where the system's package manager puts Chromium; another place can be named. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export interface Theatre {
  /** Address of the browser. */
  browser: string;
  /** Addresses of what ships, and of the same over the scripted backend. */
  dist: string;
  'dist-scripted': string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    theatre: Theatre;
  }
}

/** The policy of the desktop program: no inline script, no eval, nothing from elsewhere. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  'connect-src ipc: http://ipc.localhost',
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export default async function open(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  const [dist, scripted] = await Promise.all([served('dist'), served('dist-scripted')]);
  project.provide('theatre', { browser: browser.wsEndpoint(), dist: dist.address, 'dist-scripted': scripted.address });
  return async () => {
    await Promise.all([browser.close(), dist.close(), scripted.close()]);
  };
}

async function served(folder: 'dist' | 'dist-scripted'): Promise<{ address: string; close: () => Promise<void> }> {
  const server = await preview({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder },
    preview: { port: 0, host: '127.0.0.1', headers: { 'Content-Security-Policy': POLICY } },
  });
  return { address: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}
