/**
 * The ball's mood out of everything that runs: one at a time, in a fixed order.
 *
 * Pure. A mood that asks for the user wins over one that only reports. In the program the shell tells the ball its
 * mood, in this order; here it is worked out where no shell is.
 */
import type { CallId } from '../bindings/CallId';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';

export type Mood = 'dropping' | 'needs' | 'error' | 'thinking' | 'looking' | 'suggests' | 'paused' | 'idle';

export interface BallView {
  runs: ReadonlyMap<RunId, BallRun>;
  dropping: boolean;
  looking: boolean;
  suggests: boolean;
  paused: boolean;
}

interface BallRun {
  working: boolean;
  failed: boolean;
  waiting: readonly CallId[];
  /** Part of the known work that is done, 0 to 1; `null` when nobody knows how much there is. */
  progress: number | null;
}

export function idleBall(): BallView {
  return { runs: new Map(), dropping: false, looking: false, suggests: false, paused: false };
}

export function apply(view: BallView, event: RunEvent): BallView {
  const before = view.runs.get(event.run) ?? { working: true, failed: false, waiting: [], progress: null };
  const runs = new Map(view.runs);
  const after = advance(before, event);
  if (after.working || after.failed || after.waiting.length > 0) runs.set(event.run, after);
  else runs.delete(event.run);
  return { ...view, runs };
}

/** The panel was opened: failures have been seen. */
export function seen(view: BallView): BallView {
  return { ...view, suggests: false, runs: new Map([...view.runs].filter(([, run]) => !run.failed)) };
}

export function moodOf(view: BallView): Mood {
  const runs = [...view.runs.values()];
  if (view.dropping) return 'dropping';
  if (runs.some((run) => run.waiting.length > 0)) return 'needs';
  if (runs.some((run) => run.failed)) return 'error';
  if (runs.some((run) => run.working)) return 'thinking';
  if (view.looking) return 'looking';
  if (view.suggests) return 'suggests';
  return view.paused ? 'paused' : 'idle';
}

/** Cards that wait for the user: the number on the badge. */
export function waitingCount(view: BallView): number {
  return [...view.runs.values()].reduce((sum, run) => sum + run.waiting.length, 0);
}

/** The known progress of what runs, or `null`. */
export function progressOf(view: BallView): number | null {
  const known = [...view.runs.values()].flatMap((run) => (run.progress === null ? [] : [run.progress]));
  return known.length === 0 ? null : Math.min(...known);
}

function advance(run: BallRun, event: RunEvent): BallRun {
  switch (event.type) {
    case 'approval_needed':
    case 'question':
      return { ...run, waiting: [...run.waiting.filter((call) => call !== event.call), event.call] };
    case 'decided':
      return { ...run, working: true, waiting: run.waiting.filter((call) => call !== event.call) };
    case 'todo': {
      const done = event.items.filter((item) => item.state === 'completed').length;
      const part = event.items.length === 0 ? null : done / event.items.length;
      // The ring never runs backwards, even when items are added.
      return { ...run, progress: part === null ? run.progress : Math.max(part, run.progress ?? 0) };
    }
    case 'run_ended': {
      const failed = event.status === 'failed' || event.status === 'gave_up';
      return { ...run, working: false, failed, waiting: event.status === 'suspended' ? run.waiting : [] };
    }
    case 'run_started':
    case 'context':
    case 'recalled':
    case 'segment':
    case 'delta':
    case 'retracted':
    case 'standing':
    case 'awaiting':
    case 'code':
    case 'call':
    case 'call_done':
    case 'card':
    case 'output':
    case 'variables':
    case 'notification':
    case 'compacted':
    case 'answer':
      return { ...run, working: true, failed: false };
  }
}
