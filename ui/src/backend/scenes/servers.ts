/** MCP servers as the workbench lists them, and what is read out of a text that is pasted. Used by the scripted backend alone. */
import type { ListedMcpServer } from '../../bindings/ListedMcpServer';
import type { McpDraft } from '../../bindings/McpDraft';
import type { McpLogKind } from '../../bindings/McpLogKind';
import type { McpLogLine } from '../../bindings/McpLogLine';
import type { McpPrompt } from '../../bindings/McpPrompt';
import type { McpResource } from '../../bindings/McpResource';
import type { McpClient } from '../../bindings/McpClient';
import type { McpRequest } from '../../bindings/McpRequest';
import type { McpTool } from '../../bindings/McpTool';
import type { Reply } from '../../bindings/Reply';
import type { Language } from '../../i18n/catalogue';

const DRAFT: McpDraft = {
  server: {
    name: 'github',
    command: ['npx', '-y', '@modelcontextprotocol/server-github'],
    url: null,
    env: { LOG: 'info' },
    secrets: {},
    legacy: false,
  },
  wanted: ['GITHUB_TOKEN'],
  program: null,
  is_here: false,
};

const ADDRESS: McpDraft = {
  server: { name: 'linear', command: [], url: 'https://mcp.linear.app/mcp', env: {}, secrets: {}, legacy: false },
  wanted: [],
  program: 'Cursor',
  is_here: false,
};

function tool(name: string, doc: string, more: Partial<McpTool> = {}): McpTool {
  return {
    name,
    doc,
    class: 'send',
    allowed: false,
    changed: false,
    reads_only: null,
    destroys: null,
    parameters: [],
    ...more,
  };
}

function crm(zh: boolean): ListedMcpServer {
  return {
    name: 'crm',
    about: 'lanting-crm 2.1.0',
    reached: 'uvx lanting-crm --region cn-east',
    secrets: ['CRM_TOKEN'],
    state: 'running',
    said: '[info] 12 customers loaded\n[warn] cache is cold',
    tools: [
      tool('list_orders', zh ? '列出一位客户的订单。' : 'Lists orders of a customer.', {
        allowed: true,
        class: 'read',
        reads_only: true,
        parameters: [
          { name: 'customer', kind: 'text', required: true, shape: '', doc: zh ? '客户的名字' : 'The customer’s name' },
          { name: 'status', kind: 'text', required: false, shape: 'one of "open", "paid"', doc: '' },
          { name: 'limit', kind: 'integer', required: false, shape: '', doc: '' },
        ],
      }),
      tool('send_invoice', zh ? '发送发票。' : 'Sends an invoice.', { allowed: true, changed: true }),
      tool('delete_customer', zh ? '删除客户。' : 'Deletes a customer.', { destroys: true }),
    ],
    left_out: 0,
    unread: 0,
  };
}

const WIKI: ListedMcpServer = {
  name: 'wiki',
  about: '',
  reached: 'https://wiki.example/mcp',
  secrets: [],
  state: 'sign_in',
  said: '',
  tools: [],
  left_out: 0,
  unread: 0,
};

const NOTES: ListedMcpServer = {
  name: 'notes',
  about: '',
  reached: 'https://notes.example/mcp',
  secrets: [],
  state: 'ended',
  said: '',
  tools: [],
  left_out: 0,
  unread: 0,
};

function line(second: number, kind: McpLogKind, text = ''): McpLogLine {
  return { at: `2026-11-29T08:05:${String(second).padStart(2, '0')}.000Z`, kind, text };
}

/** A server that ran, ended, and was started again. */
const CRM_LOG: readonly McpLogLine[] = [
  line(1, 'starting'),
  line(3, 'ready', 'lanting-crm 2.1.0 · 2025-11-25'),
  line(3, 'wrote', '12 customers loaded'),
  line(9, 'told', '[warning] cache: it is cold, and the first look into orders of this quarter will take its time'),
  line(12, 'failed', 'The server did not answer within 300 s'),
  line(14, 'ended'),
];

/** A prompt of a server, with one argument that is needed and one that is not. */
const REVIEW_COMMIT: McpPrompt = {
  server: 'git',
  prompt: 'review_commit',
  name: 'git-review-commit',
  description: 'Reviews a commit of the repository',
  fields: [
    { name: 'hash', kind: 'free', label: 'The commit', choices: [], optional: false },
    { name: 'focus', kind: 'free', label: 'What to look at', choices: [], optional: true },
  ],
};

const HANDBOOK: readonly McpResource[] = [
  {
    server: 'handbook',
    uri: 'handbook://travel/expenses',
    name: 'Travel expenses',
    description: 'What is paid, and how it is claimed',
    media_type: 'text/markdown',
    bytes: 4_210,
  },
  { server: 'handbook', uri: 'handbook://holidays', name: 'Holidays', description: '', media_type: 'text/markdown' },
];

const TABLES: readonly McpResource[] = [
  {
    server: 'warehouse',
    uri: 'warehouse://tables/orders-of-the-third-quarter-with-all-returns',
    name: '',
    description: '',
    media_type: 'text/csv',
  },
];

