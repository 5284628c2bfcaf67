/**
 * The list of runs that left a trace: what is shown, what is looked for, which one is chosen.
 *
 * Pure.
 */
import type { RunId } from '../bindings/RunId';
import type { TraceOutcome } from '../bindings/TraceOutcome';
import type { TraceQuery } from '../bindings/TraceQuery';
import type { TraceSummary } from '../bindings/TraceSummary';
import type { Language } from '../i18n/i18n';
import { say } from '../i18n/i18n';

/** Runs of one page. */
export const RUNS_PER_PAGE = 50;

/** Runs that are listed at most: older ones are found by searching. */
export const RUNS_MAX = 500;

export interface Runs {
  all: readonly TraceSummary[];
  text: string;
  outcome: TraceOutcome | null;
  chosen: RunId | null;
  /** Whether there are older ones. */
  more: boolean;
  /** Whether an answer has come yet. */
  known: boolean;
}

export const OUTCOMES: readonly TraceOutcome[] = ['at_work', 'waiting', 'completed', 'failed', 'cancelled'];

export function noRuns(): Runs {
  return { all: [], text: '', outcome: null, chosen: null, more: false, known: false };
}

/** What is asked for: the newest again, or what follows the last one. */
export function queryOf(view: Runs, part: 'newest' | 'older'): TraceQuery {
  const wanted = { text: view.text.trim(), outcome: view.outcome };
  const last = view.all.at(-1)?.run ?? null;
  if (part === 'older') return { ...wanted, limit: RUNS_PER_PAGE, before: last };
  // What was scrolled to stays: as many are read again as are there.
  const limit = Math.min(RUNS_MAX, Math.max(RUNS_PER_PAGE, view.all.length));
  return { ...wanted, limit, before: null };
}

/** Takes an answer to that question; one to another question is too late. */
export function listed(view: Runs, query: TraceQuery, found: readonly TraceSummary[]): Runs {
  if (query.text !== view.text.trim() || query.outcome !== view.outcome) return view;
  const older = query.before !== null;
  if (older && query.before !== view.all.at(-1)?.run) return view;
  const all = older ? [...view.all, ...found] : [...found];
  const more = found.length >= query.limit && all.length < RUNS_MAX;
  // What was chosen stays chosen, even when it isn't among those that fit.
  return { ...view, all, more, known: true, chosen: view.chosen ?? all[0]?.run ?? null };
}

export function searched(view: Runs, text: string): Runs {
  return { ...view, text };
}

export function narrowed(view: Runs, outcome: TraceOutcome | null): Runs {
  return { ...view, outcome };
}

export function chosen(view: Runs, run: RunId): Runs {
  return { ...view, chosen: run };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Runs, steps: number): Runs {
  const at = view.all.findIndex(({ run }) => run === view.chosen);
  const next = view.all[Math.min(view.all.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.run };
}

export interface Day {
  /** The first moment of the day, or `null` for a time that can't be read. */
  date: string;
  runs: readonly TraceSummary[];
}

/** The runs by the days on which they began. */
export function daysOf(runs: readonly TraceSummary[]): Day[] {
  const days: { date: string; runs: TraceSummary[] }[] = [];
  for (const run of runs) {
    const date = new Date(run.started).toDateString();
    const last = days.at(-1);
    if (last?.date === date) last.runs.push(run);
    else days.push({ date, runs: [run] });
  }
  return days;
}

/** Of a run that its session does not show: which version it is, or that it follows another one. */
export function asideOf(language: Language, { version }: Pick<TraceSummary, 'version'>): string | null {
  if (version === undefined) return null;
  return version.of > 1
    ? say(language, 'trace_version', { at: version.at, total: version.of })
    : say(language, 'trace_follows');
}

/** How a run stands, in the words of the list. */
export type Standing = 'at_work' | 'interrupted' | 'waiting' | 'completed' | 'failed' | 'gave_up' | 'cancelled';

export function standingOf(run: Pick<TraceSummary, 'status' | 'interrupted'>): Standing {
  if (run.status === null) return run.interrupted ? 'interrupted' : 'at_work';
  return run.status === 'suspended' ? 'waiting' : run.status;
}
