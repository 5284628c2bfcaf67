/** The workbench as a person uses it: looking for a run, looking into it, watching it, and with keys alone. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PLUGIN_STATES } from './ability-states';
import { beyond, broken, brokenInOtherTheme } from './access';
import { ASSISTANT_STATES } from './assistant-states';
import { BENCH_STATES, WORKBENCH } from './bench-states';
import { SCHEDULE_STATES } from './schedule-states';
import { sent, stageOf, still, type View } from './stage';
import type { State } from './states';
import { viewsOf } from './views';
import { WORKFLOW_STATES } from './workflow-states';

const stage = stageOf();
const on = (view: Partial<View>, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en', ...view },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('.runs, main .none').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

/** What was asked of the knowledge bases. */
const knowledgeSent = async (page: Page) =>
  ((await sent(page, 'knowledge')) as { action: { action: string; base?: string } }[]).map(({ action }) => action);

const seen = new Set<string>();

/** States that are looked at in both themes of a language; every other one has one theme for each. */
const IN_BOTH_THEMES = new Set([...WORKFLOW_STATES, ...SCHEDULE_STATES, ...ASSISTANT_STATES, ...PLUGIN_STATES]);

async function look(state: State, lang: 'zh' | 'en', theme: 'light' | 'dark'): Promise<void> {
  await on({ scene: state.scene, lang, theme }, async (page) => {
    await state.act?.(page);
    await still(page);
    expect(await broken(page)).toEqual([]);
    if (IN_BOTH_THEMES.has(state)) expect(await brokenInOtherTheme(page), 'in the other theme').toEqual([]);
    for (const [width, zoom] of [
      [1600, 1],
      [880, 1],
      [640, 1],
      [WORKBENCH.width, 2],
    ] as const) {
      await page.setViewportSize({ width, height: WORKBENCH.height });
      await page.evaluate((factor) => (document.documentElement.style.zoom = String(factor)), zoom);
      expect(await beyond(page, '.workbench'), `${width} px, ${zoom * 100} %`).toEqual([]);
    }
    for (const name of await page.evaluate(() => [...window.scriptedViews])) seen.add(name);
  });
}

describe.concurrent('nothing is broken and nothing is cut', () => {
  for (const state of BENCH_STATES) {
    test(`${state.name}, light`, () => look(state, 'zh', 'light'));
    test(`${state.name}, dark`, () => look(state, 'en', 'dark'));
  }
});

test('every part of the workbench is in one of the states', () => {
  expect(viewsOf('workbench/Workbench.svelte').filter((name) => !seen.has(name))).toEqual([]);
});

test('a knowledge base is made, filled, asked and deleted', () =>
  on({}, async (page) => {
    await page.locator('a[href="#knowledge"]').click();
    await page.getByRole('button', { name: 'New knowledge base' }).click();
    await page.getByLabel('Name', { exact: true }).fill('recipes');
    await page.keyboard.press('Enter');
    await page.locator('.base h2', { hasText: 'recipes' }).waitFor();
    await page.locator('.actions input').fill('example.com/soup');
    await page.keyboard.press('Enter');
    await page.locator('.state', { hasText: '2 documents read' }).waitFor();
    expect(await knowledgeSent(page)).toContainEqual(
      expect.objectContaining({
        action: 'add',
        base: 'recipes',
        sources: [{ from: 'url', url: 'https://example.com/soup' }],
      }),
    );
    await page.locator('.ask input').fill('how long');
    await expect.poll(() => page.locator('.piece .tag').first().textContent()).toBe('travel.md line 12');
    await page.locator('.ask input').fill('zzz');
    await page.locator('.base .none').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.base li', { hasText: 'travel.md' }).waitFor();
    await page.getByRole('button', { name: 'Delete contract.pdf' }).click();
    await page.locator('.base .state').waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'contract.pdf is deleted' }).getByRole('button', { name: 'Undo' }).click();
    await page.locator('.state', { hasText: '2 documents read' }).waitFor();
    expect(await knowledgeSent(page)).toContainEqual(
      expect.objectContaining({
        action: 'add',
        base: 'recipes',
        sources: [{ from: 'path', path: '/home/lin/rules/contract.pdf' }],
      }),
    );
    await page.getByRole('button', { name: 'Delete this base' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.base h2', { hasText: 'handbook' }).waitFor();
    expect(await page.locator('.bases li').count()).toBe(2);
  }));

