/** The section of experience as a person uses it: reviewing with keys alone, mending, writing by hand, ending. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { focused, sent, stageOf, type View } from './stage';

const stage = stageOf();
const on = (view: Partial<View>, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene: 'traces', lang: 'en', ...view },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.locator('a[href="#experience"]').click();
      await page.locator('.detail h2, main .none').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

const actions = async (page: Page) =>
  ((await sent(page, 'experience')) as { action: { action: string } }[])
    .map(({ action }) => action)
    .filter(({ action }) => !['list', 'show'].includes(action));
const chosen = (page: Page, hasText: string) => page.locator('.one[aria-selected=true]', { hasText });
const waiting = async (page: Page) =>
  parseInt((await page.locator('a[href="#experience"] .waiting').textContent()) ?? '', 10);

test('candidates are reviewed one after another with keys alone, and a wrong key is taken back', () =>
  on({}, async (page) => {
    expect(await waiting(page)).toBe(3);
    await page.keyboard.press('F6');
    await expect.poll(() => focused(page)).toBe('listbox');
    await chosen(page, 'Convert with Decimal').waitFor();
    await page.keyboard.press('a');
    await chosen(page, 'two rows').waitFor();
    await page.locator('.toast', { hasText: 'Tasks that it fits will use it' }).waitFor();
    await page.keyboard.press('r');
    await chosen(page, 'while walking').waitFor();
    await expect.poll(() => waiting(page)).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await chosen(page, 'two rows').waitFor();
    await expect.poll(() => waiting(page)).toBe(2);
    expect((await actions(page)).map(({ action }) => action)).toEqual(['approve', 'reject', 'import']);
  }));

test('all that a review needs is there: what failed, with what, what models say, and the task with its trace', () =>
  on({}, async (page) => {
    const detail = page.locator('.detail');
    await detail.locator('.error', { hasText: 'AssertionError' }).waitFor();
    expect(await detail.locator('pre').count()).toBe(2);
    await detail.getByText('2 of 3 would keep it, 7.3 on average').waitFor();
    await page.locator('.one', { hasText: 'two rows' }).click();
    await detail.locator('.warning', { hasText: 'Read every line' }).waitFor();
    await page.locator('.one', { hasText: 'Convert' }).click();
    await detail.locator('li button', { hasText: 'Sum refunds' }).first().click();
    await page.locator('h1', { hasText: 'Traces' }).waitFor();
    await page.locator('#run-run-met[aria-selected=true]').waitFor();
  }));

test('what is in use shows how it fared, and is ended', () =>
  on({}, async (page) => {
    await page.getByRole('button', { name: 'In use' }).click();
    await page.locator('.detail', { hasText: 'used 7 times, 6 came out well; sure of 49 % at least' }).waitFor();
    expect(await page.locator('.detail li').count()).toBe(3);
    await page.getByRole('button', { name: 'Which past tasks would it have changed?' }).click();
    await page.locator('.detail h3', { hasText: 'of 40 looked at' }).waitFor();
    expect(await page.locator('.effects li').count()).toBe(3);
    await page.getByRole('button', { name: 'Expire', exact: true }).click();
    await chosen(page, 'Turn the column').waitFor();
    await page.getByRole('button', { name: 'Expired' }).click();
    await page.locator('.one', { hasText: 'Collect ids' }).waitFor();
  }));

test('one is mended, one is written by hand and is in use at once, one is deleted after it was asked for', () =>
  on({}, async (page) => {
    await page.locator('[role=listbox]').press('e');
    await page.getByRole('textbox', { name: 'Lesson', exact: true }).fill('Round once, at the end');
    await page.keyboard.press('Control+Enter');
    await page.locator('.detail .tag', { hasText: 'edited' }).waitFor();
    await page.locator('.detail h2', { hasText: 'Round once' }).waitFor();
    await expect.poll(() => focused(page), { message: 'the keys go on in the list' }).toBe('listbox');
    await page.getByRole('button', { name: 'Write one' }).click();
    await page.getByRole('textbox', { name: 'Task', exact: true }).fill('Send the weekly report');
    await page
      .getByRole('textbox', { name: 'Lesson', exact: true })
      .fill('Attach the table as a file, not as a picture');
    await page.getByRole('button', { name: 'Save' }).click();
    await chosen(page, 'Attach the table').waitFor();
    expect(await page.locator('.top .tabs [aria-pressed=true]').textContent()).toBe('In use 3');
    await page.locator('.tags .tool:not(.back)').click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.tags .tool:not(.back)').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.one', { hasText: 'Attach the table' }).waitFor({ state: 'detached' });
    expect((await actions(page)).map(({ action }) => action)).toEqual(['edit', 'add', 'delete']);
  }));

test('a lesson is made a common mistake by a tick, and none again by the same tick', () =>
  on({}, async (page) => {
    const tick = page.getByRole('checkbox', { name: 'A common mistake' });
    for (const [isMistake, kind] of [
      [true, 'Common mistake'],
      [false, 'Fix'],
    ] as const) {
      await page.locator('[role=listbox]').press('e');
      await expect.poll(() => tick.isChecked()).toBe(!isMistake);
      await tick.setChecked(isMistake);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.detail .tag.kind', { hasText: kind }).waitFor();
    }
    const edits = (await actions(page)) as { action: string; mistake?: boolean }[];
    expect(edits.map(({ mistake }) => mistake)).toEqual([true, false]);
  }));

test('it is searched in all its words, and says so when nothing fits', () =>
  on({}, async (page) => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('img_0413');
    await chosen(page, 'while walking').waitFor();
    expect(await page.locator('.one').count()).toBe(1);
    await page.keyboard.type('xyz');
    await page.locator('.experiences .none', { hasText: 'Nothing fits' }).waitFor();
  }));

test('everything is written to a file, and what comes from one is asked about first', () =>
  on({}, async (page) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.locator('.toast', { hasText: 'written to /home/lin/shidi-experience.jsonl' }).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Somebody else’s' }).click();
    await page.locator('.toast', { hasText: '4 read. What you did not have waits for your review' }).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Somebody else’s' }).press('Escape');
    await page.locator('.detail h2', { hasText: 'Convert' }).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'My own' }).click();
    await page.locator('.toast', { hasText: '4 experiences kept' }).waitFor();
    expect((await actions(page)).map((action) => ({ ...action }))).toEqual([
      { action: 'export', path: '/home/lin/shidi-experience.jsonl' },
      { action: 'import_file', path: '/home/lin/work/builds.csv', reviewed: false },
      { action: 'import_file', path: '/home/lin/work/notes.md', reviewed: false },
      { action: 'import_file', path: '/home/lin/work/builds.csv', reviewed: true },
      { action: 'import_file', path: '/home/lin/work/notes.md', reviewed: true },
    ]);
  }));