/** The servers as the window left them. */
export class Servers {
  #clients: readonly McpClient[] = [
    { name: 'Zed', state: 'asking' },
    { name: 'notes-cli', state: 'allowed' },
  ];
  #servers: ListedMcpServer[];
  #logs: Record<string, readonly McpLogLine[]> = { crm: CRM_LOG };

  constructor(
    language: Language,
    private readonly scene: string,
  ) {
    this.#servers = scene === 'servers' ? [crm(language === 'zh'), NOTES, WIKI] : [];
  }

  answer(action: McpRequest): Reply {
    switch (action.action) {
      case 'read':
        return action.text.includes('{') && !action.text.includes('mcpServers')
          ? failed('The text names no server', 'Paste JSON with mcpServers, an address, or a command')
          : { reply: 'mcp_drafts', drafts: [DRAFT], left_out: [] };
      case 'resources':
        return action.name === null
          ? { reply: 'mcp_resources', resources: [...HANDBOOK], idle: ['warehouse'], left_out: 0 }
          : { reply: 'mcp_resources', resources: [...TABLES], idle: [], left_out: 0 };
      case 'prompts':
        return { reply: 'mcp_prompts', prompts: [REVIEW_COMMIT] };
      case 'prompt': {
        const said = action.values as Record<string, string>;
        const hash = said['hash'] ?? '';
        return {
          reply: 'mcp_prompt_text',
          text: `Review the commit ${hash}. What would break?`,
          beside: [`[git://commit/${hash}]\n- retries: 3\n+ retries: 0`],
        };
      }
      case 'find':
        return this.scene === 'servers'
          ? {
              reply: 'mcp_drafts',
              drafts: [ADDRESS],
              left_out: [{ name: 'old', why: 'It speaks an old form of the protocol (SSE) that is not supported' }],
            }
          : { reply: 'mcp_drafts', drafts: [], left_out: [] };
      case 'add': {
        const { name, command, url, secrets } = action.server;
        const added: ListedMcpServer = {
          name,
          about: `${name}-server 1.0.0`,
          reached: url ?? command.join(' '),
          secrets: Object.keys(secrets),
          state: 'running',
          said: '',
          tools: [tool('search_issues', 'Finds issues.', { reads_only: true })],
          left_out: 0,
          unread: 0,
        };
        this.#servers = [...this.#servers, added];
        return one(added);
      }
      case 'allow':
        return one(
          this.#change(action.name, (known) => ({ ...known, tools: known.tools.map((each) => allowed(each, action)) })),
        );
      case 'test':
        return action.name === 'notes'
          ? failed(
              'The server can’t be reached: connection refused',
              'Look whether it runs, and whether the address is right',
            )
          : one(this.#change(action.name, (known) => known));
      case 'log':
        return { reply: 'mcp_log', lines: [...(this.#logs[action.name] ?? [])], gone: action.name === 'crm' ? 12 : 0 };
      case 'restart':
        this.#logs[action.name] = [
          ...(this.#logs[action.name] ?? []),
          line(20, 'starting'),
          line(21, 'ready', `${action.name}-server 1.0.0 · 2026-07-28`),
        ];
        return one(
          this.#change(action.name, (known) => ({ ...known, state: 'running', said: '[info] started again' })),
        );
      case 'client_decide':
        this.#clients = this.#clients.flatMap((known) => decided(known, action));
        return { reply: 'mcp_clients', clients: [...this.#clients] };
      case 'clients':
      case 'client_calls':
        return { reply: 'mcp_clients', clients: [...this.#clients] };
      case 'sign_in':
        return { reply: 'mcp_sign_in', address: 'https://notes.example/authorize?state=1' };
      case 'signed_in':
        return one(
          this.#change(action.name, (known) => ({
            ...known,
            state: 'running',
            tools: [tool('find_note', 'Finds a note.', { reads_only: true })],
          })),
        );
      case 'remove':
        this.#servers = this.#servers.filter(({ name }) => name !== action.name);
        break;
      case 'list':
        break;
    }
    return { reply: 'mcp_servers', servers: structuredClone(this.#servers) };
  }

  #change(name: string, change: (known: ListedMcpServer) => ListedMcpServer): ListedMcpServer {
    this.#servers = this.#servers.map((known) => (known.name === name ? change(known) : known));
    return this.#servers.find((known) => known.name === name) ?? NOTES;
  }
}

function allowed(of: McpTool, action: Extract<McpRequest, { action: 'allow' }>): McpTool {
  if (!action.all && !action.tools.includes(of.name)) return of;
  return { ...of, allowed: action.on, changed: false, class: action.class ?? of.class };
}

function decided(
  known: McpClient,
  { name, state }: Extract<McpRequest, { action: 'client_decide' }>,
): readonly McpClient[] {
  if (known.name !== name) return [known];
  return state === null ? [] : [{ name, state }];
}

function one(server: ListedMcpServer): Reply {
  return { reply: 'mcp_servers', servers: [structuredClone(server)] };
}

function failed(message: string, hint: string): Reply {
  return { reply: 'failed', error: { code: 'input', message, hint } } as Reply;
}
