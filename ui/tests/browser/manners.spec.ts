/** Manners: every scene is sound for assistive technology, fits every width and size, and can be used by keys alone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, sent, Stage, type View } from './stage';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Longer than an approval needs before its keys work. */
const READY_MS = 500;

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** A scene and what is on the page when it is looked at. */
const SCENES: { name: string; scene: string; ready: string; act?: (page: Page) => Promise<void> }[] = [
  { name: 'summoned', scene: 'summoned', ready: 'li button', act: async () => undefined },
  { name: 'no model', scene: 'offline', ready: '.no-model', act: async () => undefined },
  { name: 'streaming', scene: 'streaming', ready: '.answer' },
  { name: 'long', scene: 'long', ready: '.after' },
  { name: 'rich', scene: 'rich', ready: '.answer img' },
  { name: 'diagram', scene: 'diagram', ready: '.note' },
  { name: 'hostile', scene: 'hostile', ready: '.after' },
  { name: 'approval', scene: 'approval', ready: '.approval' },
  { name: 'tainted', scene: 'tainted', ready: '.approval' },
  { name: 'question', scene: 'question', ready: '.ask' },
  { name: 'form', scene: 'form', ready: '.ask' },
  { name: 'error', scene: 'error', ready: '.error' },
  { name: 'offline', scene: 'offline', ready: '.offline .answer' },
  { name: 'gave up', scene: 'gaveup', ready: '.gave-up' },
  { name: 'working', scene: 'working', ready: '.todo' },
  { name: 'elsewhere', scene: 'elsewhere', ready: '.toast', act: async () => undefined },
  { name: 'suspended', scene: 'suspended', ready: '.note', act: async () => undefined },
  { name: 'sessions', scene: 'sessions', ready: '[role=option]', act: (page) => page.locator('header .tool').first().click() },
  {
    name: 'find',
    scene: 'gaveup',
    ready: '.find',
    async act(page) {
      await ask(page);
      await page.locator('.gave-up').waitFor();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('contract');
    },
  },
  {
    name: 'edit',
    scene: 'long',
    ready: '.edit',
    async act(page) {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.getByRole('button', { name: 'Edit', exact: true }).focus();
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'menu',
    scene: 'summoned',
    ready: '[role=menu]',
    act: (page) => page.locator('header .menu button').click(),
  },
];

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

async function on(view: View, act: (page: Page) => Promise<void>): Promise<void> {
  const page = await stage.page({ lang: 'en', ...view });
  try {
    await page.locator('textarea').first().waitFor();
    await act(page);
  } finally {
    await page.context().close();
  }
}

async function shown(page: Page, { ready, act }: (typeof SCENES)[number]): Promise<void> {
  await (act ?? ask)(page);
  await page.locator(ready).first().waitFor();
  // Cards rise for 160 ms, and what is half there has half its contrast.
  await page.waitForTimeout(250);
}

/** What the page breaks of the rules, in a form that says where. */
async function broken(page: Page): Promise<string[]> {
  // As the debugger's own script: the policy of the page allows none but its own.
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: AXE });
  const findings = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: unknown) => Promise<{ violations: Finding[] }> } };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return findings.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} | ${node.failureSummary.split('\n')[1] ?? ''}`));
}

describe('assistive technology finds nothing broken', () => {
  for (const scene of SCENES) {
    for (const theme of ['light', 'dark'] as const) {
      test(`${scene.name}, ${theme}`, () =>
        on({ scene: scene.scene, theme }, async (page) => {
          await shown(page, scene);
          expect(await broken(page)).toEqual([]);
        }));
    }
  }
});

describe('every width and size of text', () => {
  /** Elements that reach beyond the window, other than what scrolls by itself. */
  const beyond = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.panel *')]
        .filter((element) => {
          const box = element.getBoundingClientRect();
          if (box.width === 0 || box.height === 0 || element.closest('.spoken, .katex, svg, [hidden]') !== null) return false;
          for (let up = element.parentElement; up !== null; up = up.parentElement) {
            if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX) && !up.matches('.panel, .scroller, html, body')) return false;
          }
          return box.right > innerWidth + 1 || box.left < -1;
        })
        .map((element) => `${element.tagName}.${element.className}`),
    );

  for (const scene of SCENES) {
    test(`${scene.name}: nothing is cut at 360 to 560 px, nor with text at 200 %`, () =>
      on({ scene: scene.scene }, async (page) => {
        await shown(page, scene);
        for (const [width, zoom] of [[360, 1], [560, 1], [420, 2]] as const) {
          await page.setViewportSize({ width, height: 640 });
          await page.evaluate((factor) => (document.documentElement.style.zoom = String(factor)), zoom);
          expect(await beyond(page), `${width} px, ${zoom * 100} %`).toEqual([]);
        }
      }));
  }
});

describe('input methods', () => {
  /** Keys as an input method lets them through: by composition, and as WebKit tells of them, by their code alone. */
  const compose = (page: Page, selector: string) =>
    page.locator(selector).first().evaluate((field) => {
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
  const asked = async (page: Page) => (await page.evaluate(() => window.scripted.sent.map((one) => one.request))).filter((name) => !/watch|config_list|session_list|key/.test(name));

  const FIELDS: [name: string, scene: string, field: string][] = [
    ['the composer', 'long', '.composer textarea'],
    ['a changed question', 'edit', '.edit textarea'],
    ['find in session', 'find', '.find input'],
    ['an answer to a question', 'question', '.ask .field'],
    ['the reason of a refusal', 'approval', '.approval .field[type=text]'],
    ['the search of sessions', 'sessions', 'input[type=search]'],
  ];
  for (const [name, scene, field] of FIELDS) {
    test(`no key acts in ${name} while a word is composed`, () => {
      const found = SCENES.find((known) => known.name === scene);
      return on({ scene: found?.scene ?? scene }, async (page) => {
        if (found !== undefined) await shown(page, found);
        await page.waitForTimeout(READY_MS);
        await page.locator(field).first().fill('ni hao');
        const before = await asked(page);
        expect(await compose(page, field)).toBe('left alone');
        expect(await asked(page)).toEqual(before);
        expect(await page.evaluate(() => window.scripted.hidden)).toBe(0);
        expect(await page.locator(field).first().inputValue()).toBe('ni hao');
      });
    });
  }
});

test('a whole journey needs no pointer', () =>
  on({ scene: 'approval' }, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '');
    // Ask.
    await page.keyboard.type(await page.evaluate(() => window.scripted.question));
    await page.keyboard.press('Enter');
    await page.locator('.approval', { hasText: 'cache-purge' }).waitFor();
    await page.waitForTimeout(READY_MS);
    // Read the call, choose the family, say why not, refuse.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('.approval .radio').nth(1).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not on this host');
    await page.keyboard.press('Control+d');
    expect(await sent(page, 'refuse')).toMatchObject([{ call: 2, reason: 'not on this host' }]);
    await expect.poll(focused).toBe('Your question');
    // Walk back, unfold a step, copy the answer, find a word, begin a new session, open an old one.
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('cache');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Your question');
    await page.keyboard.press('Control+n');
    await page.locator('li button').first().waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page, 'session_show')).toHaveLength(1);
    await expect.poll(focused).toBe('Your question');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => window.scripted.hidden)).toBe(1);
  }));

test('an answer is spoken sentence by sentence, and each once', () =>
  on({ scene: 'long', speed: 1 }, async (page) => {
    await page.evaluate(() => {
      const spoken: string[] = [];
      Object.assign(window, { spoken });
      const region = document.querySelector('.spoken[aria-live=polite]');
      if (region !== null) new MutationObserver(() => spoken.push(region.textContent ?? '')).observe(region, { childList: true, characterData: true, subtree: true });
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
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect(await page.locator('.spinner').first().evaluate((spinner) => getComputedStyle(spinner).animationName)).toBe('none');
  }));

test('with forced colours cards, buttons and fields keep their outlines', () =>
  on({ scene: 'approval' }, async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await ask(page);
    await page.locator('.approval').waitFor();
    for (const part of ['.approval', '.approval .button', '.approval .field', '.question', '.composer']) {
      expect(await page.locator(part).last().evaluate((element) => Math.max(...['Top', 'Bottom'].map((side) => Number.parseFloat(getComputedStyle(element).getPropertyValue(`border-${side.toLowerCase()}-width`))))), part).toBeGreaterThan(0);
    }
    expect(await page.locator('.approval .radio').first().evaluate((radio) => getComputedStyle(radio).appearance)).not.toBe('none');
  }));
