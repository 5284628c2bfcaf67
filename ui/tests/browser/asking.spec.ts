/** Cards that ask, as a person answers them: with keys alone, and each answer once. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, focused, scenes, sent } from './stage';

const on = scenes();
const card = (name: string, act: (page: Page) => Promise<void>) =>
  on({ scene: `ask-${name}` }, async (page) => {
    await ask(page);
    await page.locator('.card.ask').waitFor();
    await act(page);
  });

async function answers(page: Page): Promise<unknown[]> {
  await expect.poll(async () => (await sent(page, 'answer')).length).toBeGreaterThan(0);
  return ((await sent(page, 'answer')) as { text: string; call: number }[]).map(({ text, call }) => {
    expect(call).toBe(1);
    return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
  });
}

test('a choice takes the focus and is made with arrows and Enter', () =>
  card('choice', async (page) => {
    expect(await page.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => answers(page)).toEqual([{ chosen: [1] }]);
  }));

test('several are chosen, or none', () =>
  card('choices', async (page) => {
    await page.getByLabel('Settlement').check();
    await page.getByLabel('Mobile').check();
    await page.getByLabel('Settlement').uncheck();
    await page.getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => answers(page)).toEqual([{ chosen: [2] }]);
  }));

test('what is ticked and what is not can be told apart on a dark ground', () =>
  on({ scene: 'ask-choices', theme: 'dark' }, async (page) => {
    await ask(page);
    const ground = (box: Element) => getComputedStyle(box).backgroundColor;
    const boxes = page.locator('.ask input.tick');
    await boxes.first().check();
    expect(await boxes.nth(1).evaluate(ground), 'no white box').toBe(await page.locator('.card.ask').evaluate(ground));
    expect(await boxes.first().evaluate(ground)).not.toBe(await boxes.nth(1).evaluate(ground));
  }));

test('yes and no have their keys, and Enter alone says neither', () =>
  card('confirm', async (page) => {
    await expect.poll(() => focused(page)).toBe('group');
    await page.keyboard.press('Enter');
    expect(await sent(page, 'answer')).toEqual([]);
    await page.keyboard.press('n');
    await expect.poll(() => answers(page)).toEqual(['no']);
  }));

test('a form says what is missing under its field, and sends what is there', () =>
  card('fields', async (page) => {
    await page.getByRole('button', { name: 'Answer' }).click();
    await expect
      .poll(() => page.locator('.wrong:visible').allTextContents())
      .toEqual(['This is needed', 'This is needed']);
    await expect
      .poll(() => page.getByLabel('Amount (CNY)').evaluate((field) => field === document.activeElement), {
        message: 'what is missing has the focus',
      })
      .toBe(true);
    await page.locator('.ask footer .key', { hasText: 'Ctrl ↵' }).waitFor();
    await page.getByLabel('Amount (CNY)').fill('a lot');
    await page.locator('.wrong', { hasText: 'Write a number' }).waitFor();
    await page.getByLabel('Amount (CNY)').fill('84.50');
    await page.getByLabel('Day').fill('12 Nov');
    await page.locator('.wrong', { hasText: 'Write a day such as' }).waitFor();
    await page.getByLabel('Day').fill('2026-11-12');
    await page.getByLabel('Kind').selectOption('Hotel');
    await page.getByLabel('There is a receipt').check();
    await page.getByLabel('Amount (CNY)').press('Enter');
    await expect
      .poll(() => answers(page))
      .toEqual([{ values: { amount: '84.50', day: '2026-11-12', kind: 'Hotel', receipt: 'true', note: '' } }]);
  }));

test('a change is decided piece by piece with Y, N and U, and decided pieces fold', () =>
  card('diff', async (page) => {
    const pieces = page.locator('[data-hunk]');
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-hunk'))).toBe(true);
    await page.keyboard.press('y');
    await pieces.first().locator('.verdict.accept').waitFor();
    expect(await pieces.first().locator('pre').count()).toBe(0);
    await expect.poll(() => pieces.nth(1).evaluate((piece) => piece === document.activeElement)).toBe(true);
    await page.keyboard.press('k');
    await page.keyboard.press('u');
    await pieces.first().locator('pre').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => pieces.nth(1).evaluate((piece) => piece === document.activeElement)).toBe(true);
    await page.keyboard.press('y');
    await page.keyboard.press('Enter');
    await expect.poll(() => answers(page)).toEqual([{ accept: [1] }]);
    await expect.poll(() => page.locator('.ask script').count()).toBe(0);
  }));

test('what is left of a change is taken at once, what was decided stays', () =>
  card('diff', async (page) => {
    await page.getByRole('button', { name: 'Reject', exact: false }).first().click();
    await page.getByRole('button', { name: 'Accept the rest' }).click();
    await page.getByRole('button', { name: 'Send decisions' }).click();
    await expect.poll(() => answers(page)).toEqual([{ accept: [1] }]);
  }));

test('work is handed over and given back with a note', () =>
  card('handover', async (page) => {
    await page.locator('.ask header', { hasText: 'For Ada in finance' }).waitFor();
    await page.keyboard.type('they pay on Monday');
    await page.keyboard.press('Enter');
    await expect.poll(() => answers(page)).toEqual(['they pay on Monday']);
  }));

test('operations show how things stand, and one is chosen', () =>
  card('operations', async (page) => {
    expect(await page.locator('dd').allTextContents()).toEqual(['build-03', '2 %', '/var/cache/cargo, 41 GB']);
    expect(await page.getByRole('progressbar', { name: 'Hosts looked at' }).getAttribute('aria-valuenow')).toBe('3');
    expect(await page.locator('.ask .primary').count()).toBe(0);
    await page.getByRole('button', { name: 'Reinstall host' }).getByText('all data is lost').waitFor();
    await page.getByRole('button', { name: 'Stop builds' }).click();
    await expect.poll(() => answers(page)).toEqual([{ chosen: [1] }]);
  }));

test('a card of the program’s own is answered by an action and its fields', () =>
  card('custom', async (page) => {
    await page.getByLabel('New day').fill('2026-12-04');
    await page.getByRole('button', { name: 'Charge a fee' }).click();
    await expect.poll(() => answers(page)).toEqual([{ chosen: [1], values: { day: '2026-12-04' } }]);
  }));

test('a server’s form is filled in and sent, with several choices and what stood there', () =>
  card('server', async (page) => {
    await page.getByText('The server waits for a while').waitFor();
    await page.locator('.ask').getByRole('button', { name: 'Send' }).click();
    await page.locator('.ask .wrong', { hasText: 'This is needed' }).waitFor();
    await page.getByLabel('Email').fill('ruohai@example.com');
    await page.getByLabel('Parking').check();
    await page.locator('.ask').getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => answers(page))
      .toEqual([
        {
          chosen: [0],
          values: { guests: '2', mail: 'ruohai@example.com', extras: '["Breakfast","Parking"]' },
        },
      ]);
  }));

test('a server’s form is declined with nothing filled in', () =>
  card('server', async (page) => {
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => answers(page)).toEqual([{ chosen: [1] }]);
  }));

test('what a server wants to ask a model is shown whole, and allowed for this time or for the task', () =>
  card('sampling', async (page) => {
    await page.locator('.ask .text', { hasText: 'Summarise this note' }).waitFor();
    await page.getByRole('button', { name: 'Ask it for this task' }).click();
    await expect.poll(() => answers(page)).toEqual([{ chosen: [1] }]);
  }));
