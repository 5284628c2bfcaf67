/** What a page holds goes to Shidi when it asks, in a real Chromium: parts, pieces, secrets, pages that are large or hostile. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { deep, framed, hostile, large, unseen } from '../pages/synthetic';
import { MANUAL, oneBrowser, ownCallOf, pdfOf, readOf } from './browser';

const { ready, opened } = oneBrowser();

/** A reading may take this long on a page of 10,000 elements; the machines of checks are slower, and busy. */
const READ_MAX_MS = 400;
/** Readings of that page, and the promised time of all but the slowest of them: printed, since other work spoils some. */
const READINGS = 20;
const READ_P95_MS = 60;
const SECRETS = /hunter2|4929|482913/;

async function onForm() {
  const at = await opened();
  await at.pair();
  return { at, shidi: at.shidi, ...(await at.form()) };
}

test('a page is read as a person reads it: text, table, fields with what is wrong, buttons, links', async () => {
  const { at, page } = await onForm();
  const content = await at.read(page);
  expect(content).toMatchObject({ kind: 'form', language: 'en', title: 'Order a bicycle', selection: null, cut: null });
  expect(content['text']).toContain('# Order a bicycle');
  expect(content['text']).toContain('| Long road | 1,400 |');
  expect(content['text']).toContain('Within the shadow');
  expect(content['text']).toContain('Within the frame');
  expect(content['links']).toEqual([`${at.address}/terms.html`]);
  const fields = content['fields'] as Record<string, unknown>[];
  expect(fields).toContainEqual(
    expect.objectContaining({ label: 'Your mail', kind: 'email', value: 'mei@', problem: 'This is no address' }),
  );
  expect(fields).toContainEqual(expect.objectContaining({ label: 'Colour', kind: 'radio', options: ['Red', 'Green'] }));
  expect((content['buttons'] as { label: string }[]).map(({ label }) => label)).toContain('Send the order');
});

test('what is selected goes along with its surroundings', async () => {
  const { at, page, form } = await onForm();
  await form.evaluate(() => {
    const [text] = document.querySelector('#intro')?.childNodes ?? [];
    if (text !== undefined) document.getSelection()?.setBaseAndExtent(text, 5, text, 21);
  });
  expect((await at.read(page))['selection']).toMatchObject({
    text: 'bicycle is built',
    before: expect.stringContaining('Each'),
  });
});

test('passwords, codes and cards are never read, selected or not, shown or hidden', async () => {
  const { at, shidi, page, form } = await onForm();
  await form.locator('[name=password]').evaluate((field: HTMLInputElement) => {
    field.type = 'text';
    field.select();
  });
  await at.read(page);
  for (const tool of ['read', 'links']) await at.act(page, tool);
  expect(JSON.stringify(await at.act(page, 'find', { role: 'textbox' }))).toContain('secret');
  expect(JSON.stringify(shidi.heard)).not.toMatch(SECRETS);
});

test('a long page comes in pieces that each pass, and fit together', async () => {
  const { at, shidi, page, form } = await onForm();
  await form.evaluate(() => {
    const long = document.createElement('article');
    for (let index = 0; index < 3_000; index += 1) {
      const paragraph = document.createElement('p');
      paragraph.textContent = `${index}: \u{1F6B2} 每一辆自行车都在河边的作坊里手工打造，需要大约四个星期，"quoted" \\ and more words about it. \uD83D`;
      long.append(paragraph);
    }
    document.querySelector('main')?.append(long);
  });
  const content = await at.read(page);
  const pieces = shidi.heard.filter(({ type }) => type === 'content');
  expect(pieces.length).toBeGreaterThan(1);
  for (const piece of pieces) expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(1 << 20);
  expect(content['text']).toContain('2999: \u{1F6B2} 每一辆');
  expect(JSON.stringify(content)).not.toContain('\\ud83d');
});

