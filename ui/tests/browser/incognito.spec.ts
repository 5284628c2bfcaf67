/** Incognito sessions in a real browser: what they say of themselves, what is sent in them, and when they end. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, scenes, sent } from './stage';

const on = scenes();

const begin = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+Shift+N');
  await page.locator('header .tag').waitFor();
};

describe('incognito', () => {
  test('it is labelled, says what it leaves, and shows no other session', () =>
    on({ scene: 'sessions' }, async (page) => {
      await begin(page);
      await expect.poll(() => page.locator('header .tag').textContent()).toContain('Incognito');
      await expect.poll(() => page.locator('.empty p').textContent()).toContain('in memory only');
      expect(await page.locator('section').count()).toBe(0);
    }));

  test('what is asked, attached and looked at goes to it alone', () =>
    on({ scene: 'long' }, async (page) => {
      await begin(page);
      await page.evaluate(() => window.scripted.drop(['/a/notes.md']));
      await page.locator('.chip').waitFor();
      expect(await sent(page, 'inspect')).toMatchObject([{ session: 'session-unseen' }]);
      await ask(page);
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ session: 'session-unseen' }]);
    }));

  test('it ends when another session takes its place, and its draft goes with it', () =>
    on({ scene: 'long' }, async (page) => {
      await begin(page);
      await page.keyboard.type('a secret draft');
      await page.keyboard.press('Control+n');
      await expect.poll(() => page.evaluate(() => window.scripted.ended)).toBe(1);
      await expect.poll(() => page.locator('header .tag').count()).toBe(0);
      await expect.poll(() => page.locator('textarea').first().inputValue()).toBe('');
      expect(await page.locator('.toast').textContent()).toContain('no record is left');
      await ask(page);
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ session: null }]);
    }));

  test('a question that is asked differently stays in it', () =>
    on({ scene: 'long' }, async (page) => {
      await begin(page);
      await ask(page);
      await page.locator('.after').last().waitFor();
      await page.getByRole('button', { name: 'Answer again' }).click();
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ session: 'session-unseen' }, { session: 'session-unseen', instead: 'run-1' }]);
      expect(await page.evaluate(() => window.scripted.ended)).toBe(0);
      expect(await page.locator('header .tag').count()).toBe(1);
    }));

  test('a link to an assistant ends none that is under way', () =>
    on({ scene: 'long' }, async (page) => {
      await begin(page);
      await ask(page);
      await page.locator('.after').last().waitFor();
      await page.evaluate(() =>
        window.scripted.command({ command: 'assistant', name: 'translator', text: 'Good morning' }),
      );
      await expect.poll(() => page.locator('textarea').first().inputValue()).toBe('@translator Good morning');
      expect(await page.evaluate(() => window.scripted.ended)).toBe(0);
      expect(await page.locator('header .tag').count()).toBe(1);
    }));

  test('a model that is chosen in it is remembered for no session', () =>
    on({ scene: 'summoned' }, async (page) => {
      await begin(page);
      await page.locator('.pick').first().click();
      await page.locator('.option', { hasText: 'gemma3' }).click();
      await expect.poll(() => page.locator('.pick').first().textContent()).toContain('gemma3');
      expect(await page.evaluate(() => Object.values(localStorage).join(' '))).not.toContain('session-unseen');
    }));
});
