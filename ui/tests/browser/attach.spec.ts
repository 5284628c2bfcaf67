/** Chips, guesses, find anything, model picker, settings and first run in a real browser: by keyboard, without losing anything. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, focused, scenes, sent, still } from './stage';

const on = scenes();

const drop = (page: Page, paths: string[]) => page.evaluate((given) => window.scripted.drop(given), paths);
const chips = (page: Page) =>
  page.locator('.chip').evaluateAll((all) => all.map((chip) => chip.textContent?.replace(/\s+/g, ' ').trim()));

/** Pastes as a clipboard would: text, files, or the list of addresses of a file manager. */
function paste(page: Page, given: { text?: string; uris?: string; picture?: boolean }): Promise<void> {
  return page.locator('textarea').evaluate((field, what) => {
    const data = new DataTransfer();
    if (what.text !== undefined) data.setData('text/plain', what.text);
    if (what.uris !== undefined) data.setData('text/uri-list', what.uris);
    if (what.picture) data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'shot.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, given);
}

describe('chips', () => {
  test('a click shows exactly what is sent, Esc closes it, and a removed chip is not sent', () =>
    on({ scene: 'long' }, async (page) => {
      await drop(page, ['/a/notes.md', '/a/builds.csv']);
      await page.locator('.chip .open:enabled').first().click();
      await expect.poll(() => page.locator('.preview pre').innerText()).toContain('Travel expenses');
      await expect.poll(() => page.locator('.preview header').innerText()).toContain('620 tokens');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.preview').count()).toBe(0);
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.locator('.chip .cross').first().click();
      await page.locator('textarea').fill('sum');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ files: ['/a/builds.csv'], screens: [] }]);
    }));

  test('the row under the input stays one row and cuts no word, whatever goes along', () =>
    on({ scene: 'long' }, async (page) => {
      await drop(page, ['/a/notes.md', '/a/builds.csv', '/a/report.pdf']);
      await page.locator('.along').waitFor();
      // The layout rounds to parts of a pixel.
      expect(Math.round((await page.locator('.tools').boundingBox())?.height ?? 0)).toBe(28);
      expect(
        await page
          .locator('.tools .cut')
          .evaluateAll((all) =>
            all.filter((word) => word.scrollWidth > word.clientWidth).map((word) => word.textContent),
          ),
      ).toEqual([]);
    }));

  test('a file that can not be read says why in its chip and is not sent', () =>
    on({ scene: 'long' }, async (page) => {
      await drop(page, ['/a/locked.pdf', '/a/notes.md']);
      await expect.poll(() => chips(page)).toEqual(['locked.pdf is locked. Drop an unlocked copy', 'notes.md']);
      await page.keyboard.type('what is in it?');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ files: ['/a/notes.md'] }]);
    }));

  test('reading shows how far it is', () =>
    on({ scene: 'long' }, async (page) => {
      await drop(page, ['/a/slow.pdf']);
      await expect.poll(() => chips(page)).toEqual(['slow.pdf 3 / 96']);
    }));

  test('a chip that is removed while it is read is read no further, and one that was read is not asked about again', () =>
    on({ scene: 'summoned', speed: 1 }, async (page) => {
      await drop(page, ['/a/slow.pdf', '/a/notes.md']);
      await page.locator('.chip .open:enabled').waitFor();
      const unheard = () => page.evaluate(() => window.scripted.unheard);
      await page.locator('.chip .cross').last().click();
      expect(await unheard()).toEqual([]);
      await page.locator('.chip .cross').first().click();
      await expect.poll(unheard).toMatchObject([{ request: 'inspect', source: { path: '/a/slow.pdf' } }]);
    }));

  test('a long paste becomes a chip, a short one stays text, and a question that was sent meanwhile waits for it', () =>
    on({ scene: 'long' }, async (page) => {
      await paste(page, { text: 'short' });
      expect(await sent(page, 'inspect')).toEqual([]);
      await page.locator('textarea').fill('explain');
      await paste(page, { text: `panic at line 3\n${'x'.repeat(3_000)}` });
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ text: 'explain', files: ['/data/attached/3016.txt'] }]);
    }));

  test('pasted files and pictures become chips', () =>
    on({ scene: 'long' }, async (page) => {
      await paste(page, { uris: 'file:///home/lin/%E6%B5%8B%E8%AF%95%20file.md\r\n' });
      await paste(page, { picture: true });
      await expect.poll(() => chips(page)).toEqual(['测试 file.md', 'shot.png']);
      await expect
        .poll(() => sent(page, 'inspect'))
        .toMatchObject([
          { source: { from: 'path', path: '/home/lin/测试 file.md' } },
          { source: { from: 'image', mime: 'image/png', base64: 'iVBORw==' } },
        ]);
    }));

  test('an address in the input is offered, and read only when it is wanted', () =>
    on({ scene: 'long' }, async (page) => {
      await page.locator('textarea').fill('is this still so? https://wiki.example.org/refund-policy.');
      await page.locator('.offered').waitFor();
      expect(await sent(page, 'inspect')).toEqual([]);
      await page.locator('.offered .open').click();
      await expect
        .poll(() => sent(page, 'inspect'))
        .toEqual([{ request: 'inspect', source: { from: 'url', url: 'https://wiki.example.org/refund-policy' } }]);
      await expect.poll(() => page.locator('.offered').count()).toBe(0);
    }));

  test('what an MCP server has to read is found by name and goes along, with its server in the chip', () =>
    on({ scene: 'long' }, async (page) => {
      await page.getByRole('button', { name: 'Attach', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Attach from an MCP server' }).click();
      const picker = page.getByRole('dialog', { name: 'Attach from an MCP server' });
      await expect.poll(() => picker.getByRole('option').count()).toBe(2);
      await picker.getByRole('button', { name: 'Start warehouse' }).click();
      await expect.poll(() => picker.getByRole('option').count()).toBe(3);
      await picker.getByRole('combobox').fill('travel');
      await expect.poll(() => picker.getByRole('option').count()).toBe(1);
      await page.keyboard.press('Enter');
      await expect.poll(() => chips(page)).toEqual(['Travel expenses handbook']);
      await expect.poll(() => focused(page)).toBe('textarea');
      const source = { from: 'resource', server: 'handbook', uri: 'handbook://travel/expenses' };
      expect(await sent(page, 'inspect')).toEqual([{ request: 'inspect', source }]);
      await page.keyboard.type('what is paid?');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ files: ['/data/attached/expenses.md'] }]);
    }));

  test('what was in front goes along by name, and stays away once removed', () =>
    on({ scene: 'context' }, async (page) => {
      await page.evaluate(() => window.scripted.show('hotkey'));
      await expect.poll(() => chips(page)).toEqual(['Zed · cart.rs — order-service']);
      await page.keyboard.press('Backspace');
      await page.evaluate(() => window.scripted.show('hotkey'));
      await expect.poll(() => sent(page, 'look')).toHaveLength(2);
      expect(await chips(page)).toEqual([]);
      await expect.poll(() => sent(page, 'look_forget')).toEqual([{ request: 'look_forget', id: 'view-1' }]);
    }));

  test('a new session is about the same window: its chip and its question are there, also after they went with another one', () =>
    on({ scene: 'failing' }, async (page) => {
      const seen = ['Zed · error: borrow of moved value — cart.rs'];
      await page.evaluate(() => window.scripted.show('hotkey'));
      await expect.poll(() => chips(page)).toEqual(seen);
      await page.locator('.tab').waitFor();
      await page.keyboard.press('Control+n');
      await expect.poll(() => chips(page)).toEqual(seen);
      await page.locator('.tab').waitFor();
      expect(await sent(page, 'look')).toHaveLength(1);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ screens: ['view-4'] }]);
      await expect.poll(() => chips(page)).toEqual([]);
      await page.keyboard.press('Control+n');
      await expect.poll(() => chips(page)).toEqual(seen);
      await page.locator('.tab').waitFor();
    }));

  test('what the user has removed or dropped stays away in a new session', () =>
    on({ scene: 'failing' }, async (page) => {
      await page.evaluate(() => window.scripted.show('hotkey'));
      await page.locator('.tab').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+n');
      await expect.poll(() => chips(page)).toHaveLength(1);
      expect(await page.locator('.tab').count()).toBe(0);
      await page.keyboard.press('Backspace');
      await expect.poll(() => chips(page)).toEqual([]);
      await page.keyboard.press('Control+n');
      await expect.poll(() => sent(page, 'look')).toHaveLength(2);
      expect(await chips(page)).toEqual([]);
    }));

  test('a picture of the screen is a chip, warns where it may be private, and goes by its id', () =>
    on({ scene: 'long' }, async (page) => {
      await page.locator('.tools .menu button').nth(1).click();
      await page.keyboard.press('Enter');
      await page.locator('.chip .open:enabled').click();
      await expect.poll(() => page.evaluate(() => window.scripted.looked)).toEqual(['region']);
      await expect.poll(() => page.locator('.preview').innerText()).toContain('may be a private window');
      await page.locator('textarea').fill('what is wrong here?');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{ screens: ['view-2'] }]);
    }));

  test('what the keys have seen is attached when the panel opens with it', () =>
    on({ scene: 'context' }, async (page) => {
      await page.evaluate(() => {
        window.scripted.show('screen');
        window.scripted.see();
      });
      await expect.poll(() => chips(page)).toEqual(['Screenshot 1280×720']);
      expect(await sent(page, 'look')).toEqual([]);
    }));

  test('the guess is taken by Tab, dropped by Esc, and Enter does nothing with it', () =>
    on({ scene: 'long' }, async (page) => {
      await drop(page, ['/a/builds.csv']);
      await page.locator('.tab').waitFor();
      await page.keyboard.press('Enter');
      expect(await sent(page, 'ask')).toEqual([]);
      await page.keyboard.press('Tab');
      await expect.poll(() => page.locator('textarea').inputValue()).toBe('What stands out in this table?');
      await page.locator('textarea').fill('');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.tab').count()).toBe(0);
      await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(0);
    }));

  test('Alt with a figure takes a suggestion', () =>
    on({ scene: 'long' }, async (page) => {
      await drop(page, ['/a/builds.csv']);
      await page.locator('.tab').waitFor();
      await page.keyboard.press('Alt+2');
      await expect.poll(() => page.locator('textarea').inputValue()).toBe('Sum it up by category');
    }));
});

