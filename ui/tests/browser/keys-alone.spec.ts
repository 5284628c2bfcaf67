/** Assistants, workflows, schedules and plugins by keys alone: reached, acted on and left, the focus seen and never lost. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { isHeld, reach } from './by-keys';
import { deedsAbout, sent, stageOf } from './stage';

const stage = stageOf();
const on = (keys: string, ready: string, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en', at: '2026-11-20T18:05:00+08:00' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press(keys);
      await page.locator(ready).first().waitFor();
      await act(page);
    },
    'workbench.html',
  );
const onAssistants = (act: (page: Page) => Promise<void>) => on('Control+9', '.detail pre', act);
const onWorkflows = (act: (page: Page) => Promise<void>) => on('Control+8', '.detail .block', act);
const onSchedules = (act: (page: Page) => Promise<void>) => on('Control+0', '.detail .times', act);

const asked = async (page: Page, request: string, action: string) =>
  ((await sent(page, request)) as { action: { action: string } }[])
    .map((one) => one.action)
    .filter((known) => known.action === action);

/** Finds one by its words, and goes from the search over the list to the thing. */
async function find(page: Page, words: string, title: string, list: RegExp, thing: RegExp): Promise<void> {
  await page.keyboard.press('Control+f');
  await page.keyboard.type(words);
  await page.locator('.detail').getByRole('heading', { name: title }).waitFor();
  await expect.poll(() => page.locator('.one').count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await isHeld(page, list);
  await page.keyboard.press('F6');
  await isHeld(page, thing);
}

const ASSISTANTS = [/^Assistants$/, /^The assistant$/] as const;
const findTranslator = (page: Page) => find(page, 'translator', 'Translator', ...ASSISTANTS);

test('an assistant is found, changed through its steps and left, and waits with what was typed', () =>
  onAssistants(async (page) => {
    await findTranslator(page);
    await reach(page, /^Change a copy$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Name/);
    await reach(page, /Opening and prompt$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await reach(page, /^What it is told/);
    await page.keyboard.type('Dutch. ');
    await page.keyboard.press('Escape');
    await isHeld(page, /^The assistant$/);
    await page.locator('.one .tag', { hasText: 'unsaved' }).waitFor();
    // A key of the list goes on from the thing; its form opens again and leaves the list the keys.
    await page.keyboard.press('ArrowDown');
    await page.locator('.editor').waitFor();
    await isHeld(page, /^Assistants$/);
    await page.keyboard.press('F6');
    await isHeld(page, /^Change$/);
    await reach(page, /^Discard$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^The assistant$/);
    await page.locator('.one .tag').waitFor({ state: 'detached' });
    expect(await asked(page, 'assistants', 'save')).toEqual([]);
  }));

test('what few assistants need is unfolded, and one is tried beside its form', () =>
  onAssistants(async (page) => {
    await findTranslator(page);
    await reach(page, /^Change a copy$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Name/);
    await reach(page, /^English$/);
    await page.keyboard.press('Space');
    await reach(page, /Abilities$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await reach(page, /^More: other values for a role$/);
    await page.keyboard.press('Enter');
    await reach(page, /^Temperature$/);
    await page.keyboard.type('0.1');
    await reach(page, /^Your question$/);
    await page.keyboard.type('?');
    await page.keyboard.press('Enter');
    await page.locator('.try .answer').waitFor();
    await isHeld(page, /^Your question$/);
    expect((await asked(page, 'assistants', 'write')).at(-1)).toMatchObject({
      spec: { languages: ['en'], role_sampling: { coder: { temperature: 0.1 } } },
    });
  }));

test('an assistant that comes in is looked through and kept, and one that changed is trusted', () =>
  onAssistants(async (page) => {
    await page.keyboard.press('Control+f');
    await reach(page, /^Import…$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await isHeld(page, /^Choose a file…$/);
    await page.keyboard.press('Escape');
    await isHeld(page, /^The assistant$/);
    await page.keyboard.press('Control+f');
    await reach(page, /^Import…$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await isHeld(page, /^Choose a file…$/);
    await page.keyboard.press('Enter');
    await page.locator('.review article pre').waitFor();
    await isHeld(page, /^Choose a file…$/);
    await reach(page, /^Keep as shown$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('.one.chosen', { hasText: 'Story teller' }).waitFor();
    await isHeld(page, /^The assistant$/);
    expect(await asked(page, 'assistants', 'install')).toHaveLength(1);
    await find(page, 'meals', 'Cook', ...ASSISTANTS);
    await reach(page, /^Trust as shown$/);
    await page.keyboard.press('Enter');
    await page.locator('.decision').waitFor({ state: 'detached' });
    await isHeld(page, /^The assistant$/);
    expect(await asked(page, 'assistants', 'approve')).toHaveLength(1);
  }));

const WORKFLOW = /^Workflow in detail$/;

/** From an opened section over its list to the workflow that is chosen. */
async function toWorkflow(page: Page): Promise<void> {
  await page.keyboard.press('F6');
  await isHeld(page, /^Workflows$/);
  await page.keyboard.press('F6');
  await isHeld(page, WORKFLOW);
}

test('a workflow is tried, run and decided on', () =>
  onWorkflows(async (page) => {
    await toWorkflow(page);
    await reach(page, /^Run$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^user_tag/);
    await page.keyboard.type('regulars');
    await reach(page, /^marketing_need/);
    await page.keyboard.type('autumn');
    await reach(page, /^Try without changing anything$/);
    await page.keyboard.press('Enter');
    await page.locator('.plan li').last().waitFor();
    await isHeld(page, /^Try without changing anything$/);
    await page.keyboard.press('Control+Enter');
    await page.locator('.run .card').waitFor();
    await isHeld(page, WORKFLOW);
    await reach(page, /^Approve$/);
    await page.keyboard.press('Enter');
    await page.locator('.run .result').waitFor();
    await isHeld(page, WORKFLOW);
    expect(await asked(page, 'workflows', 'run')).toHaveLength(1);
    expect(await sent(page, 'answer')).toMatchObject([{ run: 'step-run', call: 1 }]);
  }));

test('the text of a workflow is completed and thrown away, and its removal is thought better of', () =>
  onWorkflows(async (page) => {
    await toWorkflow(page);
    await reach(page, /^Text$/);
    await page.keyboard.press('Enter');
    await reach(page, /^Text of customer-marketing$/);
    const area = page.locator('textarea.code');
    const kept = await area.inputValue();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - ty');
    const proposals = page.getByRole('listbox', { name: 'What can stand here' });
    await proposals.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => area.inputValue()).toBe(`${kept}  - type: `);
    await proposals.waitFor();
    await page.keyboard.press('Escape');
    await proposals.waitFor({ state: 'detached' });
    await isHeld(page, /^Text of customer-marketing$/);
    await reach(page, /^Discard changes$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => area.inputValue()).toBe(kept);
    await isHeld(page, WORKFLOW);
    await reach(page, /^Steps$/);
    await page.keyboard.press('Enter');
    await reach(page, /^Remove$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Keep it$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Remove$/);
    expect(await asked(page, 'workflows', 'save')).toEqual([]);
    expect(await asked(page, 'workflows', 'remove')).toEqual([]);
  }));

test('a new workflow is begun, its trial is asked for, and both are left one after the other', () =>
  onWorkflows(async (page) => {
    await page.keyboard.press('Control+f');
    await reach(page, /^New workflow$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await isHeld(page, /^Name$/);
    await page.keyboard.type('Shift notes');
    await reach(page, /^Try it$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const inForm = () => page.evaluate(() => document.activeElement?.closest('.new form') instanceof HTMLElement);
    await expect.poll(inForm).toBe(true);
    await page.keyboard.press('Escape');
    await isHeld(page, /^New workflow$/);
    await page.keyboard.press('Escape');
    await isHeld(page, WORKFLOW);
    await page.locator('.new').waitFor({ state: 'detached' });
    expect(await asked(page, 'workflows', 'save')).toEqual([]);
  }));

const SCHEDULE = /^Schedule in detail$/;

test('a schedule is found, looked at as a form, done now, and its removal is thought better of', () =>
  onSchedules(async (page) => {
    await find(page, 'water', 'Water the plants', /^Schedules$/, SCHEDULE);
    await reach(page, /^Change$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Reminder$/);
    await page.keyboard.press('Escape');
    await isHeld(page, SCHEDULE);
    await reach(page, /^Run now$/);
    await page.keyboard.press('Enter');
    await page.locator('.times li', { hasText: 'at work' }).waitFor();
    // It waits for the answer, and has the focus again.
    await isHeld(page, /^Run now$/);
    await reach(page, /^Remove$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Keep it$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Remove$/);
    expect(await asked(page, 'schedules', 'run')).toHaveLength(1);
    expect(await deedsAbout(page, 'schedules')).not.toContainEqual(expect.objectContaining({ action: 'remove' }));
  }));

test('a schedule is written down, and stands beside the list once it is kept', () =>
  onSchedules(async (page) => {
    await page.keyboard.press('Control+f');
    await reach(page, /^New schedule$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await isHeld(page, /^Reminder$/);
    await reach(page, /^What you are told/);
    await page.keyboard.type('Hand in the report');
    await reach(page, /^In words$/);
    // The way first, then what is typed.
    await page.keyboard.press('Tab');
    await isHeld(page, /^In words$/);
    await page.keyboard.type('every workday at eight');
    await page.locator('form.editor .dates li').nth(4).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.detail h2', { hasText: 'Hand in the report' }).waitFor();
    await isHeld(page, SCHEDULE);
    expect(await asked(page, 'schedules', 'add')).toHaveLength(1);
  }));

const PLUGIN = /^Plugin in detail$/;

test('a plugin is reached over the rail, looked at and installed; another one is not added after all', () =>
  on('Control+8', '.detail .block', async (page) => {
    await reach(page, /^Plugins$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Plugins', level: 1 }).waitFor();
    await find(page, 'customer-care', 'customer-care', /^Plugins$/, PLUGIN);
    await reach(page, /^Look at it and install…$/);
    await page.keyboard.press('Enter');
    await page.locator('.review', { hasText: 'files.write(path=outbox/*)' }).waitFor();
    await isHeld(page, /^Add a plugin$/);
    await reach(page, /^Install as shown$/);
    await page.keyboard.press('Enter');
    await page.locator('.detail', { hasText: 'from customer-care' }).waitFor();
    await isHeld(page, PLUGIN);
    await page.keyboard.press('Control+f');
    await reach(page, /^Add a plugin$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await isHeld(page, /^Folder…$/);
    await page.keyboard.press('Escape');
    await isHeld(page, PLUGIN);
    await reach(page, /^Remove$/);
    await page.keyboard.press('Enter');
    await isHeld(page, /^Keep it$/);
    expect(await asked(page, 'plugins', 'install')).toHaveLength(1);
    expect(await asked(page, 'plugins', 'remove')).toEqual([]);
  }));
