/**
 * The whole way with the real program: installed as a user does, let in by its code, asked about a page, killed while
 * the person had not answered there.
 *
 * Only the language model is played. Without a built program nothing is run, and that is said.
 */
import type { ChildProcess } from 'node:child_process';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { pages } from './browser';
import { Desk, endAll, inTurn, isBuilt, listening, model, written } from './desk';

afterEach(endAll);

const PROGRAM = `r = await page.edit_script("limit 10")
await user.say(f"{r['status']}: {r.get('reason', '')}")`;

/** Reads, fills, looks, takes back, and tries what may not be done. */
const HANDS = `await page.insert(' and a lamp')
r = await page.read()
mail = [field for field in r['fields'] if field['label'] == 'Your mail'][0]
f = await page.fill('Your name', 'Lin')
again = await page.read()
name = [field['value'] for field in again['fields'] if field['label'] == 'Your name'][0]
u = await page.undo(f['undo'])
p = await page.fill('Password', 'mine')
c = await page.click(role='button', name='Send the order')
await user.say(f"{r['kind']}; {mail['problem']}; {name}; {u['done']}; {p['done']}; {c['done']}")`;

/** Reads a PDF, and finds a line of it. */
const PAPER = `r = await page.read()
found = await page.find(text='heron')
await user.say(f"{r['kind']} of {r['pages']}, {found[0]['value']}: {found[0]['name']}")`;

/** All that a program said, once it has ended. */
function endOf(program: ChildProcess): Promise<string> {
  let said = '';
  program.stdout?.on('data', (text) => (said += String(text)));
  program.stderr?.on('data', (text) => (said += String(text)));
  return new Promise((resolve) => program.on('exit', () => resolve(said)));
}

/** The browser with the companion that the program installed, and the query editor in front. */
async function editorIn(
  desk: Desk,
  path = '/page.html',
): Promise<{ context: BrowserContext; editor: Page; site: string }> {
  const context = await desk.browser();
  const site = await listening(await pages([]));
  const editor = await context.newPage();
  await editor.goto(site + path);
  return { context, editor, site };
}

test.runIf(isBuilt)(
  'a task asks the person in the page, and outlives a kill: it was done once',
  { timeout: 180_000 },
  async () => {
    const desk = new Desk(await model(inTurn([written(PROGRAM)])));
    const { context, editor, site } = await editorIn(desk);
    await desk.letIn(context);
    await editor.bringToFront();
    await expect.poll(() => desk.run('companion', '--json'), { timeout: 30_000 }).toContain('Query editor');
    expect(await desk.run('companion', 'allow', site)).toContain(site);

    const task = desk.start('ask', '--json', '--page', '--approve', 'page.*', 'shorten it');
    const ended = endOf(task);
    await Promise.race([
      editor.getByRole('button', { name: 'Accept' }).waitFor({ timeout: 60_000 }),
      ended.then((said) => expect.fail(said)),
    ]);
    task.kill('SIGKILL');
    await editor.getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => desk.run('resume', '--json'), { timeout: 60_000 }).toContain('accepted: ');
    expect(await editor.locator('#changes').textContent()).toBe('1');
    expect(await editor.getByLabel('Script').inputValue()).toBe('limit 10');
  },
);

test.runIf(isBuilt)(
  'a task reads the page, writes where the user was, fills a field that the user sees filled, takes it back, and never touches a secret',
  { timeout: 180_000 },
  async () => {
    const desk = new Desk(await model(inTurn([written(HANDS, 'I look.')])));
    const { context, editor } = await editorIn(desk, '/form.html');
    await desk.letIn(context);
    await editor.bringToFront();
    await expect.poll(() => desk.run('companion', '--json'), { timeout: 30_000 }).toContain('Order a bicycle');
    await editor.locator('[name=wishes]').click();
    await editor.keyboard.press('End');
    const said = await desk.run('ask', '--json', '--page', '--approve', 'page.*', 'order it for me');
    expect(said).toContain('form; This is no address; Lin; True; False; True');
    expect(said).not.toMatch(/hunter2|4929 1111|482913/);
    expect(await editor.locator('[name=name]').inputValue()).toBe('Mei');
    expect(await editor.locator('[name=password]').inputValue()).toBe('hunter2-secret');
    expect(await editor.locator('[name=wishes]').inputValue()).toBe('No basket and a lamp');
    expect(await editor.locator('#sent').textContent()).toBe('1');
  },
);

