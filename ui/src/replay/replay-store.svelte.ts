/**
 * Replaying a run that is over: the form of its inputs, what would differ, and its outcome beside the one of then. What
 * it may not do unasked is asked in the panel, as always. Draws nothing.
 */
import type { SessionDetail } from '../bindings/SessionDetail';
import type { Backend } from '../backend/backend';
import type { ReplayInput } from '../bindings/ReplayInput';
import type { ReplayPreview } from '../bindings/ReplayPreview';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { TraceSummary } from '../bindings/TraceSummary';
import type { UserError } from '../bindings/UserError';
import * as replay from './replay';
import type { I18n } from '../i18n/i18n';

/** Wait after the last key before it is asked what would differ, in milliseconds. */
const PREVIEW_WAIT_MS = 150;

/** Shortest time between two readings of what came of it, in milliseconds: nobody reads faster. */
const READ_EVERY_MS = 250;

/** What is shown of the chosen run: its steps, the form of its replay, or what came of it beside the first. */
export type Face = 'steps' | 'form' | 'beside';

/** What came of a run then and now. */
export interface Beside {
  run: RunId;
  first: TraceSummary | null;
  pairs: readonly replay.Pair[];
}

export class ReplayStore {
  face = $state<Face>('steps');
  /** The run of the form. */
  run = $state<RunId | null>(null);
  preview = $state.raw<ReplayPreview | null>(null);
  written = $state<Record<string, string>>({});
  /** Whether the replay is asked for and has not begun. */
  beginning = $state(false);
  trouble = $state.raw<UserError | null>(null);
  beside = $state.raw<Beside | null>(null);

  /** What can be changed, as it was when the form was opened. */
  readonly inputs = $derived<readonly ReplayInput[]>(this.preview?.inputs ?? []);
  readonly given = $derived(replay.givenOf(this.inputs, this.written));

  private previewTimer = 0;
  private readTimer = 0;

  constructor(
    private readonly backend: Backend,
    private readonly i18n: I18n,
    private readonly began: (run: RunId) => void,
  ) {}

  /** Another run is looked at. */
  left(): void {
    this.face = 'steps';
    this.trouble = null;
    this.beside = null;
    clearTimeout(this.previewTimer);
    clearTimeout(this.readTimer);
    this.readTimer = 0;
  }

  open(run: RunId): void {
    this.left();
    this.face = 'form';
    this.run = run;
    this.preview = null;
    this.written = {};
    this.beginning = false;
    this.ask();
  }

  write(name: string, text: string): void {
    this.written[name] = text;
    clearTimeout(this.previewTimer);
    this.previewTimer = window.setTimeout(() => this.ask(), PREVIEW_WAIT_MS);
  }

  begin(): void {
    const { run } = this;
    if (run === null || this.preview === null || this.beginning || this.given.wrong.length > 0) return;
    this.beginning = true;
    this.trouble = null;
    this.backend.send({ request: 'ask', ...replay.askOf(run, this.given.inputs, this.i18n.language) }, (reply) => {
      if (reply.reply === 'failed') {
        this.beginning = false;
        this.trouble = reply.error;
      }
      if (reply.reply !== 'event' || reply.event.type !== 'run_started') return;
      this.beginning = false;
      // Whoever has gone on to another run is not taken away from it.
      if (this.face !== 'form' || this.run !== run) return;
      this.began(reply.event.run);
      this.compare(reply.event.run, this.preview?.run ?? run, reply.event.session);
    });
  }

  /** Shows what came of a replay beside what came of the run that it replayed. */
  compare(run: RunId, first: RunId, session: SessionId): void {
    this.face = 'beside';
    if (this.beside?.run !== run) this.beside = { run, first: null, pairs: [] };
    this.backend.ask({ request: 'trace_steps', run: first, after: 0, limit: 1 }, (reply) => {
      if (this.beside?.run === run) this.beside = { ...this.beside, first: reply.summary };
    });
    const done = ({ session: { segments } }: { session: SessionDetail }) => {
      if (this.beside?.run !== run) return;
      this.beside = {
        ...this.beside,
        pairs: replay.pairsOf(replay.broughtBy(segments, first, 'replayed'), replay.broughtBy(segments, run)),
      };
    };
    this.backend.ask({ request: 'session_show', session }, done, (error) => (this.trouble = error));
  }

  /** Something happened in a run: what is shown beside the first is read again. */
  heard(event: RunEvent, first: RunId | null, session: SessionId | null): void {
    if (this.face !== 'beside' || this.beside?.run !== event.run || first === null || session === null) return;
    if (!['segment', 'run_ended', 'card'].includes(event.type) || this.readTimer !== 0) return;
    this.readTimer = window.setTimeout(() => {
      this.readTimer = 0;
      this.compare(event.run, first, session);
    }, READ_EVERY_MS);
  }

  /** Asks what would differ. What was asked before is too late once something else was written. */
  private ask(): void {
    const { run } = this;
    const { inputs } = this.given;
    if (run === null) return;
    const asked = JSON.stringify(inputs);
    const isCurrent = () => run === this.run && JSON.stringify(this.given.inputs) === asked;
    this.backend.ask(
      { request: 'replay_preview', run, inputs },
      ({ preview }) => {
        if (!isCurrent()) return;
        this.trouble = null;
        this.preview = preview;
      },
      (error) => {
        if (isCurrent()) this.trouble = error;
      },
    );
  }
}
