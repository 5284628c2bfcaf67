/**
 * Carries requests through the backend and brings back what is said of them, once per frame.
 *
 * Notices when a stream breaks off and events were missed; understands none of them.
 */
import type { Backend } from '../backend/backend';
import type { Reply } from '../bindings/Reply';
import type { Request } from '../bindings/Request';
import type { SessionId } from '../bindings/SessionId';
import type { Draft } from '../composer/composer';
import { perFrame } from './frames';

/** A reply with the request it belongs to. */
export interface StreamedReply {
  reply: Reply;
  from: 'watch' | PendingRequest;
}

/** A request whose events are followed. */
export interface PendingRequest {
  /** What was asked, to be given back when it could not be. */
  draft: Draft | null;
  /** Which opening of the panel's conversation it was sent from. */
  opening: number;
  /** The session that was in front. */
  session: SessionId | null;
}

/** Replies may still be on their way when their stream is closed, in milliseconds: large batches take a longer path. */
const LAST_REPLIES_WAIT_MS = 500;

export class EventStream {
  private readonly arrive: (arrival: StreamedReply) => void;

  constructor(
    private readonly backend: Backend,
    take: (arrivals: StreamedReply[]) => void,
    /** Events were lost, or of a session another version is shown: what is true stands in the record. */
    private readonly missed: (session?: SessionId) => void,
  ) {
    this.arrive = perFrame<StreamedReply>(take);
  }

  send(request: Request, pending: PendingRequest): void {
    let complete = false;
    const stream = this.backend.send(request, (reply) => {
      complete ||= reply.reply !== 'event';
      this.arrive({ reply, from: pending });
    });
    void stream.closed.then(() => setTimeout(() => complete || this.missed(), LAST_REPLIES_WAIT_MS));
  }

  /** Listens to every run; when the stream breaks off, listens again. */
  watch(): void {
    const stream = this.backend.send({ request: 'watch' }, (reply) => {
      if (reply.reply === 'session_changed') this.missed(reply.session);
      else this.arrive({ reply, from: 'watch' });
    });
    void stream.closed.then(() =>
      setTimeout(() => {
        this.watch();
        this.missed();
      }, LAST_REPLIES_WAIT_MS),
    );
  }
}
