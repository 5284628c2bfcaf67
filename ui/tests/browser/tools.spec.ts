/** The section of tools as a person uses it: seeing what programs may call, and switching it, with the mouse and with keys alone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { focused, sent, stageOf } from './stage';

const stage = stageOf();
const on = (act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press('Control+4');
      await page.locator('.detail h2').waitFor();
      await act(page);
    },
    'workbench.html',
  );

const switched = async (page: Page) =>
  ((await sent(page, 'tools')) as { action: { action: string; tool?: string; on?: boolean } }[])
    .map(({ action }) => action)
    .filter(({ action }) => action === 'switch')
    .map(({ tool, on: to }) => [tool, to]);
const row = (page: Page, name: string) => page.locator('.one', { hasText: name });

test('every toolkit says where it is from and what its tools do to the world; what is needed has no switch', () =>
  on(async (page) => {
    await expect.poll(() => page.locator('.one').count()).toBe(4);
    await page.locator('.detail', { hasText: 'Always on' }).waitFor();
    expect(await page.locator('.detail .switch').count()).toBe(0);
    await row(page, 'crm').click();
    await page.locator('.detail', { hasText: 'From a server' }).waitFor();
    expect(await page.locator('.detail li .tag').allTextContents()).toEqual(['Send', 'Send']);
  }));

test('a tool is switched off and its toolkit says so, then all of it is on again', () =>
  on(async (page) => {
    await row(page, 'crm').click();
    await page.getByRole('switch', { name: 'crm.send_invoice' }).click();
    await row(page, '1 of 2 on').waitFor();
    await page.locator('.top .tabs button', { hasText: 'With tools off 1' }).click();
    await expect.poll(() => page.locator('.one').count()).toBe(1);
    await page.getByRole('button', { name: 'Switch all on' }).click();
    await page.locator('main .none', { hasText: 'Everything is on' }).waitFor();
    expect(await switched(page)).toEqual([
      ['crm.send_invoice', false],
      ['crm', true],
    ]);
  }));

test('with keys alone a tool is found and its toolkit switched off and on', () =>
  on(async (page) => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('invoice');
    await expect.poll(() => page.locator('.one').count()).toBe(1);
    await page.locator('.detail mark', { hasText: 'invoice' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('listbox');
    await page.keyboard.press('Space');
    await page.locator('.one.off', { hasText: 'crm' }).waitFor();
    await page.keyboard.press('Space');
    await page.locator('.one.off').waitFor({ state: 'detached' });
    await page.keyboard.press('F6');
    await expect.poll(() => focused(page)).toBe('section');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.locator('.one.off', { hasText: 'crm' }).waitFor();
    expect(await switched(page)).toEqual([
      ['crm', false],
      ['crm', true],
      ['crm', false],
    ]);
  }));
