/** Every state of the panel: sound for assistive technology, uncut at every width and size of text, and none left out. */
import { describe, expect, test } from 'vitest';
import { beyond, broken } from './access';
import { PANEL, scenes, still } from './stage';
import { STATES, type State } from './states';
import { viewsOf } from './views';

const on = scenes();

/** Components that were on a page that was looked at. */
const seen = new Set<string>();

async function look(state: State, lang: 'zh' | 'en', theme: 'light' | 'dark'): Promise<void> {
  await on({ scene: state.scene, lang, theme, speed: state.speed ?? 0 }, async (page) => {
    await state.act?.(page);
    await still(page);
    expect(await broken(page)).toEqual([]);
    for (const [width, zoom] of [
      [360, 1],
      [560, 1],
      [PANEL.width, 2],
    ] as const) {
      await page.setViewportSize({ width, height: PANEL.height });
      await page.evaluate((factor) => (document.documentElement.style.zoom = String(factor)), zoom);
      expect(await beyond(page, '.panel'), `${width} px, ${zoom * 100} %`).toEqual([]);
    }
    for (const name of await page.evaluate(() => [...window.scriptedViews])) seen.add(name);
  });
}

describe.concurrent('nothing is broken and nothing is cut', () => {
  for (const state of STATES) {
    test(`${state.name}, light`, () => look(state, 'zh', 'light'));
    test(`${state.name}, dark`, () => look(state, 'en', 'dark'));
  }
});

test('every part of the panel is in one of the states', () => {
  expect(viewsOf('panel/Panel.svelte').filter((name) => !seen.has(name))).toEqual([]);
});
