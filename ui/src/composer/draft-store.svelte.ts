/**
 * The next question while it is being made: its text, its chips, its guesses.
 *
 * Joins the composer's pure state with what finds out about chips; sends nothing itself.
 */
import { createContext } from 'svelte';
import type { Backend, Looked, Looking } from '../backend/backend';
import type { Mode } from '../bindings/Mode';
import type { Chip } from './chips';
import * as composing from './composer';
import type { Key } from '../keyboard/keymap';
import { guessText, type Guess } from './guess';
import type { I18n } from '../i18n/i18n';
import { frontName } from '../pages/pages';
import type { Navigation } from '../panel/navigation.svelte';
import type { Incognito } from '../sessions/incognito.svelte';
import type { Toasts } from '../shared/toasts.svelte';
import { AttachmentStore } from './attachment-store.svelte';
import { BallSuggestion } from './ball-suggestion';
import { FastSuggestion } from './fast-suggestion';

/** The stores beside it. */
export interface Beside {
  readonly toasts: Toasts;
  readonly incognito: Incognito;
  readonly i18n: I18n;
  readonly navigation: Navigation;
  send(): void;
}

export class DraftStore {
  view = $state.raw(composing.emptyComposer('risky'));
  /** Whether files are held over the window. */
  filesOver = $state(false);
  readonly attachments: AttachmentStore;
  private readonly proposals: FastSuggestion;

  /** The mode that is set, once that is known. */
  private mode: Mode | null = null;
  /** The question that stood in the input when the user began. */
  private shown: Guess | null = null;
  /** Sent while something that goes along was still being read. */
  private sendsWhenRead = false;

  constructor(
    private readonly backend: Backend,
    private readonly beside: Beside,
  ) {
    this.attachments = new AttachmentStore(backend, {
      chips: () => this.view.chips,
      put: (chips) => this.put(chips),
      incognito: () => beside.incognito.session,
      nameOf: (view) =>
        view.width === 0 ? frontName(view) : `${beside.i18n.say('picture')} ${view.width}×${view.height}`,
      tell: (text) => beside.toasts.say(text),
    });
    this.proposals = new FastSuggestion(backend, (about, question) => {
      this.view = composing.proposed(this.view, about, question);
    });
    new BallSuggestion(backend, () => composing.isUntouched(this.view)).watch();
  }

  /** Turns to the draft of another session: what is still being read for the last one sends nothing there. */
  turnTo(view: composing.Composer): void {
    this.sendsWhenRead = false;
    this.shown = null;
    this.proposals.end();
    this.view = view;
  }

  type(text: string): void {
    this.sendsWhenRead = false;
    this.proposals.end();
    this.noteShown();
    this.view = composing.typed(this.view, text);
  }

  /** Puts a text into the input, for a look before it is sent. */
  write(text: string): void {
    this.type(text);
    this.beside.navigation.toInput();
  }

  attach(paths: readonly string[]): void {
    this.attachments.files(paths);
    this.beside.navigation.toInput();
  }

  async pick(what: 'files' | 'folder'): Promise<void> {
    this.attach(await (what === 'files' ? this.backend.pickFiles() : this.backend.pickFolder()));
  }

  async look(what: Looking): Promise<void> {
    await this.attachments.look(what);
    this.beside.navigation.toInput();
  }

  /** Takes in what the desktop's own keys have seen. */
  looked(looked: Looked): void {
    this.beside.navigation.toInput();
    this.attachments.take(looked);
  }

  /** Puts a guessed question into the input. */
  accept(guess: Guess): void {
    this.write(guessText(this.beside.i18n, guess));
  }

  /** The guess that a key such as Alt+2 takes. */
  suggestionOf(key: Key): Guess | null {
    const { ghosts } = this.view;
    if (key.composing || !key.alt || key.control || ghosts === 'dropped') return null;
    return ghosts[Number(key.key) - 1] ?? null;
  }

  /** The panel is hidden: nobody waits for a question any more. */
  leave(): void {
    this.proposals.end();
  }

  dropGhost(): void {
    this.noteShown();
    this.view = composing.ghostDropped(this.view);
  }

  /** The mode that is set holds for the next question, until another one is chosen for it. */
  configured(mode: Mode): void {
    if (mode !== this.mode) this.setMode(mode);
    this.mode = mode;
  }

  setMode(mode: Mode): void {
    this.view = composing.withMode(this.view, mode);
  }

  /** Whether it can go now; what is still being read sends it as soon as it is. */
  isReady(): boolean {
    if (!composing.sendable(this.view)) return false;
    this.sendsWhenRead = composing.mustWait(this.view);
    if (!this.sendsWhenRead) this.attachments.previewed = null;
    return !this.sendsWhenRead;
  }

  /** What is about to be sent, with what became of the question that was offered. In an incognito session that is nobody's. */
  take(): composing.Draft {
    const { shown } = this;
    this.shown = null;
    const say = (guess: Guess) => guessText(this.beside.i18n, guess);
    const isNoted = this.beside.incognito.session === null;
    const offered = isNoted ? composing.offeredOf(this.view, shown, say) : null;
    const { draft, view } = composing.taken(this.view);
    this.view = view;
    return offered === null ? draft : { ...draft, offered };
  }

  /** Keeps it until the run at work has ended. What was offered is not the next question's. */
  queue(): void {
    this.shown = null;
    this.view = composing.queued(this.view);
  }

  private noteShown(): void {
    this.shown = composing.ghostOf(this.view) ?? this.shown;
  }

  private put(chips: readonly Chip[]): void {
    this.view = composing.chipped(this.view, chips);
    this.proposals.follow(this.beside.incognito.session === null ? composing.unguessed(this.view) : null);
    if (this.sendsWhenRead && !composing.mustWait(this.view)) this.beside.send();
  }
}

export const [useDraft, provideDraft] = createContext<DraftStore>();
