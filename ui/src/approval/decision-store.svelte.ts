/** Decisions about waiting cards: sent once each, and pending until the program has confirmed them. */
import { createContext } from 'svelte';
import type { CallId } from '../bindings/CallId';
import type { Request } from '../bindings/Request';
import type { RunId } from '../bindings/RunId';

export class DecisionStore {
  private pending = $state.raw<ReadonlySet<string>>(new Set());

  constructor(private readonly send: (request: Request) => void) {}

  approve(run: RunId, call: CallId, family: 'once' | 'always'): void {
    this.decide(run, call, { request: 'approve', run, call, always: family === 'always' });
  }

  refuse(run: RunId, call: CallId, reason: string): void {
    const said = reason.trim();
    this.decide(run, call, { request: 'refuse', run, call, reason: said === '' ? null : said });
  }

  answer(run: RunId, call: CallId, text: string): void {
    this.decide(run, call, { request: 'answer', run, call, text });
  }

  isPending(run: RunId, call: CallId): boolean {
    return this.pending.has(`${run}/${call}`);
  }

  settle(run: RunId, call: CallId): void {
    this.pending = new Set([...this.pending].filter((key) => key !== `${run}/${call}`));
  }

  /** After a failure everything can be decided again. */
  clear(): void {
    this.pending = new Set();
  }

  private decide(run: RunId, call: CallId, request: Request): void {
    if (this.isPending(run, call)) return;
    this.pending = new Set([...this.pending, `${run}/${call}`]);
    this.send(request);
  }
}

export const [useDecisions, provideDecisions] = createContext<DecisionStore>();
