/** What is remembered, as a list: what is asked, which answers are too late, what becomes of it when something is done. */
import { describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../src/bindings/MemoryRecord';
import {
  askedFor,
  chosen,
  countOf,
  ITEMS_MAX,
  ITEMS_PER_PAGE,
  looking,
  moved,
  noMemories,
  ofRecord,
  partsOf,
  replaced,
  shareOf,
  shortId,
  siteOf,
  taken,
  without,
  type Item,
} from '../src/memory/memories';
import { quoteOf, QUOTED_MAX, replacedBy, runOf } from '../src/memory/memory';

const source = { session: null, run: null, segments: [], site: null, document: null };
const record = (id: string, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
  id,
  kind: 'knowledge',
  scope: 'user',
  text: id,
  title: '',
  speaker: null,
  tags: [],
  entities: [],
  subject: null,
  data: null,
  origin: 'told',
  source,
  time: '2026-11-20T09:00:00Z',
  sort_value: 0,
  valid_from: '2026-11-20T09:00:00Z',
  valid_to: null,
  superseded_by: null,
  importance: 0.5,
  uses: 0,
  last_used: null,
  pinned: false,
  tainted: false,
  until: null,
  ...more,
});
const item = (id: string, more: Partial<Item> = {}): Item => ({ ...ofRecord(record(id)), ...more });
const items = (count: number, from = 0) => Array.from({ length: count }, (_, index) => item(`m${from + index}`));
const listed = (found: Item[]) => taken(noMemories(), askedFor(noMemories(), 'first'), found);

describe('the list', () => {
  test('an answer to other words, another layer or an earlier page is too late', () => {
    const asked = askedFor(noMemories(), 'first');
    for (const change of [
      { text: 'x' },
      { layer: 'short' as const },
      { kind: 'profile' as const },
      { owner: 'assistant:a' },
      { ended: true },
    ]) {
      expect(taken(looking(noMemories(), change), asked, items(1)).known).toBe(false);
    }
    const first = listed(items(ITEMS_PER_PAGE));
    const more = askedFor(first, 'more');
    const second = taken(first, more, items(2, ITEMS_PER_PAGE));
    expect([second.items.length, second.more]).toEqual([ITEMS_PER_PAGE + 2, false]);
    expect(taken(second, more, items(2, ITEMS_PER_PAGE))).toBe(second);
  });

  test('what was written in between stands in it once, and the list has an end', () => {
    const first = listed(items(ITEMS_PER_PAGE));
    const moved = taken(first, askedFor(first, 'more'), items(ITEMS_PER_PAGE, ITEMS_PER_PAGE - 1));
    expect(new Set(moved.items.map(({ id }) => id)).size).toBe(moved.items.length);
    let view = first;
    while (view.more) view = taken(view, askedFor(view, 'more'), items(ITEMS_PER_PAGE, view.items.length));
    expect(view.items.length).toBe(ITEMS_MAX);
  });

  test('a search asks everybody, those of single sessions too, or the one that is looked at; a list asks for all that there is', () => {
    const view = { ...noMemories(), owners: ['assistant:sales', 'site:https://a.example'] };
    expect(askedFor(view, 'first').action).toMatchObject({
      action: 'list',
      scopes: [],
      kinds: ['preference', 'summary', 'profile', 'knowledge', 'experience'],
    });
    expect(askedFor(looking(view, { text: ' x ' }), 'first').action).toMatchObject({
      action: 'find',
      text: 'x',
      scopes: [],
    });
    expect(
      askedFor(looking(view, { text: 'x', owner: 'assistant:sales', kind: 'profile' }), 'first').action,
    ).toMatchObject({ scopes: ['assistant:sales'], kinds: ['profile'] });
  });

  test('another layer begins with all of its kinds', () => {
    expect(looking(looking(noMemories(), { kind: 'profile' }), { layer: 'short' }).wanted.kind).toBeNull();
    expect(looking(looking(noMemories(), { kind: 'profile' }), { text: 'x' }).wanted.kind).toBe('profile');
  });

  test('what was replaced is found only when it is asked for', () => {
    const found = [item('a'), item('b', { ended: '2026-11-20T09:00:00Z' })];
    for (const [ended, count] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const view = looking(noMemories(), { text: 'x', ended });
      expect(taken(view, askedFor(view, 'first'), found).items.length).toBe(count);
    }
  });

  test('the choice stays where it can, moves within the ends, and goes to what follows what was deleted', () => {
    const view = listed(items(3));
    expect(moved(moved(view, 1), 9).chosen).toBe('m2');
    expect(moved(view, -Infinity).chosen).toBe('m0');
    expect(without(chosen(view, 'm1'), 'm1').chosen).toBe('m2');
    expect(without(chosen(view, 'm2'), 'm2').chosen).toBe('m1');
    expect(without(chosen(view, 'm0'), 'm2').chosen).toBe('m0');
    expect(without(listed(items(1)), 'm0').chosen).toBeNull();
    expect(taken(chosen(view, 'm2'), askedFor(view, 'first'), items(3, 1)).chosen).toBe('m2');
  });

  test('what is said anew stands where the old one stood, with its score', () => {
    const view = chosen(listed([item('a', { score: 0.5 }), item('b')]), 'a');
    const next = replaced(view, 'a', item('c'));
    expect([next.items.map(({ id }) => id), next.chosen, next.items[0]?.score]).toEqual([['c', 'b'], 'c', 0.5]);
  });

  test('layers count their kinds', () => {
    const view = {
      ...noMemories(),
      counts: [
        { kind: 'profile' as const, records: 2 },
        { kind: 'entity' as const, records: 3 },
        { kind: 'summary' as const, records: 4 },
      ],
    };
    expect([countOf(view, 'long'), countOf(view, 'short'), countOf(view, 'profile'), countOf(view, 'working')]).toEqual(
      [6, 3, 2, 0],
    );
  });
});

