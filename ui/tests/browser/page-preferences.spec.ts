/** Preferences that show in forms, as a person meets them: proposed and filled in beside the page, changed in memory, noticed only where that is switched on. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { deedsAbout, focused, scenes, sent, stageOf } from './stage';

const on = scenes();
const stage = stageOf();

const SITE = 'https://query.lanting.dev';
const row = (page: Page) => page.locator('.prefers');

/** What was done about preferences, without what only asks for them. */
const deeds = async (page: Page) =>
  ((await sent(page, 'memory')) as { action: { action: string } }[])
    .map(({ action }) => action)
    .filter(({ action }) => action.endsWith('_preference'));

const beside = (scene: string, act: (page: Page) => Promise<void>) =>
  on({ scene }, async (page) => {
    await page.evaluate(() => window.scripted.show('hotkey'));
    await row(page).waitFor();
    await act(page);
  });

const bench = (scene: string, keys: string, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene, lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press(keys);
      await act(page);
    },
    'workbench.html',
  );

describe('beside the page in front', () => {
  test('what comes again is proposed, and once it is kept it is there to be filled in', () =>
    beside('pageprefers', async (page) => {
      await row(page).getByText('Status = Open').waitFor();
      await row(page).getByText('You chose this 3 of the last 5 times').waitFor();
      expect(await row(page).getByText('two currencies').count()).toBe(0);
      await page.getByRole('button', { name: 'Show all of it' }).click();
      await row(page).getByText('Title contains = two currencies').waitFor();
      await page.getByRole('button', { name: 'Keep', exact: true }).click();
      await page.locator('.toast', { hasText: 'Kept' }).waitFor();
      await expect.poll(() => focused(page)).toBe('textarea');
      await row(page).getByRole('button', { name: 'Fill in' }).waitFor();
      expect(await row(page).count()).toBe(1);
      expect(await deeds(page)).toEqual([{ action: 'keep_preference', proposal: 'proposal-1' }]);
    }));

  test('what is declined goes, and the keys reach both answers', () =>
    beside('pageprefers', async (page) => {
      await page.getByRole('button', { name: 'Show all of it' }).focus();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keep');
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Don’t ask again');
      await page.keyboard.press('Enter');
      await row(page).waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe('textarea');
      expect(await deeds(page)).toEqual([{ action: 'decline_preference', proposal: 'proposal-1' }]);
    }));

  test('a kept one is filled in by a click, and the button of the form is left to the user', () =>
    beside('pagefills', async (page) => {
      expect(await deedsAbout(page, 'pages')).toEqual([]);
      await page.getByRole('button', { name: 'Fill in' }).click();
      await row(page).getByRole('status').getByText('Filled in. Press “Apply” on the page').waitFor();
      await expect
        .poll(() => deedsAbout(page, 'pages'))
        .toMatchObject([
          {
            action: 'fill_in',
            page: { browser: 'browser-1', tab: 12, document: '6f1c0a52', site: SITE },
            values: [{ name: 'Status', value: 'Open' }, { name: 'Channel' }, {}, {}, {}],
          },
        ]);
      await page.getByRole('button', { name: 'Not now: usual choices of query.lanting.dev · Filter refunds' }).click();
      await row(page).waitFor({ state: 'detached' });
      await page.evaluate(() => window.scripted.show('hotkey'));
      await expect.poll(() => sent(page, 'look')).toHaveLength(2);
      expect(await row(page).count()).toBe(0);
    }));

  test('fields that the page no longer has are named', () =>
    beside('pagemisses', async (page) => {
      await page.getByRole('button', { name: 'Fill in' }).click();
      await row(page)
        .getByRole('status')
        .getByText('The page has no fitting field for: Amount from, Title contains')
        .waitFor();
    }));

  test('nothing is said of another site, and the tools of the page are asked about first', () =>
    on({ scene: 'page' }, async (page) => {
      await page.evaluate(() => window.scripted.show('hotkey'));
      await page.locator('.offer', { hasText: 'offers 3 tools' }).waitFor();
      await expect
        .poll(() => sent(page, 'memory'))
        .toContainEqual({
          request: 'memory',
          action: { action: 'preferences', address: null },
        });
      await page.evaluate((site) => {
        const of = (at: string, id: string) => ({
          id,
          site: at,
          form: '',
          values: [{ name: 'Sort', kind: 'choice' as const, value: 'Newest', options: [] }],
          button: '',
          times: 3,
          of: 5,
          last: '2026-11-20T00:00:00Z',
        });
        window.scripted.tell({
          reply: 'preferences',
          proposals: [of('https://other.example', 'p0'), of(site, 'p1')],
          kept: [],
        });
      }, SITE);
      expect(await row(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Let Shidi use them' }).click();
      await row(page).getByText('Sort = Newest').waitFor();
      await page.evaluate(() => window.scripted.tell({ reply: 'preferences', proposals: [], kept: [] }));
      await row(page).waitFor({ state: 'detached' });
    }));
});

describe('in memory', () => {
  test('proposals stand above what is remembered, and a kept one is among it', () =>
    bench('pageprefers', 'Control+1', async (page) => {
      const proposed = page.getByRole('region', { name: 'Proposed preferences' });
      await proposed.getByText('Chosen so 3 of the last 5 times').waitFor();
      await proposed
        .getByRole('button', { name: 'Don’t ask again about tickets.lanting.dev · Export tickets' })
        .click();
      await expect.poll(() => proposed.locator('li').count()).toBe(1);
      await proposed
        .getByRole('button', { name: 'Keep the preference for query.lanting.dev · Filter refunds' })
        .click();
      await proposed.waitFor({ state: 'detached' });
      await page.locator('.memory', { hasText: 'Filter refunds' }).waitFor();
    }));

  test('a preference is changed field by field, and one that is refused says why', () =>
    bench('pagefills', 'Control+1', async (page) => {
      await page.locator('.memory', { hasText: 'Filter refunds' }).click();
      const form = page.getByRole('form', { name: 'Usual choices' });
      const save = form.getByRole('button', { name: 'Save' });
      await form.getByLabel('Status').waitFor();
      expect(await page.locator('.detail pre').count()).toBe(0);
      expect(await save.isEnabled()).toBe(false);
      await form.getByLabel('Amount from').fill('-5');
      await save.click();
      await form
        .getByRole('alert')
        .getByText('The field ‘Amount from’ does not take that'.replace(/[‘’]/g, "'"))
        .waitFor();
      await form.getByLabel('Amount from').fill('');
      await form.getByText('This is no number').waitFor();
      expect(await save.isEnabled()).toBe(false);
      await form.getByLabel('Amount from').fill('500');
      await form.getByLabel('Status').selectOption('Rejected');
      await form.getByRole('group', { name: 'Channel' }).getByLabel('PayPal').uncheck();
      await form.getByLabel('Only mine').uncheck();
      await save.click();
      await page.locator('.detail h2', { hasText: 'Status = Rejected' }).waitFor();
      await page.locator('.detail ol li').nth(1).waitFor();
      expect(await form.getByLabel('Amount from').inputValue()).toBe('500');
      expect(await save.isEnabled()).toBe(false);
      expect((await deeds(page)).at(-1)).toMatchObject({
        action: 'change_preference',
        values: { Status: 'Rejected', Channel: ['Card'], 'Only mine': false, 'Amount from': 500 },
      });
    }));
});

describe('a site', () => {
  const noticed = (page: Page, site: string) =>
    page.getByRole('switch', { name: `Choices in forms are noticed of ${site}` });

  test('is noticed only once that is switched on, and says what is noticed', () =>
    bench('page', 'Control+5', async (page) => {
      const here = noticed(page, 'query.lanting.dev');
      expect(await here.isChecked()).toBe(false);
      await page.getByText('never passwords, codes, cards').waitFor();
      await here.focus();
      await page.keyboard.press('Space');
      await expect.poll(() => here.isChecked()).toBe(true);
      await here.click();
      await page.locator('.toast', { hasText: 'What was noticed on query.lanting.dev is erased' }).waitFor();
      expect(await here.isChecked()).toBe(false);
      expect(await deedsAbout(page, 'pages')).toEqual([
        { action: 'learn', site: SITE, on: true },
        { action: 'learn', site: SITE, on: false },
      ]);
    }));

  test('is not shown as noticed when that could not be kept', () =>
    bench('pagehostile', 'Control+5', async (page) => {
      await noticed(page, 'query.lanting.dev').click();
      await page.locator('main .trouble', { hasText: 'The disk is full' }).waitFor();
      await expect.poll(() => noticed(page, 'query.lanting.dev').isChecked()).toBe(false);
    }));
});
