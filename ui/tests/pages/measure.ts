/**
 * Measures how well pages are read: ours beside Mozilla's Readability and `dom_smoothie`, by kind of page.
 *
 * `run.mjs` says which half is scored, which pages of it, and whether what was missed is listed.
 */
import type { Browser } from 'playwright-core';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factsOf, pageQuestion } from '../../src/composer/page-question';
import { HALF, pagesOf, type Page as Saved } from './corpus';
import { articles, nameless, ofHtml, open, ours, readability, select, World, type Content } from './readers';
import { added, buttons, dropped, fields, kept, leaked, percent, tables, type Read, type Share } from './scoring';

const ONLY = new RegExp(process.env['ONLY'] ?? '.');
const PAGES = pagesOf(HALF, ONLY);

/** As much of a page as its chip shows, and as a question is guessed by. */
const PREVIEW_CHARS = 6_000;

/** Scripts of saved pages have run long before. */
const SETTLED_MS = 150;

interface Score {
  kept: Share;
  dropped: Share;
  tables: Share;
}

interface Result {
  page: Saved;
  content: Content;
  readers: Map<string, Score>;
  fields: Share;
  buttons: Share;
  leaked: string[];
  question: string;
}

let browser: Browser;
const results: Result[] = [];
const smoothed = articles(PAGES);
if (smoothed === null)
  say('NOT RUN: dom_smoothie: `cargo build -p shidi-tests --bin shidi-test-article` was not run\n');

beforeAll(async () => {
  browser = await open();
});

afterAll(async () => {
  await browser.close();
  report();
});

test.each(PAGES)('$slug', async (page) => {
  results.push(await measured(page));
});

test('no secret of any page was told', () => {
  expect(results.flatMap(({ page, leaked }) => leaked.map((secret) => `${page.slug}: ${secret}`))).toEqual([]);
});

async function measured(page: Saved): Promise<Result> {
  const tab = await browser.newPage();
  await tab.goto(pathToFileURL(page.path).href);
  await tab.waitForTimeout(SETTLED_MS);
  const { expected } = page;
  if (expected.selection !== undefined) await select(tab, expected.selection);
  if (process.env['NAMELESS'] !== undefined) await nameless(tab);
  const content = await (await World.open(tab)).read();
  const readers = new Map([['ours', scored(page, ours(content))]]);
  readers.set('readability', scored(page, await readability(tab)));
  const article = smoothed?.get(page.path);
  if (article !== undefined) {
    const { rows } = await ofHtml(tab, article.html);
    readers.set('dom_smoothie', scored(page, { text: article.text, rows }));
  }
  await tab.close();
  const said = JSON.stringify({ ...content, ms: 0 }).replace(/"ref":"[^"]*"/g, '');
  return {
    page,
    content,
    readers,
    fields: fields(expected, content.fields),
    buttons: buttons(
      expected,
      content.buttons.map(({ label }) => label),
    ),
    leaked: leaked(expected, said),
    question: pageQuestion(factsOf({ ...content, text: content.text.slice(0, PREVIEW_CHARS) }))?.kind ?? 'none',
  };
}

function scored({ expected }: Saved, read: Read): Score {
  return { kept: kept(expected, read), dropped: dropped(expected, read), tables: tables(expected, read) };
}

function isRight({ page, question }: Result): boolean {
  const { kind, also = [] } = page.expected.question;
  return question === kind || also.includes(question);
}

function isKind({ page, content }: Result): boolean {
  return [page.expected.kind, ...(page.expected.kind_also ?? [])].includes(content.kind);
}

/** A question is asked where none should be. */
function isHarmful(result: Result): boolean {
  return result.page.expected.question.kind === 'none' && !isRight(result);
}

function share(some: readonly Result[], is: (result: Result) => boolean): Share {
  return { hit: some.filter(is).length, of: some.length, missed: [] };
}

function report(): void {
  say(`\n${results.length} pages of the ${HALF} half\n\n`);
  const line = (cells: string[]) => say(`| ${cells.map((cell) => cell.padEnd(12)).join(' | ')} |\n`);
  line(['reader', 'text kept', 'rubbish out', 'tables']);
  for (const reader of ['ours', 'readability', 'dom_smoothie']) {
    const scores = results.flatMap(({ readers }) => readers.get(reader) ?? []);
    if (scores.length > 0)
      line([
        reader,
        ...(['kept', 'dropped', 'tables'] as const).map((what) => percent(added(scores.map((score) => score[what])))),
      ]);
  }
  say('\n');
  line(['kind', 'pages', 'text kept', 'rubbish out', 'tables', 'fields', 'buttons', 'kind', 'question', 'language']);
  const kinds = [...new Set(results.map(({ page }) => page.expected.kind))].sort();
  for (const kind of [...kinds, 'all']) {
    const some = results.filter(({ page }) => kind === 'all' || page.expected.kind === kind);
    const of = (what: keyof Score) => percent(added(some.flatMap(({ readers }) => readers.get('ours')?.[what] ?? [])));
    line([
      kind,
      String(some.length),
      of('kept'),
      of('dropped'),
      of('tables'),
      percent(added(some.map((one) => one.fields))),
      percent(added(some.map((one) => one.buttons))),
      percent(share(some, isKind)),
      percent(share(some, isRight)),
      percent(share(some, ({ page, content }) => content.language === page.expected.language)),
    ]);
  }
  const ms = results.map(({ content }) => content.ms).sort((one, other) => one - other);
  say(
    `\nharmful questions ${results.filter(isHarmful).length}, secrets told ${results.flatMap((one) => one.leaked).length}, `,
  );
  say(`titles right ${percent(share(results, ({ page, content }) => content.title === page.expected.title))}, `);
  say(`the first reading of a page took ${(ms[ms.length >> 1] ?? 0).toFixed(1)} ms in the median\n`);
  if (process.env['FAILURES'] !== undefined) results.forEach(failures);
}

function failures({ page, content, readers, ...result }: Result): void {
  const { expected } = page;
  const mine = readers.get('ours');
  const faults = [
    ...(mine?.kept.missed ?? []).map((text) => `lost: ${text}`),
    ...(mine?.dropped.missed ?? []).map((text) => `told: ${text}`),
    ...(mine?.tables.missed ?? []).map((text) => `row: ${text}`),
    ...result.fields.missed.map((text) => `field: ${text}`),
    ...result.buttons.missed.map((text) => `button: ${text}`),
    ...result.leaked.map((text) => `SECRET: ${text}`),
    ...(isKind({ page, content, readers, ...result }) ? [] : [`kind: ${content.kind}, not ${expected.kind}`]),
    ...(isRight({ page, content, readers, ...result })
      ? []
      : [`question: ${result.question}, not ${expected.question.kind}`]),
    ...(content.language === expected.language ? [] : [`language: ${content.language}, not ${expected.language}`]),
    ...(content.title === expected.title ? [] : [`title: ${content.title}, not ${expected.title}`]),
    ...(content.cut.length === 0 ? [] : [`cut: ${content.cut.join(', ')}`]),
  ];
  if (faults.length > 0) say(`\n${page.slug}\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
}

function say(text: string): void {
  process.stdout.write(text);
}
