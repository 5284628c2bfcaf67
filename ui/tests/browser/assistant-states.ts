/** The states of the section of assistants. */
import type { Page } from 'playwright-core';
import type { State } from './states';

const assistants = async (page: Page) => {
  await page.locator('a[href="#assistants"]').click();
  await page.locator('.detail pre').waitFor();
};

export const ASSISTANT_STATES: State[] = [
  { name: 'assistants', scene: 'traces', act: assistants },
  {
    name: 'assistants-changed',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.one').nth(1).click();
      await page.locator('.decision').waitFor();
    },
  },
  {
    name: 'assistants-review',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.top > .button').first().click();
      await page.locator('.sources button').first().click();
      await page.locator('.review article pre').waitFor();
    },
  },
  {
    name: 'assistants-differs',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      for (const part of ['article pre', '.difference']) {
        await page.locator('.top > .button').first().click();
        await page.locator('.sources button').first().click();
        await page.locator(`.review ${part}`).first().waitFor();
        if (part === '.difference') break;
        await page.locator('.review .head .button').last().click();
        await page.locator('.detail pre').waitFor();
      }
      await page.locator('.difference').first().scrollIntoViewIfNeeded();
    },
  },
  ...[0, 1, 2, 3, 4].map((step) => ({
    name: `assistants-step-${step + 1}`,
    scene: 'traces' as const,
    async act(page: Page) {
      await assistants(page);
      await page.locator('.one').last().click();
      await page.locator('.detail .head .button').click();
      await page.locator('.steps button').nth(step).click();
    },
  })),
  {
    name: 'assistants-more',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.one').last().click();
      await page.locator('.detail .head .button').click();
      await page.locator('.steps button').nth(3).click();
      await page.locator('.form summary').click();
      await page.locator('.form details fieldset input').first().fill('0.1');
      await page.locator('.form details fieldset').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'assistants-hotkey',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.one').last().click();
      await page.locator('.detail .head .button').click();
      await page.locator('#assistant-hotkey').click();
      await page.keyboard.press('Control+Alt+Space');
      await page.locator('.form .wrong').waitFor();
    },
  },
  {
    name: 'assistants-new',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.top > .button').last().click();
      await page.locator('.form input').first().fill('night-watch');
      await page.locator('.steps button').nth(4).click();
      await page.locator('.may li').first().waitFor();
    },
  },
  {
    name: 'assistants-tried',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.one').last().click();
      await page.locator('.detail .head .button').click();
      await page.locator('.try input').fill('?');
      await page.locator('.try input').press('Enter');
      await page.locator('.try .answer').waitFor();
    },
  },
  {
    name: 'assistants-file',
    scene: 'traces',
    async act(page) {
      await assistants(page);
      await page.locator('.one').last().click();
      await page.locator('.detail .head .button').click();
      await page.locator('.editor .head .button').first().click();
      await page.locator('textarea.file').waitFor();
    },
  },
];
