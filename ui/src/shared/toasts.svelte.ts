/**
 * What happened out of sight, said once and in passing. One at a time: a new one takes the place of the last.
 */
import { createContext } from 'svelte';
import type { WordKey } from '../i18n/i18n';

/** How long a sentence stays, and how long something can be undone, in milliseconds (design language, "Toast"). */
export const SAID_MS = 6_000;
export const UNDO_MS = 10_000;

export interface Toast {
  text: string;
  /** What can be done about it. */
  action: { word: WordKey; act: () => void } | null;
}

export class Toasts {
  shown = $state.raw<Toast | null>(null);

  private timer = 0;

  say(text: string): void {
    this.show({ text, action: null }, SAID_MS);
  }

  /** With a button that takes it back. */
  undoable(text: string, undo: () => void): void {
    this.show({ text, action: { word: 'undo', act: undo } }, UNDO_MS);
  }

  /** With a button that goes on from it. */
  offer(text: string, word: WordKey, act: () => void): void {
    this.show({ text, action: { word, act } }, UNDO_MS);
  }

  act(): void {
    this.shown?.action?.act();
    this.hide();
  }

  hide(): void {
    clearTimeout(this.timer);
    this.shown = null;
  }

  private show(toast: Toast, ms: number): void {
    clearTimeout(this.timer);
    this.shown = toast;
    this.timer = window.setTimeout(() => (this.shown = null), ms);
  }
}

export const [useToasts, provideToasts] = createContext<Toasts>();
