/** Cards read from what the record holds, and what is made of them. */
import { describe, expect, test } from 'vitest';
import { cardOf, csvOf, figureText, scaleOf, type ChartCard, type TableCard } from '../src/cards/cards';

const table = (columns: string[], rows: unknown[][]) =>
  cardOf('table', { title: 't', columns, rows, left_out: 0 }) as TableCard;
const chart = (values: (number | null)[]) =>
  cardOf('chart', { labels: values.map(String), series: [{ name: '', values }] }) as ChartCard;

describe('cards', () => {
  test('what is not as expected is left out, and a card that says nothing is none', () => {
    expect(table(['a', 'b'], [[1, { x: 1 }, 3], []]).rows).toEqual([
      [1, null],
      [null, null],
    ]);
    for (const data of [null, 3, [], {}, { columns: [] }, { links: [{ url: 'javascript:alert(1)' }] }]) {
      for (const kind of ['table', 'chart', 'files', 'links', 'riddle']) expect(cardOf(kind, data)).toBeNull();
    }
  });

  test('a table is copied as values that no spreadsheet runs', () => {
    expect(
      csvOf(
        table(
          ['a', 'b,c'],
          [
            ['=cmd()', -2],
            ['say "x"', null],
          ],
        ),
      ),
    ).toBe('a,"b,c"\r\n\'=cmd(),-2\r\n"say ""x""",');
  });

  test('the scale of a chart holds every value and has few round marks', () => {
    for (const values of [[0], [1, 2, 3], [-5, 12], [0.001, 0.0042], [1e9, null], [-3, -1], [null], [7], [1e-300]]) {
      const { least, most, marks } = scaleOf(chart(values));
      for (const value of values) if (value !== null) expect(value >= least && value <= most).toBe(true);
      expect(most).toBeGreaterThan(least);
      expect(marks.length).toBeLessThanOrEqual(8);
    }
    expect(scaleOf(chart([310, 402])).marks).toEqual([0, 100, 200, 300, 400, 500]);
  });

  test('figures are read with thin spaces', () => expect(figureText(1234567.5)).toBe('1\u2009234\u2009567.5'));
});
