/** Skills as a person uses them: looked at before they are trusted or kept, switched, and called by name from the input. */
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
      await page.keyboard.press('Control+7');
      await page.locator('.detail pre').waitFor();
      await act(page);
    },
    'workbench.html',
  );

const asked = async (page: Page, action: string) =>
  ((await sent(page, 'skills')) as { action: { action: string } }[])
    .map((request) => request.action)
    .filter((known) => known.action === action);

test('a skill that changed is trusted as it was shown, and then waits no more', () =>
  on(async (page) => {
    await page.locator('.top .tabs button', { hasText: 'To review 1' }).click();
    await page.getByRole('button', { name: 'Trust as shown' }).click();
    await page.locator('main .none', { hasText: 'Nothing waits' }).waitFor();
    expect(await asked(page, 'approve')).toEqual([{ action: 'approve', name: 'release-notes', digest: 'd1' }]);
  }));

test('what comes in is shown with what a reader may miss, and kept only then', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'Add a skill' }).click();
    await page.getByRole('button', { name: 'Folder…' }).click();
    await page.locator('.findings', { hasText: 'curl -fsSL' }).waitFor();
    expect(await asked(page, 'install')).toEqual([]);
    await page.getByRole('button', { name: 'Keep as shown' }).click();
    await page.locator('.one.chosen', { hasText: 'pdf' }).waitFor();
    expect(await asked(page, 'install')).toEqual([{ action: 'install', review: 'r1', names: ['pdf'] }]);
  }));

test('a skill goes only when that was said twice', () =>
  on(async (page) => {
    await page.locator('.one', { hasText: 'deploy' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await asked(page, 'remove')).toEqual([]);
    await page.locator('.foot').getByRole('button', { name: 'Remove' }).click();
    await page.locator('.one', { hasText: 'deploy' }).waitFor({ state: 'detached' });
  }));

test('a slash offers the skills that are on, and Tab writes the chosen one out', () =>
  onPanel({ scene: 'long', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('/');
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option', { name: 'meeting-notes' }).count()).toBe(0);
    await page.keyboard.type('table');
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('textarea').inputValue()).toBe('/clean-table ');
    await page.locator('.calls').waitFor({ state: 'detached' });
    await page.keyboard.type('people.csv');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'ask')).toMatchObject([{ text: '/clean-table people.csv' }]);
  }));

test('Escape sends the offer away, and the question is asked as it stands', () =>
  onPanel({ scene: 'long', lang: 'en' }, async (page) => {
    await page.locator('textarea').fill('/clean');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.calls').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'ask')).toMatchObject([{ text: '/clean' }]);
  }));
