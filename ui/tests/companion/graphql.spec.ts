/**
 * The sample page's whole story by clicks, with the real program: opened by `shidi sample`, asked about, a wrong query
 * accepted and found wrong, one change rejected, the next accepted, the result judged, and the tab killed in the middle.
 *
 * Only the language model is played. Draws what the page shows at each step into `artefacts/companion/`.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { Desk, endAll, isBuilt, model, written } from './desk';

const FOLDER = fileURLToPath(new URL('../../../artefacts/companion/', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../dist-samples/graphql/main.js', import.meta.url));
const hasSample = existsSync(SAMPLE);
if (!hasSample) process.stdout.write('NOT RUN: the sample page by clicks: it was not built (npm run build)\n');
mkdirSync(FOLDER, { recursive: true });

afterEach(endAll);

const WAIT = { timeout: 30_000 };
/** A browser needs a moment to notice a command, which may have ended by then. */
const TURNS_MAX = 8;

const QUESTION = 'What are our newest open orders worth, with their customers?';
const WANTED = 'each open order with its customer and its total';

const WRONG = `query OpenOrders($limit: Int) {
  orders(status: OPEN, limit: $limit) {
    id
    customerName
    total
  }
}`;
const ALL = `query OpenOrders {
  orders(status: OPEN) {
    id
    customer {
      name
    }
    total
  }
}`;
const RIGHT = ALL.replace('OpenOrders', 'OpenOrders($limit: Int)').replace('OPEN)', 'OPEN, limit: $limit)');

const proposes = (script: string, why: string) =>
  `r = await page.editScript(script=${JSON.stringify(script)}, why='${why}')`;

/** What the model writes, one after the other. */
const STORY = [
  `now = await page.context()
print(now['variables'])
${proposes(WRONG, 'A name beside each order')}
answer = await page.executeScript()
print(r['status'], answer['errors'][0]['message'])
v = await page.validate('${WANTED}', answer)
print(v['passed'], v['suggestions'], sorted(v))`,
  `${proposes(ALL, 'The customer has the name; all orders')}
print(r['status'], r['reason'])`,
  `${proposes(RIGHT, 'With the limit as it was')}
answer = await page.executeScript()
v = await page.validate('${WANTED}', answer)
orders = answer['data']['orders']
await user.say(f"{len(orders)} open orders, {sum(one['total'] for one in orders)} cents. {v['summary']}")`,
];

const VERDICTS = [
  {
    passed: false,
    summary: 'The query names a field that the schema lacks.',
    problems: ['Order has no field customerName'],
    suggestions: ['Ask for customer { name }'],
    need_more_context: false,
    context_queries: [],
  },
  {
    passed: true,
    summary: 'Each order has its customer and its total.',
    problems: [],
    suggestions: [],
    need_more_context: false,
    context_queries: [],
  },
];

/** A model that writes these texts, and judges results where a program asks for that; what it read goes into `prompts`. */
function scripted(texts: string[], prompts: string[]) {
  const verdicts = [...VERDICTS];
  return model((prompt) => {
    prompts.push(prompt);
    const text = prompt.includes('<wanted>\n') ? JSON.stringify(verdicts.shift()) : texts.shift();
    return text ?? 'Done.';
  });
}

interface Front {
  front?: { page: { document: string }; title: string; allowed: boolean; tools: { name: string }[] };
}
interface Seen {
  content: { context?: string[]; parts: { preview: string }[] };
}
interface Step {
  operation: string;
  name: string;
  attributes: Record<string, unknown>;
}
interface Remembered {
  kind: string;
  text: string;
  tainted: boolean;
}
interface RunEvent {
  type: string;
  run: string;
  text?: string;
}

