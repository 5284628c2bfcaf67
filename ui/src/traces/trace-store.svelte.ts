/**
 * The section of traces: which runs there are, the one that is looked at, the step that is looked into. Follows what
 * happens: a run that is watched is read again at most four times a second, and only what changed of it.
 */
import type { ReplyTo } from '../bindings/ReplyTo';
import type { TraceSummary } from '../bindings/TraceSummary';
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { Span } from '../bindings/Span';
import type { TraceOutcome } from '../bindings/TraceOutcome';
import type { UserError } from '../bindings/UserError';
import * as one from './trace';
import type { I18n } from '../i18n/i18n';
import * as listing from './traces';
import { ReplayStore } from '../replay/replay-store.svelte';

/** Shortest time between two readings, in milliseconds: nobody reads faster. */
const READ_EVERY_MS = 250;

/** Wait after the last key before a search is sent, in milliseconds. */
const SEARCH_WAIT_MS = 150;

/** Steps of one page. */
const STEPS_PER_PAGE = 1_000;

/** How often bars of what is under way grow, in milliseconds. */
const TICK_MS = 500;

export class TraceStore {
  runs = $state.raw(listing.noRuns());
  trace = $state.raw(one.noTrace());
  /** Steps whose insides are folded away. */
  folded = $state.raw<ReadonlySet<number>>(new Set());
  stepQuery = $state('');
  chosenStep = $state<number | null>(null);
  /** The step that is looked into, with everything that is kept of it. */
  step = $state.raw<Span | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** Now, while something is under way. */
  now = $state<number | null>(null);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly replaying: ReplayStore;

  readonly isAtWork = $derived(
    this.trace.summary !== null && this.trace.summary.status === null && !this.trace.summary.interrupted,
  );

  private searchTimer = 0;
  private listTimer = 0;
  private stepsTimer = 0;
  private ticking = 0;
  private reading = false;
  /** Whether something happened while steps were read. */
  private missed = false;

  constructor(
    private readonly backend: Backend,
    i18n: I18n,
  ) {
    this.replaying = new ReplayStore(backend, i18n, (run) => this.choose(run));
    this.readRuns('newest');
  }

  search(text: string): void {
    this.runs = listing.searched(this.runs, text);
    clearTimeout(this.searchTimer);
    this.searchTimer = window.setTimeout(() => this.readRuns('newest'), SEARCH_WAIT_MS);
  }

  narrow(outcome: TraceOutcome | null): void {
    this.runs = listing.narrowed(this.runs, outcome);
    this.readRuns('newest');
  }

  /** Lists the runs that hold a text, or that ended so, and looks at the newest of them. */
  find(text: string, outcome: TraceOutcome | null): void {
    clearTimeout(this.searchTimer);
    this.runs = listing.narrowed(listing.searched(listing.noRuns(), text), outcome);
    this.trace = one.noTrace();
    this.listShown = true;
    this.readRuns('newest');
  }

  older(): void {
    this.readRuns('older');
  }

  move(steps: number): void {
    const { chosen } = listing.moved(this.runs, steps);
    if (chosen !== null && chosen !== this.runs.chosen) this.choose(chosen);
  }

  choose(run: RunId): void {
    this.listShown = false;
    if (run === this.runs.chosen && this.trace.summary !== null) return;
    this.runs = listing.chosen(this.runs, run);
    this.open();
  }

  fold(id: number): void {
    const folded = new Set(this.folded);
    if (!folded.delete(id)) folded.add(id);
    this.folded = folded;
  }

  look(id: number): void {
    this.chosenStep = id;
    this.readStep();
  }

  /** Something happened in a run. */
  heard(event: RunEvent): void {
    if (
      event.type === 'run_started' ||
      event.type === 'run_ended' ||
      event.type === 'segment' ||
      event.type === 'decided'
    )
      this.readListSoon();
    if (event.run === this.runs.chosen && event.type !== 'delta') this.readStepsSoon();
    this.replaying.heard(event, this.trace.replayOf, this.trace.summary?.session ?? null);
  }

  /** News were lost: everything is read again. */
  readAgain(): void {
    this.readRuns('newest');
    this.readStepsSoon();
  }

  /** Shows the form with which a run is replayed. */
  replay(run: RunId): void {
    this.choose(run);
    this.replaying.open(run);
  }

  private open(): void {
    this.replaying.left();
    this.trace = one.noTrace();
    this.folded = new Set();
    this.stepQuery = '';
    this.chosenStep = null;
    this.step = null;
    this.reading = false;
    this.readSteps();
  }

  private readListSoon(): void {
    if (this.listTimer !== 0) return;
    this.listTimer = window.setTimeout(() => {
      this.listTimer = 0;
      this.readRuns('newest');
    }, READ_EVERY_MS);
  }

  private readStepsSoon(): void {
    if (this.reading) this.missed = true;
    else if (this.stepsTimer === 0) {
      this.stepsTimer = window.setTimeout(() => {
        this.stepsTimer = 0;
        this.readSteps();
      }, READ_EVERY_MS);
    }
  }

  private readRuns(part: 'newest' | 'older'): void {
    const query = listing.queryOf(this.runs, part);
    const done = (reply: { traces: TraceSummary[] }) => {
      this.trouble = null;
      const before = this.runs.chosen;
      this.runs = listing.listed(this.runs, query, reply.traces);
      if (before === null && this.runs.chosen !== null) this.open();
    };
    this.backend.ask({ request: 'trace_list', ...query }, done, (error) => (this.trouble = error));
  }

  private readSteps(): void {
    const run = this.runs.chosen;
    if (run === null || this.reading) return;
    this.reading = true;
    this.missed = false;
    const { after } = this.trace;
    const failed = (error: UserError) => {
      if (run !== this.runs.chosen) return;
      this.reading = false;
      this.trouble = error;
    };
    const request = { request: 'trace_steps', run, after, limit: STEPS_PER_PAGE } as const;
    const done = (reply: ReplyTo<typeof request>) => {
      if (run !== this.runs.chosen) return;
      this.reading = false;
      this.trouble = null;
      this.trace = one.taken(this.trace, reply);
      this.tick();
      const changed = reply.spans.some(({ id }) => id === this.chosenStep);
      if (this.chosenStep === null) this.lookAtFirst();
      else if (changed) this.readStep();
      if (reply.more) this.readSteps();
      else if (this.missed) this.readStepsSoon();
    };
    this.backend.ask(request, done, failed);
  }

  /** What people look for first: the step that failed, else the first question to a model. */
  private lookAtFirst(): void {
    const spans = [...this.trace.spans.values()].sort((a, b) => a.id - b.id);
    const failed = spans.find((span) => span.operation !== 'invoke_agent' && one.text(span, 'error.type') !== null);
    const first = failed ?? spans.find((span) => one.kindOf(span) === 'model');
    if (first !== undefined) this.look(first.id);
  }

  private readStep(): void {
    const [run, span] = [this.runs.chosen, this.chosenStep];
    if (run === null || span === null) return;
    const isCurrent = () => run === this.runs.chosen && span === this.chosenStep;
    this.backend.ask(
      { request: 'trace_step', run, span },
      (reply) => {
        if (isCurrent()) this.step = reply.span;
      },
      (error) => {
        if (isCurrent()) this.trouble = error;
      },
    );
  }

  /** Bars of what is under way grow with the time. */
  private tick(): void {
    clearTimeout(this.ticking);
    this.now = this.isAtWork ? Date.now() : null;
    if (this.isAtWork) this.ticking = window.setTimeout(() => this.tick(), TICK_MS);
  }
}

export const [useTraces, provideTraces] = createContext<TraceStore>();
