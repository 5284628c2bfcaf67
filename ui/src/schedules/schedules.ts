/**
 * Schedules: which are listed, which is looked at, and what of their last times is to be known at a glance. Pure.
 */
import type { ScheduleRunView } from '../bindings/ScheduleRunView';
import type { ScheduleTask } from '../bindings/ScheduleTask';
import type { ScheduleTime } from '../bindings/ScheduleTime';
import type { ScheduleView } from '../bindings/ScheduleView';
import type { ScheduleWords } from '../bindings/ScheduleWords';

export interface Schedules {
  all: readonly ScheduleView[];
  /** Whether an answer has come yet. */
  known: boolean;
  /** The one that is looked at. */
  chosen: string | null;
  text: string;
}

export const noSchedules: Schedules = { all: [], known: false, chosen: null, text: '' };

/** The words that name it. */
export function titleOf(task: ScheduleTask): string {
  return task.kind === 'workflow' ? task.name : task.text;
}

/** What was typed to say when. */
export function typedIn(words: ScheduleWords): string {
  if (words.kind === 'change') return words.path;
  return words.kind === 'job' ? words.name : words.text;
}

/** Whether both say the same, apart from the space around it. */
export function sameWords(one: ScheduleWords, other: ScheduleWords): boolean {
  return one.kind === other.kind && typedIn(one).trim() === typedIn(other).trim();
}

/** Whether it is something that comes when it comes, and has no date. */
export function isEvent({ kind }: ScheduleTime): boolean {
  return kind === 'change' || kind === 'job';
}

/** The zone of its own by whose clock it comes, or whose clock its dates are shown by; none is the computer's. */
export function ownZone(time: ScheduleTime, given: string | undefined): string | undefined {
  const said = time.kind === 'once' || time.kind === 'cron' ? time.zone : undefined;
  return said ?? (isEvent(time) ? undefined : given);
}

/** Whether there is anything to pause or to go on with. */
export function canBeSwitched({ on, next, time }: ScheduleView): boolean {
  return !on || next !== null || isEvent(time);
}

/** The schedules that fit what was typed. */
export function listed(view: Schedules): readonly ScheduleView[] {
  const words = view.text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return view.all.filter(({ draft }) => {
    const text = `${titleOf(draft.task)} ${typedIn(draft.words)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The one that is looked at: of what is listed, else the first of that. */
export function chosenOf(view: Schedules): ScheduleView | null {
  const rows = listed(view);
  return rows.find(({ id }) => id === view.chosen) ?? rows[0] ?? null;
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Schedules, steps: number): Schedules {
  const rows = listed(view);
  const now = chosenOf(view);
  const at = rows.findIndex(({ id }) => id === now?.id);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.id };
}

/** The list with one as it is now, in its place, or at the end until it is read again. */
export function withOne(all: readonly ScheduleView[], one: ScheduleView): readonly ScheduleView[] {
  const isThere = all.some(({ id }) => id === one.id);
  return isThere ? all.map((known) => (known.id === one.id ? one : known)) : [...all, one];
}

/** The time of a schedule that says how it stands: one that waits for its user, else the newest. `runs` are newest first. */
export function tellingOf(runs: readonly ScheduleRunView[], id: string): ScheduleRunView | null {
  const own = runs.filter(({ schedule }) => schedule === id);
  return own.find(({ outcome }) => outcome === 'waiting') ?? own[0] ?? null;
}

/** Those by schedule. What waits is told with its schedule, also where it is older than the times that are read. */
export function tellingOfAll(
  all: readonly ScheduleView[],
  runs: readonly ScheduleRunView[],
): ReadonlyMap<string, ScheduleRunView> {
  return new Map(
    all.flatMap(({ id, waiting }) => {
      const run = waiting ?? tellingOf(runs, id);
      return run === null ? [] : [[id, run] as const];
    }),
  );
}

/** Whether its user should know of it: it came to nothing, or it waits for them. */
export function isMarked({ outcome }: ScheduleRunView): boolean {
  return outcome === 'failed' || outcome === 'missed' || outcome === 'waiting' || outcome === 'interrupted';
}

/** Whether its user has decided about what waited, and its workflow has not gone on since. */
export function isDecided({ outcome, decided }: Pick<ScheduleRunView, 'outcome' | 'decided'>): boolean {
  return outcome === 'waiting' && decided === true;
}

/** How many schedules wait for their user. */
export function waitingOf(telling: ReadonlyMap<string, ScheduleRunView>): number {
  return [...telling.values()].filter((run) => run.outcome === 'waiting' && !isDecided(run)).length;
}

/** Tells times apart: one schedule has none twice, unless it was also begun by hand then. */
export function keyOf({ due, dispatched }: ScheduleRunView, at: number): string {
  return `${due} ${dispatched ?? ''} ${at}`;
}
