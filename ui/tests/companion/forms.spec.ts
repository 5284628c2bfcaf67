/** What is noticed of the forms of a page, in a real Chromium: what a person chooses where they want that, and nothing else. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { oneBrowser, type Browser } from './browser';
import type { Message } from './shidi';

const { opened } = oneBrowser();

const FILTER = `
  <form id="filter">
    <h2>Filter issues</h2>
    <label>Status <select name="status"><option>Open<option>Closed<option>All</select></label>
    <fieldset><legend>Order</legend>
      <label><input type="radio" name="order" value="n" checked> Newest</label>
      <label><input type="radio" name="order" value="o"> Oldest</label></fieldset>
    <fieldset><legend>Labels</legend>
      <label><input type="checkbox" name="label" value="b"> Bug</label>
      <label><input type="checkbox" name="label" value="d"> Docs</label></fieldset>
    <label><input type="checkbox" name="mine"> Only mine</label>
    <div role="switch" tabindex="0" aria-checked="false" id="compact">Compact</div>
    <label>Per page <input type="number" name="count"></label>
    <label>Words <input name="words"></label>
    <label>Long words <input name="long"></label>
    <label>Your name <input name="who" autocomplete="section-a given-name"></label>
    <label>Mail <input name="mail" type="email"></label>
    <label>Street <input name="lane"></label>
    <label>城市和姓名 <input name="both"></label>
    <label>Owner <input name="owner"></label>
    <label>Password <input name="password" type="password"></label>
    <label>Code <input name="code" autocomplete="one-time-code"></label>
    <label>Remarks <textarea name="remarks"></textarea></label>
    <label>Theme <select name="theme"><option>Light<option>Dark</select></label>
    <button type="button" aria-expanded="false" id="more">More</button>
    <button>Apply</button>
    <button type="reset">Reset</button>
  </form>
  <dialog aria-label="View"><form method="dialog"><label>Density <select name="density"><option>Wide<option>Tight</select></label></form>
    <button id="save">Save</button></dialog>
  <div role="search" aria-label="Find"><label>Bird <input></label></div>
  <part-s></part-s>`;

/** A page with forms, as Shidi was told of it; nothing is noticed in it yet. */
async function onFilter(): Promise<{ at: Browser; form: Page; page: Message }> {
  const at = await opened();
  await at.pair();
  const form = await at.editor('/filter');
  await form.evaluate((html) => {
    document.body.innerHTML = html;
    document.title = 'Issues';
    document.addEventListener('submit', (event) => event.preventDefault());
    document.getElementById('compact')?.addEventListener('click', ({ currentTarget }) => {
      (currentTarget as Element).setAttribute('aria-checked', 'true');
    });
    document.getElementById('save')?.addEventListener('click', () => document.querySelector('dialog')?.remove());
    const root = document.querySelector('part-s')?.attachShadow({ mode: 'open' });
    if (root) root.innerHTML = '<form aria-label="Deep"><label><input type="checkbox"> Folded</label></form>';
  }, FILTER);
  return { at, form, page: await at.shidi.next('page', ({ title }) => title === 'Issues') };
}

/** Shidi decides about the site; that has reached the page when the page answers what comes after it. */
async function decide(at: Browser, page: Message, learn: boolean): Promise<void> {
  at.shidi.say({ type: 'site', site: at.address, allowed: false, learn });
  await at.read(page, `read-${at.shidi.heard.length}`);
}

/** Chooses with the keys, as a person does: what a driver sets by itself is no choice. */
async function choose(form: Page, name: string, key: string): Promise<void> {
  await form.locator(`[name=${name}]`).first().focus();
  await form.keyboard.press(key);
}

async function type(form: Page, label: string, text: string): Promise<void> {
  await form.getByLabel(label, { exact: true }).click();
  await form.keyboard.type(text);
}

const count = (at: Browser) => at.shidi.heard.filter(({ type }) => type === 'used').length;
const names = (message: Message) => (message['values'] as { name: string }[]).map(({ name }) => name);

test('what a person chooses is told when they press the button, in their order, and never what is theirs alone', async () => {
  const { at, form, page } = await onFilter();
  await decide(at, page, true);
  await form.getByLabel('Only mine').check();
  await choose(form, 'status', 'ArrowDown');
  await choose(form, 'order', 'ArrowDown');
  await form.getByText('Docs').click();
  await form.getByText('Compact').click();
  await type(form, 'Per page', '50');
  await type(form, 'Words', 'leak');
  await type(form, 'Long words', 'x'.repeat(81));
  await type(form, 'Your name', 'Mei');
  await type(form, 'Mail', 'mei@a.example');
  await type(form, 'Street', 'Milky Way 7');
  await type(form, '城市和姓名', '张三');
  await type(form, 'Owner', 'boss@a.example');
  await type(form, 'Password', 'hunter2');
  await type(form, 'Code', '482913');
  await type(form, 'Remarks', 'by hand');
  await choose(form, 'status', 'ArrowDown');
  await form.getByRole('button', { name: 'More' }).click();
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(await at.shidi.next('used')).toEqual({
    type: 'used',
    tab: page['tab'],
    document: page['document'],
    form: 'Filter issues',
    values: [
      { name: 'Only mine', kind: 'switch', value: true },
      { name: 'Status', kind: 'choice', value: 'All', options: ['Open', 'Closed', 'All'] },
      { name: 'Order', kind: 'choice', value: 'Oldest', options: ['Newest', 'Oldest'] },
      { name: 'Labels', kind: 'choices', value: ['Docs'], options: ['Bug', 'Docs'] },
      { name: 'Compact', kind: 'switch', value: true },
      { name: 'Per page', kind: 'number', value: 50 },
      { name: 'Words', kind: 'text', value: 'leak' },
    ],
    button: 'Apply',
  });

  // Pressed again, nothing is new; what is chosen later is told with all before it.
  await form.getByRole('button', { name: 'Apply' }).click();
  await choose(form, 'status', 'ArrowUp');
  await form.getByLabel('Words', { exact: true }).press('Enter');
  const later = await at.shidi.next('used');
  expect([count(at), names(later).length, later['button']]).toEqual([2, 7, 'Apply']);
  expect((later['values'] as unknown[])[1]).toMatchObject({ value: 'Closed' });

  // A reset takes back what was chosen.
  await form.getByRole('button', { name: 'Reset' }).click();
  await choose(form, 'theme', 'ArrowDown');
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(names(await at.shidi.next('used'))).toEqual(['Theme']);
  for (const secret of ['Mei', 'a.example"', 'hunter2', '482913', 'by hand', 'xxx'])
    expect(JSON.stringify(at.shidi.heard.filter(({ type }) => type === 'used'))).not.toContain(secret);
});

