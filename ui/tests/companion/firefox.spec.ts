/** The companion in a real Firefox, where there is one: the same files and the same promises. */
import { afterEach, describe, expect, test } from 'vitest';
import { acted, callOf, contentOf, MANUAL, pdfOf } from './browser';
import { END, Firefox, FIREFOX } from './firefox';
import type { Message } from './shidi';

if (FIREFOX === undefined) process.stdout.write('NOT RUN: the companion in Firefox: no Firefox is installed\n');

let firefox: Firefox | null = null;
afterEach(async () => {
  await firefox?.close();
  firefox = null;
});

const WAIT = { timeout: 15_000 };
const SECRETS = /hunter2|4929|482913/;

/** The form in front of a Firefox that was let in, as Shidi was told of it. */
async function onForm(): Promise<{
  at: Firefox;
  page: Message;
  act: (tool: string, given?: object) => Promise<Message>;
}> {
  const at = await Firefox.open({ native: false });
  firefox = at;
  await at.shidi.next('hello');
  at.shidi.say({ type: 'paired', token: 'the token' });
  at.shidi.say({ type: 'welcome' });
  await at.go('/form.html');
  await at.activate();
  const page = await at.shidi.next('page', ({ title }) => title === 'Order a bicycle');
  return { at, page, act: async (tool, given = {}) => (await acted(at.shidi, page, tool, given)) as Message };
}

const valueOf = (at: Firefox, selector: string) => at.evaluate(`document.querySelector('${selector}').value`);
const textOf = (at: Firefox, selector: string) => at.evaluate(`document.querySelector('${selector}').textContent`);

describe.runIf(FIREFOX !== undefined).each([{ native: false }, { native: true }])(
  'WebMCP of Firefox itself: $native',
  ({ native }) => {
    test('pages are told, calls run once, and answers outlive Shidi', { timeout: 120_000 }, async () => {
      firefox = await Firefox.open({ native });
      const { shidi } = firefox;
      expect(await shidi.next('hello')).toMatchObject({ browser: expect.stringMatching(/^Firefox /), token: null });
      shidi.say({ type: 'paired', token: 'the token' });
      shidi.say({ type: 'welcome' });
      await firefox.go('/page.html');
      const page = await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 3);
      expect(await firefox.evaluate("'modelContext' in navigator")).toBe(native);

      shidi.say(callOf(page, 'c1', 'get_context'));
      expect(await shidi.next('returned')).toMatchObject({
        call: 'c1',
        value: { fields: ['region', 'amount', 'year'] },
      });
      shidi.say(callOf(page, 'c2', 'edit_script', { script: 5 }));
      expect(await shidi.next('failed')).toMatchObject({
        call: 'c2',
        message: expect.stringContaining('script is not a text'),
      });

      shidi.say(callOf(page, 'c3', 'edit_script', { script: 'select 3' }));
      const evaluate = firefox.evaluate.bind(firefox);
      await expect.poll(() => evaluate("document.getElementById('change').hidden")).toBe(false);
      await shidi.stop();
      await evaluate("document.getElementById('reject').click()");
      await shidi.start();
      expect(await shidi.welcome()).toMatchObject({ token: 'the token' });
      expect(await shidi.next('returned', ({ call }) => call === 'c3')).toMatchObject({
        value: { status: 'rejected' },
      });
      shidi.say(callOf(page, 'c3', 'edit_script', { script: 'select 3' }));
      await shidi.next('returned', ({ call }) => call === 'c3');
      expect(await evaluate("document.getElementById('changes').textContent")).toBe('1');

      shidi.say(callOf(page, 'c4', 'edit_script', { script: 'select 4' }));
      await expect.poll(() => evaluate("document.getElementById('changes').textContent")).toBe('2');
      await firefox.go('/plain');
      expect(await shidi.next('failed', ({ call }) => call === 'c4')).toMatchObject({
        message: expect.stringContaining('while it worked'),
      });
      await shidi.next('page', ({ title }) => title === 'Plain');
      await firefox.back();
      const anew = await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 3);
      expect(anew['document']).not.toBe(page['document']);
      await firefox.go('about:blank');
      await shidi.next('no_page');
    });
  },
);