test('a base whose server is away says so with the remedy, and is removed here only', () =>
  on({ scene: 'team' }, async (page) => {
    await page.locator('a[href="#knowledge"]').click();
    const away = page.locator('.base .away');
    await away.getByText('does not answer').waitFor();
    await away.getByText('Check its address').waitFor();
    expect(await page.locator('.base .actions').count()).toBe(0);
    const asked = async () =>
      (await knowledgeSent(page)).filter(({ action }) => action === 'show' || action === 'list');
    expect(await asked()).not.toContainEqual(expect.objectContaining({ action: 'show', base: 'team' }));
    const before = (await asked()).length;
    await away.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(async () => (await asked()).length).toBe(before + 1);
    await page.getByRole('button', { name: 'Delete this base' }).click();
    await page.getByText('Remove it here only').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.base h2', { hasText: 'handbook' }).waitFor();
    expect(await knowledgeSent(page)).toContainEqual({
      action: 'delete',
      base: 'team',
      place: null,
      only_here: true,
    });
  }));

test('runs are found by words and by how they ended', () =>
  on({}, async (page) => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('Refund');
    await page.locator('.run', { hasText: 'build #4127' }).waitFor({ state: 'detached' });
    expect(await page.locator('.run').count()).toBe(1);
    await page.locator('input[type=search]').first().fill('');
    await page.locator('.narrow select').selectOption('failed');
    await page.locator('.run', { hasText: 'Refund' }).waitFor({ state: 'detached' });
    expect(await page.locator('.run').count()).toBe(2);
    await page.locator('input[type=search]').first().fill('nothing like it');
    await page.locator('.runs .none').waitFor();
  }));

test('older runs come page by page, and the list keeps its place when something happens', () =>
  on({ scene: 'manytraces' }, async (page) => {
    expect(await page.locator('.run').count()).toBe(50);
    await page.locator('.more').click();
    await expect.poll(() => page.locator('.run').count()).toBe(100);
    await page.locator('.more').click();
    await expect.poll(() => page.locator('.run').count()).toBe(129);
    expect(await page.locator('.more').count()).toBe(0);
  }));

test('keys alone lead from the list to what was sent', () =>
  on({}, async (page) => {
    await page.locator('[role=listbox]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.locator('[role=option][aria-selected=true]', { hasText: 'build #4127' }).waitFor();
    await page.keyboard.press('F6');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tree');
    await page.keyboard.press('End');
    await page.locator('[role=treeitem][aria-selected=true]', { hasText: 'Self-check' }).waitFor();
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('k');
    await page.locator('[role=treeitem][aria-selected=true]', { hasText: 'files.read' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.locator('[role=treeitem][aria-expanded=false]', { hasText: 'python' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F6');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tab');
    await page.keyboard.press('ArrowRight');
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'Output' }).waitFor();
  }));

test('of thousands of steps only those in sight are drawn', () =>
  on({}, async (page) => {
    await page.locator('#run-run-long').click();
    await page.locator('[role=treeitem]', { hasText: 'part-9.csv' }).waitFor();
    expect(await page.locator('[role=treeitem]').count()).toBeLessThan(100);
    await page.locator('[role=tree]').focus();
    await page.keyboard.press('End');
    await page.locator('[role=treeitem][aria-selected=true]', { hasText: 'part-5999.csv' }).waitFor();
    expect(await page.locator('[role=treeitem]').count()).toBeLessThan(100);
    await page.locator('.find input').fill('part-4242.csv');
    await expect.poll(() => page.locator('[role=treeitem]').count()).toBe(3);
  }));

test('a run that is watched is read again, at most four times a second, and only what changed', () =>
  on({}, async (page) => {
    await page.locator('#run-run-work').click();
    await page.locator('[role=treeitem]', { hasText: 'files.read' }).waitFor();
    const before = (await sent(page, 'trace_steps')).length;
    await page.evaluate(() => {
      const time = '2026-11-20T09:41:40Z';
      for (let seq = 1; seq <= 40; seq += 1)
        window.scripted.happen({ type: 'notification', source: 'test', text: 't', run: 'run-work', seq, time });
    });
    await expect.poll(async () => (await sent(page, 'trace_steps')).length).toBeGreaterThan(before);
    await page.waitForTimeout(600);
    const asked = await sent(page, 'trace_steps');
    expect(asked.length - before).toBeLessThanOrEqual(3);
    expect(asked.at(-1)).toMatchObject({ run: 'run-work', after: 6 });
  }));

test('what is asked of the other windows is asked', () =>
  on({}, async (page) => {
    await page.locator('header button', { hasText: 'Open session' }).click();
    await page.evaluate(() => window.scripted.want({ at: 'trace', run: 'run-failed' }));
    await page.locator('[role=option][aria-selected=true]', { hasText: 'travel claims' }).waitFor();
    await page.locator('.trace .wrong').first().waitFor();
    await page.keyboard.press('Control+w');
    await expect
      .poll(() => page.evaluate(() => [window.scripted.opened, window.scripted.closed]))
      .toEqual([['session-1/run-met'], 1]);
  }));
