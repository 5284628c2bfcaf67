/** Workflows as a person uses them: run, decided on, edited with their faults, settled where nobody knows, begun and brought in. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { sent, stageOf } from './stage';
import { choose, OURS, RECIPE } from './workflow-states';

const stage = stageOf();
const on = (act: (page: Page) => Promise<void>, speed = 0) =>
  stage().play(
    { scene: 'traces', lang: 'en', speed },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press('Control+8');
      await page.locator('.detail .block').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

const asked = async (page: Page, action: string) =>
  ((await sent(page, 'workflows')) as { action: { action: string } }[])
    .map((request) => request.action)
    .filter((known) => known.action === action);

const rowOf = (page: Page, name: string) => page.locator('.one', { hasText: name });

test('a run is asked for what it wants, and goes on with a decision', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.locator('form [role=alert]').first().waitFor();
    expect(await asked(page, 'run')).toEqual([]);
    await page.locator('form textarea').nth(0).fill('regulars');
    await page.locator('form textarea').nth(1).fill('autumn');
    await page.keyboard.press('Control+Enter');
    await page.locator('.run .card', { hasText: 'Send this to 555-0100?' }).waitFor();
    expect(await asked(page, 'run')).toMatchObject([{ inputs: { user_tag: 'regulars', marketing_need: 'autumn' } }]);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.run .result', { hasText: 'Sent to 14 customers' }).waitFor();
    expect(await sent(page, 'answer')).toMatchObject([{ run: 'step-run', call: 1 }]);
  }));

test('a run works in the folder that was chosen for it, and in none that was chosen for another one', () =>
  on(async (page) => {
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.click();
    await page.locator('.folders', { hasText: 'None chosen' }).waitFor();
    await page.getByRole('button', { name: 'Folders to work in' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.locator('.folders .chip', { hasText: 'order-service' }).waitFor();
    expect(await asked(page, 'run'), 'a key of the menu is none of the form').toEqual([]);
    await page.locator('form textarea').nth(0).fill('regulars');
    await page.locator('form textarea').nth(1).fill('autumn');
    await page.keyboard.press('Control+Enter');
    await page.locator('.run .card').first().waitFor();
    expect(await asked(page, 'run')).toMatchObject([{ folders: ['/home/lin/work/order-service'] }]);
    await run.click();
    await page.locator('.folders', { hasText: 'None chosen' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('form').waitFor({ state: 'detached' });
  }));

test('a run is tried with what is there, shows what each step would do, and nothing is run', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('form textarea').nth(1).fill('autumn');
    await page.getByRole('button', { name: 'Try without changing anything' }).click();
    const plan = page.locator('.plan');
    await plan.getByText('send: sms.send(body="text", mobile="text")').waitFor();
    await plan.getByText('ask_first: you would be asked').waitFor();
    expect(await plan.locator('li').count()).toBe(4);
    expect(await page.locator('form [role=alert]').count(), 'a missing value is an example').toBe(0);
    expect(await asked(page, 'plan')).toMatchObject([{ inputs: { marketing_need: 'autumn' } }]);
    expect(await asked(page, 'run')).toEqual([]);
    await page.locator('form textarea').nth(0).fill('regulars');
    await plan.waitFor({ state: 'detached' });
  }));

test('one that wants nothing is run by two keys, and may be tried before', () =>
  on(async (page) => {
    await page.locator('.one', { hasText: 'refund-approval' }).click();
    await page.getByRole('heading', { name: 'Refund approval' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Run it');
    await page.keyboard.press('Enter');
    await page.locator('.run').waitFor();
    expect(await asked(page, 'run')).toMatchObject([{ name: 'refund-approval', inputs: {} }]);
  }));

test('runs that wait or were interrupted are counted in the rail from every section, and named in the list', () =>
  on(async (page) => {
    const rail = page.locator('a[href="#workflows"] .waiting');
    expect(await rail.textContent()).toBe('5 waiting for you or interrupted');
    expect(await rowOf(page, 'customer-marketing').textContent()).toContain('4 wait for you');
    expect(await rowOf(page, 'refund-approval').textContent()).toContain('1 interrupted');
    expect(await rowOf(page, 'weekly-report').locator('.tag').count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'Runs' }).textContent()).toContain('4');
    await page.keyboard.press('Control+1');
    await expect.poll(() => rail.textContent()).toContain('5');
    const before = (await asked(page, 'list')).length;
    await page.evaluate(() => window.scripted.tell({ reply: 'workflows_changed' }));
    await expect.poll(async () => (await asked(page, 'list')).length).toBe(before + 1);
    expect((await asked(page, 'show')).length, 'nothing else is read out of sight').toBe(1);
  }));

test('what may have happened in a step is told with all that it was given', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').nth(2).click();
    const unknown = page.getByRole('group', { name: 'This may have happened' });
    await unknown.getByText('sms.send').waitFor();
    expect(await unknown.innerText()).toContain('mobile = 555-0100');
    expect(await unknown.innerText()).toContain('The autumn menu is here');
  }));

/** The step of the drawing that has the focus. */
const atHandOf = (page: Page) =>
  page.evaluate(() => {
    const node = document.activeElement;
    return node instanceof HTMLElement ? (node.dataset['step'] ?? null) : null;
  });

