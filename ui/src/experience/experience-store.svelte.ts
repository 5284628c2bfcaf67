/**
 * The section of experience: what runs taught, the one that is looked at, and what the user decides of it. Draws nothing.
 */
import type { ReplyNamed } from '../backend/ask';
import { createContext } from 'svelte';
import type { Backend, Stream } from '../backend/backend';
import type { Experience } from '../bindings/Experience';
import type { ExperienceRequest } from '../bindings/ExperienceRequest';
import type { ExperienceDraft } from '../bindings/ExperienceDraft';
import type { ExperienceEffect } from '../bindings/ExperienceEffect';
import type { ExperienceState } from '../bindings/ExperienceState';
import type { UserError } from '../bindings/UserError';
import * as listing from './experiences';
import type { Toasts } from '../shared/toasts.svelte';
import type { I18n, WordKey } from '../i18n/i18n';
import { ExperienceTransfer } from './experience-transfer.svelte';

/** Wait after the last key before a search is sent, in milliseconds. */
const SEARCH_WAIT_MS = 150;

/** Wait after the last step through the list before what is chosen is read, in milliseconds: a held key reads once. */
const OPEN_WAIT_MS = 60;

/** What a person is writing: a new one, or another form of one. */
export interface Writing extends ExperienceDraft {
  of: string | null;
  scope: string;
  /** Whether it is one line beside every question that it concerns. */
  mistake: boolean;
}

type Decision = 'approve' | 'reject' | 'expire';

const SAID: Readonly<Record<Decision, WordKey>> = {
  approve: 'experience_approved',
  reject: 'experience_rejected',
  expire: 'experience_expired',
};

/** Requests that end with the experiences they are about. */
type Changing = Exclude<ExperienceRequest, { action: 'preview' | 'export' | 'export_lines' | 'import_file' }>;

export class ExperienceStore {
  view = $state.raw(listing.noExperiences());
  draft = $state<Writing | null>(null);
  /** The one that is about to be deleted. */
  deleting = $state<string | null>(null);
  /** Past runs that would have had the one that is looked at in their prompt; `null` while nobody asks. */
  effects = $state.raw<{ runs: readonly ExperienceEffect[]; lookedAt: number } | null>(null);
  /** Whether models are asked for their votes. */
  voting = $state(false);
  trouble = $state.raw<UserError | null>(null);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly moved: ExperienceTransfer;
  readonly item = $derived(this.view.items.find(({ id }) => id === this.view.chosen) ?? null);
  readonly waiting = $derived(listing.countOf(this.view.counts, 'candidate'));

