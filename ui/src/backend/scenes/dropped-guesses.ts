/** Questions that are offered no more on a site, in the scene that shows them. Used by the scripted backend alone. */
import type { DroppedGuess } from '../../bindings/DroppedGuess';
import type { MemoryRequest } from '../../bindings/MemoryRequest';
import type { Reply } from '../../bindings/Reply';
import type { Language } from './language';

export type GuessAction = Extract<MemoryRequest, { action: 'dropped_guesses' | 'offer_guess' }>;

const WORDS: Record<Language, string> = { en: 'Summarise this page', zh: '总结这个网页' };

export class DroppedGuesses {
  private dropped: readonly DroppedGuess[];

  constructor(language: Language, scene: string) {
    const one: DroppedGuess = {
      site: 'https://orders.lanting.dev',
      guess: 'ask_summarise_article',
      words: WORDS[language],
      time: '2026-11-12T09:41:00Z',
    };
    this.dropped = scene === 'pageguesses' ? [one] : [];
  }

  answer(action: GuessAction): Reply {
    if (action.action === 'offer_guess') this.dropped = this.dropped.filter(({ guess }) => guess !== action.guess);
    return { reply: 'dropped_guesses', guesses: [...this.dropped] };
  }
}

/** Whether a request is about such questions. */
export function isOfGuesses(action: MemoryRequest): action is GuessAction {
  return action.action === 'dropped_guesses' || action.action === 'offer_guess';
}
