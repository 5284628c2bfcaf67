/**
 * The figures of a dashboard: a month of steady use that got better, one without any, one of few tasks and no steps. Used
 * by the scripted backend alone.
 */
import type { Dashboard } from '../../bindings/Dashboard';
import type { DashboardDay } from '../../bindings/DashboardDay';
import type { DashboardRequest } from '../../bindings/DashboardRequest';
import type { PartStanding } from '../../bindings/PartStanding';
import type { PromptPartFigures } from '../../bindings/PromptPartFigures';
import type { Reply } from '../../bindings/Reply';
import type { RunFigures } from '../../bindings/RunFigures';

/** The last day of every scene. */
const TODAY = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

const NOTHING: RunFigures = {
  completed: 0,
  gave_up: 0,
  failed: 0,
  cancelled: 0,
  unfinished: 0,
  model_calls: 0,
  input: 0,
  cached: 0,
  output: 0,
};

/** Numbers that look like chance and are the same each time: 0 to 1 for a day and a purpose. */
function chance(at: number, salt: number): number {
  const x = Math.sin(at * 12.9898 + salt * 78.233) * 43_758.5453;
  return x - Math.floor(x);
}

function runsOn(at: number, days: number, isWeekend: boolean): RunFigures {
  const tasks = Math.round((isWeekend ? 2 : 7) * (0.5 + chance(at, 1)));
  if (tasks === 0 || chance(at, 9) < 0.04) return NOTHING;
  const failed = chance(at, 2) < 0.24 ? 1 : 0;
  const gave_up = chance(at, 3) < 0.18 ? 1 : 0;
  const cancelled = chance(at, 4) < 0.22 ? 1 : 0;
  const input = tasks * Math.round(7_000 + 5_000 * chance(at, 5));
  return {
    completed: Math.max(1, tasks - failed - gave_up - cancelled),
    gave_up,
    failed,
    cancelled,
    unfinished: at === days - 1 ? 1 : 0,
    model_calls: tasks * 2 + 1,
    input,
    cached: Math.round(input * (0.5 + 0.25 * chance(at, 6))),
    output: Math.round(input * 0.07),
    cost: input * 0.0000004,
    times: {
      median_ms: Math.round(6_000 + 5_000 * chance(at, 7)),
      p95_ms: Math.round(16_000 + 30_000 * chance(at, 8)),
    },
  };
}

function dayOf(at: number, days: number): DashboardDay {
  const then = new Date(TODAY - (days - 1 - at) * DAY_MS);
  const isWeekend = [0, 6].includes(then.getUTCDay());
  const runs = runsOn(at, days, isWeekend);
  return {
    day: then.toISOString().slice(0, 10),
    runs,
    ...(runs.times === undefined
      ? {}
      : { model_times: { median_ms: runs.times.median_ms / 4, p95_ms: runs.times.p95_ms / 5 } }),
  };
}

function sum(days: readonly DashboardDay[]): RunFigures {
  const add = (read: (runs: RunFigures) => number) => days.reduce((all, { runs }) => all + read(runs), 0);
  return {
    completed: add(({ completed }) => completed),
    gave_up: add(({ gave_up }) => gave_up),
    failed: add(({ failed }) => failed),
    cancelled: add(({ cancelled }) => cancelled),
    unfinished: add(({ unfinished }) => unfinished),
    model_calls: add(({ model_calls }) => model_calls),
    input: add(({ input }) => input),
    cached: add(({ cached }) => cached),
    output: add(({ output }) => output),
    cost: add(({ cost }) => cost ?? 0),
    times: { median_ms: 8_400, p95_ms: 41_000 },
  };
}

const model = (provider: string, name: string, calls: number, failed: number, speed: number) => ({
  provider,
  model: name,
  step: name,
  calls,
  failed,
  input: calls * 4_100,
  cached: calls * 2_600,
  output: calls * 280,
  cost: provider === 'ollama' ? 0 : calls * 0.0021,
  times: { median_ms: Math.round(280_000 / speed), p95_ms: Math.round(900_000 / speed) },
  tokens_per_second: speed,
});

const tool = (name: string, calls: number, failed: number, refused: number, median_ms: number) => ({
  tool: name,
  calls,
  failed,
  refused,
  times: { median_ms, p95_ms: median_ms * 7 + 3 },
});

