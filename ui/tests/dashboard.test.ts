/** The dashboard without a window: shares, changes, the axis of a chart, the order of a table, and the words of a day. */
import { describe, expect, test } from 'vitest';
import type { RunFigures } from '../src/bindings/RunFigures';
import {
  changeOf,
  doneWithoutOf,
  hasUse,
  greatestOf,
  headline,
  isEmpty,
  marksOf,
  ordered,
  runsOf,
  savingOf,
  sorted,
  successOf,
  type Series,
} from '../src/dashboard/dashboard';
import { changeSaid, dayName, daySaid, partsOf, percent } from '../src/dashboard/labels';
import { dashboard } from '../src/backend/scenes/dashboard';
import { i18nOf } from '../src/i18n/i18n';

const figures = (more: Partial<RunFigures> = {}): RunFigures => ({
  completed: 0,
  gave_up: 0,
  failed: 0,
  cancelled: 0,
  unfinished: 0,
  model_calls: 0,
  input: 0,
  cached: 0,
  output: 0,
  ...more,
});

const en = i18nOf(() => 'en');
const zh = i18nOf(() => 'zh');

describe('figures', () => {
  test('the share of what was done leaves out what the user stopped and what goes on', () => {
    const some = figures({ completed: 6, gave_up: 1, failed: 1, cancelled: 4, unfinished: 2 });
    expect([runsOf(some), successOf(some)]).toEqual([14, 0.75]);
    expect(successOf(figures({ cancelled: 3 }))).toBeNull();
    expect(percent(successOf(some))).toBe('75 %');
    expect(percent(null)).toBe('—');
  });

  test('shares change by points and everything else by parts of a hundred', () => {
    expect(changeOf({ now: 0.754, before: 0.7, by: 'points' })).toBe(5);
    expect(changeOf({ now: 90, before: 120, by: 'percent' })).toBe(-25);
    expect(changeOf({ now: 90, before: 0, by: 'percent' })).toBeNull();
    expect(changeOf({ now: null, before: 3, by: 'percent' })).toBeNull();
    expect(changeSaid(en, { now: 0.75, before: 0.7, by: 'points' })).toBe('+5 points');
    expect(changeSaid(zh, { now: 0.7, before: 0.75, by: 'points' })).toBe('−5 个百分点');
    expect(changeSaid(en, { now: 90, before: 120, by: 'percent' })).toBe('−25 %');
    expect(changeSaid(en, { now: 3, before: 3, by: 'percent' })).toBe('the same');
    expect(changeSaid(en, { now: 3, before: null, by: 'percent' })).toBeNull();
  });

  test('a period in which nothing was asked is empty, whatever was asked before', () => {
    const answer = dashboard('notraces', { action: 'show', days: 30 });
    if (answer.reply !== 'dashboard') throw new Error('figures');
    expect(isEmpty(answer.dashboard)).toBe(true);
    expect(headline(answer.dashboard).success).toEqual({ now: null, before: null, by: 'points' });
  });
});

test('a part of prompts is compared with the tasks that were without it, and is short only where its use is known', () => {
  const answer = dashboard('', { action: 'show', days: 30 });
  if (answer.reply !== 'dashboard') throw new Error('figures');
  const [always, sometimes] = answer.dashboard.parts.map(({ counts }) => counts);
  if (always === undefined || sometimes === undefined) throw new Error('parts');
  expect(doneWithoutOf(always)).toBeNull();
  expect(doneWithoutOf(sometimes)).toBeCloseTo(33 / 36);
  const added = { ...always, tasks: always.tasks + 40, tasks_done: always.tasks_done + 40 };
  expect(doneWithoutOf(added), 'tasks from before a toolkit was there').toBeNull();
  expect(doneWithoutOf({ ...added, what: 'module' })).toBe(1);
  expect(doneWithoutOf({ ...sometimes, what: 'module' }), 'a trial says more than all tasks').toBeCloseTo(33 / 36);
  expect(hasUse({ ...added, what: 'module', part: 'experience' })).toBe(true);
  expect(savingOf({ ...added, what: 'example', tokens: 70, line_tokens: 0 })).toBe(70);
  expect([savingOf(sometimes), savingOf({ ...sometimes, what: 'module' })]).toEqual([286, null]);
});

describe('charts', () => {
  const series = (...values: (number | null)[]): Series => ({ name: 'one', look: 'plain', values });

  test('an axis begins at 0, reaches the greatest and has few whole marks', () => {
    for (const most of [0, 1, 2, 3, 7, 11, 26, 99, 100, 101, 4_321, 1_234_567]) {
      const marks = marksOf(most);
      expect(marks[0]).toBe(0);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(most);
      expect(marks.length).toBeLessThanOrEqual(6);
      expect(marks.every((mark) => Number.isInteger(mark))).toBe(true);
    }
    expect(marksOf(9)).toEqual([0, 5, 10]);
  });

  test('bars stand on one another, and lines do not', () => {
    const two = [series(1, null, 4), series(2, 3, null)];
    expect([greatestOf(two, true), greatestOf(two, false), greatestOf([], true)]).toEqual([4, 4, 0]);
    expect(greatestOf([series(1, 3), series(2, 3)], true)).toBe(6);
  });

  test('a day says what it holds, and that it holds nothing', () => {
    const two = [series(4, 0), { ...series(1, null), name: 'two' }];
    expect(partsOf(two, 0, String)).toEqual(['one 4', 'two 1']);
    expect(daySaid('en', dayName('en', '2026-11-29'), partsOf(two, 0, String))).toBe('29 Nov: one 4, two 1');
    expect(daySaid('zh', dayName('zh', '2026-11-29'), partsOf(two, 1, String))).toBe('11 月 29 日：没有');
  });
});

describe('tables', () => {
  const rows = [
    { name: 'b', value: 2 },
    { name: 'a', value: null },
    { name: 'c', value: 9 },
  ];

  test('what has no value comes last either way', () => {
    const of = (isFalling: boolean) => sorted(rows, ({ value }) => value, isFalling).map(({ name }) => name);
    expect(of(true)).toEqual(['c', 'b', 'a']);
    expect(of(false)).toEqual(['b', 'c', 'a']);
    expect(sorted(rows, ({ name }) => name, false).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('a head that is chosen again turns the order around', () => {
    const first = ordered({ column: 0, isFalling: true }, 2, true);
    expect(first).toEqual({ column: 2, isFalling: true });
    expect(ordered(first, 2, true)).toEqual({ column: 2, isFalling: false });
    expect(ordered(first, -1, false)).toEqual({ column: -1, isFalling: false });
  });
});
