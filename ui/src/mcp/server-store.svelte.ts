/** MCP servers of the workbench: which there are, what is read out of a text, and what is done with each. Draws nothing. */
import { createContext } from 'svelte';
import { answer } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { Class } from '../bindings/Class';
import type { ListedMcpServer } from '../bindings/ListedMcpServer';
import type { McpLeftOut } from '../bindings/McpLeftOut';
import type { McpLogLine } from '../bindings/McpLogLine';
import type { McpRequest } from '../bindings/McpRequest';
import type { UserError } from '../bindings/UserError';
import { type Form, formOf, serverOf, withServer } from './servers';

/** Requests that end with servers. */
type ForServers = Extract<
  McpRequest,
  { action: 'list' | 'add' | 'test' | 'allow' | 'restart' | 'signed_in' | 'remove' }
>;

/** A server's log as it was last read. */
export interface ShownLog {
  readonly name: string;
  readonly lines: readonly McpLogLine[];
  /** Older lines that had no more room. */
  readonly gone: number;
}

export class ServerStore {
  servers = $state.raw<readonly ListedMcpServer[]>([]);
  trouble = $state.raw<UserError | null>(null);
  /** The server whose tools are shown. */
  open = $state<string | null>(null);
  /** The server that is being started, looked at or ended. */
  busy = $state<string | null>(null);
  /** The log that is shown. */
  log = $state.raw<ShownLog | null>(null);
  /** The server whose sign-in waits for the browser. */
  signing = $state<string | null>(null);
  /** Whether a way to add one is shown. */
  adding = $state(false);
  /** Servers that were read and are not added yet. */
  forms = $state.raw<readonly Form[]>([]);
  leftOut = $state.raw<readonly McpLeftOut[]>([]);
  /** Why a text gave nothing, or adding came to nothing. */
  refused = $state.raw<UserError | null>(null);
  /** Whether other programs were looked through and had nothing. */
  foundNone = $state(false);

  constructor(private readonly backend: Backend) {}

  read(): void {
    void this.send({ action: 'list' });
  }

  /** Reads servers out of a text. */
  async take(text: string): Promise<void> {
    await this.draft({ action: 'read', text });
  }

  /** Looks into the files of other programs; only the user asks for it. */
  async find(): Promise<void> {
    await this.draft({ action: 'find' });
    this.foundNone = this.forms.length === 0 && this.refused === null;
  }

  /** Adds a server as its form was filled in, which starts it; its tools are shown then, none of them allowed. */
  async add(form: Form, filled: Form): Promise<void> {
    this.busy = filled.name;
    this.refused = null;
    const { reply, error } = await answer(this.backend, {
      request: 'mcp',
      action: { action: 'add', server: serverOf(filled) },
    });
    this.busy = null;
    this.refused = error;
    // A server that could not list its tools is there all the same.
    if (reply === null) return this.readAgain();
    this.took(reply.servers);
    this.open = serverOf(filled).name;
    this.drop(form);
    if (this.forms.length === 0) this.close();
  }

  drop(form: Form): void {
    this.forms = this.forms.filter((other) => other !== form);
  }

  close(): void {
    this.adding = false;
    this.forms = [];
    this.leftOut = [];
    this.refused = null;
    this.foundNone = false;
  }

  test(name: string): void {
    void this.send({ action: 'test', name }, name);
  }

  restart(name: string): void {
    void this.send({ action: 'restart', name }, name);
  }

  async readLog(name: string): Promise<void> {
    const { reply, error } = await answer(this.backend, { request: 'mcp', action: { action: 'log', name } });
    if (error !== null) this.trouble = error;
    if (reply !== null) this.log = { name, lines: reply.lines, gone: reply.gone };
  }

  closeLog(name: string): void {
    if (this.log?.name === name) this.log = null;
  }

  /** Opens the server's sign-in in the user's browser, and waits for its end. */
  async signIn(name: string): Promise<void> {
    const begun = await answer(this.backend, { request: 'mcp', action: { action: 'sign_in', name } });
    this.trouble = begun.error;
    if (begun.reply === null) return;
    this.backend.openLink(begun.reply.address);
    this.signing = name;
    await this.send({ action: 'signed_in', name }, name);
    this.signing = null;
  }

  remove(name: string): void {
    void this.send({ action: 'remove', name }, name).then((list) => {
      if (list !== null) this.servers = list;
    });
  }

  /** Lets programs call a tool, or all, or no longer. */
  allow(name: string, tool: string | null, on: boolean, kind: Class | null): void {
    const tools = tool === null ? [] : [tool];
    void this.send({ action: 'allow', name, tools, all: tool === null, class: kind, on }, name);
  }

  private async draft(action: Extract<McpRequest, { action: 'read' } | { action: 'find' }>): Promise<void> {
    this.refused = null;
    this.foundNone = false;
    const { reply, error } = await answer(this.backend, { request: 'mcp', action });
    this.refused = error;
    this.forms = reply?.drafts.map(formOf) ?? [];
    this.leftOut = reply?.left_out ?? [];
  }

  private async send(action: ForServers, name: string | null = null): Promise<readonly ListedMcpServer[] | null> {
    this.busy = name;
    const { reply, error } = await answer(this.backend, { request: 'mcp', action });
    this.busy = null;
    this.trouble = error;
    // Whatever was done to it stands in its log.
    if (name !== null && this.log?.name === name && action.action !== 'remove') void this.readLog(name);
    if (reply === null) {
      // What failed may have changed how the server stands.
      if (action.action !== 'list') void this.readAgain();
      return null;
    }
    if (action.action === 'list') this.servers = reply.servers;
    else this.took(reply.servers);
    return reply.servers;
  }

  /** Reads the list and leaves the trouble that is shown. */
  async readAgain(): Promise<void> {
    const { reply } = await answer(this.backend, { request: 'mcp', action: { action: 'list' } });
    if (reply !== null) this.servers = reply.servers;
  }

  private took(changed: readonly ListedMcpServer[]): void {
    for (const server of changed) this.servers = withServer(this.servers, server);
  }
}

export const [useServers, provideServers] = createContext<ServerStore>();
