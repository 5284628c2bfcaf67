/** The companion in a real browser: what Shidi hears of pages, and what becomes of its calls. */
import { describe, expect, test } from 'vitest';
import { callOf, oneBrowser } from './browser';

const { opened, ready } = oneBrowser();

test('a browser that is not known shows the code, and is let in with its token from then on', async () => {
  const at = await opened();
  const hello = await at.shidi.next('hello');
  expect(hello).toEqual({ type: 'hello', version: 1, browser: expect.stringMatching(/^Chromium \d+$/), token: null });
  const popup = await at.popup();
  at.shidi.say({ type: 'pair', code: '482913' });
  await popup.getByText('482 913').waitFor();
  const badge = () => at.worker().then((worker) => worker.evaluate(() => chrome.action.getBadgeText({})));
  await expect.poll(badge).toBe('?');
  at.shidi.say({ type: 'paired', token: 'the token' });
  at.shidi.say({ type: 'welcome' });
  await popup.getByText('Connected to Shidi').waitFor();
  await expect.poll(badge).toBe('');
  await at.shidi.next('no_page');

  await at.shidi.stop();
  await at.shidi.start();
  expect(await at.shidi.welcome()).toMatchObject({ token: 'the token' });
});

test('a browser that was declined does not ask again until Connect is pressed', async () => {
  const at = await opened();
  await at.shidi.next('hello');
  const popup = await at.popup();
  at.shidi.say({ type: 'refused', reason: 'declined' });
  await popup.getByText('This browser was not allowed in Shidi').waitFor();
  const { connections } = at.shidi;
  await at.editor();
  await popup.getByRole('button', { name: 'Connect' }).click();
  await at.shidi.next('hello');
  expect(at.shidi.connections).toBe(connections + 1);
  at.shidi.say({ type: 'pair', code: '100200' });
  await popup.getByText('100 200').waitFor();
});

test('a pairing that is forgotten on either side ends at once', async () => {
  const at = await opened();
  await at.pair();
  const popup = await at.popup();
  await popup.getByRole('button', { name: 'Forget this pairing' }).click();
  await popup.getByText('No longer paired').waitFor();
  await popup.getByRole('button', { name: 'Connect' }).click();
  expect(await at.shidi.next('hello')).toMatchObject({ token: null });
  at.shidi.say({ type: 'refused', reason: 'forgotten' });
  await popup.getByText('No longer paired').waitFor();
});

test('Shidi hears of the page in front, and of each change, and of nothing else', async () => {
  const { at, shidi, editor, page } = await ready();
  expect(page).toMatchObject({
    url: `${at.address}/page.html`,
    title: 'Query editor',
    document: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
  });
  expect(page['tools']).toEqual([
    expect.objectContaining({ name: 'get_context', reads_only: true }),
    expect.objectContaining({
      name: 'edit_script',
      reads_only: false,
      schema: { type: 'object', properties: { script: { type: 'string' } }, required: ['script'] },
    }),
    expect.objectContaining({ name: 'run_script' }),
  ]);

  await editor.evaluate(() => history.pushState(null, '', '/page.html?query=2'));
  expect(await shidi.next('page', ({ url }) => String(url).endsWith('?query=2'))).toMatchObject({
    document: page['document'],
  });
  await editor.evaluate(() => {
    document.title = 'Renamed';
  });
  await shidi.next('page', ({ title }) => title === 'Renamed');

  const plain = await at.editor('/plain');
  expect(await shidi.next('page', ({ title }) => title === 'Plain')).toMatchObject({ tools: [] });
  await editor.bringToFront();
  expect(await at.told()).toMatchObject({ document: page['document'] });
  await plain.close();
  await shidi.next('gone', ({ tab }) => tab !== page['tab']);

  await editor.reload();
  await shidi.next('gone', ({ document }) => document === page['document']);
  const anew = await at.told();
  expect(anew['tab']).toBe(page['tab']);
  expect(anew['document']).not.toBe(page['document']);

  await editor.goto('chrome://version');
  await shidi.next('no_page');
});

test('tools that come and go later are told', async () => {
  const { shidi, editor } = await ready();
  await editor.evaluate(() => {
    const abort = new AbortController();
    Object.assign(window, { abort });
    const context = (
      document as unknown as { modelContext: { registerTool(tool: object, options: object): Promise<void> } }
    ).modelContext;
    void context.registerTool({ name: 'later', description: 'd', execute: () => 1 }, { signal: abort.signal });
  });
  await shidi.next('page', ({ tools }) => (tools as { name: string }[]).some(({ name }) => name === 'later'));
  await editor.evaluate(() => (window as unknown as { abort: AbortController }).abort.abort());
  await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 3);
});