test('a past run is chosen by keys, drawn as it ran, and its steps are walked through and opened', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').first().focus();
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const node = (id: string) => page.locator(`.run .node[data-step=${id}]`);
    await node('each').waitFor();
    await page.getByText('The workflow has changed since').waitFor();
    expect(await node('write').textContent()).toContain('done · 3 times');
    expect(await node('send').textContent()).toContain('cancelled · 3 times · 1 failed');
    expect(await node('answer').textContent()).toContain('not reached');
    // One stop of Tab, and arrows within it.
    expect(await page.locator('.run .node[tabindex="0"]').count()).toBe(1);
    await page.locator('.run .node[tabindex="0"]').focus();
    expect(await atHandOf(page)).toBe('find');
    for (const [key, id] of [
      ['ArrowDown', 'each'],
      ['ArrowDown', 'write'],
      ['ArrowDown', 'send'],
      ['End', 'answer'],
      ['Home', 'find'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await atHandOf(page)).toBe(id);
    }
    await node('send').focus();
    await page.keyboard.press('Enter');
    const opened = page.getByRole('region', { name: 'Step send' });
    await opened.getByText('the server of sms refused the number').waitFor();
    expect(await opened.getByRole('listitem').count()).toBe(3);
    expect(await node('send').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Enter');
    await opened.waitFor({ state: 'detached' });
  }));

test('a run that was stopped shows what was under way as cancelled', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').first().click();
    const node = page.locator('.run .node[data-step=ask_first]');
    await expect.poll(() => node.textContent()).toContain('waits for you');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(() => node.textContent()).toContain('cancelled');
    expect(await page.getByText('The workflow has changed since').count()).toBe(0);
  }));

test('at twice the size the drawing scrolls in its pane, and a step that has the focus is seen', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Steps' }).click();
    await page.evaluate(() => (document.documentElement.style.zoom = '2'));
    // There is no room for the list of workflows beside it now.
    await rowOf(page, 'customer-marketing').click();
    const last = page.locator('.node[data-step=later]');
    await last.waitFor();
    await last.focus();
    const isSeen = () =>
      page.evaluate(() => {
        const [node, pane] = [document.activeElement, document.querySelector('.detail .body')].map((one) =>
          one?.getBoundingClientRect(),
        );
        if (node === undefined || pane === undefined) return false;
        const isBeside = node.left >= pane.left - 1 && node.right <= pane.right + 1;
        return isBeside && node.top < pane.bottom && node.bottom > pane.top;
      });
    await expect.poll(isSeen).toBe(true);
    await page.evaluate(() => (document.documentElement.style.zoom = '1'));
  }));