test('one part of a page can be asked for', async () => {
  const { at, page, form } = await onForm();
  await form.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML('beforeend', '<p style="margin-top: 9000px">Far below'),
  );
  expect((await at.act(page, 'read', { part: 'visible' }))['text']).not.toContain('Far below');
  expect((await at.act(page, 'read', { part: 'whole' }))['text']).toContain('Far below');
  expect((await at.act(page, 'read', { part: 'selection' }))['text']).toBe('');
});

test('whatever has changed since is in the next reading: texts, values, shadow roots, frames', async () => {
  const { at, page, form } = await onForm();
  await at.read(page);
  await form.locator('#intro').evaluate((intro) => intro.append(' Or five.'));
  await form.locator('[name=name]').fill('Typed');
  await form.locator('part-s p').evaluate((text) => (text.textContent = 'Another shadow'));
  await form
    .frameLocator('iframe')
    .locator('p')
    .evaluate((text) => (text.textContent = 'Another frame'));
  const content = await at.read(page, 'again');
  for (const text of ['Or five.', 'Another shadow', 'Another frame']) expect(content['text']).toContain(text);
  expect(content['fields']).toContainEqual(expect.objectContaining({ label: 'Your name', value: 'Typed' }));
});

test('large frames of other sites are named with their address, and nothing in them is read', async () => {
  const { at, page, form } = await onForm();
  const elsewhere = at.address.replace('127.0.0.1', 'localhost');
  await form.evaluate((elsewhere) => {
    const frame = (size: string, more: string) => `<iframe style="width: 500px; height: ${size}" ${more}></iframe>`;
    const frames = [
      frame('300px', `id="signs" title="Sign [up]" src="${elsewhere}/plain.html?token=tok3n&step=2"`),
      frame('300px', 'id="sealed" sandbox="allow-scripts" srcdoc="<p>Sealed off</p>"'),
      `<div class="ad-slot">${frame('300px', `id="paid" src="${elsewhere}/paid.html"`)}</div>`,
      frame('90px', `id="small" src="${elsewhere}/small.html"`),
    ];
    document.querySelector('main')?.insertAdjacentHTML('beforeend', frames.join(''));
  }, elsewhere);
  for (const id of ['signs', 'sealed', 'paid', 'small']) await form.frameLocator(`#${id}`).locator('p').waitFor();
  const content = await at.read(page);
  const links = content['links'] as string[];
  const number = links.indexOf(`${elsewhere}/plain.html?step=2`) + 1;
  expect(number).toBeGreaterThan(0);
  const { host } = new URL(elsewhere);
  const told = `[Frame of ${host}, “Sign \\[up\\]”: not read][${number}]\n[Frame: not read]`;
  expect(String(content['text']).endsWith(told), String(content['text'])).toBe(true);
  expect(JSON.stringify(content)).not.toMatch(/No tools here|Sealed off|paid\.html|small\.html|tok3n/);
});

test('an act in the page makes what was read stale, once for each reading; what the page changes by itself does not', async () => {
  const { at, shidi, page, form } = await onForm();
  const acts = () => shidi.heard.filter(({ type }) => type === 'acted').length;
  await form.evaluate(() => {
    const opens = document.createElement('button');
    opens.id = 'opens';
    opens.textContent = 'More';
    opens.addEventListener('click', () => document.body.append(document.createElement('dialog')));
    document.body.append(opens);
  });
  await form.locator('#opens').click();
  await at.read(page);
  expect(acts(), 'nobody had read it yet').toBe(0);
  await form.evaluate(
    () =>
      new Promise<void>((done) =>
        setTimeout(() => {
          document.body.append('a ticker');
          document.querySelector<HTMLElement>('#opens')?.click();
          done();
        }, 1_600),
      ),
  );
  await at.read(page, 'again');
  expect(acts(), 'no person acted').toBe(0);
  await form.locator('#opens').click();
  await form.locator('#opens').click();
  expect(await shidi.next('acted')).toMatchObject({ tab: page['tab'], document: page['document'] });
  await at.read(page, 'third');
  expect(acts()).toBe(1);
});

