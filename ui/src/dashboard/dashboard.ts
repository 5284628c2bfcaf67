/**
 * The dashboard's figures as they are drawn: shares, changes against the days before, the series of its charts, and the
 * order of its tables.
 *
 * Pure.
 */
import type { Dashboard } from '../bindings/Dashboard';
import type { DashboardDay } from '../bindings/DashboardDay';
import type { PromptPartCounts } from '../bindings/PromptPartCounts';
import type { RecallFigures } from '../bindings/RecallFigures';
import type { RunFigures } from '../bindings/RunFigures';
import type { TraceOutcome } from '../bindings/TraceOutcome';

/** The periods that can be chosen, in days. */
export const PERIODS = [7, 30, 90] as const;
export type PeriodDays = (typeof PERIODS)[number];

/** How runs ended, from the foot of a bar to its top, and the filter of traces that shows them. */
export const OUTCOMES = ['completed', 'gave_up', 'failed', 'cancelled', 'unfinished'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const FILTERS: Readonly<Record<Outcome, TraceOutcome | null>> = {
  completed: 'completed',
  gave_up: 'failed',
  failed: 'failed',
  cancelled: 'cancelled',
  unfinished: null,
};

/** How a series is filled or drawn. Each look is told from the others without its colour. */
export type Look = 'plain' | 'striped' | 'hatched' | 'crossed' | 'empty' | 'dotted';

export const LOOKS: Readonly<Record<Outcome, Look>> = {
  completed: 'plain',
  gave_up: 'hatched',
  failed: 'crossed',
  cancelled: 'empty',
  unfinished: 'dotted',
};

/** One series of a chart: a value for each day, `null` where there is none. */
export interface Series {
  name: string;
  look: Look;
  values: readonly (number | null)[];
  /** What is shown of it when its name is chosen. */
  pick?: () => void;
}

/** A figure and what it was before; shares are compared by points, everything else by parts of a hundred. */
export interface Compared {
  now: number | null;
  before: number | null;
  by: 'points' | 'percent';
}

export function runsOf(figures: RunFigures): number {
  return OUTCOMES.reduce((sum, outcome) => sum + figures[outcome], 0);
}

/** Runs that were done, of those that ended by themselves; `null` of none. */
export function successOf(figures: Pick<RunFigures, 'completed' | 'gave_up' | 'failed'>): number | null {
  return shareOf(figures.completed, figures.completed + figures.gave_up + figures.failed);
}

/** The same of runs in which something was recalled. */
export function recallShareOf({ completed, not_done }: RecallFigures): number | null {
  return shareOf(completed, completed + not_done);
}

/** Modules whose use is counted; of the others nobody can tell. */
const MODULES_WITH_USE = ['skills', 'experience'];

/** Whether the use of a part is counted, so that it may be shortened. */
export function hasUse({ what, part }: PromptPartCounts): boolean {
  return what !== 'module' || MODULES_WITH_USE.includes(part);
}

/**
 * Tasks that were done without a part in their prompt, of all of that kind without it. Where it was shortened, these are
 * compared: tasks from before it was there say nothing of it.
 */
export function doneWithoutOf({
  what,
  tasks,
  tasks_done,
  whole,
  done,
  short,
  short_done,
}: PromptPartCounts): number | null {
  return what !== 'module' || short > 0
    ? shareOf(short_done, short)
    : shareOf(Math.max(0, tasks_done - done), tasks - whole);
}

/** Tokens that a line in place of a part saves, or its absence; the other modules are never shortened. */
export function savingOf(counts: PromptPartCounts): number | null {
  return hasUse(counts) ? Math.max(0, counts.tokens - counts.line_tokens) : null;
}

export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** The change in whole points or parts of a hundred; `null` where nothing can be compared. */
export function changeOf({ now, before, by }: Compared): number | null {
  if (now === null || before === null) return null;
  if (by === 'points') return Math.round(now * 100) - Math.round(before * 100);
  return before > 0 ? Math.round(((now - before) / before) * 100) : null;
}

/** The figures of the first row, in their order. */
export function headline({
  period,
  before,
}: Dashboard): Record<'success' | 'tasks' | 'time' | 'tokens' | 'cached' | 'cost', Compared> {
  const of = (read: (figures: RunFigures) => number | null, by: Compared['by']): Compared => ({
    now: read(period),
    before: read(before),
    by,
  });
  return {
    success: of(successOf, 'points'),
    tasks: of(runsOf, 'percent'),
    time: of(({ times }) => times?.median_ms ?? null, 'percent'),
    tokens: of(({ input, output }) => input + output, 'percent'),
    cached: of(({ cached, input }) => shareOf(cached, input), 'points'),
    cost: of(({ cost }) => cost ?? null, 'percent'),
  };
}

/** Whether nothing at all was asked in the period. */
export function isEmpty({ period }: Dashboard): boolean {
  return runsOf(period) === 0;
}

/** The values of a day's figure over all days. */
export function over(days: readonly DashboardDay[], read: (day: DashboardDay) => number | null): (number | null)[] {
  return days.map(read);
}

/** The greatest sum of a day's values. */
export function greatestOf(series: readonly Series[], stacked: boolean): number {
  const days = series[0]?.values.length ?? 0;
  const sums = Array.from({ length: days }, (_, at) => {
    const values = series.map(({ values }) => values[at] ?? 0);
    return stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return Math.max(0, ...sums);
}

/** Round figures for an axis from 0 to at least `most`; whole ones where halves would mean nothing. */
export function marksOf(most: number): number[] {
  const span = Math.max(most, 1);
  const rough = 10 ** Math.floor(Math.log10(span / 3));
  const steps = [1, 2, 5, 10].map((times) => times * rough);
  const step = Math.max(1, steps.find((size) => span / size <= 4) ?? span);
  return Array.from({ length: Math.ceil(span / step) + 1 }, (_, at) => at * step);
}

/** A column of a table: the value that it is sorted by, and how that is shown. */
export interface Column<Row> {
  head: string;
  value: (row: Row) => number | string | null;
  text?: (value: number | null, row: Row) => string;
  /** Whether it holds words, which stand at the left. */
  isWords?: boolean;
  /** Whether a value is a failure. */
  isBad?: (row: Row) => boolean;
}

/** Which column a table is sorted by, and whether the greatest comes first. */
export interface Order {
  column: number;
  isFalling: boolean;
}

/** Another order after a column's head was chosen: figures begin with the greatest, names with the first. */
export function ordered(order: Order, column: number, isFigure: boolean): Order {
  return order.column === column ? { column, isFalling: !order.isFalling } : { column, isFalling: isFigure };
}

/** Rows in that order; those without a value come last either way, and equal ones stay as they were. */
export function sorted<Row>(
  rows: readonly Row[],
  value: (row: Row) => number | string | null,
  isFalling: boolean,
): Row[] {
  const way = isFalling ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [left, right] = [value(one), value(other)];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    if (typeof left === 'string' || typeof right === 'string') return way * String(left).localeCompare(String(right));
    return way * (left - right);
  });
}
