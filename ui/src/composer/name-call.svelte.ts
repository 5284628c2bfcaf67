/**
 * Names that a sign at the beginning of a question may mean, skills and assistants: read when it is typed, chosen with the
 * arrows, written out by Tab or Enter. What a call does is its owner's.
 */
import { calledIn } from './called';

/** Names that are listed: more than anybody looks through before typing another letter. */
const SHOWN = 40;

/** What is called by a sign, and what becomes of it. */
export interface Names<One> {
  sign: string;
  read(take: (all: readonly One[]) => void): void;
  offeredFor(all: readonly One[], typed: string, most: number): readonly One[];
  /** Whether Enter behind its whole name sends the question as it stands. */
  isSentWhole?(one: One): boolean;
  /** Calls one; the question that stands in the input afterwards. */
  call(one: One): string;
}

export class NameCall<One extends { name: string }> {
  private all = $state.raw<readonly One[]>([]);
  /** What is typed; `null` while it calls nothing. */
  private typed = $state<string | null>(null);
  /** What was typed when the list was sent away. */
  private dropped = $state<string | null>(null);
  at = $state(0);

  readonly rows: readonly One[] = $derived.by(() =>
    this.typed === null || this.typed === this.dropped ? [] : this.names.offeredFor(this.all, this.typed, SHOWN),
  );

  constructor(private readonly names: Names<One>) {}

  /** Follows the question as it is typed. */
  follow(text: string): void {
    const typed = calledIn(this.names.sign, text);
    if (typed === this.typed) return;
    if (this.typed === null) this.names.read((all) => (this.all = all));
    if (typed === null) this.dropped = null;
    this.typed = typed;
    this.at = 0;
  }

  /** What a key does here: the text that it makes of the question, `true` for another choice, `null` for nothing. */
  pressed(key: string): string | true | null {
    const { rows } = this;
    const chosen = rows[this.at];
    if (chosen === undefined) return null;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) {
      this.at = (this.at + step + rows.length) % rows.length;
      return true;
    }
    // A name of a skill that stands there whole is sent by Enter, as any question.
    const isWhole = key === 'Enter' && chosen.name === this.typed && this.names.isSentWhole?.(chosen) === true;
    if ((key === 'Tab' || key === 'Enter') && !isWhole) return this.call(chosen);
    if (key !== 'Escape') return null;
    this.dropped = this.typed;
    return true;
  }

  call(one: One): string {
    return this.names.call(one);
  }
}
