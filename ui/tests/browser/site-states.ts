/** The states of the panel over a page of a browser: what goes along of it, what it offers, what is usually chosen there. */
import type { Page } from 'playwright-core';
import type { State } from './states';

/** Summons the panel over a page of a browser. */
async function inFront(page: Page): Promise<void> {
  await page.evaluate(() => window.scripted.show('hotkey'));
  await page.locator('.chip').waitFor();
}

/** What is chosen in the forms of that page is told beside it. */
async function chosen(page: Page): Promise<void> {
  await inFront(page);
  await page.locator('.prefers').waitFor();
}

async function filled(page: Page): Promise<void> {
  await chosen(page);
  await page.locator('.prefers .button').click();
  await page.locator('.prefers .button').waitFor({ state: 'detached' });
}

async function previewed(page: Page): Promise<void> {
  await inFront(page);
  await page.locator('.chip .open').click();
  await page.locator('.preview .page').waitFor();
}

export const SITE_STATES: State[] = [
  { name: 'site-offer', scene: 'page', act: inFront },
  { name: 'site-preview', scene: 'page', act: (page) => previewed(page) },
  { name: 'site-allowed', scene: 'pageallowed', act: (page) => previewed(page) },
  { name: 'site-stale', scene: 'pagestale', act: (page) => previewed(page) },
  {
    name: 'site-proposed',
    scene: 'pageproposed',
    async act(page) {
      await inFront(page);
      await page.locator('.tab').waitFor();
    },
  },
  { name: 'site-pdf', scene: 'pagepdf', act: (page) => previewed(page) },
  { name: 'site-pdf-kept', scene: 'pagepdfkept', act: (page) => previewed(page) },
  { name: 'site-hostile', scene: 'pagehostile', act: (page) => previewed(page) },
  { name: 'site-prefers', scene: 'pageprefers', act: chosen },
  {
    name: 'site-prefers-all',
    scene: 'pageprefers',
    async act(page) {
      await chosen(page);
      await page.locator('.prefers .more').click();
      await page.locator('.prefers .whole').waitFor();
    },
  },
  { name: 'site-fills', scene: 'pagefills', act: chosen },
  { name: 'site-filled', scene: 'pagefills', act: (page) => filled(page) },
  { name: 'site-missed', scene: 'pagemisses', act: (page) => filled(page) },
];