describe.each([{ native: false }, { native: true }])('calls, WebMCP of the browser itself: $native', ({ native }) => {
  test('a tool that reads returns what it read', async () => {
    const { shidi, page } = await ready({ native });
    shidi.say(callOf(page, 'c1', 'get_context'));
    expect(await shidi.next('returned')).toEqual({
      type: 'returned',
      call: 'c1',
      value: { script: expect.stringContaining('select region'), fields: ['region', 'amount', 'year'] },
    });
  });

  test('a change waits for the person, who rejects one and accepts another', async () => {
    const { shidi, editor, page } = await ready({ native });
    shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
    await editor.getByLabel('Reason').fill('not that one');
    await editor.getByRole('button', { name: 'Reject' }).click();
    expect(await shidi.next('returned')).toEqual({
      type: 'returned',
      call: 'c1',
      value: { status: 'rejected', reason: 'not that one' },
    });
    expect(await editor.getByLabel('Script').inputValue()).toContain('select region');

    shidi.say(callOf(page, 'c2', 'edit_script', { script: 'select 2' }));
    await editor.getByRole('button', { name: 'Accept' }).click();
    expect(await shidi.next('returned')).toEqual({ type: 'returned', call: 'c2', value: { status: 'accepted' } });
    expect(await editor.getByLabel('Script').inputValue()).toBe('select 2');
  });

  test('a tool that throws, or that is not there, has failed', async () => {
    const { shidi, page } = await ready({ native });
    shidi.say(callOf(page, 'c1', 'edit_script', { script: 5 }));
    expect(await shidi.next('failed')).toMatchObject({
      call: 'c1',
      message: expect.stringContaining(native ? 'invocation failed' : 'script is not a text'),
    });
    shidi.say(callOf(page, 'c2', 'drop_everything'));
    expect(await shidi.next('failed')).toMatchObject({ call: 'c2', message: expect.stringContaining('no such tool') });
  });

  test('a call survives Shidi: it ran once, and its answer waits until it was settled', async () => {
    const { shidi, editor, page } = await ready({ native });
    shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
    await editor.getByRole('button', { name: 'Accept' }).waitFor();
    await shidi.stop();
    await shidi.start();
    await shidi.welcome();
    shidi.say({ type: 'again', call: 'c1' });
    shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
    shidi.say({ type: 'again', call: 'never' });
    // Messages are answered in order: were there an answer to the first two, it would have come before.
    expect(await shidi.next('unknown')).toEqual({ type: 'unknown', call: 'never' });
    expect(shidi.heard.filter(({ type }) => type === 'returned' || type === 'failed')).toEqual([]);

    await shidi.stop();
    await editor.getByRole('button', { name: 'Accept' }).click();
    await shidi.start();
    await shidi.welcome();
    const answer = { type: 'returned', call: 'c1', value: { status: 'accepted' } };
    // Told by itself when Shidi is back, and as often as it asks.
    expect(await shidi.next('returned')).toEqual(answer);
    shidi.say({ type: 'again', call: 'c1' });
    expect(await shidi.next('returned')).toEqual(answer);
    shidi.say({ type: 'settled', call: 'c1' });
    shidi.say({ type: 'again', call: 'c1' });
    expect(await shidi.next('unknown')).toEqual({ type: 'unknown', call: 'c1' });
    expect(await editor.locator('#changes').textContent()).toBe('1');
  });

  test('a page that goes while it works fails its call; one that is gone is never called', async () => {
    const { at, shidi, editor, page } = await ready({ native });
    shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
    await editor.getByRole('button', { name: 'Accept' }).waitFor();
    await editor.reload();
    expect(await shidi.next('failed')).toMatchObject({
      call: 'c1',
      message: expect.stringContaining('look at it before you do it again'),
    });
    const anew = await at.told();
    shidi.say(callOf(page, 'c2', 'run_script'));
    expect(await shidi.next('failed')).toEqual({
      type: 'failed',
      call: 'c2',
      message: 'the page was closed or has changed',
    });
    shidi.say({ ...callOf(anew, 'c3', 'run_script'), site: 'https://other.example' });
    expect(await shidi.next('failed')).toMatchObject({ call: 'c3' });
    expect(await editor.locator('#runs').textContent()).toBe('0');

    shidi.say(callOf(anew, 'c4', 'edit_script', { script: 'select 1' }));
    await editor.getByRole('button', { name: 'Accept' }).waitFor();
    await editor.close();
    expect(await shidi.next('failed')).toMatchObject({
      call: 'c4',
      message: expect.stringContaining('while it worked'),
    });
  });
});

test.each([{ native: false }, { native: true }])(
  'a call that nobody waits for any more is dropped, and the page hears of it; WebMCP of its own: $native',
  async ({ native }) => {
    const { shidi, editor, page } = await ready({ native });
    shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
    await editor.getByRole('button', { name: 'Accept' }).waitFor();
    shidi.say({ type: 'cancel', call: 'c1' });
    await editor.getByRole('button', { name: 'Accept' }).waitFor({ state: 'hidden' });
    shidi.say({ type: 'again', call: 'c1' });
    expect(await shidi.next('unknown')).toEqual({ type: 'unknown', call: 'c1' });
    shidi.say(callOf(page, 'c2', 'run_script'));
    expect(await shidi.next('returned')).toMatchObject({ call: 'c2' });
    expect(shidi.heard.filter(({ call }) => call === 'c1')).toHaveLength(1);
  },
);

test('before Shidi let the browser in, nothing is told of pages and nothing runs', async () => {
  const { shidi, editor, page } = await ready();
  await shidi.stop();
  await shidi.start();
  await shidi.next('hello');
  shidi.say(callOf(page, 'c1', 'run_script'));
  shidi.say({ type: 'again', call: 'c1' });
  await editor.evaluate(() => {
    document.title = 'Meanwhile';
  });
  shidi.say({ type: 'welcome' });
  const told = await shidi.next('page');
  expect(shidi.heard.slice(shidi.heard.findLastIndex(({ type }) => type === 'hello') + 1)[0]).toEqual(told);
  shidi.say({ type: 'again', call: 'c1' });
  await shidi.next('unknown');
  expect(await editor.locator('#runs').textContent()).toBe('0');
});
