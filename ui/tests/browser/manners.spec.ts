/** Manners: input methods, speech, motion, forced colours, and a whole journey by keys alone. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isHeld } from './by-keys';
import { ask, focused, READY_MS, scenes, sent } from './stage';
import { stateNamed } from './states';

const on = scenes();

describe('input methods', () => {
  /** Keys as an input method lets them through: by composition, and as WebKit tells of them, by their code alone. */
  const compose = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((field) => {
        field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
        for (const key of ['Enter', 'Escape', 'ArrowDown', 'Backspace', 'Delete', 'n', 'f', 'k', 'd']) {
          for (const ctrlKey of [false, true]) {
            const options = { key, ctrlKey, bubbles: true, cancelable: true };
            const kept = field.dispatchEvent(new KeyboardEvent('keydown', { ...options, isComposing: true }));
            const keptByCode = field.dispatchEvent(new KeyboardEvent('keydown', { ...options, keyCode: 229 }));
            if (!kept || !keptByCode) return `${key} was taken`;
          }
        }
        return 'left alone';
      });
  const asked = async (page: Page) =>
    (await page.evaluate(() => window.scripted.sent.map((one) => one.request))).filter(
      (name) => !/watch|config_list|session_list|search|key|provider|model|server|rule|look|spending/.test(name),
    );

  const FIELDS: [name: string, state: string, field: string][] = [
    ['the composer', 'summoned', '.composer textarea'],
    ['a changed question', 'edit', '.edit textarea'],
    ['find in session', 'find-session', '.find input'],
    ['an answer to a question', 'question', '.ask .field'],
    ['the reason of a refusal', 'approval', '.approval .field[type=text]'],
    ['the search of sessions', 'sessions', 'input[type=search]'],
    ['find anything', 'find', 'input[type=search]'],
    ['the model picker', 'models', '.picker input'],
    ['the search of settings', 'settings', 'input[type=search]'],
    ['a passphrase', 'locked', '[data-passphrase]'],
    ['a key', 'error-key', '.card input[type=password]'],
  ];
  for (const [name, state, field] of FIELDS) {
    test(`no key acts in ${name} while a word is composed`, () =>
      on({ scene: stateNamed(state).scene }, async (page) => {
        await stateNamed(state).act?.(page);
        await page.waitForTimeout(READY_MS);
        await page.locator(field).first().fill('ni hao');
        const before = await asked(page);
        expect(await compose(page, field)).toBe('left alone');
        expect(await asked(page)).toEqual(before);
        expect(await page.evaluate(() => window.scripted.hidden)).toBe(0);
        expect(await page.locator(field).first().inputValue()).toBe('ni hao');
      }));
  }
});