/** Stands for the command by which a desktop opens addresses: it notes what was to be opened. */
function desktopOf(desk: Desk): () => string {
  const [program, note] = [`${desk.programs}/xdg-open`, `${desk.folder}/opened`];
  writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > '${note}.part' && mv '${note}.part' '${note}'\n`);
  chmodSync(program, 0o700);
  return () => (existsSync(note) ? readFileSync(note, 'utf8') : '');
}

/** The sample in a browser that was let in, opened by the address that `shidi sample` has the desktop open. */
async function sampleIn(desk: Desk): Promise<{ context: BrowserContext; editor: Page; address: string }> {
  const opened = desktopOf(desk);
  desk.start('sample');
  await expect.poll(opened, WAIT).toMatch(/^http:\/\/localhost:\d+\/$/);
  const context = await desk.browser();
  const editor = await shown(context, opened());
  await desk.letIn(context);
  await editor.bringToFront();
  await expect.poll(async () => (await front(desk))?.tools.length, WAIT).toBe(4);
  return { context, editor, address: opened() };
}

async function shown(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await page.bringToFront();
  return page;
}

async function front(desk: Desk): Promise<Front['front']> {
  const [state] = await desk.lines<Front>('companion');
  return state?.front;
}

function ask(desk: Desk, ...question: string[]): Promise<string> {
  return desk.run('ask', '--json', '--page', '--approve', 'page.*', ...question);
}

/** Goes on with what rests, as often as it takes. */
async function goOn(
  desk: Desk,
  isThere: (said: string) => boolean | Promise<boolean>,
  ...how: string[]
): Promise<string> {
  let said = '';
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    said += await desk.run('resume', ...how);
    if (await isThere(said)) return said;
  }
  throw new Error(`It never came to it: ${said}`);
}

function eventOf(said: string, type: string): RunEvent | undefined {
  const lines = said.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as RunEvent).find((event) => event.type === type);
}

const dialog = (editor: Page) => editor.getByRole('dialog');
const query = (editor: Page) => editor.locator('#query');
const isAsked = (editor: Page) => () => dialog(editor).isVisible();
const rows = (editor: Page, how: 'added' | 'removed') => editor.locator(`#diff .${how}`).allTextContents();

async function draw(editor: Page, name: string): Promise<void> {
  await editor.screenshot({ path: `${FOLDER}graphql-${name}.png` });
}

/** The page asks for this change, whose lines are shown; nothing has changed yet. */
async function expectAsked(editor: Page, why: string, added: string[], removed: string[]): Promise<void> {
  await dialog(editor).waitFor();
  expect(await editor.locator('#change-head').textContent()).toBe('Change the query?');
  expect(await editor.locator('#why').textContent()).toBe(why);
  expect(await rows(editor, 'added')).toEqual(added);
  expect(await rows(editor, 'removed')).toEqual(removed);
}

async function expectSeen(desk: Desk, address: string): Promise<void> {
  expect(await front(desk)).toMatchObject({
    title: 'Orders · GraphQL editor',
    allowed: false,
    tools: [{ name: 'get_context' }, { name: 'editScript' }, { name: 'editVariables' }, { name: 'executeScript' }],
  });
  const before = await desk.lines<Seen>('sense', '--look', 'page');
  expect(before[0]?.content.context ?? []).toEqual([]);
  expect(await desk.run('companion', 'allow', address)).toContain(new URL(address).origin);
  const [seen] = await desk.lines<Seen>('sense', '--look', 'page');
  expect(seen?.content.context).toEqual(['query', 'variables', 'schema', 'last_result']);
  expect(seen?.content.parts[0]?.preview).toContain('Sum of all lines, in cents.');
}

/** What stays of the task: each call once, what judged it, the answer with its page, and none of the page's own words. */
async function expectKept(desk: Desk, run: string, address: string, answer: string): Promise<void> {
  const steps = await desk.lines<Step>('trace', 'show', run);
  const calls = steps.filter(({ operation, name }) => operation === 'execute_tool' && name.startsWith('page.'));
  expect(calls.map(({ name }) => name)).toEqual([
    'page.context',
    'page.editScript',
    'page.executeScript',
    'page.validate',
    'page.editScript',
    'page.editScript',
    'page.executeScript',
    'page.validate',
  ]);
  expect(calls.every(({ attributes }) => attributes['shidi.ok'] === true)).toBe(true);
  expect(steps.filter(({ operation }) => operation === 'chat')).toHaveLength(STORY.length + VERDICTS.length);
  expect(steps.filter(({ operation }) => operation === 'run_program')).toHaveLength(STORY.length);

  const site = new URL(address).origin;
  const memory = await desk.lines<Remembered>('memory', 'list');
  expect(memory).toMatchObject([{ kind: 'summary', tainted: true }]);
  expect(memory[0]?.text).toContain(QUESTION);
  expect(memory[0]?.text).toContain(answer.split('.')[0]);
  expect(JSON.stringify(memory)).not.toMatch(/customerName|Ines Falk|limit: \$limit/);
  expect(await desk.lines('memory', 'visits', address)).toMatchObject([
    { question: QUESTION, title: 'Orders · GraphQL editor', url: site },
  ]);
}

test.runIf(isBuilt && hasSample)(
  'a query is written, accepted, found wrong, repaired, rejected once, accepted, run and judged',
  { timeout: 240_000 },
  async () => {
    const prompts: string[] = [];
    const desk = new Desk(
      await scripted(
        STORY.map((program) => written(program)),
        prompts,
      ),
    );
    const { editor, address } = await sampleIn(desk);
    await draw(editor, '1-opened');
    await expectSeen(desk, address);
    const first = await query(editor).inputValue();

    const asked = await ask(desk, QUESTION);
    expect(asked).toContain(`Waits for the page ${new URL(address).origin}`);
    expect(prompts[0]).toContain('async def editScript(script: str');
    expect(prompts[0]).toContain('Sum of all lines, in cents.');
    await expectAsked(editor, 'A name beside each order', ['+     customerName', '+     total'], ['-     placed']);
    await draw(editor, '2-wrong-proposed');
    // Whoever was typing in the page accepts nothing by that.
    await editor.keyboard.press('Enter');
    await editor.keyboard.press('Space');
    expect(await dialog(editor).isVisible()).toBe(true);
    expect(await query(editor).inputValue()).toBe(first);
    await editor.getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => query(editor).inputValue()).toBe(WRONG);

    await goOn(desk, isAsked(editor), '--json');
    expect(await editor.getByRole('status').textContent()).toBe('1 error(s)');
    expect(await editor.locator('#result').textContent()).toContain('Cannot query field');
    const judged = prompts.find((prompt) => prompt.includes('<wanted>\n'));
    expect(judged).toContain(WANTED);
    expect(judged).toContain('customerName');
    expect(prompts[2]).toContain('accepted Cannot query field "customerName" on type "Order"');
    expect(prompts[2]).toContain("False ['Ask for customer { name }']");
    expect(prompts[2]).toContain(
      "['context_queries', 'need_more_context', 'passed', 'problems', 'suggestions', 'summary']",
    );
    await dialog(editor).waitFor();
    expect(await rows(editor, 'removed')).toContain('-     customerName');
    await draw(editor, '3-all-proposed');
    await editor.getByLabel('Reason for rejecting').fill('Keep the limit');
    await editor.getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => query(editor).inputValue()).toBe(WRONG);

    await goOn(desk, isAsked(editor), '--json');
    expect(prompts[3]).toContain('rejected Keep the limit');
    await expectAsked(
      editor,
      'With the limit as it was',
      ['+     customer {', '+       name', '+     }'],
      ['-     customerName'],
    );
    await draw(editor, '4-right-proposed');
    await editor.getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => query(editor).inputValue()).toBe(RIGHT);

    const ended = await goOn(desk, (said) => eventOf(said, 'answer') !== undefined, '--json');
    expect(await editor.getByRole('status').textContent()).toMatch(/^Done in \d+ ms$/);
    await draw(editor, '5-result');
    const { data } = JSON.parse((await editor.locator('#result').textContent()) ?? '') as {
      data: { orders: { total: number; customer: { name: string } }[] };
    };
    const sum = data.orders.reduce((all, { total }) => all + total, 0);
    const answer = `${data.orders.length} open orders, ${sum} cents. ${VERDICTS[1]?.summary}`;
    expect(data.orders.length).toBe(5);
    expect(eventOf(ended, 'answer')?.text).toBe(answer);
    await expectKept(desk, eventOf(asked, 'run_started')?.run ?? 'none', address, answer);
  },
);

