/**
 * The section of schedules: which there are, how their last times ended, and the one that is looked at. It keeps the forms
 * that were begun, and knows which is shown. Draws nothing.
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
/** The key of the form of a new one: no schedule is called so. */
const NEW = '';

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
  /** The form that stands in the place of the one that is looked at. */
  form = $state.raw<ScheduleForm | null>(null);
  /** Forms by the schedule that each changes; what was typed into one stays while another thing is looked at. */
  private forms = $state.raw<ReadonlyMap<string, ScheduleForm>>(new Map());

  readonly rows = $derived(listing.listed(this.view));
  readonly schedule = $derived(listing.chosenOf(this.view));
  /** The time of each that says how it stands. */
  readonly telling = $derived(listing.tellingOfAll(this.view.all, this.runs));
  /** Schedules that wait for their user. */
  readonly waiting = $derived(listing.waitingOf(this.telling));

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
    this.close();
    this.listShown = false;
    this.view = { ...this.view, chosen: id };
    this.look();
  }

  move(steps: number): void {
    this.close();
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

  /** Opens the form of a new one, as it was left or with what an example says. */
  open(filled: Partial<Form> | null = null): void {
    const form = this.show(null);
    if (filled !== null) form.change(filled);
  }

  /** Opens the form in which one is changed, as it was left. */
  change(schedule: ScheduleView): void {
    this.show(schedule);
  }

  /** Whether something was typed into a form that is not shown: that of a schedule, or of a new one. */
  isLeft(schedule: ScheduleView | null): boolean {
    const form = this.forms.get(schedule?.id ?? NEW);
    return form !== undefined && form !== this.form && form.isBegun;
  }

  /** Leaves the form; what was typed into it stays. */
  close(): void {
    const { form } = this;
    this.form = null;
    if (form !== null && !form.isBegun) this.drop(form);
  }

  /** Throws away what was typed: a new one is begun once more, one that is kept is looked at. */
  discard(): void {
    const { form } = this;
    if (form === null) return;
    this.drop(form);
    if (form.of === null) this.open();
  }

  private show(of: ScheduleView | null): ScheduleForm {
    const key = of?.id ?? NEW;
    const left = this.forms.get(key);
    if (this.form !== left) this.close();
    const form: ScheduleForm = left ?? new ScheduleForm(this.backend, of, (schedule) => this.kept(form, schedule));
    this.forms = new Map([...this.forms, [key, form]]);
    this.form = form;
    this.listShown = false;
    return form;
  }

  private drop(form: ScheduleForm): void {
    this.forms = new Map([...this.forms].filter(([, one]) => one !== form));
    if (this.form === form) this.form = null;
  }

  /** What stood in a form is kept: it is looked at, unless the user has gone on to another one. */
  private kept(form: ScheduleForm, schedule: ScheduleView): void {
    const isSeen = this.form === form;
    const chosen = isSeen ? schedule.id : (this.schedule?.id ?? null);
    this.drop(form);
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
    this.follow(all);
    this.look(!isGone);
  }

  /** Forms go along with their schedules. That of one that is gone stays for as long as its user looks at it. */
  private follow(all: readonly ScheduleView[]): void {
    const byId = new Map(all.map((schedule) => [schedule.id, schedule]));
    this.forms = new Map([...this.forms].filter(([key, form]) => key === NEW || form === this.form || byId.has(key)));
    for (const [key, form] of this.forms) {
      const schedule = byId.get(key);
      if (schedule !== undefined) form.follow(schedule);
    }
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