describe('find anything', () => {
  test('sessions, memory and commands are reached by keys alone', () =>
    on({ scene: 'sessions' }, async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('invoices');
      await expect.poll(() => page.locator('.found').allInnerTexts()).toHaveLength(2);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'inspect')).toMatchObject([{ source: { from: 'text' } }]);
      await expect.poll(() => focused(page)).toBe('textarea');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('appearance: dark');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('textarea');
    }));

  test('a command is found in the other language too', () =>
    on({ scene: 'sessions', lang: 'zh' }, async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('settings');
      await page.keyboard.press('Enter');
      await page.locator('.settings').waitFor();
    }));
});

describe('model picker', () => {
  test('what is chosen goes with the question and holds for the session alone', () =>
    on({ scene: 'long' }, async (page) => {
      await page.keyboard.press('Control+m');
      await page.locator('.option', { hasText: 'gemma3' }).waitFor();
      await page.keyboard.type('gemma');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await ask(page);
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([
          { overrides: { provider: 'ollama', model: 'gemma3:4b', model_url: 'http://127.0.0.1:11434/v1' } },
        ]);
      await page.locator('.after').waitFor();
      await page.keyboard.press('Control+n');
      await ask(page);
      await expect.poll(() => sent(page, 'ask')).toMatchObject([{}, { overrides: {} }]);
    }));

  test('a model at an own address is listed and ticked, and come back to from the offline planner', () =>
    on({ scene: 'ownaddress' }, async (page) => {
      const ticked = () => page.locator('.option[aria-selected=true] .name').allInnerTexts();
      await page.keyboard.press('Control+m');
      await page.locator('.option', { hasText: 'glm-4.7-air' }).waitFor();
      expect(await page.locator('.heading').first().innerText()).toBe('build-03.lan:8080');
      expect(await ticked()).toEqual(['qwen3-30b']);
      await page.locator('.option', { hasText: 'Offline' }).click();
      await page.keyboard.press('Control+m');
      await expect.poll(() => ticked()).toEqual(['Offline planner']);
      await page.locator('.option', { hasText: 'qwen3-30b' }).click();
      await page.keyboard.press('Control+m');
      await expect.poll(() => ticked()).toEqual(['qwen3-30b']);
      await page.keyboard.press('Escape');
      await ask(page);
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ overrides: { provider: '', model: 'qwen3-30b', model_url: 'http://build-03.lan:8080/v1' } }]);
    }));

  test('what is configured is listed and ticked when its server does not answer, which is said', () =>
    on({ scene: 'owngone' }, async (page) => {
      await page.keyboard.press('Control+m');
      await page.locator('.trouble', { hasText: 'build-03.lan:8080' }).waitFor();
      expect(await page.locator('.option[aria-selected=true] .name').allInnerTexts()).toEqual(['qwen3-30b']);
    }));
});