test('a PDF is told to be one, its file passes as its reader may have it, and nothing else is done there', async () => {
  const { at, shidi } = await onForm();
  await at.context.addCookies([{ name: 'reader', value: 'mei', url: at.address }]);
  await at.editor('/signed.pdf');
  const page = await shidi.next('page', ({ url }) => String(url).endsWith('/signed.pdf'));
  expect(page).toMatchObject({ tools: [], pdf: true });
  expect(await at.read(page, 'pdf')).toMatchObject({ kind: 'pdf' });
  expect(await pdfOf(shidi, page)).toBe(MANUAL);
  shidi.say(ownCallOf(page, 'find', 'find', { role: 'button' }));
  expect(await shidi.next('failed')).toMatchObject({ call: 'find', message: expect.stringContaining('is a PDF') });
});

test('a PDF that its site does not give again, or that was left, is not read', async () => {
  const { at, shidi, page: form } = await onForm();
  shidi.say({ ...readOf(form, 'form'), type: 'read_pdf' });
  expect(await shidi.next('not_read')).toMatchObject({ ask: 'form', message: 'not_given' });
  const shown = await at.editor('/once.pdf');
  const page = await shidi.next('page', ({ url }) => String(url).endsWith('/once.pdf'));
  expect(page).toMatchObject({ pdf: true });
  shidi.say({ ...readOf(page, 'again'), type: 'read_pdf' });
  expect(await shidi.next('not_read', ({ ask }) => ask === 'again')).toMatchObject({ message: 'not_given' });
  await shown.goto(`${at.address}/manual.pdf`);
  await shidi.next('page', ({ url }) => String(url).endsWith('/manual.pdf'));
  shidi.say({ ...readOf(page, 'left'), type: 'read_pdf' });
  expect(await shidi.next('not_read', ({ ask }) => ask === 'left')).not.toMatchObject({ message: 'not_given' });
});

test('a PDF of the disk is told by its path, and its file is never opened by the browser for us', async () => {
  const { at, shidi } = await onForm();
  const folder = mkdtempSync(`${tmpdir()}/shidi-pdf-`);
  writeFileSync(`${folder}/潮汐 tides.pdf`, MANUAL);
  writeFileSync(`${folder}/notes.txt`, 'my own notes');
  const tab = await at.context.newPage();
  await tab.goto(pathToFileURL(`${folder}/潮汐 tides.pdf`).href);
  await tab.bringToFront();
  const page = await shidi.next('page', ({ pdf }) => pdf === true);
  expect(fileURLToPath(String(page['url']))).toBe(`${folder}/潮汐 tides.pdf`);
  shidi.say({ ...readOf(page, 'disk'), type: 'read_pdf', site: 'file://' });
  expect(await shidi.next('not_read')).toMatchObject({ ask: 'disk' });
  await tab.goto(pathToFileURL(`${folder}/notes.txt`).href);
  await shidi.next('no_page');
  expect(JSON.stringify(shidi.heard)).not.toContain('notes');
  rmSync(folder, { recursive: true });
});

test('a page that was left is not read, nor one of another site', async () => {
  const { at, shidi, page } = await onForm();
  shidi.say({ ...readOf(page, 'elsewhere'), site: 'https://elsewhere.example' });
  expect(await shidi.next('not_read')).toMatchObject({ ask: 'elsewhere' });
  await at.editor();
  shidi.say(readOf({ ...page, document: 'another' }, 'gone'));
  expect(await shidi.next('not_read')).toMatchObject({ ask: 'gone', message: 'the page was closed or has changed' });
});

