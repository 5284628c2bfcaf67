/**
 * The next question while it is being made: its text, its chips, its guesses.
 *
 * Joins the composer's pure state with what finds out about chips; sends nothing itself.
 */
import type { Backend, Looked, Looking } from '../backend/backend';
import type { Mode } from '../bindings/Mode';
import type { SessionId } from '../bindings/SessionId';
import type { Chip } from '../chips';
import * as composing from '../composer';
import type { Key } from '../keymap';
import type { WordKey } from '../words/words';
import { Attaching } from './attaching.svelte';
import { Suggesting } from './suggesting';

/** What the desk lends. */
export interface Hands {
  readonly toasts: { say(text: string): void };
  readonly incognito: { readonly session: SessionId | null };
  say(key: WordKey): string;
  /** Shows the conversation with the focus in the input. */
  toInput(): void;
  send(): void;
}

export class Drafting {
  view = $state.raw(composing.emptyComposer('risky'));
  readonly attaching: Attaching;
  readonly suggesting: Suggesting;

  /** Sent while something that goes along was still being read. */
  private sendsWhenRead = false;

  constructor(
    private readonly backend: Backend,
    private readonly hands: Hands,
  ) {
    this.attaching = new Attaching(backend, {
      chips: () => this.view.chips,
      put: (chips) => this.put(chips),
      incognito: () => hands.incognito.session,
      nameOf: (view) => `${hands.say('picture')} ${view.width}×${view.height}`,
      tell: (text) => hands.toasts.say(text),
    });
    this.suggesting = new Suggesting(backend, () => composing.isUntouched(this.view));
  }

  type(text: string): void {
    this.sendsWhenRead = false;
    this.view = composing.typed(this.view, text);
  }

  attach(paths: readonly string[]): void {
    this.attaching.files(paths);
    this.hands.toInput();
  }

  async pick(what: 'files' | 'folder'): Promise<void> {
    this.attach(await (what === 'files' ? this.backend.pickFiles() : this.backend.pickFolder()));
  }

  async look(what: Looking): Promise<void> {
    await this.attaching.look(what);
    this.hands.toInput();
  }

  /** Takes in what the desktop's own keys have seen. */
  looked(looked: Looked): void {
    this.hands.toInput();
    this.attaching.take(looked);
  }

  /** Puts a guessed question into the input. */
  accept(word: WordKey): void {
    this.type(this.hands.say(word));
    this.hands.toInput();
  }

  /** The guess that a key such as Alt+2 takes. */
  suggestionOf(key: Key): WordKey | null {
    const { ghosts } = this.view;
    if (key.composing || !key.alt || key.control || ghosts === 'dropped') return null;
    return ghosts[Number(key.key) - 1] ?? null;
  }

  dropGhost(): void {
    this.view = composing.ghostDropped(this.view);
  }

  setMode(mode: Mode): void {
    this.view = composing.withMode(this.view, mode);
  }

  /** Whether it can go now; what is still being read sends it as soon as it is. */
  isReady(): boolean {
    if (!composing.sendable(this.view)) return false;
    this.sendsWhenRead = composing.mustWait(this.view);
    if (!this.sendsWhenRead) this.attaching.previewed = null;
    return !this.sendsWhenRead;
  }

  private put(chips: readonly Chip[]): void {
    this.view = composing.chipped(this.view, chips);
    if (this.sendsWhenRead && !composing.mustWait(this.view)) this.hands.send();
  }
}