  private searchTimer = 0;
  private openTimer = 0;
  private reading = false;
  /** The one that was read with its runs. */
  private opened: string | null = null;
  /** The one that was asked for by itself: it may stand on a later page. */
  private wanted: Experience | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly toasts: Toasts,
    private readonly i18n: I18n,
  ) {
    this.moved = new ExperienceTransfer(backend, toasts, i18n, () => this.read());
    this.read();
  }

  read(): void {
    this.readItems('first');
  }

  search(text: string): void {
    this.view = listing.searched(this.view, text);
    clearTimeout(this.searchTimer);
    this.searchTimer = window.setTimeout(() => this.read(), SEARCH_WAIT_MS);
  }

  look(state: ExperienceState): void {
    this.view = listing.looking(this.view, state);
    this.left();
    this.read();
  }

  more(): void {
    if (this.view.more && !this.reading) this.readItems('more');
  }

  /** Shows one of them, wherever it is listed. */
  show(id: string): void {
    this.send({ action: 'show', experience: id }, ({ experiences: [item] }) => {
      if (item === undefined) return;
      this.view = listing.chosen(listing.looking(listing.searched(this.view, ''), item.state), item.id);
      this.left();
      this.draft = null;
      this.wanted = item;
      this.listShown = false;
      this.read();
    });
  }

  choose(id: string): void {
    this.listShown = false;
    this.go(id);
  }

  move(steps: number): void {
    const { chosen } = listing.moved(this.view, steps);
    if (chosen !== null && chosen !== this.view.chosen) this.go(chosen);
  }

  /** Decides, and goes on to the next one; what was decided in error is taken back as it was. */
  decide(decision: Decision): void {
    const { item } = this;
    if (item === null || !this.canBe(item, decision)) return;
    this.send({ action: decision, experience: item.id }, (reply) => {
      this.took(reply.experiences);
      this.toasts.undoable(this.i18n.say(SAID[decision]), () => this.restore(item));
    });
  }

  canBe(item: Experience, decision: Decision): boolean {
    if (decision === 'approve') return item.state !== 'approved';
    return item.state === (decision === 'reject' ? 'candidate' : 'approved');
  }

  write(of: 'new' | 'chosen'): void {
    const { item } = this;
    if (of === 'new') this.draft = { of: null, goal: '', lesson: '', code: '', scope: 'user', mistake: false };
    else if (item !== null)
      this.draft = {
        of: item.id,
        goal: item.goal,
        lesson: item.lesson,
        code: item.code,
        scope: item.scope,
        mistake: item.kind === 'mistake',
      };
    this.listShown = false;
  }

  keep(): void {
    const { draft } = this;
    if (draft === null || draft.goal.trim() === '' || draft.lesson.trim() === '') return;
    const { of, goal, lesson, code, scope, mistake } = draft;
    const action: Changing =
      of === null
        ? { action: 'add', draft: { goal, lesson, code }, scope, mistake }
        : { action: 'edit', experience: of, goal, lesson, code, scope: null, mistake };
    this.send(action, (reply) => {
      this.draft = null;
      const written = reply.experiences[0];
      if (written === undefined) return;
      // What is written by hand is in use at once.
      if (of === null)
        this.view = listing.chosen(listing.searched(listing.looking(this.view, written.state), ''), written.id);
      else this.took(reply.experiences);
      this.read();
    });
  }

  delete(): void {
    const id = this.deleting;
    if (id === null) return;
    this.deleting = null;
    this.send({ action: 'delete', experience: id }, (reply) => {
      this.view = { ...listing.without(this.view, id), counts: reply.counts };
      this.open();
    });
  }

  /** Asks which past runs it would have changed. */
  preview(): void {
    const { item } = this;
    if (item === null) return;
    this.trouble = null;
    const done = (reply: ReplyNamed<'experience_effects'>) => {
      if (this.view.chosen === item.id) this.effects = { runs: reply.runs, lookedAt: reply.looked_at };
    };
    this.backend.ask(
      { request: 'experience', action: { action: 'preview', experience: item.id } },
      done,
      (error) => (this.trouble = error),
    );
  }

  /** Asks models what they think; it takes as long as they do. */
  async vote(): Promise<void> {
    const { item } = this;
    if (item === null || this.voting) return;
    this.voting = true;
    const stream = this.send({ action: 'vote', experience: item.id }, (reply) => this.took(reply.experiences));
    await stream.closed;
    this.voting = false;
  }

  private go(id: string): void {
    this.view = listing.chosen(this.view, id);
    this.left();
    clearTimeout(this.openTimer);
    this.openTimer = window.setTimeout(() => this.open(), OPEN_WAIT_MS);
  }

  /** Reads the one that is looked at with the runs that taught and used it. */
  private open(): void {
    const id = this.view.chosen;
    if (id === null || id === this.opened) return;
    this.opened = id;
    this.backend.ask(
      { request: 'experience', action: { action: 'show', experience: id } },
      ({ experiences: [shown] }) => {
        if (shown !== undefined) this.view = listing.changed(this.view, shown);
      },
    );
  }

  private restore(before: Experience): void {
    this.send({ action: 'import', experiences: [before], reviewed: true }, () => {
      this.view = listing.chosen(listing.looking(this.view, before.state), before.id);
      this.read();
    });
  }

  private took(experiences: readonly Experience[]): void {
    for (const experience of experiences) this.view = listing.changed(this.view, experience);
    this.deleting = null;
    this.effects = null;
    this.open();
  }

  /** Another one is looked at: what was begun with the last is left. */
  private left(): void {
    this.deleting = null;
    this.effects = null;
    if (this.draft?.of !== null) this.draft = null;
  }

  private readItems(part: 'first' | 'more'): void {
    const asked = listing.askedFor(this.view, part);
    this.reading = true;
    const failed = (error: UserError) => {
      this.reading = false;
      this.trouble = error;
    };
    const done = (reply: ReplyNamed<'experiences'>) => {
      this.reading = false;
      this.view = listing.holding(listing.taken(this.view, asked, reply.experiences, reply.counts), this.wanted);
      this.wanted = null;
      this.opened = null;
      this.open();
    };
    this.backend.ask({ request: 'experience', action: asked.action }, done, failed);
  }

  private send(action: Changing, took: (reply: ReplyNamed<'experiences'>) => void): Stream {
    this.trouble = null;
    const done = (reply: ReplyNamed<'experiences'>) => {
      this.view = { ...this.view, counts: reply.counts };
      took(reply);
    };
    return this.backend.ask({ request: 'experience', action }, done, (error) => (this.trouble = error));
  }
}

export const [useExperience, provideExperience] = createContext<ExperienceStore>();