test('a page tells its own context only where the user allowed its tools', async () => {
  const { at, shidi, page } = await ready();
  const site = new URL(String(page['url'])).origin;
  expect((await at.read(page, 'before'))['context']).toEqual([]);
  shidi.say(ownCallOf(page, 'asked', 'context'));
  expect(await shidi.next('failed')).toMatchObject({ call: 'asked' });
  shidi.say({ type: 'site', site, allowed: true });
  const context = (await at.read(page, 'after'))['context'];
  expect(context).toContainEqual({ name: 'script', text: 'select region, amount\nfrom orders\nwhere year = 2026' });
  expect(await at.act(page, 'context')).toMatchObject({ script: expect.stringContaining('select region') });
});

test('a page that never tells its context is read all the same', async () => {
  const { at, shidi, editor, page } = await ready();
  shidi.say({ type: 'site', site: new URL(String(page['url'])).origin, allowed: true });
  await editor.evaluate(() => {
    Object.defineProperty(document.getElementById('script'), 'value', { get: () => new Promise(() => undefined) });
  });
  expect(await at.read(page)).toMatchObject({ title: 'Query editor' });
});

test('ten thousand elements are read in time, and read again at once', async () => {
  const { at, page, form } = await onForm();
  await form.evaluate(large, 10_000);
  const drawn = () =>
    form.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const took: number[] = [];
  for (let turn = 0; turn < READINGS; turn += 1) {
    await form.evaluate((turn) => document.querySelector('h1')?.append(` ${turn}`), turn);
    await drawn();
    const content = await at.read(page, `read-${turn}`);
    expect(content['elements']).toBeGreaterThan(9_000);
    expect(content['text']).toContain(
      `# A large page ${Array.from({ length: turn + 1 }, (_, index) => index).join(' ')}`,
    );
    took.push(Number(content['ms']));
  }
  const sorted = took.toSorted((one, other) => one - other);
  const [quickest = 0] = sorted;
  const at95 = sorted[Math.ceil(READINGS * 0.95) - 1] ?? 0;
  const median = sorted[Math.floor(READINGS / 2)] ?? 0;
  // One keeps the promised time: other work on the machine spoils some, a fault all.
  expect(quickest, `${sorted.join(', ')} ms`).toBeLessThan(READ_MAX_MS);
  const begun = performance.now();
  await at.read(page, 'again');
  const again = Math.round(performance.now() - begun);
  process.stdout.write(
    `10,000 elements: read in ${took[0]} ms at first, ${quickest} ms at best, ${median} ms in the median, ${at95} ms at p95 of ${READINGS} after a change; the limit of ${READ_P95_MS} ms is ${at95 <= READ_P95_MS ? 'kept' : 'MISSED'}; unchanged, with all that lies between, in ${again} ms\n`,
  );
});

test('names that hide what a document has, texts that never end and frames without end change nothing', async () => {
  const { at, page, form } = await onForm();
  await form.evaluate(hostile);
  const content = await at.read(page);
  expect(content['text']).toContain('Text within a form that hides itself');
  expect(content['text']).not.toContain('javascript:');
  expect(JSON.stringify(content['links'])).not.toMatch(/token|word@/);
  await form.reload();
  await form.evaluate(framed, 60);
  const reloaded = await at.shidi.next('page', ({ document }) => document !== page['document']);
  expect((await at.read(reloaded, 'framed'))['text']).toContain('In frame 3');
  await form.evaluate(deep, 2_000);
  expect(await at.read(reloaded, 'deep')).toMatchObject({
    text: expect.stringContaining('At the top'),
    cut: expect.stringContaining('depth'),
  });
  expect(await at.mistakes()).toEqual([]);
});

test('orders that nobody sees on a page are not read from it', async () => {
  const { at, page, form } = await onForm();
  await form.evaluate(unseen);
  const content = await at.read(page);
  expect(content['text']).toContain('The harbour falls dry twice a day');
  const told = new Set(JSON.stringify(content).match(/order-\w+/g));
  // What a person sees is told, whatever it says: it is data. So are a picture's words, where it is told of.
  told.delete('order-alt');
  expect([...told]).toEqual(['order-plain']);
});
