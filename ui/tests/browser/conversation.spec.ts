/** What can be done with a conversation: changing, branching, quoting, finding, leaving and coming back. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, scenes, sent } from './stage';

const on = scenes();

/** Asks twice, and waits for both answers. */
async function askTwice(page: Page): Promise<void> {
  await ask(page);
  await page.locator('.after').waitFor();
  await page.locator('.composer textarea').fill('and the second?');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.after').count()).toBe(2);
}

const draft = (page: Page) => page.locator('.composer textarea').inputValue();
const place = (page: Page) => page.locator('.scroller').evaluate((frame) => frame.scrollTop);

describe('asking anew', () => {
  test('a first question that is changed is asked in its place and takes its files along', () =>
    on({ scene: 'long' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.locator('.mine').hover();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.locator('.edit textarea').fill('another question');
      await page.keyboard.press('Enter');
      expect(await sent(page, 'session_branch')).toEqual([]);
      await expect
        .poll(() => sent(page, 'ask'))
        .toMatchObject([{ again: null }, { text: 'another question', session: 'session-1', instead: 'run-1' }]);
    }));

  test('a later one takes its own place alone, and the versions can be gone through', () =>
    on({ scene: 'long' }, async (page) => {
      await askTwice(page);
      await page.locator('.mine').last().hover();
      await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
      await page.keyboard.press('End');
      await page.keyboard.type(' Really?');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page, 'ask')).toHaveLength(3);
      expect((await sent(page, 'ask'))[2]).toMatchObject({
        text: 'and the second? Really?',
        session: 'session-1',
        instead: 'run-2',
      });
      const pager = page.locator('.versions');
      await expect.poll(() => pager.innerText()).toBe('2/2');
      expect(await page.locator('.versions').count()).toBe(1);
      await expect.poll(() => page.locator('.after').count()).toBe(2);
      expect(await pager.locator('button').last().isDisabled()).toBe(true);
      await pager.locator('button').first().click();
      await expect.poll(() => sent(page, 'session_switch')).toMatchObject([{ session: 'session-1', run: 'run-2' }]);
    }));

  test('one that is chosen elsewhere, as at a terminal, is shown here too', () =>
    on({ scene: 'long' }, async (page) => {
      await askTwice(page);
      await page.evaluate(() => window.scripted.switch('session-8'));
      await page.evaluate(() => window.scripted.switch('session-1'));
      await page.getByText('Use the new company name').waitFor();
      expect(await sent(page, 'session_show')).toMatchObject([{ session: 'session-1' }]);
    }));

  test('Esc leaves a question as it was and gives the focus back', () =>
    on({ scene: 'long' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.getByRole('button', { name: 'Edit', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('x');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.edit').count()).toBe(0);
      await expect
        .poll(() => page.evaluate(() => [window.scripted.hidden, document.activeElement?.tagName]))
        .toEqual([0, 'TEXTAREA']);
      await expect.poll(() => sent(page, 'ask')).toHaveLength(1);
    }));

  test('another answer becomes a version, and a new session begins where one wants', () =>
    on({ scene: 'long' }, async (page) => {
      await askTwice(page);
      await page.locator('.answer').first().hover();
      await page.getByRole('button', { name: 'New session from here' }).first().click();
      await expect.poll(() => sent(page, 'session_branch')).toMatchObject([{ before: 'run-2' }]);
      await expect.poll(() => sent(page, 'ask')).toHaveLength(2);
    }));
});

