/**
 * Runs *find anything*: searches as the words change, and hands on what was chosen.
 *
 * Joins the backend with `palette.ts`.
 */
import type { Request } from '../bindings/Request';
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import * as palette from './palette';
import type { Command } from './palette';

/** Wait after the last key before a search is sent, in milliseconds. */
const SEARCH_WAIT_MS = 120;

export class PaletteStore {
  view = $state.raw(palette.nothingFound());

  private timer = 0;
  private commands: readonly Command[] = [];

  constructor(
    private readonly backend: Backend,
    /** Does the command of that id. */
    readonly perform: (command: string) => void,
  ) {}

  /** Begins anew with these commands. */
  open(commands: readonly Command[]): void {
    this.commands = commands;
    this.view = palette.settled({ ...palette.nothingFound(), commands });
    this.search('');
  }

  type(query: string): void {
    this.view = palette.retyped(this.view, query, this.commands);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.search(query.trim()), SEARCH_WAIT_MS);
  }

  move(steps: number): void {
    this.view = palette.moved(this.view, steps);
  }

  select(row: string): void {
    this.view = { ...this.view, selected: row, moved: true };
  }

  private search(text: string): void {
    const limit = palette.SESSIONS_SHOWN;
    const sessions: Extract<Request, { request: 'session_list' | 'session_search' }> =
      text === '' ? { request: 'session_list', limit } : { request: 'session_search', text, limit };
    // An answer to words that are no longer in the field is too late.
    const isCurrent = () => this.view.query.trim() === text;
    this.backend.ask(sessions, (reply) => {
      if (isCurrent()) this.view = palette.settled({ ...this.view, sessions: reply.sessions.slice(0, limit) });
    });
    if (text === '') {
      this.view = palette.settled({ ...this.view, memories: [] });
      return;
    }
    this.backend.ask({ request: 'memory_search', text, limit: palette.MEMORIES_SHOWN }, (reply) => {
      if (isCurrent()) this.view = palette.settled({ ...this.view, memories: reply.hits });
    });
  }
}

export const [usePalette, providePalette] = createContext<PaletteStore>();
