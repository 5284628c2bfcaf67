/**
 * The fast model's question about what is in front, for when the rules in `guess.ts` find none.
 *
 * Whether the user lets it is asked is for the program to say. What is proposed comes in a moment or never, and nobody
 * waits for it.
 */
import type { Backend, Stream } from '../backend/backend';
import type { ScreenView } from '../bindings/ScreenView';

export class FastSuggestion {
  /** Of the question that is under way. */
  private stream: Stream | null = null;
  /** The page or window that was asked about last, and what came: it is asked about once. */
  private last: { about: string; question: string | null } = { about: '', question: null };

  constructor(
    private readonly backend: Pick<Backend, 'ask'>,
    private readonly propose: (view: string, question: string) => void,
  ) {}

  /** Asks about a view; with none, what is under way ends. */
  follow(view: ScreenView | null): void {
    const about = view === null ? '' : (view.page?.url ?? `${view.app} ${view.title}`);
    if (view === null || about !== this.last.about) this.end();
    if (view === null) return;
    if (about === this.last.about) {
      if (this.last.question !== null) this.propose(view.id, this.last.question);
      return;
    }
    this.last = { about, question: null };
    this.stream = this.backend.ask({ request: 'look_suggest', id: view.id }, ({ question }) => {
      this.stream = null;
      if (question === undefined) return;
      this.last = { about, question };
      this.propose(view.id, question);
    });
  }

  /** Ends what is under way; the next look asks again. */
  end(): void {
    if (this.stream === null) return;
    this.stream.close();
    this.stream = null;
    this.last = { about: '', question: null };
  }
}