test('a text with a fault shows its line and remedy, and is kept only without one', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Text' }).click();
    const area = page.locator('textarea.code');
    await area.fill((await area.inputValue()).replace('{customer.mobile}?', '{custmer.mobile}?'));
    await page.locator('.faults', { hasText: 'Did you mean ‘customer’?' }).waitFor();
    expect(await page.locator('.gutter .faulty').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await area.fill((await area.inputValue()).replace('{custmer.mobile}?', '{customer.mobile} now?'));
    await page.locator('.faults li').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
    expect(await asked(page, 'save')).toMatchObject([{ name: 'customer-marketing', replace: true }]);
  }));

test('a step whose end is unknown waits for a word', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').nth(2).click();
    await page.getByRole('button', { name: 'It did not: do it now' }).click();
    await page.locator('.run .result').waitFor();
    expect(await asked(page, 'settle')).toMatchObject([{ run: 'w3', attempt: 7 }]);
  }));

test('a step that happened gives on what a person says that it gave', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    for (const typed of ['', 'sent at noon', '3', '{"sent": true, "to": [14]}', '12345678901234567890']) {
      await page.locator('.detail ul button').nth(2).click();
      await page.getByRole('textbox', { name: 'If it happened, what it gave' }).fill(typed);
      await page.getByRole('button', { name: 'It happened', exact: true }).click();
      await page.locator('.run .result').waitFor();
    }
    const values = [null, 'sent at noon', 3, { sent: true, to: [14] }, '12345678901234567890'];
    expect(await asked(page, 'settle')).toEqual(
      values.map((value) => ({ action: 'settle', run: 'w3', attempt: 7, verdict: { verdict: 'happened', value } })),
    );
  }));

test('what was typed for one run is not there for another', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    const runs = page.locator('.detail ul button');
    await runs.nth(2).click();
    const gave = page.getByRole('textbox', { name: 'If it happened, what it gave' });
    await gave.fill('sent');
    await runs.nth(4).click();
    await expect.poll(() => gave.inputValue()).toBe('');
    expect(await runs.nth(4).getAttribute('aria-current')).toBe('true');
  }));

test('what was typed of a step whose end is unknown stays while another step is looked at', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').nth(2).click();
    const gave = page.getByRole('textbox', { name: 'If it happened, what it gave' });
    await gave.fill('{"sent": true}');
    await page.locator('.run .node[data-step=find]').click();
    await gave.waitFor({ state: 'detached' });
    await page.locator('.run .node[data-step=send]').click();
    await expect.poll(() => gave.inputValue()).toBe('{"sent": true}');
  }));

test('a run that is over asks nothing of a step whose end is unknown', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').nth(2).click();
    await page.getByRole('button', { name: 'It happened', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('.run', { hasText: 'stopped' }).waitFor();
    expect(await page.locator('.run .uncertain').count()).toBe(1);
    expect(await page.locator('.run .verdict').count()).toBe(0);
  }));

test('two calls of one program are decided each on its own', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.locator('.detail ul button').nth(3).click();
    await page.locator('.run .card', { hasText: '555-0100' }).waitFor();
    const other = page.locator('.run .card', { hasText: '555-0101' });
    await other.getByRole('button', { name: 'Allow once' }).click();
    await expect.poll(() => sent(page, 'approve')).toMatchObject([{ run: 'both-run', call: 2 }]);
  }));