describe('settings', () => {
  test('one page, searched by every word, and every kind of value is set', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.keyboard.press('Control+,');
      await page.keyboard.type('theme');
      await expect.poll(() => page.locator('.setting').count()).toBe(1);
      await page.locator('input[type=search]').fill('');
      await page.locator('#setting-autostart').click();
      await page.locator('.segment', { hasText: 'Dark' }).click();
      await page.locator('.recorder').nth(1).click();
      await page.keyboard.press('Control+Shift+KeyD');
      await page.locator('#setting-max_rounds').fill('20');
      await page.keyboard.press('Enter');
      await page.locator('#setting-folders').fill('/srv');
      await page.keyboard.press('Enter');
      await expect
        .poll(async () =>
          ((await sent(page, 'config_set')) as { key: string; value: string }[]).map(
            ({ key, value }) => `${key}=${value}`,
          ),
        )
        .toEqual([
          'autostart=on',
          'theme=dark',
          'hotkey_screen=Ctrl+Shift+D',
          'max_rounds=20',
          'folders=/home/lin/work:/home/lin/下载:/srv',
        ]);
    }));

  test('a switch is drawn as every other one, off and on, and its name switches it, too', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.keyboard.press('Control+,');
      const setting = page.locator('.setting', { has: page.locator('#setting-autostart') });
      /** What is drawn otherwise than on a switch that has nothing but the shared style, in its place. */
      const ownLook = async (checked: boolean) => {
        await page.mouse.move(-1, -1);
        await still(page);
        return page.locator('#setting-autostart').evaluate((element, on) => {
          const look = (one: Element) =>
            ['', '::before', '::after'].flatMap((part) => {
              const style = getComputedStyle(one, part);
              return [...style].map((name) => `${part} ${name}: ${style.getPropertyValue(name)}`);
            });
          const own = look(element);
          const other = Object.assign(document.createElement('input'), {
            type: 'checkbox',
            className: 'switch',
            checked: on,
          });
          element.replaceWith(other);
          const shared = new Set(look(other));
          other.replaceWith(element);
          return own.filter((line) => !shared.has(line));
        }, checked);
      };
      expect(await ownLook(false)).toEqual([]);
      await setting.locator('.title').click();
      await expect.poll(() => sent(page, 'config_set')).toMatchObject([{ key: 'autostart', value: 'on' }]);
      await setting.locator('.tool').waitFor();
      expect(await ownLook(true)).toEqual([]);
    }));

  test('a number out of range is said and not sent; a remembered decision is revoked', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.keyboard.press('Control+,');
      await page.locator('#setting-max_rounds').fill('900');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.setting .wrong').innerText()).toBe('Between 1 and 100');
      expect(await sent(page, 'config_set')).toEqual([]);
      await page.locator('.rules .button').first().click();
      await expect.poll(() => page.locator('.rules code').count()).toBe(1);
      await expect.poll(() => sent(page, 'rule_delete')).toHaveLength(1);
    }));

  test('nothing acts while keys are being recorded, and Esc leaves them', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.keyboard.press('Control+,');
      await page.locator('.recorder').first().click();
      await page.keyboard.press('Escape');
      await page.locator('.settings').waitFor();
      await page.locator('.recorder').first().click();
      await page.keyboard.press('Control+n');
      await page.locator('.settings').waitFor();
      await expect.poll(() => sent(page, 'config_set')).toMatchObject([{ key: 'hotkey', value: 'Ctrl+N' }]);
    }));

  test('the sheet of keys opens, and the question mark does not open it from the input', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.keyboard.type('why?');
      await expect.poll(() => page.locator('.sheet').count()).toBe(0);
      await page.keyboard.press('Control+/');
      await page.locator('.sheet').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('textarea');
      await expect.poll(() => page.locator('textarea').inputValue()).toBe('why?');
    }));
});