test('a score is told by what it is made of, what lowers it last, and nothing of what adds nothing', () => {
  const parts = { lexical: 0.6, context: 0, entity: 0.001, neighbour: 0.2, correction: -0.3 };
  expect(partsOf(parts)).toEqual([
    { name: 'lexical', value: 0.6 },
    { name: 'neighbour', value: 0.2 },
    { name: 'correction', value: -0.3 },
  ]);
  const view = listed([item('a', { score: 1.6 }), item('b', { score: 0.8 }), item('c', { score: -1 })]);
  expect(view.items.map((one) => shareOf(view, one))).toEqual([1, 0.5, 0]);
});

test('what a record belongs to is known by its scope, else by its page', () => {
  expect(siteOf(item('a', { scope: 'site:https://a.example' }))).toBe('https://a.example');
  expect(siteOf(item('a', { source: { ...source, site: 'https://b.example' } }))).toBe('https://b.example');
  expect([siteOf(item('a')), shortId('short'), shortId('0123456789abcdef')]).toEqual([null, 'short', '…89abcdef']);
});

test('erasing takes what was replaced with it, never what came after', () => {
  const line = [record('a', { superseded_by: 'b' }), record('b', { superseded_by: 'c' }), record('c')];
  expect(replacedBy(line, 'b').map(({ id }) => id)).toEqual(['a', 'b']);
  expect(replacedBy([record('a', { superseded_by: 'b' }), record('b', { superseded_by: 'a' })], 'a')).toHaveLength(2);
});

test('a source is quoted by its own words, within bounds, and leads to the run that said it', () => {
  const segment = (id: number, kind: 'User' | 'Express', text: string, run: string) => ({
    id,
    run,
    kind,
    text,
    exec: null,
    round: 1,
    tainted: false,
    failed: false,
    time: '2026-11-20T09:00:00Z',
  });
  const run = (id: string) => ({
    id,
    status: 'completed' as const,
    reason: null,
    usage: { input: 0, cached: 0, output: 0, model_calls: 0 },
    offline: false,
    waiting: [],
    seq: 1,
  });
  const summary = { id: 's', title: 't', created: '', updated: '', questions: 1, waiting: 0 };
  const session = {
    summary,
    segments: [
      segment(1, 'User', 'why', 'r1'),
      segment(2, 'Express', 'x'.repeat(999), 'r1'),
      segment(3, 'User', 'and', 'r2'),
    ],
    calls: [],
    runs: [run('r1'), run('r2')],
    variables: {},
  };
  expect(quoteOf(session, 'id', [2, 1])?.text).toBe('why');
  expect(quoteOf(session, 's/3', [])?.text).toBe('and');
  expect(quoteOf(session, 's/2', [])?.text.length).toBe(QUOTED_MAX + 1);
  expect(quoteOf(session, 'id', [])).toBeNull();
  expect([
    runOf(session, null, 'r1'),
    runOf(session, 'gone', null),
    runOf({ ...session, runs: [] }, 'r1', null),
  ]).toEqual(['r1', 'r2', null]);
});
