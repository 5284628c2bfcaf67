/** What sessions are doing while another one is in front, followed event by event. */
import { createContext } from 'svelte';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { SessionSummary } from '../bindings/SessionSummary';
import { activityOf, apply, noActivities, seen, waitingFor, type Activity } from './activity';

export class ActivityStore {
  private all = $state.raw(noActivities);
  private front = $state.raw<SessionId | null>(null);

  heard(event: RunEvent): void {
    this.all = seen(apply(this.all, event), this.front);
  }

  /** The user looks at `session`: what it did is seen. */
  look(session: SessionId | null): void {
    this.front = session;
    this.all = seen(this.all, session);
  }

  /** What a session that is not in front is doing, or did since it was looked at. */
  of({ id, waiting }: SessionSummary): Activity | null {
    return id === this.front ? null : (activityOf(this.all, id) ?? (waiting > 0 ? 'waiting' : null));
  }

  /** The session whose run `run` waits for. */
  waitingFor(run: RunId): SessionId | null {
    return waitingFor(this.all, run);
  }
}

export const [useActivities, provideActivities] = createContext<ActivityStore>();
