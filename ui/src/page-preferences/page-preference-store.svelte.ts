/**
 * Preferences that show in forms of web pages, as a window knows them: what is proposed, what is kept, and what the user
 * does about either.
 *
 * Joins the backend with `page-preferences.ts`; both the panel and the workbench hold one. Every answer, and whatever the
 * program tells by itself, is whole: it takes the place of what was known.
 */
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { MemoryRequest } from '../bindings/MemoryRequest';
import type { PageRef } from '../bindings/PageRef';
import type { Preference } from '../bindings/Preference';
import type { PreferenceProposal } from '../bindings/PreferenceProposal';
import type { UserError } from '../bindings/UserError';
import { offerFor, successors, type Changes, type Known, type Offer } from './page-preferences';

type Action = Extract<
  MemoryRequest,
  { action: 'preferences' | 'keep_preference' | 'decline_preference' | 'change_preference' }
>;

/** What became of filling a form in. */
interface Filled {
  memory: string;
  /** The document that has the form: another one knows nothing of it. */
  document: string;
  filled: readonly string[];
  missed: readonly string[];
}

export class PagePreferenceStore {
  known = $state.raw<Known>({ proposals: [], kept: [] });
  /** What the last action was about, and why it came to nothing. */
  trouble = $state.raw<{ about: string; error: UserError } | null>(null);
  /** Whether an answer is on its way. */
  busy = $state(false);
  /** Kept preferences that are not offered, until this window is made anew. */
  private dismissed = $state.raw<ReadonlySet<string>>(new Set());
  private wasRead = false;
  private filled = $state.raw<Filled | null>(null);

  /** `replaced` hears which memories took the place of which. */
  constructor(
    private readonly backend: Backend,
    private readonly replaced: (by: ReadonlyMap<string, string>) => void = () => undefined,
  ) {}

  read(): void {
    this.wasRead = true;
    this.send({ action: 'preferences', address: null }, '');
  }

  /** News may have been missed; where nothing was read, nothing was. */
  readAgain(): void {
    if (this.wasRead) this.read();
  }

  /** Takes over what the program tells. */
  take({ proposals, kept }: Known): void {
    const by = successors(this.known.kept, kept);
    this.known = { proposals, kept };
    if (by.size > 0) this.replaced(by);
  }

  /** The kept preference that this memory is, while it holds. */
  keptAs(memory: string): Preference | null {
    return this.known.kept.find((one) => one.memory === memory) ?? null;
  }

  offerFor(page: PageRef | null): Offer {
    return offerFor(page, this.known, this.dismissed);
  }

  /** What became of filling it in on that page. */
  filledOn(page: PageRef, { memory }: Preference): Filled | null {
    return this.filled?.memory === memory && this.filled.document === page.document ? this.filled : null;
  }

  /** Why the last action about that came to nothing. */
  troubleOf(about: string): UserError | null {
    return this.trouble?.about === about ? this.trouble.error : null;
  }

  keep({ id }: PreferenceProposal, done: () => void): void {
    this.send({ action: 'keep_preference', proposal: id }, id, done);
  }

  /** Has it never proposed again. */
  decline({ id }: PreferenceProposal): void {
    this.send({ action: 'decline_preference', proposal: id }, id);
  }

  change({ memory }: Preference, values: Changes['values']): void {
    this.send({ action: 'change_preference', memory, values }, memory);
  }

  /** Puts the values into the form of the page; pressing its button is the user's. */
  fill(page: PageRef, { memory, values }: Preference): void {
    if (this.busy) return;
    this.busy = true;
    this.trouble = null;
    const { closed } = this.backend.ask(
      { request: 'pages', action: { action: 'fill_in', page, values } },
      ({ filled, missed }) => (this.filled = { memory, document: page.document, filled, missed }),
      (error) => (this.trouble = { about: memory, error }),
    );
    void closed.then(() => (this.busy = false));
  }

  /** Offers that one no more. */
  dismiss({ memory }: Preference): void {
    this.dismissed = new Set([...this.dismissed, memory]);
  }

  private send(action: Action, about: string, done: () => void = () => undefined): void {
    const isRead = action.action === 'preferences';
    if (!isRead) {
      if (this.busy) return;
      this.busy = true;
      this.trouble = null;
    }
    const { closed } = this.backend.ask(
      { request: 'memory', action },
      (reply) => {
        this.take(reply);
        done();
      },
      (error) => {
        // Nobody asked for what is read by itself.
        if (!isRead) this.trouble = { about, error };
      },
    );
    if (!isRead) void closed.then(() => (this.busy = false));
  }
}

export const [usePagePreferences, providePagePreferences] = createContext<PagePreferenceStore>();
