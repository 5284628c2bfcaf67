/** What memory brought in and what a page remembers, in a real browser: seen, opened, forgotten. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, scenes, sent } from './stage';

const on = scenes();

async function unfold(page: Page): Promise<void> {
  await ask(page);
  await page.locator('.after').waitFor();
  await page.locator('.step .line', { hasText: 'Recalled' }).click();
  await page.locator('.step .text').nth(2).waitFor();
}

describe('what was recalled', () => {
  test('is a folded line; its words are asked for only when somebody looks, with where they are from and why', () =>
    on({ scene: 'recalled' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      expect(await page.locator('.step .line', { hasText: 'Recalled' }).innerText()).toContain('3');
      expect(await sent(page, 'memory')).toHaveLength(0);
      await page.locator('.step .line', { hasText: 'Recalled' }).click();
      await expect.poll(() => page.locator('.step li').first().innerText()).toContain('Thursdays at ten');
      const first = await page.locator('.step li').first().innerText();
      expect(first).toContain('64% fits');
      expect(first).toContain('words 0.82');
      await expect.poll(() => page.locator('.step li').nth(1).innerText()).toContain('wiki.lanting.dev');
      await expect.poll(() => page.locator('.step li').nth(2).innerText()).toContain('asked about this page');
    }));

  test('is forgotten after a yes, and kept without one', () =>
    on({ scene: 'recalled' }, async (page) => {
      await unfold(page);
      const first = page.locator('.step li').first();
      await first.getByText('Forget this').click();
      await first.getByText('Keep').click();
      expect(await sent(page, 'memory')).not.toContainEqual({
        request: 'memory',
        action: { action: 'delete', memory: 'memory-1' },
      });
      await first.getByText('Forget this').click();
      await first.getByText('Forget this').click();
      await expect
        .poll(() => sent(page, 'memory'))
        .toContainEqual({ request: 'memory', action: { action: 'delete', memory: 'memory-1' } });
      await expect.poll(() => first.innerText()).toBe('Forgotten since');
    }));

  test('leads to the session that it is from', () =>
    on({ scene: 'recalled' }, async (page) => {
      await unfold(page);
      await page.locator('.step li').nth(2).getByText('Open session').click();
      await expect
        .poll(() => sent(page, 'session_show'))
        .toContainEqual({ request: 'session_show', session: 'session-9' });
    }));
});

describe('a page that is known', () => {
  const know = async (page: Page) => {
    await page.locator('textarea').fill('what about https://wiki.lanting.dev/refund-policy');
    await page.locator('section li button', { hasText: 'refunds after 14 days' }).waitFor();
  };

  test('offers what was asked there, and a click opens that session', () =>
    on({ scene: 'summoned' }, async (page) => {
      await know(page);
      await page.locator('section li button', { hasText: 'refunds after 14 days' }).click();
      await expect
        .poll(() => sent(page, 'session_show'))
        .toContainEqual({ request: 'session_show', session: 'session-8' });
    }));

  test('tells on one line what came of it, and opens the answer, its files and what was remembered', () =>
    on({ scene: 'summoned', lang: 'en' }, async (page) => {
      await know(page);
      const gists = page.locator('section li button.gist');
      expect(await gists.count()).toBe(1);
      const gist = gists.first();
      expect(await gist.innerText()).toMatch(/The rule engine stops old orders.*2 files · 1 thing remembered/s);
      await gist.click();
      await expect.poll(() => gist.getAttribute('aria-expanded')).toBe('true');
      const outcome = page.locator('.outcome');
      await expect.poll(() => outcome.innerText()).toMatch(/The wiki now says so[^]*orders\.csv[^]*Li Qing/);
      await outcome.locator('button', { hasText: 'orders.csv' }).click();
      await expect.poll(() => page.evaluate(() => window.scripted.files)).toEqual(['/home/lin/reports/orders.csv']);
      await gist.click();
      await expect.poll(() => outcome.count()).toBe(0);
    }));

  test('tells it in Chinese, too', () =>
    on({ scene: 'summoned', lang: 'zh' }, async (page) => {
      await page.locator('textarea').fill('https://wiki.lanting.dev/refund-policy');
      const gist = page.locator('section li button.gist').first();
      await gist.waitFor();
      expect(await gist.innerText()).toMatch(/规则引擎不放行.*2 个文件 · 记住 1 条/s);
      await gist.click();
      await expect.poll(() => page.locator('.outcome').innerText()).toContain('退款说明.docx');
    }));

  test('is forgotten with its whole site after a yes', () =>
    on({ scene: 'summoned' }, async (page) => {
      await know(page);
      await page.getByText('Forget this site').click();
      await expect.poll(() => page.locator('section .actions').innerText()).toContain('wiki.lanting.dev');
      await page.locator('section .actions button').first().click();
      await expect
        .poll(() => sent(page, 'memory'))
        .toContainEqual({ request: 'memory', action: { action: 'forget_site', address: 'https://wiki.lanting.dev' } });
      await expect.poll(() => page.locator('section .actions').count()).toBe(0);
    }));

  test('of which nothing is known offers nothing', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.locator('textarea').fill('https://elsewhere.example/page');
      await expect.poll(() => sent(page, 'memory')).toHaveLength(1);
      expect(await page.locator('section .actions').count()).toBe(0);
    }));
});
