/**
 * The list of sessions: reads and searches them, deletes one once its undo has passed.
 *
 * Joins the backend with `sessions.ts`; knows nothing of the conversation in front.
 */
import type { Request } from '../bindings/Request';
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { SessionId } from '../bindings/SessionId';
import type { SessionSummary } from '../bindings/SessionSummary';
import type { UserError } from '../bindings/UserError';
import * as listing from './sessions';

/** Wait after the last key before a search is sent, in milliseconds. */
const SEARCH_WAIT_MS = 120;

/** A session that was touched this recently is opened again at start, in milliseconds: people go on where they were. */
const REOPENED_WITHIN_MS = 10 * 60_000;

export class SessionList {
  view = $state.raw(listing.noSessions());

  private searchTimer = 0;
  private undoTimer = 0;

  constructor(
    private readonly backend: Backend,
    private readonly fail: (error: UserError) => void,
  ) {}

  /** The session that the user was in a moment ago. */
  latest(): SessionSummary | null {
    const [latest] = this.view.all;
    return latest !== undefined && Date.now() - Date.parse(latest.updated) < REOPENED_WITHIN_MS ? latest : null;
  }

  /** Shows all sessions again, whatever was searched for before, from the one in front. */
  browse(from: SessionId | null): void {
    this.view = listing.selected(listing.queried(this.view, ''), from);
    this.read();
  }

  search(query: string): void {
    this.view = listing.queried(this.view, query);
    clearTimeout(this.searchTimer);
    this.searchTimer = window.setTimeout(() => this.read(), SEARCH_WAIT_MS);
  }

  move(steps: number): void {
    this.view = listing.moved(this.view, steps);
  }

  /** Begins to give the selected session another title. */
  rename(session: SessionId): void {
    this.view = listing.renaming(this.view, session);
  }

  /** Gives the title that was typed, or leaves the old one. */
  renamed(title: string | null): void {
    const { session, title: given } = listing.titled(this.view, title);
    this.view = listing.renamed(this.view, title);
    if (session === null || given === null) return;
    const failed = (error: UserError) => {
      this.fail(error);
      this.read();
    };
    this.backend.ask({ request: 'session_rename', session, title: given }, () => undefined, failed);
  }

  /** Hides a session now and deletes it once the undo has passed. */
  remove(session: SessionId): void {
    this.removeForGood();
    this.view = listing.deleted(this.view, session);
    this.undoTimer = window.setTimeout(() => this.removeForGood(), listing.UNDO_MS);
  }

  undo(): void {
    clearTimeout(this.undoTimer);
    this.view = listing.undone(this.view);
  }

  /** Reads what there is; `then` follows also where that could not be read. */
  read(then: () => void = () => undefined): void {
    const text = this.view.query.trim();
    const limit = listing.SESSIONS_LISTED_MAX;
    const request: Extract<Request, { request: 'session_list' | 'session_search' }> =
      text === '' ? { request: 'session_list', limit } : { request: 'session_search', text, limit };
    this.backend.ask(
      request,
      (reply) => {
        // An answer to words that are no longer in the field is too late.
        if (text === this.view.query.trim())
          this.view =
            text === '' ? listing.listed(this.view, reply.sessions) : listing.found(this.view, reply.sessions);
        then();
      },
      then,
    );
  }

  private removeForGood(): void {
    clearTimeout(this.undoTimer);
    const { leaving } = this.view;
    if (leaving === null) return;
    this.backend.ask(
      { request: 'session_delete', session: leaving.id },
      () => undefined,
      (error) => this.fail(error),
    );
    this.view = listing.left(this.view);
  }
}

export const [useSessionList, provideSessionList] = createContext<SessionList>();