describe('commands from outside', () => {
  test('a text is put into the input and not sent; settings and sessions open', () =>
    on({ scene: 'summoned' }, async (page) => {
      await page.evaluate(() => window.scripted.command({ command: 'text', text: 'what is new?' }));
      await expect.poll(() => page.locator('textarea').inputValue()).toBe('what is new?');
      expect(await sent(page, 'ask')).toEqual([]);
      await page.evaluate(() => window.scripted.command({ command: 'settings', find: 'Embedding' }));
      await page.locator('.settings').waitFor();
      await page.evaluate(() => window.scripted.command({ command: 'run', session: 'session-8', run: 'run-9' }));
      await page.locator('.question').waitFor();
    }));

  test('a link chooses an assistant and fills the input; a name that nobody has stays in it', () =>
    on({ scene: 'summoned' }, async (page) => {
      const link = (name: string, text: string) =>
        page.evaluate(([name, text]) => window.scripted.command({ command: 'assistant', name, text }), [
          name,
          text,
        ] as const);
      const input = page.locator('textarea');
      await link('translator', 'Good morning');
      await expect.poll(() => input.inputValue()).toBe('Good morning');
      await page.getByRole('button', { name: /Translator/ }).waitFor();
      await link('nobody', '');
      // What stands there is its user's by now.
      await expect.poll(() => input.inputValue()).toBe('Good morning\n@nobody');
      await page.getByText('No assistant is called nobody').waitFor();
      await page.evaluate(() => window.scripted.command({ command: 'link_refused' }));
      await page.getByText('This link asks for nothing').waitFor();
      await expect.poll(() => input.inputValue()).toBe('Good morning\n@nobody');
      expect(await sent(page, 'ask')).toEqual([]);
    }));
});

