/** Cards that a program shows: drawn in their order, folded to eight rows, copied, and safe whatever they hold. */
import { describe, expect, test } from 'vitest';
import { ask, scenes } from './stage';

const on = scenes();

describe('cards of data', () => {
  test('a table shows eight rows, then all, with figures right; it is copied as CSV', () =>
    on({ scene: 'data', lang: 'en' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      const table = page.locator('.shown').first();
      await expect.poll(() => table.locator('tbody tr').count()).toBe(8);
      expect(await table.locator('tbody tr').first().locator('td').allInnerTexts()).toEqual([
        'Shanghai',
        '1\u2009204',
        '38\u2009317.3',
        '',
      ]);
      expect(await table.locator('th.figure').allInnerTexts()).toEqual(['Orders', 'Amount (CNY)']);
      await table.getByRole('button', { name: 'Show all 11 rows' }).click();
      await expect.poll(() => table.locator('tbody tr').count()).toBe(11);
      await table.getByRole('button', { name: 'Copy as CSV' }).click();
      await expect
        .poll(() => page.evaluate(() => window.scripted.copied))
        .toMatchObject([expect.stringContaining('Shanghai,1204,38317.3,\r\n')]);
    }));

  test('charts have a name and their figures for readers of the screen; a gap stays one', () =>
    on({ scene: 'data', lang: 'en' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      const chart = page.getByRole('img', { name: 'Amount by month' });
      expect(await chart.locator('circle').count()).toBe(5);
      expect((await chart.locator('path').first().getAttribute('d'))?.match(/M/g)).toHaveLength(2);
      expect(await page.getByRole('img', { name: 'Orders by city' }).locator('rect').count()).toBe(11);
      expect(await page.locator('.shown').nth(1).locator('.spoken tbody td').allTextContents()).toEqual([
        '310.5',
        '290',
        '',
        '305',
        '402.25',
        '350',
      ]);
    }));

  test('links open in the browser of the user, and only those of the web are shown', () =>
    on({ scene: 'data', lang: 'en' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      const links = page.locator('.shown').last().locator('a');
      expect(await links.count()).toBe(1);
      await links.first().click();
      await expect
        .poll(() => page.evaluate(() => window.scripted.links))
        .toEqual(['https://wiki.lanting.dev/refund-policy']);
    }));
});