test.runIf(isBuilt)(
  'a PDF that the browser shows is read by a task as its page, by a cookie that only the browser has',
  { timeout: 180_000 },
  async () => {
    const desk = new Desk(await model(inTurn([written(PAPER, 'I read.')])));
    const { context, editor, site } = await editorIn(desk);
    await context.addCookies([{ name: 'reader', value: 'mei', url: site }]);
    await desk.letIn(context);
    await editor.goto(`${site}/signed.pdf`);
    await editor.bringToFront();
    await expect.poll(() => desk.run('companion', '--json'), { timeout: 30_000 }).toContain('signed.pdf');
    const seen = await desk.run('sense', '--json', '--look', 'page');
    expect(seen).toContain('"state":"read"');
    expect(seen).toContain('Heron manual');
    const said = await desk.run('ask', '--json', '--page', 'what does it say?');
    expect(said).toContain('pdf of 1, p. 1: Heron manual');
  },
);

test.runIf(isBuilt)(
  'a text goes where the user was writing, by the user alone, and never into a password',
  { timeout: 180_000 },
  async () => {
    const desk = new Desk(await model(inTurn([])));
    const { context, editor } = await editorIn(desk, '/form.html');
    await desk.letIn(context);
    await editor.bringToFront();
    await editor.locator('[name=wishes]').click();
    await editor.keyboard.press('End');
    await expect.poll(() => desk.run('companion', '--json'), { timeout: 30_000 }).toContain('Order a bicycle');
    expect(await desk.run('companion', 'insert', ' and a lamp')).toContain('Order a bicycle');
    expect(await editor.locator('[name=wishes]').inputValue()).toBe('No basket and a lamp');
    await editor.locator('[name=password]').focus();
    expect(await desk.run('companion', 'insert', 'mine')).toContain('The page took no text in');
    expect(await editor.locator('[name=password]').inputValue()).toBe('hunter2-secret');
  },
);

test.runIf(isBuilt)(
  'what is chosen in a form three times is proposed, kept by its user, and filled in anew without a button being pressed',
  { timeout: 180_000 },
  async () => {
    const desk = new Desk(await model(inTurn([])));
    const { context, editor, site } = await editorIn(desk, '/form.html');
    await desk.letIn(context);
    await editor.bringToFront();
    const stays = desk.start('companion', 'pair');
    // Of two that start at a time either may hold the folder.
    await new Promise((said) => stays.stderr?.once('data', said));
    await expect.poll(() => desk.run('companion', '--json'), { timeout: 30_000 }).toContain('Order a bicycle');
    expect(await desk.run('preference', 'learn', site)).toContain(site);
    const document = async () => /"document":"([^"]+)"/.exec(await desk.run('companion', '--json'))?.[1] ?? '';
    const loadedAnew = async () => {
      const before = await document();
      await editor.reload();
      await expect.poll(async () => [before, ''].includes(await document()), { timeout: 30_000 }).toBe(false);
    };

    for (const times of [1, 2, 3]) {
      await loadedAnew();
      await editor.locator('[name=model]').focus();
      await editor.keyboard.press('ArrowDown');
      await editor.getByLabel('With a bell').click();
      await editor.getByLabel('Green').click();
      await editor.locator('[name=wishes]').fill(`No basket, ${times}`);
      await editor.locator('[name=password]').click();
      await editor.keyboard.type('s3cret');
      await editor.getByRole('button', { name: 'Send the order' }).click();
      await expect
        .poll(async () => (await desk.run('sense', '--ledger', '--json')).split('"what":"form"').length - 1, {
          timeout: 30_000,
        })
        .toBe(times);
    }
    const listed = await desk.run('preference', '--json');
    const { proposal } = JSON.parse(listed) as { proposal: { id: string; values: { name: string; value: unknown }[] } };
    expect(proposal.values.map(({ name, value }) => [name, value])).toEqual([
      ['Model', 'Long road'],
      ['With a bell', true],
      ['Colour', 'Green'],
    ]);
    expect(listed).not.toContain('s3cret');
    const kept = await desk.run('preference', 'keep', proposal.id, '--json');
    const { preference } = JSON.parse(kept) as { preference: { memory: string } };

    await loadedAnew();
    const filled = await desk.run('preference', 'fill', preference.memory);
    expect(filled).toContain('Filled in: Model, With a bell, Colour');
    expect(filled).toContain('Send the order');
    expect(await editor.locator('[name=model]').inputValue()).toBe('Long road');
    expect(await editor.getByLabel('With a bell').isChecked()).toBe(true);
    expect(await editor.getByLabel('Green').isChecked()).toBe(true);
    expect(await editor.locator('#sent').textContent()).toBe('0');
    stays.kill('SIGKILL');
  },
);
