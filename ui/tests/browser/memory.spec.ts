/** The section of memory as a person uses it: searching, reading, writing, taking back, with the mouse and with keys alone. */
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
      await page.keyboard.press('Control+1');
      await page.locator('.detail h2, main .none').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

const actions = async (page: Page, action: string) =>
  ((await sent(page, 'memory')) as { action: { action: string } }[])
    .map((one) => one.action)
    .filter((one) => one.action === action);
const rows = (page: Page) => page.locator('.memory');
const chosen = (page: Page, hasText: string) => page.locator('.memory[aria-selected=true]', { hasText });

test('a search is sent once the words stand still, says why each was found, and marks the words', () =>
  on({}, async (page) => {
    await page.keyboard.press('Control+f');
    // All letters at once: a busy machine must not make pauses between them.
    await page.locator('.memories input').evaluate((field: HTMLInputElement) => {
      for (let end = 1; end <= 'refund'.length; end += 1) {
        field.value = 'refund'.slice(0, end);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await page.locator('.memory .score').first().waitFor();
    expect((await actions(page, 'find')).length).toBeLessThanOrEqual(2);
    expect((await actions(page, 'find')).at(-1)).toMatchObject({ text: 'refund', scopes: [] });
    expect(await page.locator('.memory mark').first().textContent()).toMatch(/refund/i);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('listbox');
    await page.keyboard.press('Home');
    await page.locator('.detail h3', { hasText: 'number 1' }).waitFor();
    await page.locator('.detail li', { hasText: 'words of the question' }).first().waitFor();
    expect(await page.locator('.memory.old').count()).toBe(0);
    await page.getByRole('button', { name: 'Replaced, too' }).click();
    await page.locator('.memory.old').first().waitFor();
    await page.locator('.memories input').focus();
    await page.keyboard.press('Escape');
    await page.locator('.memory .score').first().waitFor({ state: 'detached' });
  }));

test('answers that come in another order than they were asked for change nothing', () =>
  on({}, async (page) => {
    const field = page.locator('.memories input');
    await field.fill('refund');
    await field.fill('Zhou');
    await chosen(page, 'Zhou Ning').waitFor();
    await field.fill('zzzz');
    await page.locator('.memories .none', { hasText: 'Nothing fits' }).waitFor();
    await field.fill('');
    await expect.poll(() => rows(page).count()).toBe(11);
  }));

test('one is read with its source, its history, and its uses, and leads to the session and the trace', () =>
  on({}, async (page) => {
    await rows(page).filter({ hasText: '14 days' }).first().click();
    const detail = page.locator('.detail');
    await detail.locator('p', { hasText: 'From September on it is 14 days' }).waitFor();
    await detail.getByText('6, last 2 Nov').waitFor();
    expect(await detail.locator('ol li').allTextContents()).toHaveLength(3);
    await detail.locator('ol button').last().click();
    await detail.locator('h2.old', { hasText: '7 days' }).waitFor();
    await detail.locator('ol button').first().click();
    await detail.locator('h2', { hasText: 'checked by a person' }).waitFor();
    await detail.getByRole('button', { name: 'Open that session' }).click();
    await expect.poll(() => page.evaluate(() => window.scripted.opened)).toEqual(['session-refunds/run-refunds']);
    await detail.getByRole('button', { name: 'Trace of that task' }).click();
    await page.locator('h1', { hasText: 'Traces' }).waitFor();
  }));

test('with keys alone one is pinned, said anew, deleted and taken back', () =>
  on({}, async (page) => {
    await page.keyboard.press('F6');
    await expect.poll(() => focused(page)).toBe('listbox');
    await page.keyboard.press('Home');
    await chosen(page, 'refund.amount').waitFor();
    await page.keyboard.press('p');
    await page.locator('.detail').getByRole('button', { name: 'Pin', exact: true }).waitFor();
    await chosen(page, 'refund.amount').waitFor();
    await page.keyboard.press('e');
    await expect.poll(() => focused(page)).toBe('textarea');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('refund.amount is in yuan since May');
    await page.keyboard.press('Control+Enter');
    await page.locator('.detail ol li').nth(1).waitFor();
    await chosen(page, 'since May').waitFor();
    await expect.poll(() => focused(page)).toBe('listbox');
    await page.keyboard.press('Delete');
    await page.locator('.memory', { hasText: 'since May' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await chosen(page, 'since May').waitFor();
    await expect.poll(() => page.locator('.detail ol li').count()).toBe(2);
    expect(await actions(page, 'import')).toHaveLength(1);
    await page.keyboard.press('F6');
  }));

test('something is written down by hand, and what is left half-written is dropped by Esc', () =>
  on({}, async (page) => {
    await page.locator('[role=listbox]').press('n');
    await page.keyboard.type('The printer on the third floor needs A3');
    await page.keyboard.press('Escape');
    await page.locator('form.write').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remember' }).click();
    await page.getByLabel('What to remember').fill('The printer on the third floor needs A4');
    await page.locator('form.write select').nth(1).selectOption('assistant:marketing');
    await page.getByPlaceholder('Tags').fill('office, printer');
    await page.locator('form.write').getByRole('button', { name: 'Remember' }).click();
    await page.locator('.detail h2', { hasText: 'A4' }).waitFor();
    await chosen(page, 'A4').waitFor();
    expect(await actions(page, 'add')).toEqual([
      {
        action: 'add',
        text: 'The printer on the third floor needs A4',
        kind: 'knowledge',
        scope: 'assistant:marketing',
        tags: ['office', 'printer'],
        until: null,
      },
    ]);
  }));

test('kinds, layers and scopes narrow the list, and their counts agree with it', () =>
  on({}, async (page) => {
    const of = (name: string) => page.locator('.kinds button', { hasText: name });
    await of('Preferences').click();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(await of('Preferences').textContent()).toContain('3');
    await page.locator('.narrow select').selectOption('assistant:marketing');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await page.locator('.top .tabs button').first().textContent()).toBe('Long-term 1');
    await page.locator('.narrow select').selectOption('');
    await page.getByRole('button', { name: 'Short-term' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.locator('.memory', { hasText: 'Log of build' }).click();
    await page.locator('.detail .tag.warned', { hasText: 'untrusted' }).waitFor();
  }));

test('a site is forgotten only after it was asked for, and then all of it', () =>
  on({}, async (page) => {
    await rows(page).filter({ hasText: '14 days' }).first().click();
    await page.getByRole('button', { name: 'Forget this site' }).click();
    await page.getByText('There is no undo').waitFor();
    await page.locator('.forget').getByRole('button', { name: 'Cancel' }).click();
    expect(await actions(page, 'forget_site')).toEqual([]);
    await page.getByRole('button', { name: 'Forget this site' }).click();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.locator('.toast', { hasText: 'wiki.lanting.dev' }).waitFor();
    expect(await actions(page, 'forget_site')).toEqual([
      { action: 'forget_site', address: 'https://wiki.lanting.dev/refund-policy' },
    ]);
    await rows(page).filter({ hasText: '14 days' }).waitFor({ state: 'detached' });
  }));

test('everything is written to a file, and a broken file says where it is broken', () =>
  on({}, async (page) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.locator('.toast', { hasText: '/home/lin/shidi-memory.jsonl' }).waitFor();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.locator('.trouble', { hasText: 'line 3' }).waitFor();
    expect(await actions(page, 'import_file')).toHaveLength(1);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.waitForTimeout(300);
    expect(await page.locator('.trouble').count(), 'it stays until something else is done').toBe(1);
  }));

test('of many thousands only those in sight are drawn, more come as they are scrolled to, and a held key reads once', () =>
  on({ scene: 'manymemories' }, async (page) => {
    expect(await page.locator('.top .tabs button').first().textContent()).toBe('Long-term 12,345');
    expect(await rows(page).count()).toBeLessThan(40);
    const list = page.locator('[role=listbox]');
    for (const count of [200, 300, 400]) {
      await list.press('End');
      await page.locator(`.memory[aria-setsize="${count}"]`).first().waitFor();
    }
    expect(await rows(page).count()).toBeLessThan(40);
    const before = (await actions(page, 'show')).length;
    for (let presses = 0; presses < 20; presses += 1) await list.press('k', { delay: 0 });
    await page.waitForTimeout(300);
    expect((await actions(page, 'show')).length - before).toBeLessThan(20);
  }));

test('without anything remembered it is said what will be here, and how', () =>
  on({ scene: 'nomemories' }, async (page) => {
    await page.locator('main .none', { hasText: 'Say “remember …”' }).waitFor();
    await page.locator('main .none button').click();
    await page.getByLabel('What to remember').fill('Tea at four');
    await page.keyboard.press('Control+Enter');
    await chosen(page, 'Tea at four').waitFor();
  }));

test('something found by meaning alone says so in words, marks none, and the best of a new question stands open', () =>
  on({}, async (page) => {
    await page.locator('[role=listbox]').press('End');
    await page.locator('.memories input').fill('how late can goods go back');
    await page.locator('.memory .score').first().waitFor();
    await page.locator('.memory[aria-selected=true]', { hasText: 'by meaning' }).waitFor();
    expect(await page.locator('.memory mark').count()).toBe(0);
    await page.locator('.detail h3', { hasText: 'number 1' }).waitFor();
    await page.locator('.detail', { hasText: 'ollama:bge-m3 finds it near in meaning' }).waitFor();
    await page.locator('footer', { hasText: 'by meaning: all 486 texts' }).waitFor();
  }));

test('how far finding by meaning is goes on by itself, and trouble and a missing model name their remedy', async () => {
  await on({ scene: 'meaningbegun' }, async (page) => {
    await page.locator('footer', { hasText: 'texts so far' }).waitFor();
    await page.locator('footer', { hasText: 'all 486 texts' }).waitFor({ timeout: 15_000 });
  });
  await on({ scene: 'meaningtrouble' }, async (page) => {
    await page
      .locator('footer', { hasText: 'By words only. ollama:bge-m3: Ollama has no bge-m3: run ollama pull bge-m3' })
      .waitFor();
  });
  await on({ scene: 'nomeaning' }, async (page) => {
    await page.locator('footer').getByRole('button', { name: 'Find by meaning, too' }).click();
    await expect.poll(() => page.evaluate(() => window.scripted.opened)).toEqual(['settings/role.embedding']);
  });
});

test('a key that nothing has the focus for is the list’s', () =>
  on({}, async (page) => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe('listbox');
    await expect.poll(() => page.locator('.memory[aria-selected=true]').getAttribute('aria-posinset')).toBe('11');
  }));

test('of a file that is no export made here it is said that its records are foreign, and what that means', () =>
  on({ scene: 'strangersfile' }, async (page) => {
    await page.getByRole('button', { name: 'Import' }).click();
    await page.locator('.toast', { hasText: 'marked as foreign' }).waitFor();
    expect(await page.locator('.toast').innerText()).toContain('asks you more often');
  }));