/** Walks by Tab until something of that name has the focus: nobody needs a pointer to get there. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const named = () =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute('aria-label') ??
        document.activeElement?.closest('label, button')?.textContent ??
        '',
    );
  for (let presses = 0; presses < 60; presses += 1) {
    if (name.test(await named())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${name.source}`);
}

test('from the first run to an answer, a branch and the settings without a pointer', () =>
  on({ scene: 'journey' }, async (page) => {
    // First run: a local model is tried, the hotkey practised.
    await page.locator('.local select').waitFor();
    await tabTo(page, /^Try one sentence/);
    await page.keyboard.press('Enter');
    await page.locator('.caps').waitFor();
    await page.evaluate(() => window.scripted.press());
    await tabTo(page, /^Start$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('textarea');
    // Ask, and approve what it wants to run.
    await page.keyboard.type(await page.evaluate(() => window.scripted.question));
    await page.keyboard.press('Enter');
    await page.locator('.approval', { hasText: 'cache-purge' }).waitFor();
    await expect.poll(() => focused(page)).toBe('alertdialog');
    await page.waitForTimeout(READY_MS);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sent(page, 'approve')).toMatchObject([{ call: 2, always: false }]);
    await page.locator('.answer', { hasText: '33.1 GB freed' }).waitFor();
    await expect.poll(() => focused(page)).toBe('textarea');
    // Find a word in the session, then anything at all.
    await page.keyboard.press('Control+f');
    await page.keyboard.type('caches');
    await page.locator('.find [role=status]', { hasText: '1 / ' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('textarea');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('keyboard');
    await page.locator('.found', { hasText: 'Keyboard' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.sheet').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('textarea');
    // Walk up to the answer and go on from it in a session of its own.
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => focused(page)).toBe('article');
    await tabTo(page, /^New session from here$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'session_branch')).toHaveLength(1);
    await expect.poll(() => focused(page)).toBe('textarea');
    // Settings: searched, changed, left again.
    await page.keyboard.press('Control+,');
    await page.keyboard.type('appearance');
    await expect.poll(() => page.locator('.setting').count()).toBe(1);
    await tabTo(page, /^Light$/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('textarea');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(1);
  }));

test('a call is read, refused with a reason, and an old session opened without a pointer', () =>
  on({ scene: 'approval' }, async (page) => {
    const label = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '');
    // Ask.
    await page.keyboard.type(await page.evaluate(() => window.scripted.question));
    await page.keyboard.press('Enter');
    await page.locator('.approval', { hasText: 'cache-purge' }).waitFor();
    await page.waitForTimeout(READY_MS);
    // Read the call, choose the family, say why not, refuse.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.approval .radio').nth(1).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not on this host');
    await page.keyboard.press('Control+d');
    await expect.poll(() => sent(page, 'refuse')).toMatchObject([{ call: 2, reason: 'not on this host' }]);
    await expect.poll(label).toBe('Your question');
    // Walk back, unfold a step, copy the answer, find a word, begin a new session, open an old one.
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('cache');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(label).toBe('Your question');
    await page.keyboard.press('Control+n');
    await page.locator('li button').first().waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'session_show')).toHaveLength(1);
    await expect.poll(label).toBe('Your question');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(1);
  }));

test('an answer is spoken sentence by sentence, and each once', () =>
  on({ scene: 'long', speed: 1 }, async (page) => {
    await page.evaluate(() => {
      const spoken: string[] = [];
      Object.assign(window, { spoken });
      const region = document.querySelector('.spoken[aria-live=polite]');
      if (region !== null)
        new MutationObserver(() => spoken.push(region.textContent ?? '')).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
    });
    await ask(page);
    await page.locator('.after').waitFor();
    const heard = () => page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
    await expect.poll(async () => (await heard()).join(' ')).toContain('idempotent by nature');
    const spoken = await heard();
    expect(spoken.length).toBeGreaterThan(3);
    expect(new Set(spoken).size).toBe(spoken.length);
    expect(spoken.join(' ')).toContain('Three things matter');
    expect(spoken.join(' ')).not.toContain('hashlib');
  }));

test('nothing moves for somebody who asked for no motion', () =>
  on({ scene: 'working' }, async (page) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await ask(page);
    await page.locator('.todo').waitFor();
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect
      .poll(() =>
        page
          .locator('.spinner')
          .first()
          .evaluate((spinner) => getComputedStyle(spinner).animationName),
      )
      .toBe('none');
  }));

test('a search shows that it has the focus: in the session, and over the models', () =>
  on({ scene: 'long' }, async (page) => {
    await ask(page);
    await page.locator('.after').waitFor();
    await page.keyboard.press('Control+f');
    await isHeld(page, /^Find in session$/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+m');
    await isHeld(page, /^Search models$/);
  }));

test('with forced colours cards, buttons and fields keep their outlines', () =>
  on({ scene: 'approval' }, async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await ask(page);
    await page.locator('.approval').waitFor();
    for (const part of ['.approval', '.approval .button', '.approval .field', '.question', '.composer']) {
      const outline = await page
        .locator(part)
        .last()
        .evaluate(
          (element) =>
            Number.parseFloat(getComputedStyle(element).borderTopWidth) +
            Number.parseFloat(getComputedStyle(element).borderBottomWidth),
        );
      expect(outline, part).toBeGreaterThan(0);
    }
    expect(
      await page
        .locator('.approval .radio')
        .first()
        .evaluate((radio) => getComputedStyle(radio).appearance),
    ).not.toBe('none');
  }));
