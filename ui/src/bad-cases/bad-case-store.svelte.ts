/** The section of bad cases: which there are, one that is being made, and what is proposed, tried and accepted. Draws nothing. */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend, Stream } from '../backend/backend';
import type { BadCase } from '../bindings/BadCase';
import type { CaseChange } from '../bindings/CaseChange';
import type { RunId } from '../bindings/RunId';
import type { UserError } from '../bindings/UserError';
import * as listing from './bad-cases';

/** How far a trial is. */
export interface Trying {
  of: string;
  done: number;
  total: number;
  task: string;
}

export class BadCaseStore {
  view = $state.raw(listing.noCases);
  trouble = $state.raw<UserError | null>(null);
  draft = $state.raw<listing.CaseDraft | null>(null);
  /** Why the draft is not kept. */
  unkept = $state.raw<UserError | null>(null);
  /** The text of the one that is looked at; `null` while it is not shown. */
  text = $state.raw<string | null>(null);
  /** The name of the one for which a model is asked. */
  proposing = $state<string | null>(null);
  trying = $state.raw<Trying | null>(null);
  /** Suites that are tried along, besides the case itself. */
  along = $state.raw<readonly string[]>(['bad-cases']);
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether the list covers the case, where there is no room for both. */
  listShown = $state(true);

  readonly rows = $derived(listing.listed(this.view));
  readonly item = $derived(listing.chosenOf(this.view));

  private stream: Stream | null = null;

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'list' } },
      (reply) => this.take(reply),
      (error) => (this.trouble = error),
    );
  }

  search(text: string): void {
    this.turnTo({ ...this.view, text });
  }

  choose({ name }: BadCase): void {
    this.listShown = false;
    this.turnTo({ ...this.view, chosen: name });
  }

  move(steps: number): void {
    this.turnTo(listing.moved(this.view, steps));
  }

  /** Begins one of a run that is over. */
  beginFrom(run: RunId): void {
    this.unkept = null;
    this.listShown = false;
    if (this.draft?.run !== run) this.draft = listing.draftOf(run);
  }

  change(part: Partial<listing.CaseDraft>): void {
    this.unkept = null;
    if (this.draft !== null) this.draft = { ...this.draft, ...part };
  }

  discard(): void {
    this.draft = null;
    this.unkept = null;
  }

  /** Writes out what the case would hold. */
  look(): void {
    const { draft } = this;
    if (draft === null || !listing.isSaid(draft)) return;
    const { run, wrong } = draft;
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'draft', run, wrong, wanted: listing.wantedOf(draft) } },
      ({ name, text, redacted, left_out: leftOut }: ReplyNamed<'bad_case_draft'>) =>
        this.change({ name, text, redacted, leftOut }),
      (error) => (this.unkept = error),
    );
  }

  keep(): void {
    const { draft } = this;
    if (draft?.text === null || draft?.text === undefined) return;
    const name = draft.name.trim();
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'keep', name, text: draft.text, replace: false } },
      (reply) => {
        this.draft = null;
        this.turnTo({ ...this.view, chosen: name, text: '' });
        this.take(reply);
      },
      (error) => (this.unkept = error),
    );
  }

  /** Shows the whole text of the one that is looked at, or no longer. */
  showText({ name }: BadCase): void {
    if (this.text !== null) {
      this.text = null;
      return;
    }
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'show', name } },
      ({ text }: ReplyNamed<'bad_case_text'>) => {
        if (this.item?.name === name) this.text = text;
      },
      (error) => (this.trouble = error),
    );
  }

  /** Asks a model for a change. */
  propose({ name }: BadCase): void {
    if (this.proposing !== null) return;
    this.proposing = name;
    this.trouble = null;
    const over = () => (this.proposing = null);
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'propose', name } },
      () => {
        over();
        this.read();
      },
      (error) => {
        over();
        this.trouble = error;
      },
    );
  }

  /** Whether a suite is tried along. */
  with(suite: string, on: boolean): void {
    this.along = on ? [...this.along, suite] : this.along.filter((known) => known !== suite);
  }

  /** Tries a change on the case and on suites. */
  try({ name }: BadCase, change: CaseChange): void {
    if (this.trying !== null) return;
    this.trouble = null;
    this.trying = { of: name, done: 0, total: 0, task: '' };
    this.stream = this.backend.ask(
      { request: 'bad_cases', action: { action: 'measure', name, change, suites: [...this.along], repeat: 3 } },
      () => this.read(),
      (error) => (this.trouble = error),
      (way) => {
        if (way.reply === 'progress') this.trying = { of: name, done: way.done, total: way.total, task: way.what };
      },
    );
    void this.stream.closed.then(() => this.stop());
  }

  /** Stops trying; what was tried is not tried again. */
  stop(): void {
    this.stream?.close();
    this.stream = null;
    this.trying = null;
  }

  accept({ name }: BadCase, change: CaseChange): void {
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'accept', name, change } },
      (reply) => this.take(reply),
      (error) => (this.trouble = error),
    );
  }

  takeBack({ name }: BadCase): void {
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'take_back', name } },
      (reply) => this.take(reply),
      (error) => (this.trouble = error),
    );
  }

  /** Removes the one that is looked at; the first call only asks. */
  remove({ name }: BadCase): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.backend.ask(
      { request: 'bad_cases', action: { action: 'remove', name } },
      (reply) => {
        this.removing = false;
        this.take(reply);
      },
      (error) => (this.trouble = error),
    );
  }

  private turnTo(view: listing.Cases): void {
    if (listing.chosenOf(view)?.name !== this.item?.name) this.text = null;
    this.removing = false;
    this.view = view;
  }

  private take({ cases }: ReplyNamed<'bad_cases'>): void {
    this.trouble = null;
    this.view = listing.taken(this.view, cases);
  }
}

export const [useBadCases, provideBadCases] = createContext<BadCaseStore>();
