/**
 * The picker of resources of MCP servers: asks those that run what they have to read, and starts another one when the
 * user says so.
 *
 * Nothing is asked before the picker is opened.
 */
import { createContext } from 'svelte';
import { answer } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { McpResource } from '../bindings/McpResource';
import type { UserError } from '../bindings/UserError';
import { groupsOf, withServer } from './resources';

export class ResourceStore {
  open = $state(false);
  query = $state('');
  /** Whether servers are being asked. */
  reading = $state(false);
  trouble = $state.raw<UserError | null>(null);
  /** Servers that had something to read the last time, and don't run. */
  idle = $state.raw<readonly string[]>([]);
  /** Resources that the list has no room for. */
  leftOut = $state(0);

  private resources = $state.raw<readonly McpResource[]>([]);
  /** The number of the newest request: what answers an older one is of the past. */
  private asked = 0;
  readonly groups = $derived(groupsOf(this.resources, this.query));

  constructor(
    private readonly backend: Backend,
    private readonly attach: (resource: McpResource) => void,
  ) {}

  show(): void {
    this.open = true;
    this.query = '';
    void this.read(null);
  }

  /** Starts a server, which is asked then. */
  start(server: string): void {
    void this.read(server);
  }

  choose(resource: McpResource): void {
    this.open = false;
    this.attach(resource);
  }

  private async read(name: string | null): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    this.reading = true;
    this.trouble = null;
    const { reply, error } = await answer(this.backend, { request: 'mcp', action: { action: 'resources', name } });
    if (asked !== this.asked) return;
    this.reading = false;
    this.trouble = error;
    if (reply === null) return;
    this.resources = name === null ? reply.resources : withServer(this.resources, name, reply.resources);
    this.idle = name === null ? reply.idle : this.idle.filter((one) => one !== name);
    this.leftOut = reply.left_out;
  }
}

export const [useResources, provideResources] = createContext<ResourceStore>();
