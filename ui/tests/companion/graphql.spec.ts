/**
 * The sample page's whole story by clicks, with the real program: opened by `shidi sample`, asked about, a wrong query
 * accepted and found wrong, one change rejected, the next accepted, the result judged, and the tab killed in the middle.
 * System, browser and page speak English, then Chinese.
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

/** What the page and the program say, and what is asked of them and answered. */
const SAID = {
  en: {
    orders: 'Orders',
    change: 'Change the query?',
    errors: '1 error(s)',
    done: /^Done in \d+ ms$/,
    accept: 'Accept',
    reject: 'Reject',
    why_not: 'Reason for rejecting',
    waits: 'Waits for the page',
    question: 'What are our newest open orders worth, with their customers?',
    wanted: 'each open order with its customer and its total',
    reasons: ['A name beside each order', 'The customer has the name; all orders', 'With the limit as it was'],
    reason: 'Keep the limit',
    lacking: 'The query names a field that the schema lacks.',
    problem: 'Order has no field customerName',
    advice: 'Ask for customer { name }',
    passed: 'Each order has its customer and its total.',
  },
  zh: {
    orders: '订单',
    change: '这样改查询？',
    errors: '1 处错误',
    done: /^\d+ 毫秒完成$/,
    accept: '接受',
    reject: '拒绝',
    why_not: '拒绝的理由',
    waits: '等页面',
    question: '最近还没完成的订单值多少，是谁的？',
    wanted: '每个没完成的订单，连同顾客和总额',
    reasons: ['每个订单旁边加上名字', '名字在顾客里；要全部订单', '条数还和原来一样'],
    reason: '条数不要动',
    lacking: '查询里有结构没有的字段。',
    problem: 'Order 没有 customerName 这个字段',
    advice: '改问 customer { name }',
    passed: '每个订单都有顾客和总额。',
  },
} as const;

type Said = (typeof SAID)[keyof typeof SAID];

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
const storyOf = ({ reasons, wanted }: Said) => [
  `now = await page.context()
print(now['variables'])
${proposes(WRONG, reasons[0])}
answer = await page.executeScript()
print(r['status'], answer['errors'][0]['message'])
v = await page.validate('${wanted}', answer)
print(v['passed'], v['suggestions'], sorted(v))`,
  `${proposes(ALL, reasons[1])}
print(r['status'], r['reason'])`,
  `${proposes(RIGHT, reasons[2])}
answer = await page.executeScript()
v = await page.validate('${wanted}', answer)
orders = answer['data']['orders']
await user.say(f"{len(orders)} open orders, {sum(one['total'] for one in orders)} cents. {v['summary']}")`,
];

const NOTHING_MORE = { need_more_context: false, context_queries: [] };

const verdictsOf = ({ lacking, problem, advice, passed }: Said) => [
  { passed: false, summary: lacking, problems: [problem], suggestions: [advice], ...NOTHING_MORE },
  { passed: true, summary: passed, problems: [], suggestions: [], ...NOTHING_MORE },
];

