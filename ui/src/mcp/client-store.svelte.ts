/** Programs that use Shidi as their MCP server, or want to, and what their user decides about each. Draws nothing. */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { McpClient } from '../bindings/McpClient';
import type { McpClientState } from '../bindings/McpClientState';
import type { UserError } from '../bindings/UserError';

/** The setting that makes Shidi a server. */
export const SERVES = 'mcp.serve';

/** What another program is told, in the form that most of them read. */
export const SNIPPET = '{"mcpServers": {"shidi": {"command": "shidi", "args": ["mcp", "serve"]}}}';

export class ClientStore {
  clients = $state.raw<readonly McpClient[]>([]);
  trouble = $state.raw<UserError | null>(null);

  readonly asking = $derived(this.clients.filter(({ state }) => state === 'asking').length);

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.backend.ask(
      { request: 'mcp', action: { action: 'clients' } },
      (reply: ReplyNamed<'mcp_clients'>) => this.take(reply),
      (error) => (this.trouble = error),
    );
  }

  /** Keeps a decision; `null` forgets the program, which asks anew when it comes again. */
  decide({ name }: McpClient, state: McpClientState | null): void {
    this.backend.ask(
      { request: 'mcp', action: { action: 'client_decide', name, state } },
      (reply: ReplyNamed<'mcp_clients'>) => this.take(reply),
      (error) => (this.trouble = error),
    );
  }

  serve(on: boolean): void {
    this.backend.ask(
      { request: 'config_set', key: SERVES, value: on ? 'on' : 'off' },
      () => (this.trouble = null),
      (error) => (this.trouble = error),
    );
  }

  private take({ clients }: ReplyNamed<'mcp_clients'>): void {
    this.trouble = null;
    this.clients = clients;
  }
}

export const [useClients, provideClients] = createContext<ClientStore>();
