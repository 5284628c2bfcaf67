/** Replaying a run as a person does: other inputs, what would differ, its outcome beside the first; and learning from a run. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { ask, scenes, sent, stageOf, type View } from './stage';

const stage = stageOf();
const panel = scenes();
const on = (view: Partial<View>, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'replay', lang: 'en', ...view },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('.runs').waitFor();
      await act(page);
    },
    'workbench.html',
  );

async function open(page: Page): Promise<void> {
  await page.locator('#run-run-met').click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await page.locator('.programs pre').waitFor();
}

test('another input is shown where it will stand, then the replay runs and stands beside the first', () =>
  on({}, async (page) => {
    await open(page);
    await page.getByLabel('path').fill('exports/november.csv');
    await page.locator('.programs .after', { hasText: '"exports/november.csv"' }).waitFor();
    await page.locator('.programs .before', { hasText: 'october' }).waitFor();
    await page.getByText('was “exports/october.csv”').waitFor();
    expect(await page.locator('.given li').allTextContents()).toEqual(['files.tableRead', 'files.writeWrite']);
    await page.keyboard.press('Control+Enter');
    await page.locator('.beside pre').nth(1).waitFor();
    expect(await sent(page, 'ask')).toMatchObject([
      { text: '', approve: [], replay: { run: 'run-met', inputs: { path: '"exports/november.csv"' } } },
    ]);
    expect(await page.locator('.beside pre').allTextContents()).toEqual([
      expect.stringContaining('A-1041'),
      expect.stringContaining('A-1190'),
      '3 orders are open',
    ]);
    await page.locator('.beside', { hasText: 'The same as then' }).waitFor();
    await page.getByRole('button', { name: 'Steps' }).click();
    await page.locator('.timeline').waitFor();
    await page.getByRole('button', { name: 'Beside the first' }).click();
    await page.getByRole('button', { name: 'The run that was replayed' }).click();
    await page.locator('#run-run-met[aria-selected=true]').waitFor();
  }));

test('what must be JSON is told under its field, and nothing is begun', () =>
  on({}, async (page) => {
    await open(page);
    await page.getByLabel('limit').fill('many');
    await page.getByText('Write it as JSON, such as 3').waitFor();
    expect(await page.locator('.replay footer .primary').isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await page.locator('.timeline').waitFor();
    expect(await sent(page, 'ask')).toEqual([]);
  }));

test('a replay that waits leads to the panel, where it is decided', () =>
  on({ scene: 'replaywaits' }, async (page) => {
    await page.getByRole('button', { name: 'Beside the first' }).click();
    await page.getByRole('button', { name: 'Decide' }).click();
    await expect.poll(() => page.evaluate(() => window.scripted.opened)).toEqual(['session-1/run-again']);
  }));

test('a run is made an experience, and stands open for review', () =>
  on({}, async (page) => {
    await page.locator('#run-run-long').click();
    await page.getByRole('button', { name: 'Learn from it' }).click();
    await page.locator('h1', { hasText: 'Experience' }).waitFor();
    await page.locator('.one[aria-selected=true]', { hasText: 'two rows' }).waitFor();
  }));

test('the task that taught an experience is replayed from there', () =>
  on({}, async (page) => {
    await page.locator('a[href="#experience"]').click();
    await page.getByRole('button', { name: 'Replay with other inputs' }).first().click();
    await page.locator('h1', { hasText: 'Traces' }).waitFor();
    await page.locator('.programs pre').waitFor();
  }));

test('the panel makes an experience of an answer, and leads to its review and to the replay', () =>
  panel({ scene: 'data', lang: 'en' }, async (page) => {
    await ask(page);
    await page.locator('.after').waitFor();
    const more = page.locator('.after').getByRole('button', { name: 'More' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Make an experience of it' }).click();
    await page.getByRole('button', { name: 'Review' }).click();
    await more.click();
    await page.getByRole('menuitem', { name: 'Replay with other inputs' }).click();
    await more.click();
    await page.getByRole('menuitem', { name: 'Show its steps' }).click();
    await expect.poll(() => page.evaluate(() => window.scripted.opened)).toEqual(['019a8f10-0001', 'run-1', 'run-1']);
  }));

test('a run becomes a new workflow that is looked at beside its programs, and kept only then', () =>
  on({}, async (page) => {
    await open(page);
    await page.getByRole('button', { name: 'Make a workflow' }).click();
    await page.locator('aside pre', { hasText: '/home/lin/notes' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('count-files');
    const kept = (await sent(page, 'workflows')) as { action: { action: string } }[];
    expect(kept.filter(({ action }) => action.action === 'save')).toEqual([]);
    // It is run with other values first: what it asks about is decided there, and its text is still kept nowhere.
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.locator('form [role=alert]').first().waitFor();
    await page.locator('form textarea').nth(0).fill('newcomers');
    await page.locator('form textarea').nth(1).fill('spring');
    await page.keyboard.press('Control+Enter');
    await page.locator('.new .run .card', { hasText: 'Send this to 555-0100?' }).first().waitFor();
    await page.locator('.new').getByRole('button', { name: 'Approve' }).click();
    await page.locator('.new .result', { hasText: 'Sent to 14 customers' }).waitFor();
    const tried = (await sent(page, 'workflows')) as { action: { action: string; inputs?: unknown; text?: string } }[];
    const runs = tried.map(({ action }) => action).filter(({ action }) => action === 'run');
    expect(runs).toMatchObject([{ name: 'count-files', inputs: { user_tag: 'newcomers', marketing_need: 'spring' } }]);
    expect(runs[0]?.text).toContain('Customer marketing');
    expect(tried.filter(({ action }) => action.action === 'save')).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('aside pre').waitFor({ state: 'detached' });
  }));

test('a run is written as a skill that is reviewed, and kept only then', () =>
  on({}, async (page) => {
    await open(page);
    await page.getByRole('button', { name: 'Make a skill' }).click();
    await page.getByRole('button', { name: /^Keep/ }).waitFor();
    const asked = (await sent(page, 'skills')) as { action: { action: string; run?: string } }[];
    const drafted = asked.filter(({ action }) => action.action === 'from_run');
    expect(drafted.map(({ action }) => action.run)).toHaveLength(1);
    expect(asked.filter(({ action }) => action.action === 'install')).toEqual([]);
  }));

test('a skill that was made of a run is kept under the name that it is given, and leads back to the replay', () =>
  on({}, async (page) => {
    await open(page);
    await page.getByRole('button', { name: 'Make a skill' }).click();
    await page.getByRole('button', { name: 'Replay with other inputs' }).click();
    await page.locator('.programs pre').waitFor();
    await page.getByRole('button', { name: 'Make a skill' }).click();
    await page.getByLabel('Name', { exact: true }).fill('open-orders');
    await page.getByRole('button', { name: /^Keep/ }).click();
    await page.locator('.one[aria-selected=true]', { hasText: 'open-orders' }).waitFor();
    const asked = (await sent(page, 'skills')) as { action: { action: string; name?: string; names?: string[] } }[];
    const made = asked.map(({ action }) => action).filter(({ action }) => action === 'from_run');
    expect(made.map(({ name }) => name ?? null)).toEqual([null, null, 'open-orders']);
    expect(asked.map(({ action }) => action).find(({ action }) => action === 'install')?.names).toEqual([
      'open-orders',
    ]);
  }));

test('the first case of a run names the workflow as it is to be kept', () =>
  on({}, async (page) => {
    await open(page);
    await page.getByRole('button', { name: 'Make a workflow' }).click();
    await page.getByLabel('Name', { exact: true }).fill('my-count');
    await page.getByRole('button', { name: 'Copy its first case' }).click();
    await expect
      .poll(async () => {
        const asked = (await sent(page, 'workflows')) as { action: { action: string; name?: string } }[];
        return asked.filter(({ action }) => action.action === 'from_run').map(({ action }) => action.name ?? null);
      })
      .toEqual([null, 'my-count']);
  }));
