/**
 * The sample page by itself, as it is built, with a change to accept or to reject: for its picture in the guide.
 *
 * What offers its tools to Shidi elsewhere, the browser's WebMCP or the companion, is played here.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { still } from './stage';

const BUILT = fileURLToPath(new URL('../../dist-samples/graphql/', import.meta.url));

/** Nobody serves it: the browser gets the files from here. */
const ADDRESS = 'http://localhost/';

const SIZE = { width: 1080, height: 640 };

const WHY = { en: 'The customers and what each order is worth', zh: '加上顾客，还有每个订单值多少' };

const PROPOSED = `query OpenOrders($limit: Int) {
  orders(status: OPEN, limit: $limit) {
    id
    customer {
      name
    }
    total
  }
}`;

interface Offered {
  name: string;
  execute(input: object): unknown;
}

declare global {
  interface Window {
    /** Tools that the page has offered, by their names. */
    offeredTools: Map<string, Offered>;
  }
}

/** Draws the sample page as it shows a proposed query. */
export async function drawSample(browser: Browser, lang: 'en' | 'zh', file: string): Promise<void> {
  if (!existsSync(BUILT)) throw new Error('The sample page is not built: npm run build');
  const locale = lang === 'en' ? 'en-GB' : 'zh-CN';
  const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1.5, locale });
  try {
    const page = await context.newPage();
    await page.route(`${ADDRESS}**`, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      return route.fulfill({ path: BUILT + (name === '' ? 'index.html' : name) });
    });
    await page.addInitScript(() => {
      window.offeredTools = new Map();
      const registerTool = async (tool: Offered) => void window.offeredTools.set(tool.name, tool);
      Object.defineProperty(document, 'modelContext', { value: { registerTool } });
    });
    await page.goto(ADDRESS);
    await page.evaluate((input) => void window.offeredTools.get('editScript')?.execute(input), {
      script: PROPOSED,
      why: WHY[lang],
    });
    await page.getByRole('dialog').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await still(page);
    await page.screenshot({ path: file });
  } finally {
    await context.close();
  }
}
