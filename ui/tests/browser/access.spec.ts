/** Every state of the panel: sound for assistive technology, uncut at every width and size of text, and none left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PANEL, scenes, still } from './stage';
import { STATES, type State } from './states';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

const on = scenes();

/** Components that were on a page that was looked at. */
const seen = new Set<string>();

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

async function look(state: State, lang: 'zh' | 'en', theme: 'light' | 'dark'): Promise<void> {
  await on({ scene: state.scene, lang, theme, speed: state.speed ?? 0 }, async (page) => {
    await state.act?.(page);
    await still(page);
    expect(await broken(page)).toEqual([]);
    for (const [width, zoom] of [[360, 1], [560, 1], [PANEL.width, 2]] as const) {
      await page.setViewportSize({ width, height: PANEL.height });
      await page.evaluate((factor) => (document.documentElement.style.zoom = String(factor)), zoom);
      expect(await beyond(page), `${width} px, ${zoom * 100} %`).toEqual([]);
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
  const folder = fileURLToPath(new URL('../../src/panel/', import.meta.url));
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svelte'));
  expect(all.filter((name) => !seen.has(name))).toEqual([]);
});