describe.runIf(FIREFOX !== undefined)('a form in Firefox', () => {
  test(
    'is read as in Chromium: text, table, fields, selection, elements, and no secret',
    { timeout: 120_000 },
    async () => {
      const { at, page, act } = await onForm();
      const content = await contentOf(at.shidi, page);
      expect(content).toMatchObject({
        kind: 'form',
        language: 'en',
        title: 'Order a bicycle',
        selection: null,
        cut: null,
      });
      for (const text of ['# Order a bicycle', '| Long road | 1,400 |', 'Within the shadow', 'Within the frame'])
        expect(content['text']).toContain(text);
      expect(content['links']).toEqual([`${at.address}/terms.html`]);
      expect(content['fields']).toContainEqual(
        expect.objectContaining({ label: 'Your mail', kind: 'email', value: 'mei@', problem: 'This is no address' }),
      );
      expect(content['fields']).toContainEqual(
        expect.objectContaining({ label: 'Colour', kind: 'radio', options: ['Red', 'Green'] }),
      );

      await at.evaluate(`{
      const [text] = document.querySelector('#intro').childNodes;
      document.getSelection().setBaseAndExtent(text, 5, text, 21);
    }`);
      expect((await contentOf(at.shidi, page, 'selected'))['selection']).toMatchObject({
        text: 'bicycle is built',
        before: expect.stringContaining('Each'),
      });
      expect((await act('read', { part: 'selection' }))['text']).toBe('bicycle is built');
      expect(await act('select', { text: 'built by  hand' })).toMatchObject({ done: true });
      expect(await at.evaluate('String(document.getSelection())')).toBe('built by hand');

      expect(await act('find', { role: 'button', name: 'send' })).toMatchObject([
        { name: 'Send the order', states: [] },
      ]);
      expect(await act('find', { name: 'Depth' })).toMatchObject([{ value: 'deep' }]);
      expect(await act('find', { name: 'Tone' })).toMatchObject([{ value: 'high' }]);
      expect(await act('links')).toEqual([{ text: 'Terms of the workshop', url: `${at.address}/terms.html` }]);
      expect(JSON.stringify(at.shidi.heard)).not.toMatch(SECRETS);
    },
  );

  test('is filled, clicked, written into and put back as in Chromium', { timeout: 120_000 }, async () => {
    const { at, act } = await onForm();
    const back: unknown[] = [];
    const fill = async (field: string, value: string) => {
      const filled = await act('fill', { field, value });
      expect(filled, field).toMatchObject({ done: true });
      back.push(filled['undo']);
    };
    await fill('Your name', 'Lin');
    expect(await textOf(at, '#typed')).toBe('1');
    expect(await textOf(at, '#changed')).toBe('1');
    await fill('Model', 'Long road');
    await fill('With a bell', 'true');
    await fill('Delivered on', '2026-12-24');
    await fill('Note to the workshop', 'Good day');
    await fill('Depth', 'deeper');
    await fill('Tone', 'low');
    expect(await valueOf(at, '[name=name]')).toBe('Lin');
    expect(await valueOf(at, '[name=model]')).toBe('Long road');
    expect(await at.evaluate("document.querySelector('[name=bell]').checked")).toBe(true);
    expect(await valueOf(at, '[name=day]')).toBe('2026-12-24');
    expect(await textOf(at, '#note')).toBe('Good day');
    expect(await at.evaluate("document.querySelector('iframe').contentDocument.querySelector('#tone').value")).toBe(
      'low',
    );
    for (const undo of back.toReversed())
      expect(await act('undo', { undo }), String(undo)).toMatchObject({ done: true });
    expect(await valueOf(at, '[name=name]')).toBe('Mei');
    expect(await valueOf(at, '[name=model]')).toBe('Town');
    expect(await valueOf(at, '[name=day]')).toBe('');
    expect(await textOf(at, '#note')).toBe('Hello');

    for (const field of ['Password', 'Card number', 'Code from your phone'])
      expect(await act('fill', { field, value: 'mine' }), field).toMatchObject({ done: false });
    expect(await valueOf(at, '[name=password]')).toBe('hunter2-secret');

    expect(await act('click', { role: 'button', name: 'send the order' })).toMatchObject({ done: true });
    expect(await act('click', { name: 'Deep button' })).toMatchObject({ done: true });
    expect(await textOf(at, '#sent')).toBe('2');

    // Where the person was writing, by their own mouse and keys.
    await at.click('[name=wishes]');
    await at.press(END, '!');
    const inserted = await act('insert', { text: ' And a lamp' });
    expect(inserted).toMatchObject({ done: true });
    expect(await valueOf(at, '[name=wishes]')).toBe('No basket! And a lamp');
    expect(await act('undo', { undo: inserted['undo'] })).toMatchObject({ done: true });
    expect(await valueOf(at, '[name=wishes]')).toBe('No basket!');

    expect(await act('open', { url: `${at.address}/terms.html` })).toMatchObject({ done: true });
    await expect.poll(() => at.addresses(), WAIT).toContain(`${at.address}/terms.html`);
  });
});

describe.runIf(FIREFOX !== undefined)('a PDF in Firefox', () => {
  test('is told by its address, and its file is fetched by the companion', { timeout: 120_000 }, async () => {
    const at = await Firefox.open({ native: false });
    firefox = at;
    await at.shidi.next('hello');
    at.shidi.say({ type: 'paired', token: 'the token' });
    at.shidi.say({ type: 'welcome' });
    await at.go('/manual.pdf');
    await at.activate();
    const page = await at.shidi.next('page', ({ pdf }) => pdf === true);
    expect(page).toMatchObject({ url: `${at.address}/manual.pdf`, tools: [] });
    expect(await pdfOf(at.shidi, page)).toBe(MANUAL);
    await at.go('/form.html');
    expect(await at.shidi.next('gone')).toMatchObject({ tab: page['tab'], document: page['document'] });
  });
});
