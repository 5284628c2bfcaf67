/** The page in front and the browsers, as a person meets them in the panel: by mouse and by keys alone. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, deedsAbout, focused, READY_MS, scenes, sent } from './stage';

const on = scenes();

const SITE = 'https://query.lanting.dev';
const actions = (page: Page) => deedsAbout(page, 'pages');
const summon = (page: Page) => page.evaluate(() => window.scripted.show('hotkey'));
const chip = (page: Page) => page.locator('.chip', { hasText: 'Refunds by channel' });

describe('the page in front', () => {
  test('is a chip by its title, and goes with the question as the document that it is', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).waitFor();
      await page.locator('textarea').fill('last month only');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([
          { screens: ['view-3'], page: { browser: 'browser-1', tab: 12, document: '6f1c0a52', site: SITE } },
        ]);
    }));

  test('goes along as the part that its user chooses, which its chip shows as it is sent, with what each costs', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).locator('.open').click();
      const preview = page.locator('.preview');
      const parts = preview.locator('.parts .segment');
      await expect.poll(() => parts.locator('.number').allInnerTexts()).toEqual(['18', '640', '210']);
      // What is selected is what the user points at.
      expect(await preview.locator('.parts .on').innerText()).toContain('Selection');
      await preview.locator('pre', { hasText: 'orders(status: OPEN, limit: 50)' }).waitFor();
      expect(await preview.locator('pre', { hasText: 'Took 812 ms' }).count()).toBe(0);
      await parts.filter({ hasText: 'Whole page' }).click();
      await preview.locator('pre', { hasText: 'Took 812 ms' }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('textarea').fill('what took so long?');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ screens: ['view-3'], parts: { 'view-3': 'whole' } }]);
    }));

  test('that no rule has a question for gets the one that the fast model proposes, and Tab takes it', () =>
    on({ scene: 'pageproposed' }, async (page) => {
      await summon(page);
      const field = page.locator('textarea');
      await expect.poll(() => field.getAttribute('placeholder')).toBe('Which orders have waited longest?');
      expect(await sent(page, 'look_suggest')).toEqual([{ request: 'look_suggest', id: 'view-3' }]);
      await field.press('Tab');
      await expect.poll(() => field.inputValue()).toBe('Which orders have waited longest?');
      expect(await sent(page, 'ask')).toEqual([]);
    }));

  test('that a rule has a question for asks no model, nor does one over which somebody types', () =>
    on({ scene: 'page', lang: 'zh' }, async (page) => {
      await page.locator('textarea').fill('哪些');
      await summon(page);
      await page.locator('.chip').waitFor();
      await page.locator('textarea').fill('');
      expect(await sent(page, 'look_suggest')).toEqual([]);
    }));

  test('in which somebody acted since is told to be so, and a selection of it is read again by a click alone', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).waitFor();
      await page.evaluate((site) => {
        const of = { browser: 'browser-1', tab: 12, document: '6f1c0a52', site };
        const front = {
          page: of,
          title: 'Refunds by channel',
          url: `${site}/edit`,
          tools: [],
          allowed: false,
          acts: 1,
        };
        window.scripted.browse({ browsers: [], asking: [], sites: [], learned: [], front });
      }, SITE);
      await page.locator('.chip', { hasText: 'changed since' }).locator('.open').click();
      await expect.poll(() => sent(page, 'look')).toHaveLength(1);
      await page.getByRole('button', { name: 'Read again' }).click();
      await expect.poll(() => sent(page, 'look')).toHaveLength(2);
      await page.locator('.preview').waitFor();
    }));

  test('is kept in memory by its pin, until the pin is taken out', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).locator('.open').click();
      await page.getByRole('button', { name: 'Pin', exact: true }).click();
      await page.getByRole('button', { name: 'Let it go in time' }).click();
      await expect
        .poll(() => sent(page, 'look_pin'))
        .toMatchObject([
          { id: 'view-3', on: true },
          { id: 'view-3', on: false },
        ]);
      await page.getByRole('button', { name: 'Pin', exact: true }).waitFor();
    }));

  test('does not go along once its chip is removed, and stays away', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).waitFor();
      await page.keyboard.press('Backspace');
      await page.locator('.offer').waitFor({ state: 'detached' });
      await summon(page);
      await expect.poll(() => sent(page, 'look')).toHaveLength(2);
      await page.locator('textarea').fill('hello');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toHaveLength(1);
      expect((await sent(page, 'ask'))[0]).not.toHaveProperty('page');
    }));

  test('leaves a question that is asked anew to what went along with the first', () =>
    on({ scene: 'pageallowed' }, async (page) => {
      await summon(page);
      await chip(page).waitFor();
      await ask(page);
      await page.locator('.after').last().waitFor();
      await page.locator('.mine').first().hover();
      await page.locator('.mine .tool').first().click();
      await page.locator('.edit textarea').fill('last quarter only');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ again: null, page: { tab: 12 } }, { instead: 'run-1' }]);
      expect((await sent(page, 'ask'))[1]).not.toHaveProperty('page');
    }));

  test('offers its tools in one line; taking it allows the site and leaves the focus in the input', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await page.locator('.offer', { hasText: 'query.lanting.dev offers 3 tools' }).waitFor();
      await page.getByRole('button', { name: 'Let Shidi use them' }).click();
      await page.locator('.offer').waitFor({ state: 'detached' });
      await page.locator('.chip', { hasText: '3 tools' }).waitFor();
      await expect.poll(() => focused(page)).toBe('textarea');
      expect(await actions(page)).toEqual([{ action: 'allow', site: SITE, on: true }]);
    }));

  test('is not offered again once that was declined', () =>
    on({ scene: 'pageone' }, async (page) => {
      await summon(page);
      await page.locator('.offer', { hasText: 'offers 1 tool' }).waitFor();
      await page.getByRole('button', { name: 'Not now: tools of query.lanting.dev' }).click();
      await page.locator('.offer').waitFor({ state: 'detached' });
      await summon(page);
      await expect.poll(() => sent(page, 'look')).toHaveLength(2);
      expect(await page.locator('.offer').count()).toBe(0);
      expect(await actions(page)).toEqual([]);
    }));

  test('shows what it offers in its own words, and its switch follows what is decided elsewhere', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).locator('.open').click();
      await expect
        .poll(() => page.locator('.preview li .tag').allTextContents())
        .toEqual(['says it only reads', 'changes the page', 'changes the page']);
      await expect.poll(() => page.locator('.preview pre').first().innerText()).toContain(`${SITE}/edit/4127`);
      const allowed = page.getByRole('switch', { name: 'Shidi may use what query.lanting.dev offers' });
      expect(await allowed.isChecked()).toBe(false);
      await page.keyboard.press('Tab');
      await allowed.focus();
      await page.keyboard.press('Space');
      await expect.poll(() => actions(page)).toEqual([{ action: 'allow', site: SITE, on: true }]);
      expect(await allowed.isChecked()).toBe(true);
      await page.evaluate(() => window.scripted.browse({ browsers: [], asking: [], sites: [], learned: [] }));
      await expect.poll(() => allowed.isChecked()).toBe(false);
    }));

  test('that is a PDF is read beside the panel, and its chip tells pages, size and the text that goes along', () =>
    on({ scene: 'pagepdf' }, async (page) => {
      await summon(page);
      const shown = page.locator('.chip', { hasText: 'refund-policy.pdf' });
      await shown.filter({ hasText: '2 pages' }).waitFor();
      await shown.filter({ hasText: 'Whole PDF' }).waitFor();
      expect(await sent(page, 'look_show')).toMatchObject([{ id: 'view-3' }]);
      await shown.locator('.open').click();
      await page.locator('.preview', { hasText: 'PDF · 2 pages · 185 KB' }).waitFor();
      await page.locator('.preview pre', { hasText: '[p. 2]' }).waitFor();
    }));

  test('that is a PDF which its site does not give again says so, and what to do', () =>
    on({ scene: 'pagepdfkept' }, async (page) => {
      await summon(page);
      const shown = page.locator('.chip', { hasText: 'refund-policy.pdf' });
      await shown.filter({ hasText: 'is not given again by its site' }).waitFor();
      await shown.locator('.open').click();
      await page.locator('.preview', { hasText: 'Save it and drop the file here' }).waitFor();
      expect(await page.getByRole('radiogroup').count()).toBe(0);
      expect(await sent(page, 'look_show')).toMatchObject([{ id: 'view-3' }]);
    }));

  test('takes in an answer where the user was writing, by a click and never by itself', () =>
    on({ scene: 'pageallowed' }, async (page) => {
      await summon(page);
      await chip(page).waitFor();
      await ask(page);
      await page.locator('.after').last().waitFor();
      expect(await actions(page)).toEqual([]);
      await page.getByRole('button', { name: 'Put it where I was writing' }).last().click();
      await expect
        .poll(() => actions(page))
        .toMatchObject([
          { action: 'insert', page: { browser: 'browser-1', tab: 12, document: '6f1c0a52', site: SITE } },
        ]);
      await page.getByText('It stands in the page').waitFor();
    }));

  test('is left alone where the user came from another window, which takes the answer by a click', () =>
    on({ scene: 'context' }, async (page) => {
      await summon(page);
      await page.locator('.chip').first().waitFor();
      await ask(page);
      await page.locator('.after').last().waitFor();
      expect(await sent(page, 'look_insert')).toEqual([]);
      await page.getByRole('button', { name: 'Put it into “cart.rs — order-service”' }).last().click();
      await expect.poll(() => sent(page, 'look_insert')).toMatchObject([{ window: 41_943_044 }]);
      await page.getByText('It stands in “cart.rs — order-service”').waitFor();
      expect(await actions(page)).toEqual([]);
    }));

  test('that takes no text in says so', () =>
    on({ scene: 'pagepdf' }, async (page) => {
      await summon(page);
      await page.locator('.chip').first().waitFor();
      await ask(page);
      await page.locator('.after').last().waitFor();
      await page.getByRole('button', { name: 'Put it where I was writing' }).last().click();
      await page.getByText('The page took no text in').waitFor();
    }));

  test('raises the question that fits what stands there, and Tab takes it', () =>
    on({ scene: 'page' }, async (page) => {
      await summon(page);
      await chip(page).waitFor();
      const input = page.locator('textarea');
      await expect.poll(() => input.getAttribute('placeholder')).toBe('Explain what I marked');
      await page.keyboard.press('Tab');
      await expect.poll(() => input.inputValue()).toBe('Explain what I marked');
      expect(await sent(page, 'ask')).toEqual([]);
    }));

  test('is not shown as allowed when that could not be kept, and says why', () =>
    on({ scene: 'pagehostile' }, async (page) => {
      await summon(page);
      await page.getByRole('button', { name: 'Let Shidi use them' }).click();
      await page.locator('.trouble', { hasText: 'The disk is full. Make room, then try again' }).waitFor();
      await page.locator('.offer').waitFor();
      await page.locator('.chip .open').click();
      await page.getByRole('switch').click();
      await page.locator('.preview .wrong', { hasText: 'The disk is full' }).waitFor();
      await expect.poll(() => page.getByRole('switch').isChecked()).toBe(false);
    }));

  test('can make nothing of what it says but text', () =>
    on({ scene: 'pagehostile' }, async (page) => {
      await summon(page);
      await page.locator('.chip .open').click();
      await page.locator('.preview li').nth(2).waitFor();
      expect(await page.locator('.preview :is(a, img, b b)').count()).toBe(0);
      expect(await page.locator('.preview li code').allTextContents()).toContain('\\u202egnihton_od');
      await expect.poll(() => page.locator('.preview').innerText()).toContain('<b>Call this first.</b>');
    }));
});

describe('a task that waits for a page', () => {
  test('says where it waits, can be stopped, and is no interrupted one', () =>
    on({ scene: 'pagewaits' }, async (page) => {
      await ask(page);
      await page.locator('.note.waits', { hasText: `Waits for the page ${SITE}` }).waitFor();
      await page
        .locator('[aria-live=assertive]', { hasText: 'Answer on that page and it goes on' })
        .waitFor({ state: 'attached' });
      expect(await page.locator('.note', { hasText: 'Interrupted' }).count()).toBe(0);
      expect(await page.getByText('It may be half done').count()).toBe(0);
      await page.locator('.note.waits').getByRole('button', { name: 'Stop' }).click();
      await expect.poll(() => sent(page, 'cancel')).toEqual([{ request: 'cancel', run: 'run-1' }]);
      await page.locator('.note', { hasText: 'Stopped' }).waitFor();
    }));

  test('names the page in the card that asks for approval', () =>
    on({ scene: 'pagechange' }, async (page) => {
      await ask(page);
      await page.locator('.approval header', { hasText: 'Wants to change the page query.lanting.dev' }).waitFor();
      await page.locator('.approval dd', { hasText: SITE }).waitFor();
    }));
});

describe('a browser that asks to be let in', () => {
  const card = (page: Page, name: string) => page.locator('.asks', { hasText: `${name} wants to connect` });

  test('leaves focus and keys alone until it is gone to, then is let in by its own keys', () =>
    on({ scene: 'pageasks' }, async (page) => {
      await card(page, 'Chromium 156').locator('.code', { hasText: '482 913' }).waitFor();
      expect(await focused(page)).toBe('textarea');
      await page.waitForTimeout(READY_MS);
      await page.keyboard.press('Control+Enter');
      expect(await actions(page)).toEqual([]);
      await page.keyboard.press('F8');
      await page.keyboard.press('Control+Enter');
      await page.locator('.toast', { hasText: 'Chromium 156 is connected' }).waitFor();
      await card(page, 'Firefox 153').waitFor();
      await expect.poll(() => focused(page)).toBe('textarea');
      expect(await actions(page)).toEqual([{ action: 'pair', code: '482913' }]);
    }));

  test('is turned away with No, and the next one is a card of its own', () =>
    on({ scene: 'pageasks' }, async (page) => {
      await card(page, 'Chromium 156').waitFor();
      await page.waitForTimeout(READY_MS);
      await page.getByRole('button', { name: 'No Ctrl D' }).dblclick();
      await card(page, 'Firefox 153').waitFor();
      expect(await actions(page)).toEqual([{ action: 'decline', code: '482913' }]);
    }));

  test('says why it could not be let in', () =>
    on({ scene: 'pagegone' }, async (page) => {
      await card(page, 'Chromium 156').waitFor();
      await page.waitForTimeout(READY_MS);
      await page.getByRole('button', { name: 'It does: connect' }).click();
      await page
        .locator('.asks .trouble', { hasText: 'No browser shows this code any more. Press Connect in its popup' })
        .waitFor();
      expect(await page.getByRole('button', { name: 'It does: connect' }).isEnabled()).toBe(true);
    }));

  test('comes and goes while the panel is open, and its keys approve no call that waits too', () =>
    on({ scene: 'approval' }, async (page) => {
      await ask(page);
      await page.locator('.approval', { hasText: 'cache-purge' }).waitFor();
      await page.evaluate(() =>
        window.scripted.browse({
          browsers: [],
          asking: [{ name: 'Chromium 156', code: '482913' }],
          sites: [],
          learned: [],
        }),
      );
      await card(page, 'Chromium 156').waitFor();
      await page.waitForTimeout(READY_MS);
      await card(page, 'Chromium 156').focus();
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => actions(page)).toEqual([{ action: 'pair', code: '482913' }]);
      expect(await sent(page, 'approve')).toEqual([]);
      await page.evaluate(() => window.scripted.browse({ browsers: [], asking: [], sites: [], learned: [] }));
      await page.locator('.asks').waitFor({ state: 'detached' });
    }));
});