test('a text that is not saved stays with its workflow while another one is looked at', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Text' }).click();
    const area = page.locator('textarea.code');
    const kept = await area.inputValue();
    const typed = kept.replace('{customer.mobile}?', '{custmer.mobile}?');
    await area.fill(typed);
    await page.getByRole('listbox').press('ArrowDown');
    const other = page.getByRole('textbox', { name: 'Text of weekly-report' });
    await other.waitFor();
    expect(await other.inputValue()).toBe(kept);
    expect(await page.locator('.one', { hasText: 'unsaved' }).count()).toBe(1);
    expect(await rowOf(page, 'customer-marketing').textContent()).toContain('unsaved');
    await page.getByRole('listbox').press('ArrowUp');
    await expect.poll(() => area.inputValue()).toBe(typed);
    await page.locator('.faults', { hasText: 'Did you mean ‘customer’?' }).waitFor();
    await page.getByRole('searchbox').fill('refund');
    await page.getByRole('textbox', { name: 'Text of refund-approval' }).waitFor();
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => area.inputValue()).toBe(typed);
    await rowOf(page, 'weekly-report').click();
    await rowOf(page, 'customer-marketing').click();
    await page.getByRole('tab', { name: 'Text' }).click();
    await expect.poll(() => area.inputValue()).toBe(typed);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => area.inputValue()).toBe(kept);
    await expect.poll(() => page.locator('.one', { hasText: 'unsaved' }).count()).toBe(0);
  }));

test('what is typed while a text is being saved stays, and so does the workflow that is looked at by then', () =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Text' }).click();
    const area = page.locator('textarea.code');
    const kept = await area.inputValue();
    const lists = async () => (await asked(page, 'list')).length;
    const before = await lists();
    await area.fill(`${kept}# one\n`);
    await page.keyboard.press('Control+s');
    await area.fill(`${kept}# one\n# two\n`);
    // The list is asked for again once the text is kept.
    await expect.poll(lists).toBe(before + 1);
    expect(await area.inputValue()).toBe(`${kept}# one\n# two\n`);
    await page.keyboard.press('Control+s');
    await page.getByRole('listbox').press('ArrowDown');
    await page.getByRole('textbox', { name: 'Text of weekly-report' }).waitFor();
    await expect.poll(lists).toBe(before + 2);
    await rowOf(page, 'unsaved').waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Text of weekly-report' }).inputValue()).toBe(kept);
    await page.getByRole('listbox').press('ArrowUp');
    await expect.poll(() => area.inputValue()).toBe(`${kept}# one\n# two\n`);
  }, 1));

test('a workflow that ships is kept as a copy, and one of the user goes only when that was said twice', () =>
  on(async (page) => {
    await page.locator('.one', { hasText: 'refund-approval' }).click();
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('button', { name: 'Keep as my own' }).click();
    await expect.poll(() => asked(page, 'save')).toMatchObject([{ name: 'refund-approval' }]);
    await page.locator('.one', { hasText: 'customer-marketing' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    expect(await asked(page, 'remove')).toEqual([]);
    await page.locator('.foot').getByRole('button', { name: 'Remove' }).click();
    await page.locator('.one', { hasText: 'customer-marketing' }).waitFor({ state: 'detached' });
  }));

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const newText = (page: Page) => page.getByRole('textbox', { name: 'Text of the new workflow' });

test('a new one begins with a text without a fault, is checked as it is typed, and is chosen once it is kept', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'New workflow' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.keyboard.type('Shift notes');
    await expect.poll(() => newText(page).inputValue()).toContain("name: 'Shift notes'");
    await newText(page).fill((await newText(page).inputValue()).replace("'{article}'", "'{custmer}'"));
    await page.locator('.faults', { hasText: 'Did you mean ‘customer’?' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await newText(page).fill((await newText(page).inputValue()).replace('{custmer}', '{article}, of course'));
    await page.locator('.faults li').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await page.locator('.one.chosen', { hasText: 'shift-notes' }).waitFor();
    await page.getByRole('heading', { name: 'Shift notes' }).waitFor();
    expect(await asked(page, 'save')).toMatchObject([{ name: 'Shift notes', replace: false }]);
    expect((await asked(page, 'check')).length).toBeGreaterThan(1);
    expect(await page.getByText('unsaved').count()).toBe(0);
  }));

test('a new one stays as it was left while another one is looked at, until it is discarded', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'New workflow' }).click();
    await fieldOf(page).fill('notes');
    const typed = `${await newText(page).inputValue()}# mine\n`;
    await newText(page).fill(typed);
    await rowOf(page, 'refund-approval').click();
    await page.getByRole('heading', { name: 'Refund approval' }).waitFor();
    await page.getByRole('button', { name: 'New workflow unsaved' }).click();
    await expect.poll(() => newText(page).inputValue()).toBe(typed);
    expect(await fieldOf(page).inputValue()).toBe('notes');
    // The name of the text follows the one that is typed; what was written by hand stays.
    await fieldOf(page).fill('other notes');
    await expect.poll(() => newText(page).inputValue()).toBe(typed.replace("'notes'", "'other notes'"));
    await page.keyboard.press('Escape');
    await page.locator('.new').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.detail').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'New workflow unsaved' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => fieldOf(page).inputValue()).toBe('');
    await expect.poll(() => newText(page).inputValue()).toContain("name: 'My workflow'");
    expect(await asked(page, 'save')).toEqual([]);
  }));

