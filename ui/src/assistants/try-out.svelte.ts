/**
 * A question to an assistant as it is kept, in a session that leaves nothing. It answers and can't be asked for a permission
 * here: what has to be asked about is tried in the panel.
 */
import type { Backend, Stream } from '../backend/backend';
import type { Reply } from '../bindings/Reply';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { Language } from '../i18n/i18n';
import { askOf, draftOf } from '../composer/composer';

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

  ask(name: string, question: string): void {
    if (question.trim() === '' || this.working) return;
    this.said = [...this.said, { question: question.trim(), answer: '', state: 'working' }];
    if (this.session !== null) return this.send(name, question);
    this.open = this.backend.send({ request: 'incognito' }, (reply) => {
      if (reply.reply === 'incognito') {
        this.session = reply.session;
        this.send(name, question);
      } else if (reply.reply === 'failed') this.last({ state: 'failed', answer: reply.error.message });
    });
  }

  /** Ends the session, and what was said in it. */
  end(): void {
    if (this.run !== null && this.working) this.backend.send({ request: 'cancel', run: this.run }, () => undefined);
    this.open?.close();
    this.open = null;
    this.session = null;
    this.run = null;
    this.said = [];
  }

  private send(name: string, question: string): void {
    const ask = askOf(draftOf(question.trim()), this.session, 'risky', this.language(), {}, [], name);
    this.backend.send({ request: 'ask', ...ask }, (reply) => this.heard(reply));
  }

  private heard(reply: Reply): void {
    if (reply.reply === 'failed') this.last({ state: 'failed', answer: reply.error.message });
    if (reply.reply !== 'event') return;
    const { event } = reply;
    this.run = event.run;
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