describe('the end', () => {
  const toEnd = (page: Page) =>
    page
      .locator('.scroller')
      .evaluate((frame) => Math.round(frame.scrollHeight - frame.scrollTop - frame.clientHeight));
  const grow = (page: Page, times: number) =>
    page.evaluate(async (count) => {
      for (let grown = 0; grown < count; grown += 1) {
        const more = Object.assign(document.createElement('div'), { style: 'height: 40px' });
        document.querySelector('.content')?.append(more);
        await new Promise((resolve) => setTimeout(resolve, 7));
      }
    }, times);

  test('it is followed whenever something grows: between two frames, by a card, by the composer', () =>
    on({ scene: 'changed' }, async (page) => {
      await ask(page);
      await page.locator('section[aria-label] li').first().waitFor();
      await expect.poll(() => toEnd(page)).toBeLessThan(2);
      await page.locator('section li button[aria-expanded]').first().click();
      await page.locator('section pre').waitFor();
      await grow(page, 60);
      await expect.poll(() => toEnd(page)).toBeLessThan(2);
      await page.evaluate(() => window.scripted.drop(['/a.md', '/b.md', '/c.md', '/d.md']));
      await page.locator('.composer textarea').fill('one\ntwo\nthree\nfour');
      await expect.poll(() => toEnd(page)).toBeLessThan(2);
      expect(await page.locator('.end').count()).toBe(0);
    }));

  test('it is held to while formulas and diagrams of a session from before a restart are drawn, whoever is pulled up for a moment', () =>
    on({ scene: 'restarted' }, async (page) => {
      await page.locator('figure img').nth(5).waitFor();
      await expect.poll(() => toEnd(page)).toBeLessThan(2);
      // WebKit holds no place by itself, as this browser does.
      await page.locator('.scroller').evaluate((frame: HTMLElement) => void (frame.style.overflowAnchor = 'none'));
      // As where the panel is hidden while they are drawn: shorter, measured, longer, and only then a frame.
      await page.evaluate(() => {
        const figures = [...document.querySelectorAll<HTMLElement>('figure')].slice(-4);
        for (const figure of figures) figure.style.display = 'none';
        document.body.getBoundingClientRect();
        for (const figure of figures) Object.assign(figure.style, { display: '', paddingBottom: '90px' });
      });
      await expect.poll(() => toEnd(page)).toBeLessThan(2);
      expect(await page.locator('.end').count()).toBe(0);
    }));

  test('whoever scrolls up by wheel or keys is left there, and taken along again from the end', () =>
    on({ scene: 'long' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      for (const up of ['wheel', 'keys']) {
        await grow(page, 10);
        await expect.poll(() => toEnd(page)).toBeLessThan(2);
        if (up === 'wheel') {
          await page.locator('.scroller').hover();
          await page.mouse.wheel(0, -90);
        } else await page.locator('.scroller').evaluate((frame) => frame.scrollBy(0, -90));
        await page.locator('.end').waitFor();
        const left = await place(page);
        await grow(page, 10);
        expect(await place(page)).toBe(left);
        await page.locator('.end').click();
      }
      await grow(page, 10);
      await expect.poll(() => toEnd(page)).toBeLessThan(2);
    }));
});

describe('a card that is taller than the window', () => {
  test('it is shown from its head, and whoever reads on is left there', () =>
    on({ scene: 'form' }, async (page) => {
      await page.setViewportSize({ width: 420, height: 300 });
      await ask(page);
      await page.locator('[data-card]').first().waitFor();
      const offset = () =>
        page
          .locator('[data-card]')
          .first()
          .evaluate((card) =>
            Math.round(
              card.getBoundingClientRect().top - (card.closest('.scroller')?.getBoundingClientRect().top ?? 0),
            ),
          );
      await expect.poll(offset).toBeLessThan(20);
      await page.locator('.scroller').evaluate((frame) => frame.scrollBy(0, 20));
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      const left = await place(page);
      await page.evaluate(() =>
        document
          .querySelector('.content')
          ?.append(Object.assign(document.createElement('div'), { style: 'height: 40px' })),
      );
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      expect(await place(page)).toBeGreaterThanOrEqual(left);
    }));
});

