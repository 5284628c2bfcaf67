/**
 * Every state in a language that was added: no sentence of the catalogue is said in English, and longer words are not cut.
 *
 * The language is English, stretched and marked at both ends: see `src/backend/pseudo.ts`. What the program says of its
 * settings and of a model that failed comes in it, too.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SOURCE, TABLES } from '../../src/i18n/catalogue';
import { beyond } from './access';
import { BENCH_STATES, WORKBENCH } from './bench-states';
import { stageOf, still } from './stage';
import { STATES, type State } from './states';

const stage = stageOf();

/** What the program says in its own catalogue and the windows show as it comes. */
const PROGRAM = Object.values(
  import.meta.glob<Record<string, string>>('../../../assets/locales/en/{models,settings}.json', {
    eager: true,
    import: 'default',
  }),
);

/** Sentences of ours without gaps, long enough that no data of a scene says the same. */
const OURS = [TABLES.get(SOURCE) ?? {}, ...PROGRAM]
  .flatMap((table) => Object.values(table))
  .filter((text) => !text.includes('{{') && text.length > 12)
  .map((text) => text.toLowerCase());

/** What scenes send in English, as a program does that recorded it in English. */
const RECORDED = [
  'Waits for the page https://query.lanting.dev',
  "The assistant translator can't be asked: it has changed since it was reviewed",
  'America/New_York',
  'Summarise this page',
  'The passphrase does not open the file of keys. Try again; if it is lost, delete the file and set the keys anew',
];

/** Texts on the page, and names for those who hear it, that are said in English. */
const untranslated = (page: Page) =>
  page.evaluate(
    ({ ours, recorded }) => {
      const isSaid = (text: string) => {
        const rest = recorded.reduce((left, data) => left.replace(data, ''), text).toLowerCase();
        return ours.some((sentence) => rest.includes(sentence));
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent?.trim() ?? '';
        if (isSaid(text)) found.push(text);
      }
      for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
        for (const name of ['aria-label', 'title', 'placeholder']) {
          const text = element.getAttribute(name)?.trim() ?? '';
          if (isSaid(text)) found.push(`${name}: ${text}`);
        }
      return found;
    },
    { ours: OURS, recorded: RECORDED },
  );

/** Texts of ours of which a part is hidden without a sign. */
const clipped = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const isOurs = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.includes('⟦'));
        if (!isOurs || element.closest('.spoken, [hidden]') !== null || element.clientWidth === 0) return false;
        const style = getComputedStyle(element);
        const isCut = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
        return isCut && style.textOverflow !== 'ellipsis';
      })
      .map((element) => `${element.tagName}.${element.className}: ${element.textContent}`),
  );

async function look(state: State, root: '.panel' | '.workbench'): Promise<void> {
  const file = root === '.panel' ? 'panel.html' : 'workbench.html';
  await stage().play(
    { scene: state.scene, lang: 'qps', speed: state.speed ?? 0 },
    async (page) => {
      if (root === '.workbench') await page.setViewportSize(WORKBENCH);
      await state.act?.(page);
      await still(page);
      expect(await page.locator('body').textContent()).toContain('⟦');
      expect(await untranslated(page)).toEqual([]);
      expect(await beyond(page, root)).toEqual([]);
      expect(await clipped(page)).toEqual([]);
    },
    file,
  );
}

describe.concurrent('in a language that was added nothing is left in English and nothing is cut', () => {
  for (const state of STATES) test(`panel: ${state.name}`, () => look(state, '.panel'));
  for (const state of BENCH_STATES) test(`workbench: ${state.name}`, () => look(state, '.workbench'));
});
