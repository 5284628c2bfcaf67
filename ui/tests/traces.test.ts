/** Traces: the list, the tree of steps, the axis of time, and a prompt read back. */
import { describe, expect, test } from 'vitest';
import type { Span } from '../src/bindings/Span';
import type { TraceSummary } from '../src/bindings/TraceSummary';
import { i18nOf } from '../src/i18n/i18n';
import { programError } from '../src/i18n/program-errors';
import { detailOf } from '../src/traces/labels';
import { fillOf, leftOutOf, messagesOf, shortenedOf, weightsOf } from '../src/traces/prompt';
import {
  axisOf,
  cutsOf,
  noTrace,
  placeOf,
  rowsOf,
  spentOf,
  taken,
  ticksOf,
  waitOf,
  workedMs,
  type Trace,
} from '../src/traces/trace';
import {
  asideOf,
  daysOf,
  listed,
  moved,
  narrowed,
  noRuns,
  queryOf,
  RUNS_PER_PAGE,
  searched,
  standingOf,
} from '../src/traces/traces';

const START = Date.parse('2026-11-20T09:00:00Z');
const at = (ms: number) => new Date(START + ms).toISOString();

const usage = { input: 1, cached: 0, output: 1, model_calls: 1 };
const run = (id: string, started = at(0)): TraceSummary => ({
  run: id,
  session: 's',
  question: id,
  started,
  ms: 10,
  status: 'completed',
  usage,
  reason: null,
  offline: false,
  tool_calls: 0,
  steps: 1,
  interrupted: false,
  area: null,
  round: null,
});

const span = (
  id: number,
  parent: number | null,
  operation: string,
  name: string,
  from: number,
  ms: number,
  attributes: Record<string, unknown> = {},
): Span => ({ id, parent, operation, name, started: at(from), ms, attributes });

const traceOf = (...spans: Span[]): Trace =>
  taken(noTrace(), { summary: run('r'), replay_of: null, spans, after: spans.length });

const RUN = traceOf(
  span(1, null, 'invoke_agent', 'shidi', 0, 20_000, { 'shidi.rests': [[at(2_000), at(12_000)]] }),
  span(2, 1, 'area', 'cognition', 0, 14_000),
  span(4, 2, 'run_program', 'python', 1_000, 12_000),
  span(3, 2, 'chat', 'm', 0, 1_000, {
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 10,
    'shidi.cost_usd': 0.5,
    'gen_ai.response.time_to_first_chunk': 0.25,
  }),
  span(5, 4, 'execute_tool', 'files.read', 1_500, 10_600),
  span(6, 1, 'area', 'motor', 14_000, 6_000),
  span(7, 6, 'chat', 'm', 14_000, 6_000, { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 1 }),
);

describe('the list', () => {
  test('an answer to another question is too late', () => {
    const asked = queryOf(noRuns(), 'newest');
    const view = listed(searched(noRuns(), 'x'), asked, [run('a')]);
    expect(view.all).toEqual([]);
    expect(listed(narrowed(noRuns(), 'failed'), asked, [run('a')]).known).toBe(false);
  });

  test('older runs are added once, and what was scrolled to is read again with the newest', () => {
    const many = Array.from({ length: RUNS_PER_PAGE }, (_, index) => run(`r${index}`));
    const first = listed(noRuns(), queryOf(noRuns(), 'newest'), many);
    expect(first).toMatchObject({ more: true, chosen: 'r0' });
    const older = queryOf(first, 'older');
    expect(older.before).toBe('r49');
    const second = listed(first, older, [run('old')]);
    expect([second.all.length, second.more]).toEqual([51, false]);
    expect(listed(second, older, [run('old')]).all.length).toBe(51);
    expect(queryOf(second, 'newest').limit).toBe(51);
  });

  test('moving stops at the ends, and days part the runs', () => {
    const view = listed(noRuns(), queryOf(noRuns(), 'newest'), [
      run('a'),
      run('b', at(-1)),
      run('c', at(-86_400_000 * 2)),
    ]);
    expect(moved(moved(view, 1), 9).chosen).toBe('c');
    expect(moved(view, -9).chosen).toBe('a');
    expect(daysOf(view.all).map(({ runs }) => runs.length)).toEqual([2, 1]);
  });

  test('a run that nobody works on any more was interrupted', () => {
    expect(standingOf({ status: null, interrupted: true })).toBe('interrupted');
    expect(standingOf({ status: null, interrupted: false })).toBe('at_work');
    expect(standingOf({ status: 'suspended', interrupted: false })).toBe('waiting');
  });
});

