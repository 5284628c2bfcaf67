/** What passes of what pages, browsers and Shidi say: bounded, plain, and named as it is meant. */
import { expect, test } from 'vitest';
import { clip, offered, PIECE_MAX_CHARS, pieces, plain } from '../../companion/bounds.js';
import { brandOf } from '../../companion/browser.js';
import { read } from '../../companion/messages.js';
import { understood } from '../../companion/results.js';

const LONE = '\uD83D';

test('a text is cut at its bound and never within a character', () => {
  expect(clip('short', 10)).toBe('short');
  expect(clip('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(clip(`${'x'.repeat(8)}😀yyy`, 10)).toBe(`${'x'.repeat(8)}…`);
  expect(clip(`a${LONE}b`, 10)).toBe('a\uFFFDb');
  expect(clip(5, 10)).toBe('');
});

test('a tool that can not be named or called in full is left out; the first of a name counts', () => {
  const tool = { name: 'a', title: '', description: 'd', schema: { type: 'object' }, reads_only: true };
  const raw = [
    tool,
    { ...tool, description: 'the second' },
    { ...tool, name: '' },
    { ...tool, name: 'x'.repeat(129) },
    { ...tool, name: `b${LONE}` },
    { ...tool, name: 'long', schema: { text: 'x'.repeat(32_000) } },
    { ...tool, name: 'list', schema: [] },
    null,
    'tool',
  ];
  expect(offered(raw)).toEqual([{ name: 'a', description: 'd', schema: { type: 'object' }, reads_only: true }]);
  expect(offered('no list')).toEqual([]);
});

test('a tool without a schema takes no arguments, and only a true hint counts as one', () => {
  expect(offered([{ name: 'a', title: 'T', description: 'x'.repeat(3_000), reads_only: 'yes' }])).toEqual([
    {
      name: 'a',
      title: 'T',
      description: `${'x'.repeat(1_999)}…`,
      schema: { type: 'object', properties: {} },
      reads_only: false,
    },
  ]);
});

test('no more than 64 tools pass', () => {
  expect(offered(Array.from({ length: 100 }, (_, i) => ({ name: `t${i}`, description: 'd' })))).toHaveLength(64);
});

test('results are plain JSON: no lone surrogates, bounded in length and depth', () => {
  expect(plain({ text: `a${LONE}`, kept: '😀', [`k${LONE}`]: '\\ud83d' })).toMatchObject({
    value: { text: 'a\uFFFD', kept: '😀', 'k\uFFFD': '\\ud83d' },
  });
  expect(plain(undefined)).toEqual({ value: null, bytes: 4 });
  expect(plain('é'.repeat(500_001))).toHaveProperty('trouble');
  let deep: unknown = {};
  for (let level = 0; level < 101; level += 1) deep = { deep };
  expect(plain(deep)).toHaveProperty('trouble');
});

test('a result is what it stands for, whichever way it came', () => {
  const value = (raw: unknown) => understood(raw);
  expect(value('{"a":1}')).toMatchObject({ value: { a: 1 } });
  expect(value('plain words')).toMatchObject({ value: 'plain words' });
  expect(value('undefined')).toMatchObject({ value: null });
  expect(value(undefined)).toMatchObject({ value: null });
  expect(value('"{\\"a\\":1}"')).toMatchObject({ value: { a: 1 } });
  expect(value('"5"')).toMatchObject({ value: '5' });
  expect(value('{"content":[{"type":"text","text":"{\\"rows\\":[]}"}]}')).toMatchObject({ value: { rows: [] } });
  expect(
    value({
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }),
  ).toMatchObject({ value: 'one\ntwo' });
  expect(value({ content: [{ type: 'text', text: 'no rights' }], isError: true })).toEqual({ trouble: 'no rights' });
  expect(value({ content: [] })).toMatchObject({ value: { content: [] } });
  expect(value({ content: [{ type: 'image', data: '' }] })).toMatchObject({ value: { content: [{ type: 'image' }] } });
});

test('messages of Shidi are read by kind; what is not known is left out', () => {
  expect(read({ type: 'pair', code: '482913', more: 1 })).toEqual({ type: 'pair', code: '482913' });
  expect(read({ type: 'refused', reason: 'declined' })).toEqual({ type: 'refused', reason: 'declined' });
  expect(read({ type: 'refused', reason: 'something new' })).toEqual({ type: 'refused', reason: 'version' });
  expect(read({ type: 'site', site: 'https://a.example', allowed: 1 })).toEqual({
    type: 'site',
    site: 'https://a.example',
    allowed: false,
    learn: false,
  });
  expect(read({ type: 'site', site: 'https://a.example', allowed: true, learn: true })).toMatchObject({ learn: true });
  for (const raw of [
    null,
    'welcome',
    [],
    {},
    { type: 'dance' },
    { type: 'pair' },
    { type: 'paired', token: 5 },
    { type: 'call' },
    { type: 'again', call: '' },
  ]) {
    expect(read(raw), JSON.stringify(raw)).toBeNull();
  }
});

test('a call with fields of a wrong form is still a call, so that it gets an answer', () => {
  expect(read({ type: 'call', call: 'c', tab: '7', arguments: [1] })).toEqual({
    type: 'call',
    call: 'c',
    tab: -1,
    document: '',
    site: '',
    tool: '',
    arguments: {},
    own: false,
  });
});

test('a question about a call may say where that was to run', () => {
  expect(read({ type: 'again', call: 'c' })).toEqual({ type: 'again', call: 'c', place: null });
  expect(read({ type: 'again', call: 'c', tab: 7, document: 'd', site: 's' })).toEqual({
    type: 'again',
    call: 'c',
    place: { tab: 7, document: 'd', site: 's' },
  });
});

test('a browser is named as its user knows it', () => {
  const made = { brand: 'Not)A;Brand', version: '8' };
  const engine = { brand: 'Chromium', version: '156' };
  expect(brandOf([made, engine])).toBe('Chromium 156');
  expect(brandOf([engine, made, { brand: 'Microsoft Edge', version: '156' }])).toBe('Microsoft Edge 156');
  expect(brandOf([])).toBe('Chromium');
});

test('a long text is cut into pieces that pass, never within a character, and without lone halves of one', () => {
  const text = JSON.stringify({ text: `a${'\u{1F6B2}'.repeat(PIECE_MAX_CHARS)}\uD83D` });
  const all = pieces(text);
  expect(all.length).toBe(3);
  for (const piece of all) {
    expect(piece.length).toBeLessThanOrEqual(PIECE_MAX_CHARS);
    expect(piece.isWellFormed()).toBe(true);
  }
  expect(JSON.parse(all.join('')).text.at(-1)).toBe('\uFFFD');
  expect(pieces('')).toEqual([]);
});

test('what Shidi asks to be read has a name, and a place', () => {
  expect(read({ type: 'read', ask: '' })).toBeNull();
  expect(read({ type: 'read', ask: 'r', tab: 7, document: 'd', site: 's' })).toEqual({
    type: 'read',
    ask: 'r',
    tab: 7,
    document: 'd',
    site: 's',
  });
});