describe('what lives inside', () => {
  test('a long value is opened, read to its end, copied and closed with keys alone', () =>
    on({ scene: 'inside' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.keyboard.press('Control+i');
      await page.locator('li .line').first().waitFor();
      for (
        let steps = 0;
        steps < 6 && !(await page.evaluate(() => document.activeElement?.matches('li .line') ?? false));
        steps += 1
      )
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('pre.readable').waitFor();
      expect(await page.locator('li .line').first().getAttribute('aria-expanded')).toBe('true');
      expect(await page.locator('pre.readable').innerText()).toContain('"id": 1070');
      await page.keyboard.press('Tab');
      await page.keyboard.press('End');
      const left = () =>
        page
          .locator('pre.readable')
          .evaluate((text) => Math.round(text.scrollHeight - text.scrollTop - text.clientHeight));
      await expect.poll(left).toBeLessThan(2);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate(() => window.scripted.copied.at(-1))).toContain('"id": 1070');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('pre.readable').count()).toBe(0);
    }));

  test('what is longer than is shown says so, and is read again when a task has ended', () =>
    on({ scene: 'inside' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.keyboard.press('Control+i');
      await page.locator('li .line', { hasText: 'log' }).click();
      await page.getByText('this is where it is cut').waitFor();
      const asked = (await sent(page, 'variables')).filter((one) => JSON.stringify(one).includes('"show"')).length;
      expect(asked).toBe(1);
      await page.evaluate(
        (at) =>
          window.scripted.happen({
            ...at,
            type: 'run_ended',
            status: 'completed',
            usage: { input: 1, cached: 0, output: 1, model_calls: 1 },
            ms: 1,
          }),
        event,
      );
      await expect
        .poll(
          async () => (await sent(page, 'variables')).filter((one) => JSON.stringify(one).includes('"show"')).length,
        )
        .toBe(2);
    }));

  const event = { run: 'run-1', seq: 900, time: '2026-11-23T10:00:00Z' } as const;

  test('variables are those that the program of this session left, told before they are stored', () =>
    on({ scene: 'inside' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.keyboard.press('Control+i');
      await page.getByText('longest').waitFor();
      const read = (await sent(page, 'variables')).length;
      await page.evaluate((at) => {
        const names = [{ name: 'other', type: 'int', preview: '1' }];
        window.scripted.happen({ ...at, run: 'run-of-another', type: 'variables', names });
        window.scripted.happen({ ...at, type: 'variables', names: [{ name: 'fresh', type: 'int', preview: '42' }] });
      }, event);
      await page.getByText('fresh').waitFor();
      expect(await page.getByText('longest').count()).toBe(0);
      expect(await page.getByText('other').count()).toBe(0);
      expect(await sent(page, 'variables')).toHaveLength(read);
    }));

  test('a job that is being stopped stays so until it is told as ended', () =>
    on({ scene: 'insideslow' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.keyboard.press('Control+i');
      const stop = page.locator('.jobs button').first();
      await stop.click();
      const read = (await sent(page, 'jobs')).length;
      await expect.poll(async () => (await sent(page, 'jobs')).length).toBeGreaterThan(read);
      expect(await stop.isDisabled()).toBe(true);
    }));
});

describe('taking along', () => {
  test('an answer is copied as it was written', () =>
    on({ scene: 'rich' }, async (page) => {
      await ask(page);
      await page.getByRole('button', { name: 'Copy answer' }).click();
      await expect.poll(() => page.evaluate(() => window.scripted.copied[0])).toContain('$s/\\sqrt{n}$');
    }));

  test('what is selected is quoted above the draft', () =>
    on({ scene: 'long' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.locator('.composer textarea').fill('why?');
      await page
        .locator('.answer li')
        .first()
        .evaluate((item) => getSelection()?.selectAllChildren(item));
      await page.getByRole('button', { name: 'Quote' }).click();
      await expect
        .poll(() => draft(page))
        .toBe('> Store the key together with a digest of the body; the same key with another body is refused.\n\nwhy?');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    }));
});

describe('find in session', () => {
  test('counts every place, in folded steps too, unfolds the one at hand, and Esc closes it', () =>
    on({ scene: 'gaveup' }, async (page) => {
      await ask(page);
      await page.locator('.gave-up').waitFor();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('glob');
      const told = page.locator('.find [role=status]');
      await expect.poll(() => told.innerText()).toBe('1 / 2');
      const last = page.locator('.step button.line').last();
      await expect.poll(() => last.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Enter');
      await expect.poll(() => told.innerText()).toBe('2 / 2');
      await page.keyboard.press('Enter');
      await expect.poll(() => told.innerText()).toBe('1 / 2');
      await page.keyboard.press('Shift+Enter');
      await expect.poll(() => told.innerText()).toBe('2 / 2');
      await expect
        .poll(() => page.evaluate(() => [CSS.highlights.get('found')?.size, CSS.highlights.get('found-here')?.size]))
        .toEqual([2, 1]);
      await page.locator('.find input').fill('nowhere at all');
      await expect.poll(() => told.innerText()).toBe('None');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.find').count()).toBe(0);
      await expect.poll(() => page.evaluate(() => window.scripted.hidden)).toBe(0);
      await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size)).toBe(0);
    }));

  test('words are found across colours and bold', () =>
    on({ scene: 'long' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('with a DIGEST of');
      await expect.poll(() => page.locator('.find [role=status]').innerText()).toBe('1 / 1');
      await page.locator('.find input').fill('async def once(key: str');
      await expect.poll(() => page.locator('.find [role=status]').innerText()).toBe('1 / 1');
    }));
});

