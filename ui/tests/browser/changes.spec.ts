/** The files that a task changed, in a real browser: shown, looked at, put back. */
import { describe, expect, test } from 'vitest';
import { ask, scenes, sent } from './stage';

const on = scenes();

describe('changed files', () => {
  test('are told under the answer with how each differs, and are put back by one press', () =>
    on({ scene: 'changed' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      await card.waitFor();
      expect(await card.innerText()).toContain('2 files changed');
      const first = card.locator('li').first();
      await first.getByText('Show').click();
      await expect.poll(() => first.locator('pre .after').first().innerText()).toContain('settled the same day');
      await first.getByText('Undo').click();
      await expect.poll(() => first.innerText()).toContain('Taken back');
      expect(await sent(page, 'changes')).toContainEqual({
        request: 'changes',
        action: { action: 'undo', change: 'run-1/2' },
      });
    }));

  test('that were changed again since are left alone, and it is said where the earlier words are', () =>
    on({ scene: 'changed' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      await card.locator('li').nth(1).getByText('Undo').click();
      await expect.poll(() => card.innerText()).toContain('left alone');
      expect(await card.locator('li').nth(1).innerText()).not.toContain('Taken back');
    }));

  test('of tasks that changed none are not asked for', () =>
    on({ scene: 'recalled' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      expect(await sent(page, 'changes')).toHaveLength(0);
    }));
});
