/** Plugins as a person uses them: looked at before they are installed, updated with what changes, removed when that was said twice. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { sent, stageOf } from './stage';

const stage = stageOf();
const on = (act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('a[href="#plugins"]').click();
      await page.locator('.one').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

const asked = async (page: Page, action: string) =>
  ((await sent(page, 'plugins')) as { action: { action: string } }[])
    .map((request) => request.action)
    .filter((known) => known.action === action);

test('the one that comes along is shown with its bounds, and kept only when that was said', () =>
  on(async (page) => {
    await page.locator('.one', { hasText: 'customer-care' }).click();
    await page.getByText('nothing of it is used').waitFor();
    await page.getByRole('button', { name: 'Look at it and install…' }).click();
    await page.locator('.review', { hasText: 'files.write(path=outbox/*)' }).waitFor();
    await page.locator('.review', { hasText: 'customer_care.plugin_sms_send()' }).waitFor();
    expect(await asked(page, 'review')).toMatchObject([{ source: 'customer-care' }]);
    expect(await asked(page, 'install')).toEqual([]);
    await page.getByRole('button', { name: 'Install as shown' }).click();
    await page.locator('.detail', { hasText: 'from customer-care' }).waitFor();
    expect(await asked(page, 'install')).toMatchObject([{ review: 'r1' }]);
    await page.locator('.detail a[href="#workflows"]').click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  }));

test('one with faults is told with its place and remedy, and can’t be kept', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'Add a plugin' }).click();
    await page.getByLabel('Git address').fill('https://git.example/faulty.git');
    await page.keyboard.press('Enter');
    await page.locator('.review', { hasText: 'plugin.yaml:4:1' }).waitFor();
    await page.locator('.review', { hasText: 'Keep one permissions' }).waitFor();
    expect(await page.getByRole('button', { name: 'Install as shown' }).count()).toBe(0);
    await page.locator('.review').focus();
    await page.keyboard.press('Escape');
    await page.locator('.detail').waitFor();
  }));

test('a manifest that says a thing twice is shown whole', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'Add a plugin' }).click();
    await page.getByLabel('Git address').fill('https://git.example/twice.git');
    await page.keyboard.press('Enter');
    await page.locator('.review', { hasText: 'customer_care.plugin_sms_send()' }).waitFor();
    expect(await page.locator('.review code', { hasText: 'files.write(path=outbox/*)' }).count()).toBe(2);
  }));

test('an update says first what it may do more', () =>
  on(async (page) => {
    await page.locator('.one', { hasText: 'invoices' }).click();
    await page.getByRole('button', { name: 'Look for an update' }).click();
    await page.locator('.change', { hasText: 'May do more than before: web.fetch' }).waitFor();
    await page.locator('.change', { hasText: 'Version 1.0 becomes 2.0.' }).waitFor();
    expect(await asked(page, 'install')).toEqual([]);
    await page.getByRole('button', { name: 'Replace as shown' }).click();
    await page.locator('.detail').waitFor();
    expect(await asked(page, 'install')).toMatchObject([{ review: 'r2' }]);
  }));

test('one is removed when that was said twice, by keys alone', () =>
  on(async (page) => {
    await page.locator('.list').focus();
    await page.keyboard.press('Home');
    await page.locator('.detail', { hasText: 'stock' }).waitFor();
    await page.locator('.detail').getByRole('button', { name: 'Remove' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.foot [role=alert]').waitFor();
    expect(await asked(page, 'remove')).toEqual([]);
    await page.locator('.foot .bad').focus();
    await page.keyboard.press('Enter');
    await page.locator('.one', { hasText: 'stock' }).waitFor({ state: 'detached' });
    expect(await asked(page, 'remove')).toMatchObject([{ name: 'stock' }]);
  }));
