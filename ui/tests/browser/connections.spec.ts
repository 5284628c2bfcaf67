/** The section of connections as a person uses it: browsers, the page in front, and the sites whose tools may be used. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { deedsAbout, stageOf } from './stage';

const stage = stageOf();
const SITE = 'https://query.lanting.dev';
const actions = (page: Page) => deedsAbout(page, 'pages');

const at = (scene: string, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene, lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press('Control+5');
      await page.locator('main h1', { hasText: 'Connections' }).waitFor();
      await act(page);
    },
    'workbench.html',
  );

test('connections tell how a browser is connected while there is none', () =>
  at('traces', async (page) => {
    await page.locator('main .none', { hasText: 'No browser is connected yet' }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => page.evaluate(() => window.scripted.copied)).toEqual(['shidi companion install']);
  }));

test('connections let a browser in that asks, which the rail counts with the programs that want to ask', () =>
  at('pageasks', async (page) => {
    expect(await page.locator('.rail .waiting').last().textContent()).toBe('3 Wants to connect');
    await page.locator('.asks', { hasText: 'Firefox' }).getByRole('button', { name: 'It does: connect' }).click();
    await page.locator('.rows li', { hasText: 'Firefox 153' }).getByText('Connected').waitFor();
    expect(await page.locator('.asks').count()).toBe(1);
    expect(await actions(page)).toEqual([{ action: 'pair', code: '070614' }]);
  }));

test('a question that is offered no more on a site is offered again with one click', () =>
  at('pageguesses', async (page) => {
    await page.getByRole('button', { name: 'Offer again: Summarise this page, orders.lanting.dev' }).click();
    await expect.poll(() => page.getByText('Questions that are offered no more').count()).toBe(0);
    expect(await deedsAbout(page, 'memory')).toContainEqual({
      action: 'offer_guess',
      site: 'https://orders.lanting.dev',
      guess: 'ask_summarise_article',
    });
  }));

test('connections forget a browser only when that was confirmed', () =>
  at('page', async (page) => {
    await page.getByRole('button', { name: 'Forget Firefox 153' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Forget Firefox 153' }).click();
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.locator('.rows li', { hasText: 'Firefox' }).waitFor({ state: 'detached' });
    expect(await actions(page)).toEqual([{ action: 'forget', browser: 'browser-2' }]);
  }));

test('connections withdraw a site at once, and give it back', () =>
  at('pageallowed', async (page) => {
    const tools = page.getByRole('switch', { name: 'Tools may be used of query.lanting.dev' });
    const offered = page.getByRole('switch', { name: 'Shidi may use what query.lanting.dev offers' });
    expect(await tools.isChecked()).toBe(true);
    await tools.click();
    await expect.poll(() => offered.isChecked()).toBe(false);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => offered.isChecked()).toBe(true);
    await expect.poll(() => tools.isChecked()).toBe(true);
    expect(await actions(page)).toEqual([
      { action: 'allow', site: SITE, on: false },
      { action: 'allow', site: SITE, on: true },
    ]);
  }));

test('connections are walked through with F6, and follow what happens in the browser', () =>
  at('page', async (page) => {
    for (const name of [
      'Browsers',
      'The page in front',
      'Sites',
      'MCP servers',
      'Programs that may ask Shidi',
      'Browsers',
    ]) {
      await page.keyboard.press('F6');
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name);
    }
    await page.evaluate(() =>
      window.scripted.browse({
        browsers: [{ id: 'b', name: 'Chromium 156', connected: false }],
        asking: [],
        sites: [],
        learned: [],
      }),
    );
    await page.getByText('No page is in front now').waitFor();
    await page.locator('.rows').getByText('Not connected').waitFor();
  }));

test('tools of the page in front stand among the toolkits as its own', () =>
  stage().play(
    { scene: 'page', lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press('Control+4');
      await page.locator('.one', { hasText: 'page' }).click();
      await page.locator('.detail', { hasText: 'The page in front' }).waitFor();
    },
    'workbench.html',
  ));
