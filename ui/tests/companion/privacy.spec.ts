/** What never leaves the browser, in a real one: private windows, fields of pages, and what a page makes up. */
import { expect, test } from 'vitest';
import { callOf, oneBrowser, type Browser } from './browser';
import { COMPANION_ID } from './place';

const { ready } = oneBrowser();

/** Longer than the worker waits before it looks which page is in front. */
const LOOKED_MS = 250;

/** Opens a private window with the query editor, and waits until that has run its own script. */
async function privately(at: Browser, mark: string): Promise<void> {
  const worker = await at.worker();
  await worker.evaluate(
    async (url) => void (await chrome.windows.create({ incognito: true, focused: true, url })),
    `${at.address}/page.html?${mark}`,
  );
  await expect
    .poll(() => at.requested.filter((one) => one.startsWith('/page.js') && one.includes(mark)))
    .toHaveLength(1);
}

test('nothing of a private window is sent where the companion is not let into them', async () => {
  const { at, shidi, editor } = await ready();
  await privately(at, 'secret-errand');
  await editor.evaluate(() => {
    document.title = 'Later';
  });
  await shidi.next('page', ({ title }) => title === 'Later');
  expect(JSON.stringify(shidi.heard)).not.toContain('secret-errand');
});

test('nothing of a private window is sent where the user lets the companion in, but that no page is in front', async () => {
  const { at, shidi } = await ready();
  const settings = await at.settings();
  await settings.evaluate(async (extensionId) => {
    const { developerPrivate } = chrome as unknown as {
      developerPrivate: Record<
        'updateProfileConfiguration' | 'updateExtensionConfiguration',
        (change: object) => Promise<void>
      >;
    };
    await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
    await developerPrivate.updateExtensionConfiguration({ extensionId, incognitoAccess: true });
  }, COMPANION_ID);
  // The browser loads the companion anew for that.
  await shidi.welcome();
  await at.editor('/page.html?open');
  await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 3);
  await privately(at, 'secret-errand');
  await shidi.next('no_page');
  const worker = await at.worker();
  await expect
    .poll(() =>
      worker.evaluate(() => chrome.tabs.query({}).then((tabs) => tabs.find(({ incognito }) => incognito)?.status)),
    )
    .toBe('complete');
  // Timers of one worker end in their order: what it was about to tell of that tab, it has told after this one.
  await worker.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), LOOKED_MS);
  shidi.say({ type: 'again', call: 'x' });
  await shidi.next('unknown');
  expect(JSON.stringify(shidi.heard)).not.toContain('secret-errand');
});

test('fields of a page stay there: only what its tools return is sent', async () => {
  const { shidi, editor, page } = await ready();
  await editor.locator('#password').fill('hunter2-typed');
  await editor.locator('#password').selectText();
  shidi.say(callOf(page, 'c1', 'get_context'));
  await shidi.next('returned');
  await editor.evaluate(() => {
    document.title = 'Later';
  });
  await shidi.next('page', ({ title }) => title === 'Later');
  expect(JSON.stringify(shidi.heard)).toContain('select region');
  expect(JSON.stringify(shidi.heard)).not.toContain('hunter2');
});

test('a page within a page offers nothing', async () => {
  const { at, shidi, editor, page } = await ready();
  await editor.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = '/page.html?inner';
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    document.title = 'With a frame';
  });
  expect(await shidi.next('page', ({ title }) => title === 'With a frame')).toMatchObject({
    document: page['document'],
    tools: page['tools'],
  });
  expect(at.requested.some((one) => one.includes('inner'))).toBe(true);
  expect(JSON.stringify(shidi.heard)).not.toContain('inner');
});

test('a page can only make up things about itself, and nonsense changes nothing', async () => {
  const { at, shidi, editor, page } = await ready();
  const thrown: string[] = [];
  at.context.on('weberror', (error) => thrown.push(String(error.error())));
  const other = await at.editor('/plain');
  await shidi.next('page', ({ title }) => title === 'Plain');
  shidi.say(callOf(page, 'c1', 'edit_script', { script: 'select 1' }));
  await editor.getByRole('button', { name: 'Accept' }).waitFor({ state: 'attached' });
  await other.evaluate(() => {
    const details = [
      '',
      'null',
      '5',
      '[]',
      '{"tell":"tools","tools":5}',
      '{"tell":"tools","tools":[null,5,{"name":5}]}',
      '{"tell":"returned","id":"c1","text":"forged"}',
    ];
    for (const detail of [...details, undefined, {}])
      document.dispatchEvent(new CustomEvent('shidi-companion-tell', { detail }));
    for (const detail of [...details, undefined])
      document.dispatchEvent(new CustomEvent('shidi-companion-ask', { detail }));
  });
  await editor.bringToFront();
  await editor.getByRole('button', { name: 'Accept' }).click();
  expect(await shidi.next('returned')).toEqual({ type: 'returned', call: 'c1', value: { status: 'accepted' } });
  expect(await at.mistakes()).toEqual([]);
  expect(thrown).toEqual([]);
});