describe('several sessions', () => {
  test('draft, scroll and folds are where they were left', () =>
    on({ scene: 'sessions' }, async (page) => {
      await page.keyboard.type('a draft of the new session');
      await page.locator('li button', { hasText: 'Rename 12 screenshots' }).first().click();
      await page.locator('.step button.line').first().waitFor();
      await page.locator('.step button.line').first().click();
      await page.locator('.composer textarea').fill('a draft of this one');
      await page.setViewportSize({ width: 420, height: 300 });
      // Scrolled and left within one frame: the browser has told nobody of that scroll yet.
      await page.locator('.scroller').evaluate((frame) => {
        frame.scrollTo(0, 40);
        frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', code: 'KeyN', ctrlKey: true, bubbles: true }));
      });
      await expect.poll(() => draft(page)).toBe('a draft of the new session');
      await page.locator('li button', { hasText: 'Rename 12 screenshots' }).first().click();
      await expect.poll(() => draft(page)).toBe('a draft of this one');
      await expect.poll(() => page.locator('.step button.line').first().getAttribute('aria-expanded')).toBe('true');
      await expect.poll(() => place(page)).toBe(40);
    }));

  test('one that needs the user out of sight says so, in the list and once beside it', () =>
    on({ scene: 'elsewhere' }, async (page) => {
      await page.locator('.toast').waitFor();
      await expect.poll(() => page.locator('.toast').innerText()).toContain('Idempotent payment endpoint');
      await expect
        .poll(() => page.locator('li', { hasText: 'Idempotent payment endpoint' }).locator('.tag').innerText())
        .toBe('Needs you');
      await page.locator('.toast .button').click();
      await page.locator('.question').waitFor();
      await expect.poll(() => sent(page, 'session_show')).toMatchObject([{ session: 'session-8' }]);
      await expect.poll(() => page.locator('.toast').count()).toBe(0);
    }));

  test('one that has waited since before a restart says so, too, and its card is one key away', () =>
    on({ scene: 'waited', lang: 'en' }, async (page) => {
      await page.locator('.toast', { hasText: 'Clear caches on the build host' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.locator('#found').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.hint').waitFor();
      expect(await page.locator('.toast').count(), 'it is told once').toBe(0);
      await page.keyboard.press('F8');
      await page.locator('.question', { hasText: 'Clear caches' }).waitFor();
      await expect.poll(() => sent(page, 'session_show')).toMatchObject([{ session: 'session-6' }]);
    }));
});

test('what is to be done is shown as it stands; done items fold to a count', () =>
  on({ scene: 'working' }, async (page) => {
    await ask(page);
    await page.locator('.todo').waitFor();
    await expect.poll(() => page.locator('.todo header').innerText()).toContain('3 / 6');
    await expect.poll(() => page.locator('.todo li').count()).toBe(3);
    await page.locator('.todo .fold').click();
    await expect.poll(() => page.locator('.todo li').count()).toBe(6);
    await expect.poll(() => page.locator('.todo li.in_progress .spinner').count()).toBe(1);
    // Seen and read out: what it is, that it is under way, and what is being done for it.
    await expect
      .poll(() => page.locator('.todo li.in_progress').innerText())
      .toMatch(/Run the contract tests until green.*in progress.*mending the one/s);
  }));

describe('a long conversation', () => {
  test('is compacted from the menu, and says by how much', () =>
    on({ scene: 'long', lang: 'en' }, async (page) => {
      await ask(page);
      await page.locator('.after').waitFor();
      await page.locator('header > .menu:last-child button').click();
      await page.getByRole('menuitem', { name: 'Compact the conversation' }).click();
      await expect
        .poll(() => sent(page, 'session_compact'))
        .toEqual([{ request: 'session_compact', session: 'session-1' }]);
      await page.locator('.notice', { hasText: '48.2k' }).waitFor();
    }));
});

test('an answer that was stopped for repeating itself says its words once, and under them why', async () => {
  for (const [lang, line, why] of [
    ['en', 'Monday: check the orders', 'repeated the same words without end'],
    ['zh', '周一：核对订单', '不停地重复同样的话'],
  ] as const)
    await on({ scene: 'repeating', lang, speed: 0 }, async (page) => {
      await ask(page);
      await page.locator('.notice', { hasText: why }).waitFor();
      await page.locator('.after').waitFor();
      expect(await page.locator('.answer li', { hasText: line }).count()).toBe(1);
      expect(await page.locator('.notice').count(), 'it is told once').toBe(1);
    });
});
