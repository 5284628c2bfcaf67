/** A text that was selected in another window, as its bar hands it over: a chip, and a question that is asked or waits. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SelectionAct } from '../../src/backend/backend';
import { scenes, sent } from './stage';

const on = scenes();

/** Hands over a selected text, with what its bar was asked for. */
const hand = (page: Page, act: SelectionAct) =>
  page.evaluate((act) => {
    const preview = 'The user selected:\nShip the lamp';
    const part = { part: 'selection', tokens: 5, preview, preview_cut: false, searched: false };
    const content = { source: 'selection', kind: 'app', part: 'selection', parts: [part], problems: 0, context: [] };
    const seen = { id: 'view-9', app: 'Notepad', title: 'orders', width: 0, height: 0, tokens: 5 };
    const view = Object.assign(seen, { sent_as: 'words', may_be_private: false, recognising: false, content });
    window.scripted.command({ command: 'selected', ...act, view } as never);
  }, act);

test('a question that stands is asked at once, in a session of its own', () =>
  on({ scene: 'long', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('first');
    await page.keyboard.press('Enter');
    await page.locator('.after').waitFor();
    await page.locator('textarea').fill('half a question');
    await hand(page, { act: 'explain' });
    await expect
      .poll(() => sent(page, 'ask'))
      .toMatchObject([
        { text: 'first' },
        { text: expect.stringMatching(/^Explain the selected text/u), session: null, screens: ['view-9'] },
      ]);
  }));

test('where something is typed already nothing is sent, and nothing of it is lost', () =>
  on({ scene: 'empty', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('half a question');
    await hand(page, { act: 'rewrite' });
    await expect.poll(() => page.locator('textarea').inputValue()).toMatch(/^Rewrite .*\nhalf a question$/u);
    expect(await sent(page, 'ask')).toEqual([]);
    await page.getByText('Selection', { exact: true }).waitFor();
  }));

test('what was attached before and not sent is not sent along unseen', () =>
  on({ scene: 'empty', lang: 'en' }, async (page) => {
    await page.evaluate(() => window.scripted.drop(['/home/lin/work/builds.csv']));
    await page.locator('.chip').first().waitFor();
    await hand(page, { act: 'translate' });
    await expect.poll(() => page.locator('textarea').inputValue()).toMatch(/^Translate /u);
    expect(await sent(page, 'ask')).toEqual([]);
  }));

test('to ask about it, its user writes the question', () =>
  on({ scene: 'long', lang: 'en' }, async (page) => {
    await hand(page, { act: 'ask' });
    await page.getByText('orders').first().waitFor();
    await page.keyboard.type('When?');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'ask')).toMatchObject([{ text: 'When?', screens: ['view-9'] }]);
  }));

test('an own prompt is filled with it', () =>
  on({ scene: 'long', lang: 'en' }, async (page) => {
    await hand(page, { act: 'prompt', name: 'polite-mail' });
    const form = page.getByRole('form', { name: 'Fill in /polite-mail' });
    await form.getByRole('button', { name: 'formal' }).click();
    await form.getByRole('button', { name: '中文' }).click();
    await form.getByRole('button', { name: 'Write it' }).click();
    const text = 'Rewrite the selected text as a mail, formal, in 中文.';
    await expect.poll(() => page.locator('textarea').inputValue()).toBe(text);
    expect(await sent(page, 'ask')).toEqual([]);
  }));