/** Two changes at once, of which the person is asked one after the other. */
const BOTH = `import asyncio
one, two = await asyncio.gather(
    page.editScript(script=${JSON.stringify(RIGHT)}, why='The customers'),
    page.editVariables(variables='{"limit": 2}', why='Only two'),
)
await user.say(f"{one['status']}, {two['status']}: {two['reason']}")`;

test.runIf(isBuilt && hasSample)(
  'a tab that is killed while it asks is told in a sentence, and its task is gone on with in another tab',
  { timeout: 240_000 },
  async () => {
    const closed = 'The page was closed while the change waited there, so it failed; nothing was changed.';
    const prompts: string[] = [];
    const texts = [written(`${proposes(RIGHT, 'The customers')}\nawait user.say(r['status'])`), closed, written(BOTH)];
    const desk = new Desk(await scripted(texts, prompts));
    const { context, editor, address } = await sampleIn(desk);
    expect(await desk.run('companion', 'allow', address)).toContain(new URL(address).origin);
    expect(await ask(desk, QUESTION)).toContain('Waits for the page');
    await dialog(editor).waitFor();
    const crashed = editor.waitForEvent('crash');
    await editor.goto('chrome://crash').catch(() => undefined);
    await crashed;

    const said = await goOn(desk, (all) => all.includes(closed));
    expect(said).toContain('the page was closed or has changed while it worked on this');
    expect(prompts[1]).toContain('the page was closed or has changed while it worked on this');
    const again = await shown(context, address);
    await expect.poll(async () => (await front(desk))?.tools.length, WAIT).toBe(4);
    expect(await ask(desk, '--session', 'last', 'The page is open again, go on')).toContain('Waits for the page');
    expect(prompts[2]).toContain(closed);
    await expectAsked(
      again,
      'The customers',
      ['+     customer {', '+       name', '+     }', '+     total'],
      ['-     placed'],
    );
    await again.getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => query(again).inputValue()).toBe(RIGHT);
    await again.getByRole('heading', { name: 'Change the variables?' }).waitFor();
    expect(await rows(again, 'added')).toEqual(['+ {"limit": 2}']);
    await draw(again, '6-in-another-tab');
    await again.getByLabel('Reason for rejecting').fill('All of them');
    await again.getByLabel('Reason for rejecting').press('Enter');
    expect(await again.locator('#variables').inputValue()).toContain('"limit": 5');
    const ended = await goOn(desk, (all) => eventOf(all, 'answer') !== undefined, '--json');
    expect(eventOf(ended, 'answer')?.text).toBe('accepted, rejected: All of them');
  },
);
