/** The panel in a real browser: keys, focus, scroll, folds, and that nothing an answer holds can act. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, focused, READY_MS, scenes, sent } from './stage';

const on = scenes();

describe('composer', () => {
  test('the input has the focus whenever the panel is shown', () =>
    on({ scene: 'summoned' }, async (page) => {
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.locator('header .tool').nth(2).focus();
      await page.evaluate(() => window.scripted.show('hotkey'));
      await expect.poll(() => focused(page)).toBe('textarea');
    }));

  test('Enter sends, Shift+Enter begins a line', () =>
    on({ scene: 'long' }, async (page) => {
      await page.keyboard.type('one');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('two');
      expect(await sent(page, 'ask')).toEqual([]);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ text: 'one\ntwo', session: null, mode: 'risky', language: 'en' }]);
    }));

  test('while a word is being composed no key acts; Enter only commits it', () =>
    on({ scene: 'long' }, async (page) => {
      const client = await page.context().newCDPSession(page);
      await client.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 });
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+n');
      expect(await sent(page, 'ask')).toEqual([]);
      await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(0);
      // WebKit tells of the Enter that ends a composition by its code alone.
      await page
        .locator('textarea')
        .evaluate((field) =>
          field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })),
        );
      expect(await sent(page, 'ask')).toEqual([]);
      await client.send('Input.insertText', { text: '你好' });
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ text: '你好' }]);
    }));

  test('dropped files become chips, each once; Backspace in an empty input removes the last', () =>
    on({ scene: 'long' }, async (page) => {
      await page.evaluate(() => window.scripted.drop(['/a/测试 file.txt', '/b.md', '/b.md']));
      await expect
        .poll(() => page.locator('.chip').evaluateAll((chips) => chips.map((chip) => chip.textContent?.trim())))
        .toEqual(['测试 file.txt', 'b.md']);
      await page.keyboard.press('Backspace');
      await expect.poll(() => page.locator('.chip').count()).toBe(1);
      await page.keyboard.type('sum');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ files: ['/a/测试 file.txt'] }]);
    }));

  test('what is sent during a run waits for its end', () =>
    on({ scene: 'long', speed: 0.4 }, async (page) => {
      await ask(page);
      await page.locator('.status').waitFor();
      await page.keyboard.type('and then?');
      await page.keyboard.press('Enter');
      await page.locator('.queued').waitFor();
      await expect.poll(() => sent(page, 'ask')).toHaveLength(1);
      await expect
        .poll(() => sent(page, 'ask'), { timeout: 20_000 })
        .toMatchObject([{}, { text: 'and then?', session: 'session-1' }]);
    }));

  test('what waits for a run that is stopped comes back into the input, before what was typed since', () =>
    on({ scene: 'streaming', speed: 4 }, async (page) => {
      await ask(page);
      await page.locator('.step').first().waitFor();
      await page.keyboard.type('and then?');
      await page.keyboard.press('Enter');
      await page.locator('.queued').waitFor();
      await page.keyboard.type('or else');
      await page.keyboard.press('Escape');
      await page.locator('.queued').waitFor({ state: 'detached' });
      expect(await page.locator('.composer textarea').inputValue()).toBe('and then?\nor else');
      expect(await sent(page, 'ask')).toHaveLength(1);
    }));

  test('Esc stops what runs, then hides the panel', () =>
    on({ scene: 'streaming', speed: 4 }, async (page) => {
      await ask(page);
      await page.locator('.step').first().waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => sent(page, 'cancel')).toMatchObject([{ run: 'run-1' }]);
      await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(0);
      await page.locator('.note').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(1);
    }));
});

describe('approval', () => {
  test('the card has the focus and no button; Enter alone approves nothing', () =>
    on({ scene: 'approval' }, async (page) => {
      await ask(page);
      await page.locator('.approval', { hasText: 'cache-purge' }).waitFor();
      await expect.poll(() => focused(page)).toBe('alertdialog');
      await expect.poll(() => page.locator('.composer').getAttribute('class')).toContain('resting');
      await page.waitForTimeout(READY_MS);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Space');
      expect(await sent(page, 'approve')).toEqual([]);
    }));

  test('its keys are dead until it has been seen', () =>
    on({ scene: 'approval' }, async (page) => {
      await ask(page);
      // The same task in which the card appears: no time has passed.
      await page.evaluate(
        () =>
          new Promise<void>((done) => {
            const watcher = new MutationObserver(() => {
              if (document.querySelector('.approval') === null) return;
              watcher.disconnect();
              for (const key of ['Enter', 'd'])
                window.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true }));
              done();
            });
            watcher.observe(document.body, { childList: true, subtree: true });
            if (document.querySelector('.approval') !== null) done();
          }),
      );
      expect([...(await sent(page, 'approve')), ...(await sent(page, 'refuse'))]).toEqual([]);
      await page.waitForTimeout(READY_MS);
      await page.keyboard.press('Control+Enter');
      await expect
        .poll(() => sent(page, 'approve'))
        .toEqual([{ request: 'approve', run: 'run-1', call: 2, always: false }]);
      await expect.poll(() => page.locator('.approval').count()).toBe(0);
      await expect.poll(() => focused(page)).toBe('textarea');
    }));

  test('the family is remembered only when it was picked', () =>
    on({ scene: 'approval' }, async (page) => {
      await ask(page);
      await page.locator('.approval .radio').nth(1).check();
      await page.waitForTimeout(READY_MS);
      await page.locator('.approval .primary').click();
      await expect.poll(() => sent(page, 'approve')).toMatchObject([{ always: true }]);
    }));

  test('a refusal carries its reason, and Enter in the reason decides nothing', () =>
    on({ scene: 'approval' }, async (page) => {
      await ask(page);
      await page.locator('.approval .field').fill('not on this host');
      await page.waitForTimeout(READY_MS);
      await page.keyboard.press('Enter');
      expect(await sent(page, 'refuse')).toEqual([]);
      await page.keyboard.press('Control+d');
      await expect.poll(() => sent(page, 'refuse')).toMatchObject([{ call: 2, reason: 'not on this host' }]);
      await page.locator('.refused').nth(1).waitFor();
    }));

  test('what the offline planner can do is a list of examples and no row of sources, with the way to a model below', () =>
    on({ scene: 'offlinehelp', lang: 'en' }, async (page) => {
      await ask(page);
      const item = page.locator('.offline li').first();
      await item.waitFor();
      expect(
        await item
          .locator('code')
          .first()
          .evaluate((code) => getComputedStyle(code).display),
      ).toBe('inline');
      await page.locator('.offline').getByRole('button', { name: 'Choose a model' }).click();
      await page.locator('.picker, [role=dialog]').first().waitFor();
    }));

  test('a card never takes the focus from somebody who is writing, and its keys wait', () =>
    on({ scene: 'approval', speed: 0.2 }, async (page) => {
      await ask(page);
      await page.keyboard.type('one more thing');
      await page.locator('.approval', { hasText: 'cache-purge' }).waitFor({ timeout: 20_000 });
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.waitForTimeout(READY_MS);
      await page.keyboard.press('Control+Enter');
      expect(await sent(page, 'approve')).toEqual([]);
      await page.keyboard.press('F8');
      await expect.poll(() => focused(page)).toBe('alertdialog');
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => sent(page, 'approve')).toHaveLength(1);
    }));

  test('every argument is shown in full and marked where it is foreign', () =>
    on({ scene: 'tainted' }, async (page) => {
      await ask(page);
      await expect
        .poll(() => page.locator('.approval dt').allInnerTexts())
        .toEqual([expect.stringContaining('to'), 'subject', expect.stringContaining('body')]);
      await expect.poll(() => page.locator('.approval .foreign').count()).toBe(3);
      await expect.poll(() => page.locator('.approval .foreign').last().innerText()).toContain('Thanks');
      const foot = await page.locator('.approval > footer').boundingBox();
      expect((foot?.y ?? 1000) + (foot?.height ?? 0)).toBeLessThan(620);
    }));
});

describe('conversation', () => {
  const distance = (page: Page) =>
    page.locator('.scroller').evaluate((frame) => frame.scrollHeight - frame.scrollTop - frame.clientHeight);

  test('the scroll sticks to the end until the user scrolls up, and again when asked', () =>
    on({ scene: 'hostile', speed: 2 }, async (page) => {
      await ask(page);
      await expect.poll(() => page.locator('.answer li').count(), { timeout: 10_000 }).toBeGreaterThan(25);
      await expect.poll(() => distance(page)).toBeLessThan(24);
      await page.locator('.scroller').hover();
      await page.mouse.wheel(0, -200);
      await page.locator('.end').waitFor();
      // What is read stays where it is, though diagrams above it grow.
      const tenth = () => page.evaluate(() => document.querySelectorAll('.answer li')[9]?.getBoundingClientRect().y);
      // The wheel is followed smoothly: what counts is where it came to rest.
      await expect
        .poll(
          async () => (await distance(page)) > 180 && (await tenth()) === (await page.waitForTimeout(150).then(tenth)),
        )
        .toBe(true);
      const seen = await tenth();
      await expect.poll(() => page.locator('.answer li').count(), { timeout: 10_000 }).toBe(60);
      expect(await tenth()).toBe(seen);
      await page.locator('.end').click();
      await expect.poll(() => distance(page)).toBeLessThan(24);
    }));

  test('nothing in an answer runs, loads, or looks like ours', () =>
    on({ scene: 'hostile' }, async (page) => {
      const loads: string[] = [];
      page.on('request', (request) => loads.push(request.url()));
      await ask(page);
      await page.locator('.after').waitFor();
      await page.locator('.answer img').first().waitFor();
      await expect
        .poll(() =>
          page.locator('.answer .block').locator('img, script, iframe, svg, button, style, link, image').count(),
        )
        .toBe(0);
      // A diagram is a picture of our own making.
      await expect
        .poll(() =>
          page
            .locator('.answer img')
            .evaluateAll((all) => all.every((one) => one.getAttribute('src')?.startsWith('blob:'))),
        )
        .toBe(true);
      await expect.poll(() => page.evaluate(() => 'broken' in window)).toBe(false);
      expect(loads.filter((address) => address.includes('evil'))).toEqual([]);
      await expect
        .poll(() => page.locator('.answer a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
        .toEqual(['https://example.org/', 'https://example.org/']);
      await page.locator('.answer a').first().click();
      await expect.poll(() => page.evaluate(() => window.scripted.links)).toEqual(['https://example.org/']);
      expect(page.url()).toContain('panel.html');
    }));

  test('a failed step is open by itself; Space folds and unfolds', () =>
    on({ scene: 'gaveup' }, async (page) => {
      await ask(page);
      await page.locator('.gave-up').waitFor();
      const lines = page.locator('.step button.line');
      await expect
        .poll(() => lines.evaluateAll((all) => all.map((line) => line.getAttribute('aria-expanded'))))
        .toEqual(['false', 'true', 'false']);
      await lines.nth(1).focus();
      await page.keyboard.press('Space');
      await expect.poll(() => lines.nth(1).getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('Space');
      await expect.poll(() => lines.nth(1).getAttribute('aria-expanded')).toBe('true');
    }));

  test('Alt with the arrows walks messages and steps and comes back to the input', () =>
    on({ scene: 'gaveup' }, async (page) => {
      await ask(page);
      await page.locator('.gave-up').waitFor();
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(() => focused(page)).toBe('note');
      await page.keyboard.press('Alt+ArrowUp');
      await expect.poll(() => focused(page)).toBe('button');
      await page.keyboard.press('Alt+ArrowDown');
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(() => focused(page)).toBe('textarea');
    }));

  test('a rejected key gives the question back and takes a new key', () =>
    on({ scene: 'error' }, async (page) => {
      await ask(page);
      await page.locator('.error .primary').click();
      const question = await page.evaluate(() => window.scripted.question);
      await expect.poll(() => page.locator('textarea').inputValue()).toBe(question);
      await page.locator('input[type=password]').fill('sk-new');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'key_set'))
        .toEqual([{ request: 'key_set', provider: 'dashscope', key: 'sk-new', unchecked: false }]);
      await expect.poll(() => page.locator('input[type=password]').count()).toBe(0);
    }));

  test('a question is answered with Enter and shown with its answer', () =>
    on({ scene: 'question' }, async (page) => {
      await ask(page);
      await page.locator('.ask').waitFor();
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.keyboard.type('4 December');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'answer'))
        .toEqual([{ request: 'answer', call: 1, run: 'run-1', text: '4 December' }]);
      await page.locator('.exchange').waitFor();
    }));

  test('a run that was cut by a restart is open again and can go on', () =>
    on({ scene: 'suspended' }, async (page) => {
      await page.locator('.note .button').click();
      await expect.poll(() => sent(page, 'resume')).toMatchObject([{ run: 'run-7' }]);
      await page.locator('.answer').waitFor();
      await expect.poll(() => page.locator('.question').count()).toBe(1);
    }));
});

describe('sessions', () => {
  test('the head lists them; arrows, Enter, Delete and undo work', () =>
    on({ scene: 'sessions' }, async (page) => {
      await page.locator('header .tool').first().click();
      await page.locator('[role=option]').first().waitFor();
      const rows = await page.locator('[role=option]').count();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Delete');
      await expect.poll(() => page.locator('[role=option]').count()).toBe(rows - 1);
      expect(await sent(page, 'session_delete')).toEqual([]);
      await page.locator('.toast .button').click();
      await expect.poll(() => page.locator('[role=option]').count()).toBe(rows);
      // The button that took it back is gone with its focus: the keys go on all the same.
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).toBe('combobox');
      await page.keyboard.press('ArrowUp');
      await page.locator('input[type=search]').fill('Idempotent');
      await expect.poll(() => page.locator('[role=option]').count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.locator('.question').waitFor();
      await expect.poll(() => sent(page, 'session_show')).toMatchObject([{ session: 'session-8' }]);
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.keyboard.press('Control+n');
      await expect.poll(() => page.locator('.question').count()).toBe(0);
    }));

  test('F2 and the pencil give a session another title; Esc leaves the old one', () =>
    on({ scene: 'sessions' }, async (page) => {
      await page.locator('header .tool').first().click();
      await page.locator('[role=option]').first().waitFor();
      const title = () => page.locator('[role=option] .title').first().textContent();
      const before = await title();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('F2');
      await page.locator('#session-list input').fill('Another');
      await page.keyboard.press('Escape');
      await expect.poll(title).toBe(before);
      await expect.poll(() => focused(page)).toBe('combobox');
      await page.keyboard.press('F2');
      await page.locator('#session-list input').fill('Another title');
      await page.keyboard.press('Enter');
      await expect.poll(title).toBe('Another title');
      await page.locator('[role=option]').nth(1).hover();
      await page.locator('[role=option]').nth(1).locator('.rename').click();
      await page.locator('#session-list input').fill('A third');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'session_rename'))
        .toMatchObject([{ title: 'Another title' }, { title: 'A third' }]);
    }));

  test('the list marks the session on the desk, and none while that one is new', () =>
    on({ scene: 'sessions' }, async (page) => {
      const marked = () =>
        page.locator('[role=option][aria-selected=true]').evaluateAll((rows) => rows.map((row) => row.id));
      const open = async () => {
        await page.locator('header .tool').first().click();
        await page.locator('[role=option]').first().waitFor();
      };
      await open();
      const rows = await page.locator('[role=option]').evaluateAll((all) => all.map((row) => row.id));
      await page.locator('[role=option]').nth(3).click();
      await page.locator('.question').first().waitFor();
      await open();
      expect(await marked()).toEqual([rows[3]]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+n');
      await expect.poll(() => page.locator('.question').count()).toBe(0);
      await open();
      expect(await marked()).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await expect.poll(marked).toEqual([rows[0]]);
      await page.locator('input[type=search]').fill('Idempotent');
      await expect.poll(marked).toEqual(['session-session-8']);
    }));
});
