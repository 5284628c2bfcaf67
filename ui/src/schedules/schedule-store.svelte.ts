/**
 * The section of schedules: which there are, how their last times ended, the one that is looked at, and one that is begun. Draws nothing.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ScheduleRequest } from '../bindings/ScheduleRequest';
import type { ScheduleRunView } from '../bindings/ScheduleRunView';
import type { ScheduleView } from '../bindings/ScheduleView';
import type { UserError } from '../bindings/UserError';
import type { Form } from './form';
import { ScheduleForm } from './schedule-form.svelte';
import * as listing from './schedules';

/** Past times that are read of all schedules: enough for the last one of each. */
const TIMES_READ = 200;
/** Past times that are shown of one. */
const TIMES_SHOWN = 50;

export class ScheduleStore {
  view = $state.raw(listing.noSchedules);
  trouble = $state.raw<UserError | null>(null);
  /** Past times of all, the newest first. */
  runs = $state.raw<readonly ScheduleRunView[]>([]);
  /** Past times of the one that is looked at; `null` until they are known. */
  history = $state.raw<readonly ScheduleRunView[] | null>(null);
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether one that was asked to run has not answered yet. */
  isStarting = $state(false);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);
  /** A new one; what stands in it stays while another one is looked at. */
  form = $state.raw<ScheduleForm | null>(null);
  /** Whether the new one stands in the place of the one that is looked at. */
  isNewShown = $state(false);

  readonly rows = $derived(listing.listed(this.view));
  readonly schedule = $derived(listing.chosenOf(this.view));
  /** The time of each that says how it stands. */
  readonly telling = $derived(listing.tellingOfAll(this.view.all, this.runs));
  /** Schedules that wait for their user. */
  readonly waiting = $derived(listing.waitingOf(this.telling));
  readonly isBegun = $derived(this.form?.isBegun ?? false);

  /** Whose past times `history` holds. */
  private historyOf: string | null = null;

  constructor(private readonly backend: Backend) {}

  /** Learns what waits, while the section is not looked at; an older program that knows no schedules has none. */
  count(): void {
    this.backend.ask({ request: 'schedules', action: { action: 'list' } }, ({ schedules }: ReplyNamed<'schedules'>) => {
      this.view = { ...this.view, all: schedules, known: true };
    });
    this.readTimes();
  }

  read(): void {
    this.ask({ action: 'list' }, ({ schedules }: ReplyNamed<'schedules'>) => this.take(schedules));
    this.readTimes();
  }

  search(text: string): void {
    this.view = { ...this.view, text };
    this.look();
  }

  choose({ id }: ScheduleView): void {
    this.isNewShown = false;
    this.listShown = false;
    this.view = { ...this.view, chosen: id };
    this.look();
  }

  move(steps: number): void {
    this.isNewShown = false;
    this.view = listing.moved(this.view, steps);
    this.look();
  }

  /** Pauses it, or goes on with it. */
  switch({ id }: ScheduleView, on: boolean): void {
    this.ask({ action: 'switch', id, on }, ({ schedule }: ReplyNamed<'schedule'>) => this.put(schedule));
  }

  /** Does it once now. What becomes of it is told by those who watch. */
  run({ id }: ScheduleView): void {
    if (this.isStarting) return;
    this.isStarting = true;
    this.ask(
      { action: 'run', id },
      ({ schedule }: ReplyNamed<'schedule'>) => {
        this.isStarting = false;
        this.put(schedule);
      },
      () => (this.isStarting = false),
    );
  }

  /** Removes it; the first call only asks. */
  remove({ id }: ScheduleView): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.ask({ action: 'remove', id }, ({ schedules }: ReplyNamed<'schedules'>) => this.take(schedules));
  }

  /** Opens the form, as it was left or with what an example says. */
  open(filled: Partial<Form> | null = null): void {
    this.form ??= new ScheduleForm(this.backend, (schedule) => this.kept(schedule));
    if (filled !== null) this.form.change(filled);
    this.isNewShown = true;
    this.listShown = false;
  }

  close(): void {
    this.isNewShown = false;
    if (!this.isBegun) this.form = null;
  }

  discard(): void {
    this.form = null;
    this.open();
  }

  /** A new one is kept: it is looked at, unless the user has gone on to another one. */
  private kept(schedule: ScheduleView): void {
    const isSeen = this.isNewShown;
    const chosen = isSeen ? schedule.id : (this.schedule?.id ?? null);
    this.form = null;
    this.isNewShown = false;
    this.view = {
      ...this.view,
      all: listing.withOne(this.view.all, schedule),
      chosen,
      text: isSeen ? '' : this.view.text,
    };
    this.look();
    this.read();
  }

  private take(all: readonly ScheduleView[]): void {
    const chosen = this.schedule?.id ?? this.view.chosen;
    const isGone = !all.some(({ id }) => id === this.schedule?.id);
    this.trouble = null;
    this.view = { ...this.view, all, known: true, chosen };
    this.look(!isGone);
  }

  private put(schedule: ScheduleView): void {
    this.view = { ...this.view, all: listing.withOne(this.view.all, schedule) };
    this.read();
  }

  /** Reads what became of the one that is looked at. What was asked about it stays asked while it is only read again. */
  private look(isSame = false): void {
    if (!isSame) this.removing = false;
    const id = this.schedule?.id ?? null;
    if (id !== this.historyOf) this.history = null;
    this.historyOf = id;
    if (id === null) return;
    this.ask({ action: 'history', id, limit: TIMES_SHOWN }, ({ runs }: ReplyNamed<'schedule_runs'>) => {
      if (this.historyOf === id) this.history = runs;
    });
  }

  private readTimes(): void {
    this.backend.ask(
      { request: 'schedules', action: { action: 'history', id: null, limit: TIMES_READ } },
      ({ runs }: ReplyNamed<'schedule_runs'>) => (this.runs = runs),
    );
  }

  private ask<A extends ScheduleRequest>(
    action: A,
    done: (reply: never) => void,
    failed: () => void = () => undefined,
  ): void {
    this.backend.ask({ request: 'schedules', action }, done as (reply: unknown) => void, (error) => {
      failed();
      this.trouble = error;
    });
  }
}

export const [useSchedules, provideSchedules] = createContext<ScheduleStore>();
