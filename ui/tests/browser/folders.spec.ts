/** Folders to work in: granted by a click, seen, taken back, and granted where a call wants one. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, focused, READY_MS, scenes, sent } from './stage';

const on = scenes();

const asked = (page: Page) =>
  sent(page, 'folders').then((all) => all.map((request) => (request as { action: unknown }).action));
const works = (page: Page) => page.locator('ul[aria-label="Folders to work in"] .chip');
const ORDERS = '/home/lin/work/order-service';

describe('a folder to work in', () => {
  test('is picked from the menu of what can be attached, and goes along with the question', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await page.locator('.tools .menu button').first().click();
      await page.getByRole('menuitem', { name: 'Work in a folder…' }).click();
      await works(page).filter({ hasText: 'order-service' }).waitFor();
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.locator('textarea').fill('run the checks');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ folders: [ORDERS], files: [] }]);
      // The session has it now: what is taken back is taken back there.
      await page.locator('.after').last().waitFor();
      await works(page).locator('.cross').click();
      await expect
        .poll(async () => (await asked(page)).at(-1))
        .toEqual({
          action: 'withdraw',
          session: 'session-1',
          path: ORDERS,
        });
      await expect.poll(() => works(page).count()).toBe(0);
    }));

  test('that was worked in before is one click away', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await page.locator('.tools .menu button').first().click();
      await page.getByRole('menuitem', { name: 'reports' }).click();
      await works(page).filter({ hasText: 'reports' }).waitFor();
    }));

  test('that is dropped is asked about: worked in, or only read', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await page.evaluate((path) => window.scripted.drop([path]), ORDERS);
      await page.locator('.offer', { hasText: 'Work in order-service, or only read it?' }).waitFor();
      await page.getByRole('button', { name: 'Work in it' }).click();
      await works(page).filter({ hasText: 'order-service' }).waitFor();
      await page.locator('.offer').waitFor({ state: 'detached' });
      await page.locator('textarea').fill('list it');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ folders: [ORDERS], files: [] }]);
    }));

  test('that is only to be read stays attached and is not granted', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await page.evaluate((path) => window.scripted.drop([path]), ORDERS);
      await page.getByRole('button', { name: 'Only read order-service' }).click();
      await page.locator('.offer').waitFor({ state: 'detached' });
      await page.locator('textarea').fill('list it');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ folders: [], files: [ORDERS] }]);
    }));

  test('says what may be done there, what goes along, and why commands can not run', () =>
    on({ scene: 'workunconfined', lang: 'en' }, async (page) => {
      await works(page).locator('.open').click();
      const detail = page.locator('.detail');
      await expect.poll(() => detail.innerText()).toContain('sudo apt install bubblewrap');
      expect(await detail.innerText()).toContain('AGENTS.md');
      expect(await detail.innerText()).toContain(ORDERS);
      await page.keyboard.press('Escape');
      await expect.poll(() => detail.count()).toBe(0);
      await expect.poll(() => focused(page)).toBe('textarea');
    }));

  test('says once and by itself why commands can not be confined there, with the remedy', () =>
    on({ scene: 'workunconfined', lang: 'en' }, async (page) => {
      const toast = page.locator('.toast');
      await expect.poll(() => toast.innerText()).toContain('sudo apt install bubblewrap');
      // What was said goes: neither another folder nor the next summons says it again.
      await toast.waitFor({ state: 'detached' });
      await page.locator('.tools .menu button').first().click();
      await page.getByRole('menuitem', { name: 'reports' }).click();
      await works(page).filter({ hasText: 'reports' }).waitFor();
      const lists = async () => (await asked(page)).length;
      const before = await lists();
      await page.evaluate(() => window.scripted.show('hotkey'));
      await expect.poll(lists).toBeGreaterThan(before);
      expect(await toast.count()).toBe(0);
      expect(await works(page).first().locator('svg').count(), 'its sign stays').toBeGreaterThan(1);
    }));

  test('that was granted elsewhere is shown with the next summons', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await ask(page);
      await page.locator('.after').last().waitFor();
      await expect.poll(async () => (await asked(page)).at(-1)).toMatchObject({ action: 'list', session: 'session-1' });
      await page.evaluate((path) => window.scripted.grant(path), ORDERS);
      expect(await works(page).count()).toBe(0);
      await page.evaluate(() => window.scripted.show('hotkey'));
      await works(page).filter({ hasText: 'order-service' }).waitFor();
    }));

  test('is taken back before the first question, too', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await page.locator('.tools .menu button').first().click();
      await page.getByRole('menuitem', { name: 'reports' }).click();
      await works(page).locator('.cross').click();
      await expect.poll(() => works(page).count()).toBe(0);
      await page.locator('textarea').fill('list it');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ folders: [] }]);
    }));

  test('is granted in the card of a call that wants to write there, then the call is allowed', () =>
    on({ scene: 'workwrite', lang: 'en' }, async (page) => {
      await ask(page);
      await page.locator('.approval').waitFor();
      await page.waitForTimeout(READY_MS);
      await page.locator('.approval input[value=folder]').check();
      await page.getByRole('button', { name: 'Allow and work there' }).click();
      await expect.poll(() => sent(page, 'approve')).toMatchObject([{ always: false }]);
      expect((await asked(page)).at(-1)).toEqual({
        action: 'grant',
        session: 'session-1',
        path: '/home/lin/reports',
      });
    }));
});
