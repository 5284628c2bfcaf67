/** Bad cases as a person uses them: made of an answer, seen before they are kept, and made better step by step. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { reach } from './by-keys';
import { scenes, sent, stageOf } from './stage';

const stage = stageOf();
const onPanel = scenes();
const on = (act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('a[href="#bad_cases"]').click();
      await page.locator('.detail h2').waitFor();
      await act(page);
    },
    'workbench.html',
  );

const actions = async (page: Page) =>
  ((await sent(page, 'bad_cases')) as { action: { action: string } }[]).map(({ action }) => action);
const last = async (page: Page) => (await actions(page)).at(-1);

test('an answer that is not good leads to the form of a case', () =>
  onPanel({ scene: 'long', lang: 'en' }, async (page) => {
    await page.keyboard.type('How many customers are in builds.csv?');
    await page.keyboard.press('Enter');
    await page.locator('.after').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Not good…' }).click();
    await expect.poll(() => page.evaluate(() => window.scripted.opened)).toEqual([expect.stringMatching(/^run-/u)]);
  }));

test('a case is seen before it is kept, and kept as its user left it', () =>
  on(async (page) => {
    await page.evaluate(() => window.scripted.want({ at: 'bad_case', run: 'run-1' }));
    const form = page.getByRole('form', { name: 'An answer that was not good' });
    const look = form.getByRole('button', { name: 'See the case' });
    expect(await look.isDisabled()).toBe(true);
    await form.getByLabel('What was wrong?').fill('It counted the header');
    await form.getByLabel('What does a right answer hold?').fill('41\n');
    await page.keyboard.press('Control+Enter');
    await form.getByText('Not in it: screen.png').waitFor();
    expect(await last(page)).toMatchObject({ action: 'draft', run: 'run-1', wanted: ['41'] });
    const text = form.getByLabel('The case');
    await text.fill('tests: []');
    await form.getByRole('button', { name: 'Keep' }).click();
    await form.waitFor({ state: 'detached' });
    const kept = (await actions(page)).filter(({ action }) => action === 'keep');
    expect(kept).toMatchObject([{ name: 'how-many-customers-2', text: 'tests: []', replace: false }]);
  }));

test('a change is proposed, tried, accepted and taken back', () =>
  on(async (page) => {
    await page.locator('.one', { hasText: 'Write to Ming' }).click();
    await page.getByRole('button', { name: 'Propose a change' }).click();
    await page.getByText('Leave out empty lines', { exact: false }).or(page.locator('.proposal')).first().waitFor();
    await page.getByLabel('All bad cases').focus();
    await reach(page, /^Everyday tasks/);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Better on the case').waitFor();
    const tried = (await actions(page)).find(({ action }) => action === 'measure');
    expect(tried).toMatchObject({ name: 'write-to-ming', suites: ['bad-cases', 'everyday-tuning'], repeat: 3 });
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: 'Propose another' }).waitFor();
    expect((await actions(page)).slice(-2).map(({ action }) => action)).toEqual(['accept', 'take_back']);
  }));

test('a case is removed at the second word only', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'Remove' }).click();
    expect((await actions(page)).some(({ action }) => action === 'remove')).toBe(false);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => last(page)).toEqual({ action: 'remove', name: 'first-quarter' });
  }));