/** A toolkit in prompts of tasks in a folder: the tokens of its text, and how many of 84 tasks used it. */
const part = (name: string, tokens: number, used: number, standing: PartStanding): PromptPartFigures => ({
  counts: {
    assistant: 'shidi',
    kind: 'folder',
    what: 'toolkit',
    part: name,
    tokens,
    line_tokens: 24,
    whole: 84,
    used,
    done: 76,
    short: standing === 'short' ? 36 : 0,
    asked: 0,
    short_done: standing === 'short' ? 33 : 0,
    tasks: standing === 'short' ? 120 : 84,
    tasks_done: standing === 'short' ? 109 : 76,
    prompt_tokens: 3_900,
  },
  standing,
});

function busy(days: number): Dashboard {
  const all = Array.from({ length: days }, (_, at) => dayOf(at, days));
  const period = sum(all);
  return {
    days: all,
    period,
    before: {
      ...period,
      completed: Math.round(period.completed * 0.8),
      gave_up: period.gave_up + 3,
      input: Math.round(period.input * 0.9),
      cached: Math.round(period.cached * 0.7),
      cost: (period.cost ?? 0) * 1.1,
      times: { median_ms: 9_900, p95_ms: 52_000 },
    },
    models: [
      model('dashscope', 'qwen3-coder', 212, 4, 61),
      model('deepseek', 'deepseek-chat', 88, 1, 34),
      model('ollama', 'qwen3:8b', 41, 0, 12.4),
    ],
    tools: [
      tool('files.read', 640, 11, 0, 2),
      tool('shell.run', 148, 19, 6, 1_420),
      tool('web.fetch', 73, 9, 2, 640),
      tool('memory.search', 52, 0, 0, 18),
      tool('files.edit', 47, 2, 1, 4),
      { tool: 'mail.send', calls: 2, failed: 0, refused: 2 },
    ],
    errors: [
      { what: 'tool', class: 'CommandError', count: 14, step: 'shell.run' },
      { what: 'program', class: 'TypeError', count: 9, step: 'python' },
      { what: 'tool', class: 'FileNotFoundError', count: 8, step: 'files.read' },
      { what: 'model', class: 'timeout', count: 3, step: 'qwen3-coder' },
      { what: 'model', class: 'rate_limit', count: 2, step: 'deepseek-chat' },
    ],
    recall: [
      { of: 'experience', pieces: 31, completed: 24, not_done: 1 },
      { of: 'memory', pieces: 76, completed: 48, not_done: 4 },
      { of: 'nothing', pieces: 0, completed: 61, not_done: 9 },
    ],
    parts: [
      part('files', 1_240, 81, 'used'),
      part('knowledge', 310, 0, 'short'),
      part('memory', 180, 3, 'unmeasured'),
      part('user', 160, 20, 'kept'),
    ],
    left_out: 0,
    is_cut: false,
    steps_kept_days: 30,
  };
}

/** A few tasks of which no step is kept. */
function few(days: number): Dashboard {
  const all = Array.from({ length: days }, (_, at) => dayOf(at, days)).map(({ day }, at) => ({
    day,
    runs: at === days - 2 ? { ...NOTHING, completed: 2, model_calls: 4, input: 8_200, output: 640 } : NOTHING,
  }));
  const { times: _, cost: __, ...period } = sum(all);
  const recall = (['experience', 'memory', 'nothing'] as const).map((of) => ({
    of,
    pieces: 0,
    completed: of === 'nothing' ? 2 : 0,
    not_done: 0,
  }));
  return {
    days: all,
    period,
    before: NOTHING,
    models: [],
    tools: [],
    errors: [],
    recall,
    parts: [],
    left_out: 0,
    is_cut: false,
    steps_kept_days: 0,
  };
}

export function dashboard(scene: string, action: DashboardRequest): Reply {
  if (action.action === 'export') {
    if (scene === 'dashfull')
      return {
        reply: 'failed',
        error: { code: 'storage', message: `${action.path} can’t be written`, hint: 'The disk is full' },
      };
    return { reply: 'dashboard_file', path: action.path, rows: action.days + 14 };
  }
  if (scene === 'dashfew') return { reply: 'dashboard', dashboard: few(action.days) };
  if (scene !== 'notraces') return { reply: 'dashboard', dashboard: busy(action.days) };
  return { reply: 'dashboard', dashboard: { ...few(action.days), period: NOTHING } };
}
