/**
 * The incognito session that is open: its id, and the connection that it lasts as long as.
 *
 * Keeps nothing anywhere: when the connection is closed, the program forgets the session, and so does this.
 */
import type { Backend, Stream } from '../backend/backend';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { WordKey } from '../words/words';

/** One that was opened and is not on the desk yet. */
export interface Opened {
  session: SessionId;
  stream: Stream;
}

export class Incognito {
  /** The id that it was opened with; a branch of it has another one and lasts as long. */
  session = $state.raw<SessionId | null>(null);

  private stream: Stream | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly fail: (error: UserError) => void,
  ) {}

  /** Opens one beside whatever is on the desk: until it is there, nothing may be asked that should have been its own. */
  open(then: (opened: Opened) => void): void {
    const stream = this.backend.send({ request: 'incognito' }, (reply) => {
      if (reply.reply === 'failed') this.fail(reply.error);
      if (reply.reply === 'incognito') then({ session: reply.session, stream });
    });
  }

  take({ session, stream }: Opened): void {
    this.session = session;
    this.stream = stream;
  }

  /** Ends what is open, with what was chosen for it; gives what is said of that. */
  end(chosen: { reset(): void }): WordKey {
    this.stream?.close();
    this.stream = null;
    this.session = null;
    chosen.reset();
    return 'incognito_ended';
  }
}
