/** The files that a task changed, in a real browser: shown, looked at, put back. */
import { describe, expect, test } from 'vitest';
import { ask, deedsAbout, scenes, sent } from './stage';

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

  test('are put back all at once when that was said twice, and what stays is named with its reason', () =>
    on({ scene: 'changed' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      await card.getByRole('button', { name: 'Undo all' }).click();
      expect(await deedsAbout(page, 'changes')).toEqual([]);
      await card.getByRole('button', { name: 'Really undo all?' }).click();
      await expect.poll(() => card.locator('li').first().innerText()).toContain('Taken back');
      expect(await deedsAbout(page, 'changes')).toEqual([{ action: 'undo_run', run: 'run-1' }]);
      expect(await card.innerText()).toContain('left alone');
      expect(await card.locator('li').nth(1).innerText()).not.toContain('Taken back');
      expect(await card.getByRole('button', { name: 'Undo all' }).count()).toBe(0);
    }));

  test('of sub-agents stand among those of the task by their time, and are put back with them', () =>
    on({ scene: 'delegated' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      await card.waitFor();
      expect(await card.innerText()).toContain('3 files changed');
      const rows = card.locator('li');
      const folders = ['docs/zh', 'docs/de', 'work/docs'];
      for (const [at, folder] of folders.entries()) expect(await rows.nth(at).innerText()).toContain(folder);
      await rows.first().getByText('Show').click();
      await expect.poll(() => rows.first().locator('pre .after').first().innerText()).toContain('退款当天到账');
      await card.getByRole('button', { name: 'Undo all' }).click();
      await card.getByRole('button', { name: 'Really undo all?' }).click();
      for (const at of folders.keys()) await expect.poll(() => rows.nth(at).innerText()).toContain('Taken back');
      expect(await deedsAbout(page, 'changes')).toContainEqual({ action: 'undo_run', run: 'run-1' });
    }));

  test('that were changed again since are left alone, and it is said where the earlier words are', () =>
    on({ scene: 'changed' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      await card.locator('li').nth(1).getByText('Undo').click();
      await expect.poll(() => card.innerText()).toContain('left alone');
      expect(await card.locator('li').nth(1).innerText()).not.toContain('Taken back');
    }));

  test('that were made are opened, shown in their folder, copied by path and dragged to other programs', () =>
    on({ scene: 'arranged' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      const report = card.locator('li').first();
      await report.getByRole('button', { name: 'Open: 季度报告.docx' }).click();
      await report.getByRole('button', { name: 'Show in folder: 季度报告.docx' }).click();
      await report.getByRole('button', { name: 'Copy the path: 季度报告.docx' }).click();
      const path = '/home/lin/work/docs/季度报告.docx';
      await expect.poll(() => page.evaluate(() => window.scripted.files)).toEqual([path]);
      await expect.poll(() => page.evaluate(() => window.scripted.folders)).toEqual([path]);
      await expect.poll(() => page.evaluate(() => window.scripted.copied)).toEqual([path]);
      const carried = await report.locator('[draggable]').evaluate((name) => {
        const data = new DataTransfer();
        name.dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }));
        return [data.getData('text/uri-list'), data.getData('text/plain')];
      });
      expect(carried).toEqual(['file:///home/lin/work/docs/%E5%AD%A3%E5%BA%A6%E6%8A%A5%E5%91%8A.docx', path]);
    }));

  test('that are no text tell their sizes, and those that went elsewhere where they are', () =>
    on({ scene: 'arranged' }, async (page) => {
      await ask(page);
      const card = page.locator('section[aria-label="Changed files"]');
      await card.waitFor();
      const rows = await card.locator('li').allInnerTexts();
      expect(rows[0]).toContain('49 KB');
      expect(rows[1]).toContain('10 KB → 13 KB');
      expect(rows[2]).toContain('moved');
      expect(rows[3]).toContain('in the trash');
      expect(rows.join()).not.toMatch(/[+−]0/);
      expect(await card.locator('li').nth(3).getByRole('button').allInnerTexts()).toEqual(['Undo']);
      await card.locator('li').nth(3).getByText('Undo').click();
      await expect.poll(() => card.locator('li').nth(3).innerText()).toContain('Taken back');
    }));

  test('of tasks that changed none are not asked for', () =>
    on({ scene: 'recalled' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      expect(await sent(page, 'changes')).toHaveLength(0);
    }));
});
