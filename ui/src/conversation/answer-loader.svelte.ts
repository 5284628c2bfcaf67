/**
 * The part of the panel that draws answers, loaded from the disk when the first one is on its way: its reader of
 * Markdown and its sanitiser are half of what the panel's scripts weigh, and a panel that waits hidden shows no answer.
 */
import type AnswerView from './Answer.svelte';

export class AnswerLoader {
  /** `null` until it is there. */
  view = $state.raw<typeof AnswerView | null>(null);
  private isAskedFor = false;

  async load(): Promise<void> {
    if (this.isAskedFor) return;
    this.isAskedFor = true;
    this.view = (await import('./Answer.svelte')).default;
  }
}

export const answering = new AnswerLoader();
