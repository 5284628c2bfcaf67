/** A replay as plain values: what was written into its form, what will differ, what came of it beside the first. */
import { describe, expect, test } from 'vitest';
import type { ReplayInput } from '../src/bindings/ReplayInput';
import type { Segment } from '../src/bindings/Segment';
import { plain, type PlainKind } from '../src/backend/scenes/play';
import { askOf, broughtBy, fieldOf, givenOf, linesOf, pairsOf } from '../src/replay/replay';

const INPUTS: ReplayInput[] = [
  { name: 'path', value: 'a.md' },
  { name: 'year', value: '2026' },
  { name: 'limit', value: 3 },
  { name: 'rows', value: [1, 'two'] },
];

describe('inputs', () => {
  test('a text stands in its field as it is, anything else as JSON', () => {
    expect(INPUTS.map(fieldOf)).toEqual(['a.md', '2026', '3', '[1,"two"]']);
  });

  test('only what differs is given, and a text stays a text whatever is in it', () => {
    expect(givenOf(INPUTS, { path: 'a.md', year: '2027', limit: ' 7 ', rows: '[]' })).toEqual({
      inputs: { year: '"2027"', limit: '7', rows: '[]' },
      wrong: [],
    });
    expect(givenOf(INPUTS, { path: 'it\'s "b"' }).inputs).toEqual({ path: '"it\'s \\"b\\""' });
  });

  test('what must be JSON and is none is named', () => {
    expect(givenOf(INPUTS, { limit: 'many', rows: '[1' })).toEqual({ inputs: {}, wrong: ['limit', 'rows'] });
  });

  test('a replay is a question that only names its run', () => {
    expect(askOf('run-1', { limit: '7' }, 'en')).toMatchObject({
      text: '',
      session: null,
      approve: [],
      replay: { run: 'run-1', inputs: { limit: '7' } },
    });
  });
});

test('a line that changes stands under what it was', () => {
  const lines = linesOf({ before: 'a = 1\nb = 2\n', after: 'a = 1\nb = 3' });
  expect(lines).toEqual([
    { what: 'same', number: 1, text: 'a = 1' },
    { what: 'before', number: null, text: 'b = 2' },
    { what: 'after', number: 2, text: 'b = 3' },
  ]);
});

describe('what came of it', () => {
  const segment = (run: string, kind: PlainKind, text: string, exec: number | null = 1): Segment => ({
    ...plain(kind, text),
    id: 1,
    run,
    exec,
    round: 1,
    tainted: false,
    time: '',
  });
  const segments = [
    segment('one', 'Python', 'print(1)'),
    segment('one', 'Output', '1\n'),
    segment('two', 'Output', '2\n'),
    {
      ...segment('one', 'Output', ''),
      kind: 'Card',
      card_id: 'c1',
      card: 'table',
      text: 'table: 2 columns',
      data: {},
    } satisfies Segment,
    segment('one', 'Express', 'said by the program'),
    segment('one', 'Express', 'said by the model', null),
  ];

  test('is what the programs of the run brought, not what the model says of it', () => {
    expect(broughtBy(segments, 'one').map(({ what, text }) => [what, text])).toEqual([
      ['output', '1'],
      ['card', 'table: 2 columns'],
      ['words', 'said by the program'],
    ]);
  });

  test('of the run that was replayed only what came to its end', () => {
    const tried = [
      {
        ...segment('one', 'Output', 'ValueError', 1),
        kind: 'Output',
        text: 'ValueError',
        failed: true,
      } satisfies Segment,
      segment('one', 'Express', 'trying', 1),
      segment('one', 'Output', '19', 2),
    ];
    expect(broughtBy(tried, 'one', 'replayed').map(({ text }) => text)).toEqual(['19']);
    expect(broughtBy(tried, 'one')).toHaveLength(3);
  });

  test('stands one beside the other, and says what is the same', () => {
    const pairs = pairsOf(broughtBy(segments, 'one'), [
      ...broughtBy(segments, 'two'),
      { what: 'card', text: 'table: 2 columns', failed: false },
    ]);
    expect(pairs.map(({ earlier, later, same }) => [earlier?.text, later?.text, same])).toEqual([
      ['1', '2', false],
      ['table: 2 columns', 'table: 2 columns', true],
      ['said by the program', undefined, false],
    ]);
  });
});