describe('the tree', () => {
  test('steps stand below what they are part of, in the order in which they began', () => {
    const rows = rowsOf(RUN, new Set(), '');
    expect(rows.map(({ span, depth }) => [span.id, depth])).toEqual([
      [2, 0],
      [3, 1],
      [4, 1],
      [5, 2],
      [6, 0],
      [7, 1],
    ]);
    expect(rowsOf(RUN, new Set([2]), '').map(({ span }) => span.id)).toEqual([2, 6, 7]);
    expect(rowsOf(RUN, new Set([2]), 'FILES').map(({ span }) => span.id)).toEqual([2, 4, 5]);
    expect(rowsOf(RUN, new Set(), 'nothing')).toEqual([]);
  });

  test('steps whose parent is not kept stand at the top, and a circle ends', () => {
    expect(rowsOf(traceOf(span(5, 4, 'chat', 'm', 0, 1)), new Set(), '')).toHaveLength(1);
    expect(rowsOf(traceOf(span(1, 2, 'area', 'a', 0, 1), span(2, 1, 'area', 'b', 0, 1)), new Set(), '')).toEqual([]);
  });

  test('a later page replaces what changed and leaves the rest as it was', () => {
    const next = taken(RUN, {
      summary: run('r'),
      replay_of: null,
      spans: [span(7, 6, 'chat', 'm', 14_000, 9_000)],
      after: 8,
    });
    expect([next.spans.get(7)?.ms, next.after, next.spans.size]).toEqual([9_000, 8, 7]);
    expect(taken(RUN, { summary: run('other'), replay_of: null, spans: [], after: 1 })).toBe(RUN);
  });

  test('areas have the sum of what is below them, and a sum with an unknown price is unknown', () => {
    expect(spentOf(RUN).get(2)).toEqual({ input: 90, output: 10, cost: 0.5, own: false });
    expect(spentOf(RUN).get(6)?.cost).toBeNull();
  });
});

describe('the axis', () => {
  test('time for which a person was waited for is cut out', () => {
    const axis = axisOf(RUN, null);
    expect(axis.total).toBe(10_000);
    expect(cutsOf(axis)).toEqual([0.2]);
    const read = RUN.spans.get(5);
    const last = RUN.spans.get(7);
    if (read === undefined || last === undefined) throw new Error('the steps are there');
    expect(workedMs(axis, read, null)).toBe(600);
    expect(placeOf(axis, last, null)).toEqual({ left: 0.4, width: 0.6 });
    expect(waitOf(RUN.spans.get(3) ?? last)).toBe(0.25);
  });

  test('what is under way reaches until now', () => {
    const open = traceOf({ ...span(1, null, 'area', 'a', 0, 10), open: true });
    expect(axisOf(open, START + 500).total).toBe(500);
    expect(axisOf(open, null).total).toBe(10);
    expect(axisOf(noTrace(), null).total).toBe(1);
  });

  test('marks are few and round at every length', () => {
    for (const total of [1, 7, 90, 1_234, 9_700, 61_000, 3_600_000, 86_400_000]) {
      const ticks = ticksOf({ from: 0, total, cuts: [] });
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.every(({ at }) => at >= 0 && at < 1)).toBe(true);
    }
    expect(ticksOf({ from: 0, total: 9_700, cuts: [] }).map(({ seconds }) => seconds)).toEqual([0, 2, 4, 6, 8]);
  });
});