/** A model that writes these texts, and judges results where a program asks for that; what it read goes into `prompts`. */
function scripted(texts: string[], prompts: string[], said: Said) {
  const verdicts = verdictsOf(said);
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
async function sampleIn(
  desk: Desk,
  { orders }: Said,
): Promise<{ context: BrowserContext; editor: Page; address: string }> {
  const opened = desktopOf(desk);
  desk.start('sample');
  await expect.poll(opened, WAIT).toMatch(/^http:\/\/localhost:\d+\/$/);
  const context = await desk.browser();
  const editor = await shown(context, opened(), orders);
  await desk.letIn(context);
  await editor.bringToFront();
  await expect.poll(async () => (await front(desk))?.tools.length, WAIT).toBe(4);
  return { context, editor, address: opened() };
}

async function shown(context: BrowserContext, address: string, head: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('heading', { name: head }).waitFor();
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
async function expectAsked(
  editor: Page,
  [head, why]: readonly [string, string],
  added: string[],
  removed: string[],
): Promise<void> {
  await dialog(editor).waitFor();
  expect(await editor.locator('#change-head').textContent()).toBe(head);
  expect(await editor.locator('#why').textContent()).toBe(why);
  expect(await rows(editor, 'added')).toEqual(added);
  expect(await rows(editor, 'removed')).toEqual(removed);
}

async function expectSeen(desk: Desk, address: string): Promise<void> {
  await expect
    .poll(() => front(desk), WAIT)
    .toMatchObject({
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
  const { question } = SAID.en;
  const programs = storyOf(SAID.en).length;
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
  expect(steps.filter(({ operation }) => operation === 'chat')).toHaveLength(programs + verdictsOf(SAID.en).length);
  expect(steps.filter(({ operation }) => operation === 'run_program')).toHaveLength(programs);

  const site = new URL(address).origin;
  const memory = await desk.lines<Remembered>('memory', 'list');
  expect(memory).toMatchObject([{ kind: 'summary', tainted: true }]);
  expect(memory[0]?.text).toContain(question);
  expect(memory[0]?.text).toContain(answer.split('.')[0]);
  expect(JSON.stringify(memory)).not.toMatch(/customerName|Ines Falk|limit: \$limit/);
  expect(await desk.lines('memory', 'visits', address)).toMatchObject([
    { question, title: 'Orders · GraphQL editor', url: site },
  ]);
}

test.runIf(isBuilt && hasSample).each(['en', 'zh'] as const)(
  'a query is written, accepted, found wrong, repaired, rejected once, accepted, run and judged: %s',
  { timeout: 240_000 },
  async (language) => {
    const said = SAID[language];
    const prompts: string[] = [];
    const desk = new Desk(
      await scripted(
        storyOf(said).map((program) => written(program)),
        prompts,
        said,
      ),
      language,
    );
    const drawn = (name: string) => draw(editor, `${name}-${language}`);
    const { editor, address } = await sampleIn(desk, said);
    await drawn('1-opened');
    // A browser that reconnects tells of its pages anew, a moment later.
    await expect.poll(() => front(desk), WAIT).toBeDefined();
    if (language === 'en') await expectSeen(desk, address);
    else await desk.run('companion', 'allow', address);
    const first = await query(editor).inputValue();

    const asked = await ask(desk, said.question);
    expect(asked).toContain(said.waits);
    expect(asked).toContain(new URL(address).origin);
    expect(prompts[0]).toContain('async def editScript(script: str');
    expect(prompts[0]).toContain('Sum of all lines, in cents.');
    const [firstReason, , lastReason] = said.reasons;
    await expectAsked(editor, [said.change, firstReason], ['+     customerName', '+     total'], ['-     placed']);
    await drawn('2-wrong-proposed');
    // Whoever was typing in the page accepts nothing by that.
    await editor.keyboard.press('Enter');
    await editor.keyboard.press('Space');
    expect(await dialog(editor).isVisible()).toBe(true);
    expect(await query(editor).inputValue()).toBe(first);
    await editor.getByRole('button', { name: said.accept }).click();
    await expect.poll(() => query(editor).inputValue()).toBe(WRONG);

    await goOn(desk, isAsked(editor), '--json');
    expect(await editor.getByRole('status').textContent()).toBe(said.errors);
    expect(await editor.locator('#result').textContent()).toContain('Cannot query field');
    const judged = prompts.find((prompt) => prompt.includes('<wanted>\n'));
    expect(judged).toContain(said.wanted);
    expect(judged).toContain('customerName');
    expect(prompts[2]).toContain('accepted Cannot query field "customerName" on type "Order"');
    expect(prompts[2]).toContain(`False ['${said.advice}']`);
    expect(prompts[2]).toContain(
      "['context_queries', 'need_more_context', 'passed', 'problems', 'suggestions', 'summary']",
    );
    await dialog(editor).waitFor();
    expect(await rows(editor, 'removed')).toContain('-     customerName');
    await drawn('3-all-proposed');
    await editor.getByLabel(said.why_not).fill(said.reason);
    await editor.getByRole('button', { name: said.reject }).click();
    await expect.poll(() => query(editor).inputValue()).toBe(WRONG);

    await goOn(desk, isAsked(editor), '--json');
    expect(prompts[3]).toContain(`rejected ${said.reason}`);
    await expectAsked(
      editor,
      [said.change, lastReason],
      ['+     customer {', '+       name', '+     }'],
      ['-     customerName'],
    );
    await drawn('4-right-proposed');
    await editor.getByRole('button', { name: said.accept }).click();
    await expect.poll(() => query(editor).inputValue()).toBe(RIGHT);

    const ended = await goOn(desk, (all) => eventOf(all, 'answer') !== undefined, '--json');
    expect(await editor.getByRole('status').textContent()).toMatch(said.done);
    await drawn('5-result');
    const { data } = JSON.parse((await editor.locator('#result').textContent()) ?? '') as {
      data: { orders: { total: number; customer: { name: string } }[] };
    };
    const sum = data.orders.reduce((all, { total }) => all + total, 0);
    const answer = `${data.orders.length} open orders, ${sum} cents. ${said.passed}`;
    expect(data.orders.length).toBe(5);
    expect(eventOf(ended, 'answer')?.text).toBe(answer);
    if (language === 'en') await expectKept(desk, eventOf(asked, 'run_started')?.run ?? 'none', address, answer);
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
    const desk = new Desk(await scripted(texts, prompts, SAID.en));
    const { context, editor, address } = await sampleIn(desk, SAID.en);
    expect(await desk.run('companion', 'allow', address)).toContain(new URL(address).origin);
    expect(await ask(desk, SAID.en.question)).toContain('Waits for the page');
    await dialog(editor).waitFor();
    const crashed = editor.waitForEvent('crash');
    await editor.goto('chrome://crash').catch(() => undefined);
    await crashed;

    const said = await goOn(desk, (all) => all.includes(closed));
    expect(said).toContain('the page was closed or has changed while it worked on this');
    expect(prompts[1]).toContain('the page was closed or has changed while it worked on this');
    const again = await shown(context, address, SAID.en.orders);
    await expect.poll(async () => (await front(desk))?.tools.length, WAIT).toBe(4);
    expect(await ask(desk, '--session', 'last', 'The page is open again, go on')).toContain('Waits for the page');
    expect(prompts[2]).toContain(closed);
    await expectAsked(
      again,
      ['Change the query?', 'The customers'],
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