test('a dialog that closes, a search without a form, a part with a shadow and a page that is left are told too', async () => {
  const { at, form, page } = await onFilter();
  await decide(at, page, true);
  await form.evaluate(() => document.querySelector('dialog')?.showModal());
  await choose(form, 'density', 'ArrowDown');
  await form.getByRole('button', { name: 'Save' }).click();
  expect(await at.shidi.next('used')).toMatchObject({ values: [{ name: 'Density', value: 'Tight' }], button: 'Save' });
  await type(form, 'Bird', 'heron');
  await form.keyboard.press('Enter');
  expect(await at.shidi.next('used')).toMatchObject({ form: 'Find', values: [{ value: 'heron' }], button: '' });
  await form.getByText('Folded').click();
  await form.goto(`${at.address}/elsewhere`);
  expect(await at.shidi.next('used')).toMatchObject({
    document: page['document'],
    form: 'Deep',
    values: [{ name: 'Folded', kind: 'switch', value: true }],
    button: '',
  });
  await at.shidi.next('gone', ({ document }) => document === page['document']);
});

test('what scripts set, and Shidi fills in, is no choice', async () => {
  const { at, form, page } = await onFilter();
  await decide(at, page, true);
  for (const [field, value] of [
    ['Status', 'Closed'],
    ['Only mine', 'on'],
    ['Order', 'Oldest'],
    ['Words', 'filled'],
  ])
    expect(await at.act(page, 'fill', { field, value })).toMatchObject({ done: true });
  await form.evaluate(() => {
    const [bug, docs] = document.querySelectorAll<HTMLInputElement>('[name=label]');
    bug?.click();
    docs?.closest('label')?.click();
    document.querySelector<HTMLElement>('#compact')?.click();
    document.querySelector<HTMLInputElement>('[name=long]')?.focus();
    // The browser tells of this as of typing, once the field is left.
    document.execCommand('insertText', false, 'forged');
    document.querySelector<HTMLInputElement>('[name=words]')?.focus();
    document.querySelector<HTMLFormElement>('form')?.requestSubmit();
  });
  await choose(form, 'theme', 'ArrowDown');
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(names(await at.shidi.next('used'))).toEqual(['Theme']);
  expect(count(at)).toBe(1);
});

test('nothing is noticed before it is wanted, nor once it no longer is; what was noted until then is forgotten', async () => {
  const { at, form, page } = await onFilter();
  await decide(at, page, false);
  await choose(form, 'status', 'ArrowDown');
  await form.getByRole('button', { name: 'Apply' }).click();
  await decide(at, page, true);
  await form.getByLabel('Only mine').check();
  await decide(at, page, false);
  await form.getByRole('button', { name: 'Apply' }).click();
  await choose(form, 'status', 'ArrowDown');
  await decide(at, page, true);
  await form.getByRole('button', { name: 'Apply' }).click();
  await choose(form, 'theme', 'ArrowDown');
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(names(await at.shidi.next('used'))).toEqual(['Theme']);
  expect(count(at)).toBe(1);

  // Without Shidi nothing is noticed; another document is told again.
  await type(form, 'Words', 'lost');
  await at.shidi.stop();
  await at.shidi.start();
  await at.shidi.welcome();
  await at.shidi.next('page');
  await decide(at, page, true);
  await form.getByRole('button', { name: 'Apply' }).click();
  await form.reload();
  const anew = await at.shidi.next('page', ({ document }) => document !== page['document']);
  await at.read(anew, 'anew');
  await form.evaluate((html) => void (document.body.innerHTML = html), FILTER);
  await choose(form, 'theme', 'ArrowDown');
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(await at.shidi.next('used')).toMatchObject({ document: anew['document'], values: [{ name: 'Theme' }] });
});

test('what is chosen outlives the worker', async () => {
  const { at, form, page } = await onFilter();
  await decide(at, page, true);
  await choose(form, 'status', 'ArrowDown');
  const session = await at.context.newCDPSession(await at.popup());
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await at.shidi.welcome();
  await form.bringToFront();
  await decide(at, await at.shidi.next('page', ({ title }) => title === 'Issues'), true);
  await choose(form, 'theme', 'ArrowDown');
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(names(await at.shidi.next('used'))).toEqual(['Status', 'Theme']);
  expect(await at.mistakes()).toEqual([]);
});
