/**
 * The words of what was recalled, asked for when somebody looks, and forgetting it.
 *
 * Joins the backend with `recall.ts`; belongs to one line of a run.
 */
import type { Backend } from '../backend/backend';
import type { AnsweredRequest, ReplyTo } from '../bindings/ReplyTo';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import { wordsOf } from './memory';
import { placeOf, siteOf, type Mark } from './recall';

/** What asks for one thing: the record, or the session of what was said. */
type Shown =
  { request: 'memory'; action: { action: 'show'; memory: string } } | { request: 'session_show'; session: SessionId };

/** What is known of one thing; `gone` when there is no such record any more. */
export type Recollection =
  | { state: 'reading' | 'gone' }
  | { state: 'here'; text: string; time: string; session: SessionId | null; site: string | null };

export class RecallStore {
  known = $state.raw<ReadonlyMap<string, Recollection>>(new Map());
  /** Whose forgetting waits for a yes. */
  asked = $state<string | null>(null);
  trouble = $state.raw<UserError | null>(null);

  constructor(private readonly backend: Backend) {}

  read(marks: readonly Mark[]): void {
    for (const mark of marks) {
      if (this.known.has(mark.id)) continue;
      this.put(mark.id, { state: 'reading' });
      const place = placeOf(mark);
      const request: Shown =
        place === null
          ? { request: 'memory', action: { action: 'show', memory: mark.id } }
          : { request: 'session_show', session: place.session };
      this.backend.ask(
        request,
        (reply) => this.put(mark.id, found(mark, reply)),
        () => this.put(mark.id, { state: 'gone' }),
      );
    }
  }

  forget(mark: Mark): void {
    this.asked = null;
    this.send({ request: 'memory', action: { action: 'delete', memory: mark.id } }, () =>
      this.put(mark.id, { state: 'gone' }),
    );
  }

  /** Everything about the site of an address: what is remembered, and the sessions. */
  forgetSite(address: string, then: () => void): void {
    this.asked = null;
    this.send({ request: 'memory', action: { action: 'forget_site', address: siteOf(address) } }, then);
  }

  private send(request: Extract<AnsweredRequest, { request: 'memory' }>, then: () => void): void {
    this.trouble = null;
    this.backend.ask(request, then, (error) => (this.trouble = error));
  }

  private put(id: string, recollection: Recollection): void {
    this.known = new Map([...this.known, [id, recollection]]);
  }
}

function found(mark: Mark, reply: ReplyTo<Shown>): Recollection {
  if (reply.reply === 'memory_records') {
    const record = reply.records.find((known) => known.id === mark.id);
    if (record !== undefined)
      return {
        state: 'here',
        text: record.text,
        time: record.time,
        session: record.source.session ?? null,
        site: record.source.site ?? null,
      };
  }
  if (reply.reply === 'session') {
    const segment = reply.session.segments.find((known) => known.id === placeOf(mark)?.segment);
    if (segment !== undefined)
      return {
        state: 'here',
        text: wordsOf(segment),
        time: segment.time,
        session: reply.session.summary.id,
        site: null,
      };
  }
  return { state: 'gone' };
}
