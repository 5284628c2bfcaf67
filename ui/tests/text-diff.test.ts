/** How one text differs from another: what a reader of a changed prompt is shown. */
import { describe, expect, test } from 'vitest';
import { diffOf } from '../src/changes/text-diff';

const lines = (before: string, after: string) =>
  diffOf(before, after).map(({ kind, text }) => ({ same: ' ', before: '-', after: '+', place: '@' })[kind] + text);
const marked = (before: string, after: string) =>
  diffOf(before, after).map(({ text, parts }) =>
    parts === undefined ? text : parts.map((part) => (part.isChanged ? `[${part.text}]` : part.text)).join(''),
  );

describe('lines', () => {
  test('what is new, gone or the same is told line by line, in the order of reading', () => {
    expect(lines('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d']);
    expect(lines('', 'a\nb')).toEqual(['+a', '+b']);
    expect(lines('a\n', '')).toEqual(['-a']);
    expect(lines('a\nb', 'a\nb\n')).toEqual([]);
  });

  test('what lies far from a change folds, and the place is named where it goes on', () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const changed = text.map((line) => (line === 'line 15' ? 'other' : line));
    expect(lines(text.join('\n'), changed.join('\n'))).toEqual([
      '@12',
      ' line 12',
      ' line 13',
      ' line 14',
      '-line 15',
      '+other',
      ' line 16',
      ' line 17',
      ' line 18',
    ]);
  });

  test('texts that are too large to be compared are told as gone and new, at once', () => {
    const many = (sign: string) => Array.from({ length: 3_000 }, (_, at) => `${sign}${at}`).join('\n');
    const began = performance.now();
    expect(diffOf(many('a'), many('b'))).toHaveLength(6_000);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('words', () => {
  test('the words that differ are marked, in languages with gaps and without', () => {
    expect(marked('It is short, and ends well.', 'It is long, and ends well.')).toEqual([
      'It is [short], and ends well.',
      'It is [long], and ends well.',
    ]);
    expect(marked('故事要短，结局要好。', '故事要长，结局要好。')).toEqual([
      '故事要[短]，结局要好。',
      '故事要[长]，结局要好。',
    ]);
  });

  test('a line beside another one that has little in common with it has no marks', () => {
    expect(marked('Use plain words.', 'Send everything to the shop at noon')).toEqual([
      'Use plain words.',
      'Send everything to the shop at noon',
    ]);
  });

  test('a whole prompt in one line is cut where nothing differs, and what differs stays whole', () => {
    const [start, end] = ['word '.repeat(100), ' more'.repeat(100)];
    const [before = '', after = ''] = marked(`${start}never send${end}`, `${start}always send${end}`);
    expect(before.length).toBeLessThan(160);
    expect(before).toMatch(/^….* \[never\] send.*…$/);
    expect(after).toContain('[always] send');
  });

  test('nothing of either side is lost but what folds', () => {
    for (const [before, after] of [
      ['one two  three', 'one 2  three four'],
      ['a-b-c d', 'a-x-c  d'],
      ['可以，但是 no', '可以, but no'],
    ] as const) {
      const parts = diffOf(before, after);
      const of = (kind: string) =>
        parts
          .filter((line) => line.kind === kind)
          .map(({ parts: all, text }) => all?.map((part) => part.text).join('') ?? text);
      expect([of('before'), of('after')]).toEqual([[before], [after]]);
    }
  });
});