describe('a prompt', () => {
  const asked = span(3, 2, 'chat', 'm', 0, 1, {
    'shidi.prompt_parts': [
      { name: 'principles', tokens: 70, left_out: 0, own: false },
      { name: 'User', tokens: 30, left_out: 5, own: false },
      { name: 'knowledge', tokens: 0, left_out: 0, own: false, short: { used: 1, of: 120, saved: 310 } },
      {
        name: 'experience',
        tokens: 0,
        left_out: 0,
        own: false,
        short: { used: 0, of: 90, saved: 240, left_out: { is_trial: true, without: 4 } },
      },
      'nonsense',
    ],
    'shidi.window_tokens': 1_000,
    'gen_ai.input.messages': [
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'why?', tokens: 2 },
          { type: 'blob', modality: 'image' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'python', content: '{"x":1}' }] },
      7,
    ],
  });

  test('says what was sent, what weighed how much and what was left out', () => {
    expect(messagesOf(asked, 'gen_ai.input.messages').slice(0, 2)).toEqual([
      { role: 'user', text: 'why?', tokens: 2, images: 1 },
      { role: 'assistant', text: 'python({"x":1})', tokens: null, images: 0 },
    ]);
    expect(weightsOf(asked)).toEqual([
      { group: 'system', tokens: 70 },
      { group: 'transcript', tokens: 30 },
    ]);
    expect(leftOutOf(asked)).toEqual([{ name: 'User', tokens: 5 }]);
    expect(shortenedOf(asked)).toEqual([
      { part: 'knowledge', how: 'line', without: 0, used: 1, tasks: 120, saved: 310 },
      { part: 'experience', how: 'tried', without: 4, used: 0, tasks: 90, saved: 240 },
    ]);
    expect(fillOf(asked)).toEqual({ tokens: 100, share: 0.1, window: 1_000 });
  });

  test('nothing is taken for granted of what is kept', () => {
    const odd = span(3, 2, 'chat', 'm', 0, 1, { 'gen_ai.input.messages': 'text', 'shidi.prompt_parts': { a: 1 } });
    expect([messagesOf(odd, 'gen_ai.input.messages'), weightsOf(odd), fillOf(odd)]).toEqual([[], [], null]);
  });
});

test('a run that its session does not show names its version, or that it follows another one', () => {
  expect(asideOf('en', run('a'))).toBe(null);
  expect(asideOf('en', { ...run('a'), version: { at: 2, of: 3 } })).toBe('Version 2/3');
  expect(asideOf('zh', { ...run('a'), version: { at: 1, of: 1 } })).toBe('接在另一版后面');
});

describe('an error of a program', () => {
  const zip =
    "line 2: ModuleNotFoundError: No module named 'zipfile' (Unpack with `await files.unzip(path=…, to=…)`; " +
    'pack with `await files.zip(path=…, to=…)`)';

  test('names its line and its remedies in the language of the window, and keeps the words of Python', () => {
    for (const [english, chinese] of [
      ["line 3: KeyError: 'a'", "第 3 行：KeyError: 'a'"],
      [
        zip,
        "第 2 行：ModuleNotFoundError: No module named 'zipfile'（解压用 `await files.unzip(path=…, to=…)`；" +
          '打包用 `await files.zip(path=…, to=…)`）',
      ],
      [
        "line 1: NameError: name 'foo' is not defined (Did you mean `for`?)",
        "第 1 行：NameError: name 'foo' is not defined（是不是想写 `for`？）",
      ],
      [
        'TypeError: no such argument (Leave out `encoding`. It takes (path, lines=…))',
        'TypeError: no such argument（去掉 `encoding`。它的参数是 (path, lines=…)）',
      ],
      ['ValueError: no (really)', 'ValueError: no (really)'],
      ['line of thought: gone', 'line of thought: gone'],
      ['', ''],
    ] as const) {
      expect(programError('en', english)).toBe(english);
      expect(programError('zh', english)).toBe(chinese);
    }
  });

  test('is worded in its last line alone', () => {
    expect(programError('zh', "line 1: no error\n  x['a']\nline 3: KeyError: 'a'\n")).toBe(
      "line 1: no error\n  x['a']\n第 3 行：KeyError: 'a'\n",
    );
  });

  test('is told so beside its step', () => {
    const failed = span(2, 1, 'run_program', 'python', 0, 5, { 'shidi.exec': 1, 'shidi.summary': zip });
    const told = detailOf(
      i18nOf(() => 'zh'),
      failed,
    );
    expect(told).toContain('第 2 行：ModuleNotFoundError');
    expect(told).not.toContain('Unpack with');
  });
});
