/** Models to download: begun and stopped by their user alone, followed while they come, and put to use. */
import { describe, expect, test } from 'vitest';
import { scenes, sent } from './stage';

const on = scenes();

const WORDS = {
  zh: {
    download: '下载',
    stop: '停止',
    goOn: '接着下',
    use: '用它',
    best: '最合适',
    more: '超过现在空闲的',
    keep: '留着',
    remove: '删除',
    removed: '已删除，腾出 1.3 GB。',
  },
  en: {
    download: 'Download',
    stop: 'Stop',
    goOn: 'Go on',
    use: 'Use',
    best: 'fits best',
    more: 'more than is free',
    keep: 'Keep',
    remove: 'Remove',
    removed: 'Removed; 1.3 GB are free again.',
  },
};

for (const lang of ['zh', 'en'] as const) {
  const words = WORDS[lang];
  describe(`models to download, ${lang}`, () => {
    test('the settings list them with size, licence and memory, and mark the one that fits', () =>
      on({ scene: 'summoned', lang }, async (page) => {
        await page.keyboard.press('Control+,');
        const entries = page.locator('.catalogue .entry');
        await expect.poll(() => entries.count()).toBe(4);
        await expect.poll(() => entries.nth(2).innerText()).toContain(words.best);
        await expect.poll(() => entries.nth(3).innerText()).toContain(words.more);
        await expect.poll(() => entries.nth(1).innerText()).toContain('Apache-2.0 · 2.7 GB');
        expect(await sent(page, 'local_model_download')).toEqual([]);
      }));

    test('each has the one button that fits how far it is', () =>
      on({ scene: 'summoned', lang }, async (page) => {
        await page.keyboard.press('Control+,');
        const buttons = page.locator('.catalogue .entry .button');
        await expect.poll(() => buttons.allInnerTexts()).toEqual([words.use, words.stop, words.goOn, words.download]);
        await buttons.nth(1).click();
        await expect.poll(() => sent(page, 'local_model_download_stop')).toMatchObject([{ id: 'qwen3.5-4b' }]);
        await buttons.nth(3).click();
        await expect.poll(() => sent(page, 'local_model_download')).toMatchObject([{ id: 'qwen3.5-9b' }]);
        await buttons.nth(0).click();
        await expect
          .poll(() => sent(page, 'local_model_use'))
          .toMatchObject([{ file: '/home/lin/models/qwen3.5-2b.gguf' }]);
      }));

    test('one that was downloaded is removed after a question, and the room is told', () =>
      on({ scene: 'summoned', lang }, async (page) => {
        await page.keyboard.press('Control+,');
        const first = page.locator('.catalogue .entry').first();
        const trash = page.getByRole('button', { name: new RegExp(`^${words.remove} Qwen3.5`) });
        await trash.click();
        await expect.poll(() => trash.count()).toBe(0);
        await first.getByRole('button', { name: words.keep }).click();
        expect(await sent(page, 'local_model_remove')).toEqual([]);
        await trash.click();
        await first.getByRole('button', { name: words.remove, exact: true }).click();
        await expect.poll(() => sent(page, 'local_model_remove')).toMatchObject([{ id: 'qwen3.5-2b' }]);
        await expect.poll(() => page.locator('.catalogue').innerText()).toContain(words.removed);
        await expect.poll(() => first.innerText()).toContain(words.download);
        expect(await trash.count()).toBe(0);
      }));

    test('what comes is looked at again when the program says that it has changed, and only while it is shown', () =>
      on({ scene: 'summoned', lang }, async (page) => {
        const change = () =>
          page.evaluate(() => window.scripted.tell({ reply: 'local_model_changed', phase: 'asleep' }));
        await change();
        expect(await sent(page, 'local_model_catalogue')).toEqual([]);
        await page.keyboard.press('Control+,');
        await page.locator('.catalogue .entry').first().waitFor();
        const { length } = await sent(page, 'local_model_catalogue');
        await change();
        await expect.poll(async () => (await sent(page, 'local_model_catalogue')).length).toBeGreaterThan(length);
      }));

    test('another folder is chosen with the picker and kept as a setting', () =>
      on({ scene: 'summoned', lang }, async (page) => {
        await page.keyboard.press('Control+,');
        await page.locator('.catalogue .folder .button').click();
        await expect
          .poll(() => sent(page, 'config_set'))
          .toMatchObject([{ key: 'local_model.folder', value: '/home/lin/work/order-service' }]);
      }));

    test('at the first run the server comes along with the first model', () =>
      on({ scene: 'noserver', lang }, async (page) => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('first run');
        await page.keyboard.press('Enter');
        await page.locator('.door').nth(2).click();
        await expect.poll(() => page.locator('.catalogue .rows').innerText()).toContain('llama.cpp b11194');
        await page.locator('.catalogue .entry').last().locator('.button').click();
        await expect
          .poll(() => sent(page, 'local_model_download'))
          .toMatchObject([{ id: 'llama.cpp-b11194' }, { id: 'qwen3.5-9b' }]);
      }));
  });
}