describe('first run', () => {
  test('a local model is tried before it is taken, the keys are practised, and a sample is asked about', () =>
    on({ scene: 'first' }, async (page) => {
      await page.locator('.local .primary').click();
      await page.locator('.keys').waitFor();
      await expect
        .poll(() => sent(page, 'model_test'))
        .toMatchObject([{ provider: 'ollama', model: 'qwen3:8b', url: 'http://127.0.0.1:11434/v1' }]);
      await page.evaluate(() => window.scripted.press());
      await page.locator('.keys.pressed').waitFor();
      await page.getByRole('button', { name: 'Open Connections' }).click();
      expect(await page.evaluate(() => window.scripted.opened)).toEqual(['connections']);
      await page.locator('.ways .primary').click();
      await expect.poll(() => chips(page)).toEqual(['Sample travel notes.md']);
      const set = ((await sent(page, 'config_set')) as { key: string; value: string }[]).map(
        ({ key, value }) => `${key}=${value}`,
      );
      expect(set).toEqual([
        'provider=ollama',
        'model=qwen3:8b',
        'model_url=http://127.0.0.1:11434/v1',
        'first_run=done',
      ]);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ files: [expect.stringContaining('/data/attached/')] }]);
    }));

  test('without a model it is over at once and stays so', () =>
    on({ scene: 'first' }, async (page) => {
      await page.locator('.without').click();
      await page.locator('.ways .button').nth(1).waitFor();
      expect(await page.getByRole('button', { name: 'Open Connections' }).count()).toBe(0);
      await page.locator('.ways .button').nth(1).click();
      await page.locator('textarea').waitFor();
      await expect
        .poll(() => sent(page, 'config_set'))
        .toEqual([{ request: 'config_set', key: 'first_run', value: 'done' }]);
      await page.keyboard.press('Control+,');
      await page.keyboard.press('Escape');
      await page.locator('textarea').waitFor();
    }));
});
