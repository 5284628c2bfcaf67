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
  /** The question that the sign was put above: it stays, and a change to it ends the call. */
  private question = $state<string | null>(null);
  at = $state(0);

  readonly rows: readonly One[] = $derived.by(() =>
    this.typed === null || this.typed === this.dropped ? [] : this.names.offeredFor(this.all, this.typed, SHOWN),
  );

  constructor(private readonly names: Names<One>) {}

  /** Where the caret belongs while the sign stands above a question. */
  get caret(): number | null {
    return this.question === null ? null : this.names.sign.length + (this.typed ?? '').length;
  }

  /** The text that begins a call in the input; what was begun there stays below it. */
  above(begun: string): string {
    this.dropped = null;
    if (begun.trim() === '') return this.names.sign;
    if (this.nameIn(begun) !== null) return begun;
    this.question = begun;
    return `${this.names.sign}\n${begun}`;
  }

  /** Follows the question as it is typed. */
  follow(text: string): void {
    if (this.question !== null && !text.endsWith(`\n${this.question}`)) this.question = null;
    const typed = this.nameIn(text);
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
    if (this.question !== null) return this.question;
    this.dropped = this.typed;
    return true;
  }

  call(one: One): string {
    const { question } = this;
    const text = this.names.call(one);
    return question ?? text;
  }

  private nameIn(text: string): string | null {
    const above = this.question === null ? text : text.slice(0, -this.question.length - 1);
    return calledIn(this.names.sign, above);
  }
}
