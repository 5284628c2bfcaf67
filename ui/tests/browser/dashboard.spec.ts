/** The dashboard as a person uses it: periods, charts without colour and as tables, tables that sort, ways into traces, CSV. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { deedsAbout, sent, stageOf, type View } from './stage';

const stage = stageOf();
const on = (act: (page: Page) => Promise<void>, scene = 'traces', lang: View['lang'] = 'en') =>
  stage().play(
    { scene, lang },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('a[href="#dashboard"]').click();
      await page.locator('main .sheet, main .none').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

const chart = (page: Page, name: string) => page.locator('figure', { hasText: name });
const table = (page: Page, name: string) => page.getByRole('region', { name });
const firstNames = (page: Page, name: string) => table(page, name).locator('tbody th').allInnerTexts();

test('the period is chosen and counted, and what is not kept that long is said', () =>
  on(async (page) => {
    expect(await page.getByRole('button', { name: '30 days' }).getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('.sheet .note').count()).toBe(0);
    const first = await page.locator('dl').innerText();
    expect(first).toMatch(/Done\n\d+ %\n[+−]\d+ points/);
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('Steps are kept for 30 days').waitFor();
    expect(await page.locator('dl').innerText()).not.toBe(first);
    expect(await chart(page, 'Tasks by day').locator('.of-day').count()).toBe(90);
    const asked = (await deedsAbout(page, 'dashboard')) as { days: number }[];
    expect(asked.map(({ days }) => days)).toEqual([30, 90]);
  }));

test('each day says its tasks to those who see no bars, and patterns tell outcomes apart', () =>
  on(async (page) => {
    const tasks = chart(page, 'Tasks by day');
    const days = tasks.getByRole('img');
    expect(await days.count()).toBe(30);
    expect(await days.last().getAttribute('aria-label')).toMatch(/^20 Nov: Done \d+(, [A-Z][a-z ]+ \d+)*$/);
    const fills = await tasks
      .locator('rect[fill]')
      .evaluateAll((rects) => rects.map((rect) => rect.getAttribute('fill')));
    const looks = new Set(fills.map((fill) => /-(\w+)\)$/.exec(fill ?? '')?.[1]));
    expect([...looks].sort()).toEqual(['crossed', 'dotted', 'empty', 'hatched', 'plain']);
    expect(await tasks.locator('.legend').innerText()).toMatch(/Done\s*\d+\s*Gave up\s*\d+\s*Failed/);
    // The day under the pointer is told in words.
    await days.last().hover();
    expect(await tasks.locator('.said').innerText()).toBe(await days.last().getAttribute('aria-label'));
    // The same as a table, by key.
    const button = tasks.getByRole('button', { name: 'As a table: Tasks by day, and how they ended' });
    await button.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => tasks.locator('tbody tr').count()).toBe(30);
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
  }));

test('tables sort by the head of a column, the greatest first', () =>
  on(async (page) => {
    expect((await firstNames(page, 'Models compared'))[0]).toBe('qwen3-coder dashscope');
    const speed = table(page, 'Models compared').getByRole('button', { name: 'Tokens/s' });
    await speed.click();
    await speed.click();
    expect((await firstNames(page, 'Models compared'))[0]).toBe('qwen3:8b ollama');
    await expect
      .poll(() => table(page, 'Models compared').locator('th[aria-sort]').getAttribute('aria-sort'))
      .toBe('ascending');
    await table(page, 'Tools compared').getByRole('button', { name: 'Refused' }).click();
    expect((await firstNames(page, 'Tools compared'))[0]).toBe('shell.run');
    await expect.poll(() => table(page, 'Tools compared').innerText()).toContain('mail.send');
  }));

test('a row and the name of an outcome show their tasks in traces', () =>
  on(async (page) => {
    await table(page, 'Tools compared').locator('tr', { hasText: 'web.fetch' }).locator('td').first().click();
    await expect.poll(() => page.locator('.top input[type=search]').inputValue()).toBe('web.fetch');
    await page.locator('a[href="#dashboard"]').click();
    const failed = chart(page, 'Tasks by day').getByRole('button', { name: /^Failed \d+/ });
    await failed.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.top select').inputValue()).toBe('failed');
    expect(await page.locator('.top input[type=search]').inputValue()).toBe('');
    await page.locator('#run-run-failed').waitFor();
    const asked = (await sent(page, 'trace_list')) as { text: string; outcome: string | null }[];
    expect(asked.slice(-2).map(({ text, outcome }) => [text, outcome])).toEqual([
      ['web.fetch', null],
      ['', 'failed'],
    ]);
  }));

test('the figures of the period are taken out as a file, and trouble is told', async () => {
  await on(async (page) => {
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByText('21 rows are in /home/lin/shidi-7.csv').waitFor();
    const asked = (await deedsAbout(page, 'dashboard')) as { action: string }[];
    expect(asked.at(-1)).toEqual({ action: 'export', days: 7, path: '/home/lin/shidi-7.csv' });
  });
  await on(async (page) => {
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('can’t be written');
    await expect.poll(() => page.getByRole('button', { name: 'Export CSV' }).isEnabled()).toBe(true);
  }, 'dashfull');
});

test('where nothing was asked, it says what will stand here; without steps, what is missing', async () => {
  await on(async (page) => {
    expect(await page.locator('main .none').innerText()).toContain('will stand here');
    expect(await page.getByRole('button', { name: '90 days' }).isVisible()).toBe(true);
  }, 'notraces');
  await on(async (page) => {
    await page.getByText('Steps are not kept.').waitFor();
    expect(await chart(page, 'Time of a task').innerText()).toContain('None in these days');
    expect(await page.locator('dl').innerText()).toContain('nothing before');
  }, 'dashfew');
});