test('a name that another one has is told, and another name is kept', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'New workflow' }).click();
    await fieldOf(page).fill('Customer marketing');
    await page.keyboard.press('Enter');
    const alert = page.locator('.new [role=alert]');
    await expect.poll(() => alert.textContent()).toContain('another workflow ‘customer-marketing’ already');
    expect(await alert.textContent()).not.toContain('--replace');
    await fieldOf(page).fill('Customer care');
    await alert.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.locator('.one.chosen', { hasText: 'customer-care' }).waitFor();
    expect(await asked(page, 'save')).toMatchObject([{ replace: false }, { replace: false }]);
  }));

const openImport = async (page: Page) => {
  await page.getByRole('button', { name: 'Import…' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.import').waitFor();
};

test('a file of ours is shown first, and kept when the user says so: by keys alone', () =>
  on(async (page) => {
    // The browser is told of it before the key comes.
    const chooser = page.waitForEvent('filechooser');
    await openImport(page);
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'handover.yaml', mimeType: '', buffer: Buffer.from(OURS) });
    await page.locator('.import article', { hasText: 'Shift handover' }).waitFor();
    expect(await asked(page, 'check')).toMatchObject([{ name: 'handover.yaml', text: OURS }]);
    expect(await asked(page, 'import')).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const arrival = page.locator('.arrival', { hasText: 'shift-handover is new here' });
    await arrival.getByText('Nothing was left out.').waitFor();
    await page.locator('.one.chosen', { hasText: 'shift-handover' }).waitFor();
    expect(await asked(page, 'import')).toMatchObject([{ file: 'handover.yaml', text: OURS, replace: false }]);
    await arrival.getByText('Programs may call it').waitFor();
    await page.getByRole('switch').click();
    await arrival.getByText("programs can't call it").waitFor();
    await arrival.getByRole('button', { name: 'Got it' }).click();
    await arrival.waitFor({ state: 'detached' });
  }));

test('a recipe of goose is kept at once, and what was left out is told with its place and remedy', () =>
  on(async (page) => {
    await openImport(page);
    await page.getByText('kept as soon as you choose it').waitFor();
    await choose(page, 'recipe.yaml', RECIPE);
    await page.locator('.one.chosen', { hasText: 'invoice-reader' }).waitFor();
    const left = page.locator('.arrival .faults li');
    await expect.poll(() => left.count()).toBe(2);
    expect(await left.first().textContent()).toContain('recipe.yaml:6:1');
    expect(await left.last().textContent()).toContain('Models are chosen in the settings by role');
    await page.locator('.arrival', { hasText: 'a goose recipe' }).waitFor();
    // It is told until it was seen, whatever is looked at meanwhile.
    await page.getByRole('listbox').press('Home');
    await page.locator('.arrival').waitFor({ state: 'detached' });
    await rowOf(page, 'invoice-reader').click();
    await page.locator('.arrival').waitFor();
  }));

