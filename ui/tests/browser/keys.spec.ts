/** Where there is no keychain: the encrypted file of keys is made and opened in place, and what was begun goes on. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, focused, scenes, sent } from './stage';

const on = scenes();

const phrases = (page: Page) => page.locator('[data-passphrase]');
const requests = async (page: Page, ...names: string[]) =>
  (await page.evaluate(() => window.scripted.sent.map((one) => one.request))).filter((name) => names.includes(name));

/** What each language says: the words are a promise too. */
const WORDS = {
  zh: {
    file: '加密文件',
    wrong: '口令打不开密钥文件',
    again: '打开，再问一次',
    differs: '两次输入的不一样',
    makes: '口令加密的文件',
    kept: '在加密文件里 · …3f9c',
  },
  en: {
    file: 'encrypted file',
    wrong: 'The passphrase does not open the file',
    again: 'Open, then ask again',
    differs: 'The two are not the same',
    makes: 'file encrypted with a passphrase',
    kept: 'In the encrypted file · …3f9c',
  },
};

for (const lang of ['zh', 'en'] as const) {
  const words = WORDS[lang];
  describe(`without a keychain, ${lang}`, () => {
    for (const scene of ['locked', 'lockedrun'])
      test(`a question that met the locked file is asked again by itself once the file is open (${scene})`, () =>
        on({ scene, lang }, async (page) => {
          await ask(page);
          await phrases(page).waitFor();
          // Whoever is writing keeps the focus: the card is reached by keys.
          await expect.poll(() => focused(page)).toBe('textarea');
          const card = page.locator('.error');
          await expect.poll(() => card.innerText()).toContain(words.file);
          await expect.poll(() => card.innerText()).not.toMatch(/shidi key unlock|keys\.enc/);
          await expect.poll(() => card.locator('.button').allInnerTexts()).toEqual([words.again]);
          await phrases(page).fill('wrong horse');
          await page.keyboard.press('Enter');
          await expect.poll(() => card.innerText()).toContain(words.wrong);
          await expect.poll(() => focused(page)).toBe('input');
          await expect.poll(() => sent(page, 'ask')).toHaveLength(1);
          await phrases(page).fill('correct horse');
          await page.keyboard.press('Enter');
          await page.locator('.after').waitFor();
          await expect
            .poll(() => sent(page, 'keys_unlock'))
            .toMatchObject([{ passphrase: 'wrong horse' }, { passphrase: 'correct horse' }]);
          const question = await page.evaluate(() => window.scripted.question);
          await expect
            .poll(() => sent(page, 'ask'))
            .toMatchObject([
              { text: question },
              { text: question, ...(scene === 'locked' ? {} : { instead: 'run-1' }) },
            ]);
          await expect.poll(() => page.locator('.error').count()).toBe(0);
          await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('');
          await expect.poll(() => focused(page)).toBe('textarea');
          await expect.poll(() => page.evaluate(() => document.body.innerHTML.includes('correct horse'))).toBe(false);
        }));

    test('another question that was begun meanwhile is not sent by opening the file', () =>
      on({ scene: 'locked', lang }, async (page) => {
        await ask(page);
        await phrases(page).waitFor();
        await page.locator('.composer textarea').fill('something else, half');
        await phrases(page).fill('correct horse');
        await page.keyboard.press('Enter');
        await expect.poll(() => page.locator('.error').count()).toBe(0);
        await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('something else, half');
        expect(await sent(page, 'ask')).toHaveLength(1);
      }));

    test('a passphrase that makes the file is asked for twice, then the key is kept and the provider answers', () =>
      on({ scene: 'nokeychain', lang }, async (page) => {
        await page.keyboard.press('Control+m');
        await page.locator('.picker footer .button').click();
        const form = page.locator('.card', { has: phrases(page).first() });
        await expect.poll(() => form.innerText()).toContain(words.makes);
        await phrases(page).first().fill('correct horse');
        await phrases(page).last().fill('correct house');
        await form.locator('input:not([data-passphrase])').fill('sk-new');
        await expect.poll(() => form.innerText()).toContain(words.differs);
        await page.keyboard.press('Enter');
        await expect.poll(() => form.locator('.primary').isDisabled()).toBe(true);
        await expect.poll(() => requests(page, 'keys_unlock', 'key_set')).toEqual([]);
        await phrases(page).first().fill('short');
        await phrases(page).last().fill('short');
        await expect.poll(() => form.locator('.primary').isDisabled()).toBe(true);
        await phrases(page).first().fill('correct horse');
        await phrases(page).last().fill('correct horse');
        await page.keyboard.press('Enter');
        await expect.poll(() => requests(page, 'keys_unlock', 'key_set')).toEqual(['keys_unlock', 'key_set']);
        await expect.poll(() => form.count()).toBe(0);
      }));

    test('the settings open the file in place and then say what is in it', () =>
      on({ scene: 'locked', lang }, async (page) => {
        await page.keyboard.press('Control+,');
        await phrases(page).fill('correct horse');
        await page.keyboard.press('Enter');
        await expect.poll(() => phrases(page).count()).toBe(0);
        await expect.poll(() => page.locator('.keys').innerText()).toContain(words.kept);
      }));
  });
}
