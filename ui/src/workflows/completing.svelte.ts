/**
 * Completion in one editor: what is proposed at its caret, which one is at hand, and what keys do with it. It opens
 * while a word is typed or when asked, never while an input method is at work. While it is closed it takes no key.
 */
import { completionAt, type Completion, type Occasion } from './completion';

export interface Shown extends Completion {
  /** The text that it was made for, and its caret. */
  text: string;
  caret: number;
}

/** What became of a key: it did something here, takes the one at hand, or is the editor's. */
export type Pressed = 'done' | 'accept' | 'none';

/** Keys that lead the caret away from what is proposed. */
const LEAVING: readonly string[] = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

export class Completing {
  #made = $state.raw<Shown | null>(null);
  at = $state(0);

  /** @param text Tells the editor's text: what was made for another one is not shown. */
  constructor(private readonly text: () => string) {}

  get shown(): Shown | null {
    return this.#made?.text === this.text() ? this.#made : null;
  }

  follow(text: string, caret: number, occasion: Occasion): void {
    const made = completionAt(text, caret, occasion);
    this.#made = made === null ? null : { ...made, text, caret };
    this.at = 0;
  }

  close(): void {
    this.#made = null;
  }

  /** Follows what was typed; letters open it, and what takes some away only keeps it open. */
  typed(event: Event, wasShown: boolean, text: string, caret: number): void {
    const { inputType = '', data = null, isComposing = false } = event instanceof InputEvent ? event : {};
    const isWord = inputType === 'insertText' && data !== null && !data.includes('\n');
    const isShorter = wasShown && inputType.startsWith('delete');
    if (!isComposing && (isWord || isShorter)) this.follow(text, caret, 'typed');
    else this.close();
  }

  pressed({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Pressed {
    const count = this.shown?.proposals.length ?? 0;
    if (count === 0 || ctrlKey || metaKey || altKey) return 'none';
    if (LEAVING.includes(key)) this.close();
    if (shiftKey) return 'none';
    if (key === 'Enter' || key === 'Tab') return 'accept';
    if (key === 'Escape') this.close();
    else if (key === 'ArrowDown') this.at = (this.at + 1) % count;
    else if (key === 'ArrowUp') this.at = (this.at + count - 1) % count;
    else return 'none';
    return 'done';
  }
}
