/** Whatever ends, in a real browser: the worker, the host program, a tab that crashes, sleeps or is gone back to. */
import { expect, test } from 'vitest';
import { callOf, oneBrowser, type Browser } from './browser';

const { ready } = oneBrowser();

/** Ends the companion's worker, as the browser does when it likes. */
async function endWorker(at: Browser): Promise<void> {
  const popup = await at.popup();
  const session = await at.context.newCDPSession(popup);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
}

test('a call outlives the worker: it ran once, and its answer comes', async () => {
  const { at, shidi, editor, page } = await ready();
  shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
  await editor.getByRole('button', { name: 'Accept' }).waitFor();
  await endWorker(at);
  await shidi.welcome();
  shidi.say({ type: 'again', call: 'c1' });
  shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
  await editor.bringToFront();
  await editor.getByRole('button', { name: 'Accept' }).click();
  expect(await shidi.next('returned')).toEqual({ type: 'returned', call: 'c1', value: { status: 'accepted' } });
  expect(shidi.heard.filter(({ type }) => type === 'failed' || type === 'unknown')).toEqual([]);
  expect(await editor.locator('#changes').textContent()).toBe('1');
  expect(await at.mistakes()).toEqual([]);
});

test('answers outlive the worker until they were settled, long ones too', async () => {
  const { at, shidi, editor, page } = await ready();
  await editor.evaluate(() => {
    const context = (document as unknown as { modelContext: { registerTool(tool: object): Promise<void> } })
      .modelContext;
    return context.registerTool({
      name: 'numbers',
      description: 'd',
      execute: () => Array.from({ length: 450_000 }, () => 7),
    });
  });
  await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 4);
  const answers = [];
  for (const call of ['c1', 'c2', 'c3']) {
    shidi.say(callOf(page, call, 'numbers'));
    answers.push(await shidi.next('returned'));
  }
  await endWorker(at);
  await shidi.welcome();
  const again = [await shidi.next('returned'), await shidi.next('returned'), await shidi.next('returned')];
  expect(again.sort((one, other) => String(one['call']).localeCompare(String(other['call'])))).toEqual(answers);
  expect(await at.mistakes()).toEqual([]);
});

test('an answer that is given while no worker runs is not lost', async () => {
  const { at, shidi, editor, page } = await ready();
  shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
  await editor.getByRole('button', { name: 'Accept' }).waitFor();
  await shidi.stop();
  await endWorker(at);
  await editor.bringToFront();
  await editor.getByRole('button', { name: 'Accept' }).click();
  await shidi.start();
  await shidi.welcome();
  expect(await shidi.next('returned')).toMatchObject({ call: 'c1', value: { status: 'accepted' } });
});

test('a call that was given before the browser was started anew has failed, since its page is gone', async () => {
  const { shidi, page } = await ready();
  const { tab, site } = callOf(page, 'c1', 'run_script');
  shidi.say({ type: 'again', call: 'c1', tab, document: 'of another life', site });
  expect(await shidi.next('failed')).toMatchObject({
    call: 'c1',
    message: expect.stringContaining('look at it before you do it again'),
  });
  shidi.say({ type: 'again', call: 'c1', tab, document: page['document'], site });
  await shidi.next('unknown');
});

test('a tab that crashes fails what ran in it', async () => {
  const { shidi, editor, page } = await ready();
  shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
  await editor.getByRole('button', { name: 'Accept' }).waitFor();
  const crashed = editor.waitForEvent('crash');
  await editor.goto('chrome://crash').catch(() => undefined);
  await crashed;
  expect(await shidi.next('failed')).toMatchObject({ call: 'c1', message: expect.stringContaining('while it worked') });
});

test('a tab that is put to sleep is gone, and comes back as another document', async () => {
  const { at, shidi, page } = await ready();
  await at.editor('/plain');
  await shidi.next('page', ({ title }) => title === 'Plain');
  const worker = await at.worker();
  const tab = await worker.evaluate(
    (id) => chrome.tabs.discard(id).then((found) => found?.id ?? null),
    Number(page['tab']),
  );
  await shidi.next('gone', ({ document }) => document === page['document']);
  await worker.evaluate(async (id) => void (await chrome.tabs.update(id, { active: true })), tab ?? -1);
  const anew = await at.told();
  expect(anew['document']).not.toBe(page['document']);
});

test('a page that one goes back to is another document, with its tools', async () => {
  const { at, shidi, editor, page } = await ready();
  // Registered by hand: a page that were loaded anew would not have it.
  await editor.evaluate(() => {
    const context = (document as unknown as { modelContext: { registerTool(tool: object): Promise<void> } })
      .modelContext;
    return context.registerTool({ name: 'by_hand', description: 'd', execute: () => 1 });
  });
  await editor.goto(`${at.address}/plain`);
  await shidi.next('page', ({ title }) => title === 'Plain');
  await editor.goBack({ waitUntil: 'commit' });
  const anew = await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 4);
  expect(anew['document']).not.toBe(page['document']);
  shidi.say(callOf(anew, 'c1', 'get_context'));
  expect(await shidi.next('returned')).toMatchObject({ call: 'c1' });
});

test('long results pass up to their bound, and longer ones have failed', async () => {
  const { shidi, editor, page } = await ready();
  await editor.evaluate(() => {
    const context = (document as unknown as { modelContext: { registerTool(tool: object): Promise<void> } })
      .modelContext;
    const execute = ({ length }: { length: number }) => ({ text: 'é'.repeat(length) });
    return context.registerTool({ name: 'long', description: 'd', execute });
  });
  await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 4);
  shidi.say(callOf(page, 'c1', 'long', { length: 450_000 }));
  expect(((await shidi.next('returned'))['value'] as { text: string }).text).toHaveLength(450_000);
  for (const [call, length] of [
    ['c2', 600_000],
    ['c3', 9_000_000],
  ] as const) {
    shidi.say(callOf(page, call, 'long', { length }));
    expect(await shidi.next('failed')).toMatchObject({ call, message: expect.stringContaining('too long') });
  }
});
