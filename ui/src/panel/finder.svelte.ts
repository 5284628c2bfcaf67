/**
 * Runs *find anything*: searches as the words change, and hands on what was chosen.
 *
 * Joins the backend with `finding.ts`.
 */
import type { Backend } from '../backend/backend';
import type { Request } from '../bindings/Request';
import * as finding from '../finding';
import type { Command } from '../finding';

/** Wait after the last key before a search is sent, in milliseconds. */
const SEARCH_WAIT_MS = 120;

export class Finder {
  view = $state.raw(finding.nothingFound());

  private timer = 0;
  private commands: readonly Command[] = [];

  constructor(private readonly backend: Backend) {}

  /** Begins anew with these commands. */
  open(commands: readonly Command[]): void {
    this.commands = commands;
    this.view = finding.settled({ ...finding.nothingFound(), commands });
    this.search('');
  }

  type(query: string): void {
    this.view = finding.retyped(this.view, query, this.commands);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.search(query.trim()), SEARCH_WAIT_MS);
  }

  move(steps: number): void {
    this.view = finding.moved(this.view, steps);
  }

  select(row: string): void {
    this.view = { ...this.view, selected: row, moved: true };
  }

  private search(text: string): void {
    const limit = finding.SESSIONS_SHOWN;
    const sessions: Request = text === '' ? { request: 'session_list', limit } : { request: 'session_search', text, limit };
    // An answer to words that are no longer in the field is too late.
    const isCurrent = () => this.view.query.trim() === text;
    this.backend.send(sessions, (reply) => {
      if (reply.reply === 'sessions' && isCurrent()) this.view = finding.settled({ ...this.view, sessions: reply.sessions.slice(0, limit) });
    });
    if (text === '') {
      this.view = finding.settled({ ...this.view, memories: [] });
      return;
    }
    this.backend.send({ request: 'memory_search', text, limit: finding.MEMORIES_SHOWN }, (reply) => {
      if (reply.reply === 'memories' && isCurrent()) this.view = finding.settled({ ...this.view, memories: reply.hits });
    });
  }
}
