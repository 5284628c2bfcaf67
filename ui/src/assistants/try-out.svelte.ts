/**
 * Questions to an assistant as it stands in its form, in a session that leaves nothing: the draft is not saved by being
 * asked. It can't be asked for a permission here: what has to be asked about is tried in the panel.
 */
import type { ReplyNamed } from '../backend/ask';
import type { Backend, Stream } from '../backend/backend';
import type { Reply } from '../bindings/Reply';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { Language } from '../i18n/i18n';
import { askOf, draftOf } from '../composer/composer';

/** A draft as its file, with the digest of the file that it was made of. */
export interface Tried {
  text: string;
  earlier: string | null;
}

export interface Said {
  question: string;
  answer: string;
  /** What it came to: still at work, done, or stopped by a question that only the panel can ask. */
  state: 'working' | 'done' | 'waits' | 'failed';
}

export class TryOutStore {
  said = $state.raw<readonly Said[]>([]);
  readonly working = $derived(this.said.at(-1)?.state === 'working');

  private session: SessionId | null = null;
  private open: Stream | null = null;
  private run: RunId | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly language: () => Language,
  ) {}

  ask(tried: Tried, question: string): void {
    const asked = question.trim();
    if (asked === '' || this.working) return;
    // Nobody can answer what waits here: another question begins anew.
    if (this.said.at(-1)?.state === 'waits') this.close();
    this.said = [...this.said, { question: asked, answer: '', state: 'working' }];
    if (this.session !== null) return this.take(this.session, tried, asked);
    this.open = this.backend.ask(
      { request: 'try_out' },
      ({ session }) => {
        this.session = session;
        this.take(session, tried, asked);
      },
      this.failed,
    );
  }

  /** Stops what is at work; what was said stays. */
  stop(): void {
    if (!this.working) return;
    if (this.run !== null) {
      this.backend.send({ request: 'cancel', run: this.run }, () => undefined);
      return;
    }
    this.close();
    this.last({ state: 'failed' });
  }

  /** Ends the session, and what was said in it. */
  end(): void {
    this.close();
    this.said = [];
  }

  private close(): void {
    const last = this.said.at(-1)?.state;
    if (this.run !== null && (last === 'working' || last === 'waits')) {
      this.backend.send({ request: 'cancel', run: this.run }, () => undefined);
    }
    this.open?.close();
    this.open = null;
    this.session = null;
    this.run = null;
  }

  /** Has the session ask the draft as it is now; one with a fault is not asked. */
  private take(session: SessionId, { text, earlier }: Tried, question: string): void {
    this.backend.ask(
      { request: 'assistants', action: { action: 'try', session, text, earlier } },
      ({ assistant: { assistant } }: ReplyNamed<'assistant'>) => {
        // It may have been ended meanwhile.
        if (this.session === session) this.send(session, assistant.name, question);
      },
      (error) => {
        if (this.session === session) this.failed(error);
      },
    );
  }

  private send(session: SessionId, name: string, question: string): void {
    this.run = null;
    const ask = askOf(draftOf(question), session, 'ask', this.language(), {}, [], name);
    this.backend.send({ request: 'ask', ...ask }, (reply) => {
      if (this.session === session) this.heard(reply);
    });
  }

  private readonly failed = ({ message, hint }: UserError): void => {
    this.last({ state: 'failed', answer: hint === null ? message : `${message}\n${hint}` });
  };

  private heard(reply: Reply): void {
    if (reply.reply === 'failed') this.failed(reply.error);
    if (reply.reply !== 'event') return;
    const { event } = reply;
    // A card that waits elsewhere names another run.
    this.run ??= event.run;
    if (event.type === 'delta' && event.kind === 'Express') this.more(event.text);
    else if (event.type === 'retracted') this.last({ answer: '' });
    else if (event.type === 'answer') this.last({ answer: event.text });
    else if (event.type === 'run_ended') this.ended(event.status, event.reason ?? '');
  }

  private ended(status: string, reason: string): void {
    if (status === 'completed') this.last({ state: 'done' });
    else if (status === 'suspended') this.last({ state: 'waits' });
    else this.last({ state: 'failed', answer: this.said.at(-1)?.answer || reason });
  }

  private more(text: string): void {
    this.last({ answer: (this.said.at(-1)?.answer ?? '') + text });
  }

  private last(change: Partial<Said>): void {
    const last = this.said.at(-1);
    if (last !== undefined) this.said = [...this.said.slice(0, -1), { ...last, ...change }];
  }
}
