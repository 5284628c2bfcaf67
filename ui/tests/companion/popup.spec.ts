/** The popup in a real browser, in both languages and themes; draws each state into `artefacts/companion/`. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { wordsFor } from '../../companion/words.js';
import { broken } from '../browser/access';
import { oneBrowser } from './browser';

const FOLDER = fileURLToPath(new URL('../../../artefacts/companion/', import.meta.url));
mkdirSync(FOLDER, { recursive: true });

const { opened } = oneBrowser();

/** Draws what a popup shows, which takes the size of its content; every state is sound for assistive technology. */
async function draw(popup: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await popup.emulateMedia({ colorScheme });
    expect(await broken(popup), `${name}-${colorScheme}`).toEqual([]);
    await popup.locator('body').screenshot({ path: `${FOLDER}${name}-${colorScheme}.png` });
  }
}

test('without its host program the companion says what to do, and keeps looking for it without a mistake', async () => {
  const at = await opened({ alone: true });
  const popup = await at.popup();
  await popup.getByText('Start it, or run shidi companion install').waitFor();
  const worker = await at.worker();
  await expect.poll(() => worker.evaluate(() => chrome.alarms.get('connect'))).toMatchObject({ periodInMinutes: 0.5 });
  expect(await at.mistakes()).toEqual([]);
});

test('while the host program waits for Shidi, the companion says that it is not there', async () => {
  const at = await opened();
  await at.shidi.next('hello');
  const popup = await at.popup();
  await popup.getByText('Start it, or run shidi companion install').waitFor();
  at.shidi.say({ type: 'pair', code: '482913' });
  await popup.getByText('482 913').waitFor();
});

describe.each(['zh-CN', 'en-GB'])('in %s', (language) => {
  const words = wordsFor(language);
  const name = language.slice(0, 2);

  test('the popup says how it stands, what is in front, and what to do next', async () => {
    const at = await opened({ language });
    const { shidi } = at;
    const popup = await at.popup();
    const says = (text: string) => popup.getByText(text, { exact: true }).waitFor();
    const state = (text: string) =>
      popup
        .locator('#state')
        .filter({ hasText: text.replaceAll('`', '') })
        .waitFor();
    await popup.setViewportSize({ width: 320, height: 400 });

    await shidi.next('hello');
    shidi.say({ type: 'pair', code: '482913' });
    await says('482 913');
    await draw(popup, `asking-${name}`);

    shidi.say({ type: 'refused', reason: 'declined' });
    await state(words.refused.declined);
    expect(await popup.getByRole('button', { name: words.forget }).isVisible()).toBe(false);
    await draw(popup, `declined-${name}`);

    await popup.getByRole('button', { name: words.connect }).click();
    await at.pair();
    await says(words.noPage);
    await draw(popup, `nothing-${name}`);

    await at.editor();
    const page = await at.told();
    await says(words.tools(3));
    await says(words.notAllowed);
    await draw(popup, `denied-${name}`);
    shidi.say({ type: 'site', site: new URL(String(page['url'])).origin, allowed: true });
    await says(words.allowed);
    await draw(popup, `allowed-${name}`);
    await at.editor('/plain?<b>bold</b>');
    await says(words.tools(0));

    shidi.say({ type: 'refused', reason: 'version' });
    await state(words.refused.version);
    await draw(popup, `version-${name}`);
    await shidi.stop();
    await popup.getByRole('button', { name: words.connect }).click();
    await state(words.away);
    await draw(popup, `away-${name}`);
    expect(await at.mistakes()).toEqual([]);
  });
});
