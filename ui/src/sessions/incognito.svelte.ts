/**
 * The incognito session that is open: its id, and the connection that it lasts as long as.
 *
 * Keeps nothing anywhere: when the connection is closed, the program forgets the session, and so does this.
 */
import { createContext } from 'svelte';
import type { Backend, Stream } from '../backend/backend';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { WordKey } from '../i18n/i18n';

/** One that was opened and is not in front yet. */
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

  /** Opens one beside whatever is in front: until it is there, nothing may be asked that should have been its own. */
  open(then: (opened: Opened) => void): void {
    const stream = this.backend.ask(
      { request: 'incognito' },
      ({ session }) => then({ session, stream }),
      (error) => this.fail(error),
    );
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

export const [useIncognito, provideIncognito] = createContext<Incognito>();
