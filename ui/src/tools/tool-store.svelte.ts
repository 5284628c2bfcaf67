/**
 * The section of tools: what programs may call, the toolkit that is looked at, and switching it or one of its tools.
 * Draws nothing.
 */
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { ListedToolkit } from '../bindings/ListedToolkit';
import type { ToolRequest } from '../bindings/ToolRequest';
import type { UserError } from '../bindings/UserError';
import * as listing from './tools';

export class ToolStore {
  view = $state.raw(listing.noTools);
  trouble = $state.raw<UserError | null>(null);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly rows = $derived(listing.listed(this.view));
  readonly toolkit = $derived(listing.chosenOf(this.view));
  /** Toolkits of which something is off. */
  readonly off = $derived(this.view.all.filter(listing.hasOff).length);

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.send({ action: 'list', assistant: null });
  }

  search(text: string): void {
    this.view = { ...this.view, text };
  }

  look(off: boolean): void {
    this.view = { ...this.view, off };
  }

  choose(name: string): void {
    this.listShown = false;
    this.view = { ...this.view, chosen: name };
  }

  move(steps: number): void {
    this.view = listing.moved(this.view, steps);
  }

  /** Switches a whole toolkit, or one of its tools. */
  switch(toolkit: ListedToolkit, tool: string | null, on: boolean): void {
    if (!toolkit.switchable) return;
    this.send({
      action: 'switch',
      tool: tool === null ? toolkit.name : `${toolkit.name}.${tool}`,
      on,
      assistant: null,
    });
  }

  private send(action: ToolRequest): void {
    const done = ({ toolkits }: { toolkits: ListedToolkit[] }) => {
      this.trouble = null;
      this.view = listing.taken(this.view, toolkits);
    };
    this.backend.ask({ request: 'tools', action }, done, (error) => (this.trouble = error));
  }
}

export const [useTools, provideTools] = createContext<ToolStore>();
