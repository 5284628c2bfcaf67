/** Prompts as a person uses them: called by name, filled, seen before they are sent; written down and changed. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { scenes, sent, stageOf } from './stage';

const stage = stageOf();
const onPanel = scenes();
const on = (act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('a[href="#prompts"]').click();
      await page.locator('.one').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

const kept = async (page: Page) =>
  ((await sent(page, 'saved_prompts')) as { action: { action: string } }[])
    .map((request) => request.action)
    .filter((known) => known.action === 'keep');

test('a prompt is called by its name, filled field by field, and stands in the input unsent', () =>
  onPanel({ scene: 'long', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('/pol');
    await page.getByRole('option', { name: '/polite-mail' }).waitFor();
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Fill in /polite-mail' });
    await form.waitFor();
    await page.keyboard.type('Send it now');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'formal' }).click();
    await form.getByRole('button', { name: '中文' }).click();
    await form.getByRole('button', { name: 'Write it' }).click();
    const text = 'Rewrite Send it now as a mail, formal, in 中文.';
    await expect.poll(() => page.locator('textarea').inputValue()).toBe(text);
    expect(await sent(page, 'ask')).toEqual([]);
    await page.locator('textarea').press('Enter');
    await expect.poll(() => sent(page, 'ask')).toMatchObject([{ text }]);
  }));

test('the page in front is named and goes along, and nothing is asked for', () =>
  onPanel({ scene: 'page', lang: 'en' }, async (page) => {
    await page.evaluate(() => window.scripted.show('hotkey'));
    await page.locator('.chip').waitFor();
    await page.locator('textarea').fill('/rev');
    await page.getByRole('option', { name: '/review-page' }).click();
    await expect
      .poll(() => page.locator('textarea').inputValue())
      .toBe('Read this page and say what a newcomer would not understand.');
    expect(await page.locator('.fill-prompt').count()).toBe(0);
  }));

test('a prompt of a server is written out by it, and what it puts beside that goes along', () =>
  onPanel({ scene: 'long', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('/git');
    await page.getByRole('option', { name: '/git-review-commit' }).click();
    const form = page.getByRole('form', { name: 'Fill in /git-review-commit' });
    await form.getByLabel('The commit').fill('a1b2c3');
    await form.getByLabel('The commit').press('Enter');
    await expect.poll(() => page.locator('textarea').inputValue()).toBe('Review the commit a1b2c3. What would break?');
    await page.locator('.chip', { hasText: 'git-review-commit 1' }).waitFor();
    expect(await sent(page, 'ask')).toEqual([]);
  }));

test('Escape leaves a prompt, and one that can’t be used is not offered', () =>
  onPanel({ scene: 'long', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('/polite-mail');
    await page.getByRole('option', { name: '/polite-mail' }).waitFor();
    expect(await page.getByRole('option', { name: '/old-form' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.locator('.fill-prompt').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.fill-prompt').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  }));

test('a new prompt is kept with what is said of its fields', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'New prompt' }).click();
    await page.getByLabel('Name', { exact: true }).fill('to-french');
    await page.getByLabel('Text').fill('Translate {selection}, {tone}.');
    await page.getByLabel('What is asked for').fill('How it sounds');
    await page.getByLabel('Choices').fill('plain, warm');
    await page.locator('a[href="#skills"]').click();
    await page.locator('a[href="#prompts"]').click();
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('Translate {selection}, {tone}.');
    await page.getByLabel('Text').press('Control+Enter');
    await page.locator('.one.chosen', { hasText: '/to-french' }).waitFor();
    expect(await kept(page)).toEqual([
      {
        action: 'keep',
        draft: {
          name: 'to-french',
          description: '',
          text: 'Translate {selection}, {tone}.',
          fields: [
            { name: 'selection', kind: 'selection', label: 'selection', choices: [], optional: false },
            { name: 'tone', kind: 'free', label: 'How it sounds', choices: ['plain', 'warm'], optional: false },
          ],
        },
      },
    ]);
  }));

test('a prompt that is changed is another one only when that was kept, and goes when that was said twice', () =>
  on(async (page) => {
    await page.getByLabel('Text').fill('Other words');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByLabel('Text').inputValue()).toContain('{selection}');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.locator('.foot').getByRole('button', { name: 'Remove' }).click();
    await page.locator('.one', { hasText: '/polite-mail' }).waitFor({ state: 'detached' });
  }));
