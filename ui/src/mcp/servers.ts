/** MCP servers as the workbench shows them: how each stands, what is allowed, and what a form makes of its fields. Pure. */
import type { ListedMcpServer } from '../bindings/ListedMcpServer';
import type { McpDraft } from '../bindings/McpDraft';
import type { McpLogLine } from '../bindings/McpLogLine';
import type { McpParameter } from '../bindings/McpParameter';
import type { NewMcpServer } from '../bindings/NewMcpServer';
import type { WordKey } from '../i18n/catalogue';
import type { IconName } from '../shared/icons';

/** A variable or header as it stands in the form. */
export interface Variable {
  name: string;
  value: string;
  /** Kept in the keychain and never shown again. */
  secret: boolean;
}

/** A server that is about to be added. */
export interface Form {
  name: string;
  /** The command's words; empty for an address. */
  command: readonly string[];
  url: string | null;
  variables: readonly Variable[];
  program: string | null;
  isHere: boolean;
}

/** The form of a draft: what it holds, then what only the user knows. */
export function formOf({ server, wanted, program, is_here }: McpDraft): Form {
  return {
    name: server.name,
    command: server.command,
    url: server.url,
    variables: [
      ...Object.entries(server.env).map(([name, value]) => ({ name, value: value ?? '', secret: false })),
      ...Object.entries(server.secrets).map(([name, value]) => ({ name, value: value ?? '', secret: true })),
      ...wanted.map((name) => ({ name, value: '', secret: true })),
    ],
    program,
    isHere: is_here,
  };
}

/** What is sent; variables without a name or value are left out. */
export function serverOf(form: Form): NewMcpServer {
  const filled = form.variables.filter(({ name, value }) => name.trim() !== '' && value !== '');
  const table = (secret: boolean) =>
    Object.fromEntries(filled.filter((one) => one.secret === secret).map(({ name, value }) => [name.trim(), value]));
  return {
    name: form.name.trim(),
    command: [...form.command],
    url: form.url,
    env: form.url === null ? table(false) : {},
    // Headers of an address have no other place.
    secrets: form.url === null ? table(true) : { ...table(false), ...table(true) },
    legacy: false,
  };
}

/** Whether all that was asked for is there. */
export function isFilled(form: Form): boolean {
  return form.name.trim() !== '' && form.variables.every(({ name, value }) => name.trim() === '' || value !== '');
}

/** The command as it is typed at a terminal, or the address. */
export function wayOf({ command, url }: { command: readonly string[]; url: string | null }): string {
  if (url !== null) return url;
  return command
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** How many tools programs may call. */
export function allowedOf({ tools }: ListedMcpServer): number {
  return tools.filter(({ allowed, changed }) => allowed && !changed).length;
}

/** How many tools programs really get: of too many allowed ones the last are left out. */
export function offeredOf(server: ListedMcpServer): number {
  return allowedOf(server) - server.left_out;
}

/** What a parameter takes, in words beside its kind: its choices or shape, then what the server says of it. */
export function toldOf({ shape, doc }: McpParameter): string {
  return [shape, doc].filter((part) => part !== '').join(' · ');
}

/** Whether something of a server waits for the user: a tool that is another one now, or none that is allowed. */
export function wantsLook(server: ListedMcpServer): boolean {
  return server.tools.some(({ allowed, changed }) => allowed && changed);
}

/** How a server stands, in a word. */
export function stateWord({ state }: ListedMcpServer): WordKey {
  return `mcp_state_${state}`;
}

/** What a line of a log tells, in a word. */
export function logWord({ kind }: McpLogLine): WordKey {
  return `mcp_log_${kind}`;
}

/** When a line was written, to the second by this computer's clock: servers end within seconds. */
export function clockOf(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The mark of how a server stands. */
export function iconOf({ state }: ListedMcpServer): IconName {
  if (state === 'running') return 'check';
  if (state === 'sign_in') return 'key';
  return state === 'ended' ? 'alert' : 'clock';
}

/** Rights that a call lacked, as one text; empty where none did. */
export function lackedOf({ lacks_rights }: ListedMcpServer): string {
  return (lacks_rights ?? []).join(' ');
}

/** Whether a sign-in would help: the server answers nothing without one, or a call lacked rights. */
export function wantsSignIn(server: ListedMcpServer): boolean {
  return server.state === 'sign_in' || lackedOf(server) !== '';
}

/** The list with one of its servers as it is now; a new one stands where its name belongs. */
export function withServer(list: readonly ListedMcpServer[], server: ListedMcpServer): ListedMcpServer[] {
  const others = list.filter(({ name }) => name !== server.name);
  return [...others, server].sort((one, other) => (one.name < other.name ? -1 : 1));
}
