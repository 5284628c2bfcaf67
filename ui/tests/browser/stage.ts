/**
 * Opens the built windows in Chromium over the scripted door, as a person would use them.
 *
 * Serves `dist-scripted/` from this process; reaches no network.
 */
import { preview, type PreviewServer } from 'vite';
import { chromium, type Browser, type Page } from 'playwright-core';
import { fileURLToPath } from 'node:url';

/** Where the system's package manager puts Chromium; another place can be named. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const PANEL = { width: 420, height: 640 };

export interface View {
  scene: string;
  lang?: 'zh' | 'en';
  theme?: 'light' | 'dark';
  /** 0 plays the scene at once. */
  speed?: number;
}

export class Stage {
  private constructor(
    private readonly server: PreviewServer,
    private readonly browser: Browser,
    private readonly address: string,
  ) {}

  static async open(folder: 'dist' | 'dist-scripted' = 'dist-scripted'): Promise<Stage> {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const server = await preview({
      root,
      configFile: false,
      logLevel: 'error',
      build: { outDir: folder },
      preview: { port: 0, host: '127.0.0.1', headers: { 'Content-Security-Policy': POLICY } },
    });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--force-color-profile=srgb'] });
    const address = server.resolvedUrls?.local[0] ?? '';
    return new Stage(server, browser, address);
  }

  async page(view: View, file = 'panel.html'): Promise<Page> {
    const context = await this.browser.newContext({ viewport: PANEL, deviceScaleFactor: 2, locale: view.lang === 'en' ? 'en-GB' : 'zh-CN' });
    const page = await context.newPage();
    const query = new URLSearchParams({ scene: view.scene, lang: view.lang ?? 'zh', theme: view.theme ?? 'light', speed: String(view.speed ?? 0) });
    await page.goto(`${this.address}${file}?${query}`);
    await page.evaluate(() => document.fonts.ready);
    return page;
  }

  /** A page that has gone nowhere yet. */
  async bare(): Promise<Page> {
    return (await this.browser.newContext({ viewport: PANEL })).newPage();
  }

  addressOf(file: string): string {
    return `${this.address}${file}`;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
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

/** Asks the scene's own question. */
export async function ask(page: Page): Promise<void> {
  const question = await page.evaluate(() => window.scripted.question);
  await page.locator('textarea').first().fill(question);
  await page.keyboard.press('Enter');
}

/** What the panel has sent of one kind. */
export function sent(page: Page, request: string): Promise<unknown[]> {
  return page.evaluate((name) => window.scripted.sent.filter((one) => one.request === name), request);
}
