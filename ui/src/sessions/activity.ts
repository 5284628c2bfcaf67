/**
 * What the sessions that are not in front are doing: a fold over the events of every run.
 *
 * Pure. Knows only runs that told of themselves since the panel was built; what waited before is in the list of
 * sessions itself.
 */
import type { CallId } from '../bindings/CallId';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import { isOfPage } from '../pages/pages';

export type Activity = 'working' | 'waiting' | 'answered' | 'failed';

export type Activities = ReadonlyMap<RunId, RunActivity>;

interface RunActivity {
  session: SessionId;
  activity: Activity;
  waiting: readonly CallId[];
  /** Calls of a page's tools that are not answered yet: it may take the user to answer them there. */
  atPage: readonly CallId[];
  /** The run that it works for, when it is a sub-agent's. */
  under: RunId | null;
}

/** Runs remembered; the oldest ones that are at rest are forgotten first. */
export const RUNS_REMEMBERED_MAX = 200;

/** In this order: what asks for the user wins over what only reports. */
const ORDER: readonly Activity[] = ['waiting', 'failed', 'working', 'answered'];

export const noActivities: Activities = new Map();

export function apply(view: Activities, event: RunEvent): Activities {
  const known = view.get(event.run);
  const before =
    event.type === 'run_started'
      ? {
          session: event.session,
          activity: 'working' as const,
          waiting: known?.waiting ?? [],
          atPage: known?.atPage ?? [],
          under: event.under ?? null,
        }
      : known;
  if (before === undefined) return view;
  // What a sub-agent answers is the task's, and no news.
  if (before.under !== null && event.type === 'run_ended' && event.status !== 'suspended')
    return without(view, event.run);
  const after = advance(before, event);
  return after === known ? view : bounded(new Map(view).set(event.run, after));
}

/** The session in which a sub-agent of that run waits for the user, as far as it is known here. */
export function waitingFor(view: Activities, run: RunId): SessionId | null {
  const agent = [...view.values()].find((known) => known.under === run && known.activity === 'waiting');
  return agent?.session ?? null;
}

/** What a session does, or did since it was last looked at. */
export function activityOf(view: Activities, session: SessionId): Activity | null {
  const found = [...view.values()].filter((run) => run.session === session).map((run) => run.activity);
  return ORDER.find((activity) => found.includes(activity)) ?? null;
}

/** The session was looked at: what ended there is no news any more. */
export function seen(view: Activities, session: SessionId | null): Activities {
  const rest = [...view].filter(
    ([, run]) => run.session !== session || run.activity === 'working' || run.activity === 'waiting',
  );
  return rest.length === view.size ? view : new Map(rest);
}

function advance(run: RunActivity, event: RunEvent): RunActivity {
  switch (event.type) {
    case 'approval_needed':
    case 'question':
      return {
        ...run,
        activity: 'waiting',
        waiting: [...run.waiting.filter((call) => call !== event.call), event.call],
      };
    case 'decided': {
      const waiting = run.waiting.filter((call) => call !== event.call);
      return { ...run, waiting, activity: waiting.length > 0 ? 'waiting' : 'working' };
    }
    case 'run_ended':
      if (event.status === 'suspended')
        return { ...run, activity: run.waiting.length + run.atPage.length > 0 ? 'waiting' : 'answered' };
      return {
        ...run,
        waiting: [],
        atPage: [],
        activity: event.status === 'failed' || event.status === 'gave_up' ? 'failed' : 'answered',
      };
    case 'run_started':
      return run;
    case 'call':
      return atWork(
        isOfPage(`${event.toolkit}.${event.method}`)
          ? { ...run, atPage: [...run.atPage.filter((call) => call !== event.call), event.call] }
          : run,
      );
    case 'call_done':
      return atWork(
        run.atPage.includes(event.call) ? { ...run, atPage: run.atPage.filter((call) => call !== event.call) } : run,
      );
    case 'context':
    case 'recalled':
    case 'segment':
    case 'delta':
    case 'retracted':
    case 'standing':
    case 'awaiting':
    case 'code':
    case 'card':
    case 'output':
    case 'variables':
    case 'todo':
    case 'notification':
    case 'compacted':
    case 'answer':
      return atWork(run);
  }
}

/** Something came from it: it is at work, unless a card of it still waits. */
function atWork(run: RunActivity): RunActivity {
  return run.activity === 'working' || run.waiting.length > 0 ? run : { ...run, activity: 'working' };
}

function without(view: Activities, run: RunId): Activities {
  const rest = new Map(view);
  rest.delete(run);
  return rest;
}

function bounded(view: Map<RunId, RunActivity>): Activities {
  for (const [run, { activity }] of view) {
    if (view.size <= RUNS_REMEMBERED_MAX) break;
    if (activity === 'answered' || activity === 'failed') view.delete(run);
  }
  return view;
}
