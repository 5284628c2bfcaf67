/**
 * Tells the ball that a question is ready: the one that the panel would open with, by what the window in front is called.
 *
 * Follows the window while the panel is hidden. The same rules guess that fill the input (`guess.ts`); nothing is asked or
 * kept, and what the privacy gate withholds has no title to go by.
 */
import type { Backend } from '../backend/backend';
import type { ScreenView } from '../bindings/ScreenView';
import { viewChip } from './chips';
import { guesses } from './guess';

export class BallSuggestion {
  /** Suggestions so far; the last one's number. */
  private count = 0;
  private isOffered = false;
  /** What was suggested about last: the same window doesn't ask for attention again. */
  private last = '';

  /** `isFree` tells whether the input is empty, so that the question would really stand there. */
  constructor(
    private readonly backend: Backend,
    private readonly isFree: () => boolean,
  ) {}

  watch(): void {
    this.backend.send({ request: 'look_watch' }, (reply) => {
      if (reply.reply === 'looked') this.see(reply.view);
    });
  }

  private see(view: ScreenView): void {
    const about = view.blocked === undefined ? `${view.app} ${view.title}` : '';
    const isWorth = about !== '' && guesses([viewChip(view, 'front', view.title)]).length > 0 && this.isFree();
    if (isWorth && about !== this.last) {
      this.count += 1;
      this.last = about;
      this.isOffered = true;
      this.backend.suggest(this.count);
    } else if (!isWorth && this.isOffered) {
      this.isOffered = false;
      this.backend.suggest(null);
    }
  }
}