test('one whose name is there takes its place only when that was said', () =>
  on(async (page) => {
    await openImport(page);
    await choose(page, 'mine.yaml', OURS.replace('Shift handover', 'Customer marketing'));
    await page.getByRole('button', { name: 'Keep as shown' }).click();
    const taken = page.locator('.import .taken');
    await taken.getByText('another workflow ‘customer-marketing’ already').waitFor();
    expect(await taken.textContent()).not.toContain('--replace');
    expect(await page.getByRole('button', { name: 'Keep as shown' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.locator('.arrival', { hasText: 'takes the place of the one that was there' }).waitFor();
    await page.locator('.one.chosen', { hasText: 'customer-marketing' }).waitFor();
    expect(await asked(page, 'import')).toMatchObject([{ replace: false }, { replace: true }]);
    await openImport(page);
    await choose(page, 'mine.yaml', OURS.replace('Shift handover', 'Customer marketing'));
    await page.getByRole('button', { name: 'Keep as shown' }).click();
    await page.locator('.arrival', { hasText: 'already, the very same' }).waitFor();
  }));

test('a file that is too large, no text, faulty or nobody’s is told in sentences, and nothing is kept', () =>
  on(async (page) => {
    await openImport(page);
    const alert = page.locator('.import [role=alert]');
    await choose(page, 'large.yaml', Buffer.alloc((1 << 20) + 1, '#'));
    await expect.poll(() => alert.textContent()).toBe('large.yaml is larger than 1 MB and was not read');
    await choose(page, 'gbk.yaml', Buffer.from([0xb9, 0xa4, 0xd7, 0xf7]));
    await expect.poll(() => alert.textContent()).toContain('gbk.yaml holds bytes that are no text');
    expect(await asked(page, 'check')).toEqual([]);
    await choose(page, 'nobody.json', '{"a": 1}');
    await expect.poll(() => alert.textContent()).toContain('no workflow of a program that is known');
    await choose(page, 'faulty.yaml', OURS.replace('{notes}', '{custmer}'));
    const fault = page.locator('.import .faults li');
    await expect.poll(() => fault.textContent()).toContain('faulty.yaml:10:19');
    expect(await fault.textContent()).toContain('Did you mean ‘customer’?');
    expect(await page.getByRole('button', { name: 'Keep as shown' }).count()).toBe(0);
    expect(await asked(page, 'import')).toMatchObject([{ file: 'nobody.json' }]);
    await page.keyboard.press('Escape');
    await page.locator('.import').waitFor({ state: 'detached' });
    expect(await page.locator('.one').count()).toBe(3);
  }));

/** The text of a workflow with an empty line at its end, where the caret is; the list is that of proposals. */
const onText = (act: (page: Page) => Promise<void>) =>
  on(async (page) => {
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.locator('textarea.code').press('Control+End');
    await act(page);
  });

const proposals = (page: Page) => page.getByRole('listbox', { name: 'What can stand here' });
const atHand = (page: Page) =>
  page.locator('textarea.code').evaluate((area) => {
    const id = area.getAttribute('aria-activedescendant');
    return id === null ? null : (document.getElementById(id)?.querySelector('.label')?.textContent ?? null);
  });
const tail = async (page: Page) => (await page.locator('textarea.code').inputValue()).split('\n').at(-1);

test('what can come next is proposed while a word is typed, and taken by Enter or Tab', () =>
  onText(async (page) => {
    await page.keyboard.type('  - ty');
    await expect.poll(() => atHand(page)).toBe('type');
    expect(await page.locator('.frame [role=status]').textContent()).toContain('1 proposal:');
    await page.keyboard.press('Enter');
    await expect.poll(() => tail(page)).toBe('  - type: ');
    // A key goes on to its values.
    await expect.poll(() => atHand(page)).toBe('input');
    expect(await proposals(page).getByRole('option').count()).toBe(12);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => atHand(page)).toBe('output');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('ll');
    await expect.poll(() => atHand(page)).toBe('llm');
    await page.keyboard.press('Tab');
    await expect.poll(() => tail(page)).toBe('  - type: llm');
    await proposals(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.keyboard.type("    prompt: 'For {cust");
    await proposals(page).getByRole('option', { name: 'customer' }).click();
    await expect.poll(() => tail(page)).toBe("    prompt: 'For {customer}");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await page.keyboard.press('Control+z');
    await expect.poll(() => tail(page)).toBe("    prompt: 'For {cust");
  }));

test('it takes no key while it is closed, opens when asked, and closes by itself', () =>
  onText(async (page) => {
    await page.keyboard.press('Control+Space');
    await expect.poll(() => atHand(page)).not.toBe(null);
    await page.keyboard.press('Escape');
    await proposals(page).waitFor({ state: 'detached' });
    expect(await tail(page)).toBe('');
    for (const leave of ['ArrowLeft', 'Home', 'Control+s']) {
      await page.locator('textarea.code').press('Control+End');
      await page.keyboard.press('Control+Space');
      await proposals(page).waitFor();
      await page.keyboard.press(leave);
      if (leave === 'Control+s') await page.keyboard.press('Escape');
      await proposals(page).waitFor({ state: 'detached' });
    }
    await page.locator('textarea.code').press('Control+End');
    await page.keyboard.press('Tab');
    await expect.poll(() => tail(page)).toBe('');
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('TEXTAREA');
  }));

test('Escape closes the list first, and the sheet of a new one only then', () =>
  on(async (page) => {
    await page.getByRole('button', { name: 'New workflow' }).click();
    await newText(page).press('Control+End');
    await page.keyboard.type('  - ty');
    await proposals(page).waitFor();
    await page.keyboard.press('Escape');
    await proposals(page).waitFor({ state: 'detached' });
    expect(await page.locator('.new').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('.new').waitFor({ state: 'detached' });
  }));

test('an input method is left alone until its word is there', () =>
  onText(async (page) => {
    const method = await page.context().newCDPSession(page);
    await page.keyboard.type('  - id: again\n    type: llm\n');
    await method.send('Input.imeSetComposition', { text: '    pro', selectionStart: 7, selectionEnd: 7 });
    await expect.poll(() => tail(page)).toBe('    pro');
    expect(await proposals(page).count()).toBe(0);
    await method.send('Input.insertText', { text: '    pro' });
    await expect.poll(() => atHand(page)).toBe('prompt');
  }));

test('the list stays within the text at its end, far to the right, and at twice the size', () =>
  onText(async (page) => {
    const inside = () =>
      page.evaluate(() => {
        const [list, frame] = ['.proposals', '.frame'].map((name) =>
          document.querySelector(name)?.getBoundingClientRect(),
        );
        if (list === undefined || frame === undefined) return null;
        return (
          list.left >= frame.left - 1 &&
          list.right <= frame.right + 1 &&
          list.top >= frame.top - 1 &&
          list.bottom <= frame.bottom + 1 &&
          list.height > 30
        );
      });
    const area = page.locator('textarea.code');
    await page.keyboard.type('  - ty');
    await expect.poll(inside).toBe(true);
    await page.evaluate(() => (document.documentElement.style.zoom = '2'));
    // There is no room for the list of workflows beside the text now.
    await rowOf(page, 'customer-marketing').click();
    await page.getByRole('tab', { name: 'Text' }).click();
    await area.press('Control+End');
    await page.keyboard.press('Control+Space');
    await expect.poll(inside).toBe(true);
    await area.press('Control+Home');
    await page.keyboard.press('Control+Space');
    await expect.poll(inside).toBe(true);
    await page.evaluate(() => (document.documentElement.style.zoom = '1'));
    await area.press('Control+End');
    await page.keyboard.press('Escape');
    await page.keyboard.type(`pe: llm\n    prompt: '${'far '.repeat(80)}{`);
    await expect.poll(inside).toBe(true);
    await area.press('Control+Home');
    await page.keyboard.press('Control+Space');
    await expect.poll(inside).toBe(true);
  }));
