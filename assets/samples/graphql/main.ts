/**
 * The GraphQL editor: a person writes and runs queries, and an assistant may read it, propose changes and run what was
 * accepted.
 *
 * Written as any page is: against WebMCP (`document.modelContext`) and nothing else. A change is only shown; the person at
 * the page accepts or rejects it, and that answer is what the assistant gets.
 */
import { diff, type DiffLine } from './diff';
import { run, SCHEMA } from './schema';
import { fill, say } from './words';

interface Client {
  signal?: AbortSignal;
}

interface Tool {
  name: string;
  description: string;
  inputSchema: object;
  annotations?: { readOnlyHint: boolean };
  execute: (input: Record<string, unknown>, client?: Client) => unknown;
}

interface ModelContext {
  registerTool(tool: Tool): Promise<void>;
}

type Decision = { status: 'accepted' } | { status: 'rejected'; reason: string };

const FIRST_QUERY = `query OpenOrders($limit: Int) {
  orders(status: OPEN, limit: $limit) {
    id
    placed
  }
}`;

function element<Kind extends HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}`);
  return found as Kind;
}

const query = element<HTMLTextAreaElement>('query');
const variables = element<HTMLTextAreaElement>('variables');
const result = element('result');
const state = element('state');
const change = element<HTMLDialogElement>('change');
const reason = element<HTMLInputElement>('reason');

/** What the last query returned; nothing before the first. */
let last: unknown = null;

/** Runs what stands in the editors, as the button does. */
async function execute(): Promise<unknown> {
  const given = variablesNow();
  if (given === null) {
    state.textContent = say('bad_variables');
    return { errors: [{ message: say('bad_variables') }] };
  }
  state.textContent = say('running');
  const began = performance.now();
  const answer = await run(query.value, given);
  last = { ...(answer.data == null ? {} : { data: answer.data }), ...(answer.errors ? { errors: answer.errors } : {}) };
  result.textContent = JSON.stringify(last, null, 2);
  const ms = Math.round(performance.now() - began);
  state.textContent = answer.errors ? say('wrong', { count: answer.errors.length }) : say('rows', { ms });
  return JSON.parse(JSON.stringify(last)) as unknown;
}

function variablesNow(): Record<string, unknown> | null {
  try {
    const given: unknown = JSON.parse(variables.value.trim() === '' ? '{}' : variables.value);
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** What the person is asked last; the next change waits for it. */
let asked: Promise<unknown> = Promise.resolve();

/** Has the person at the page decide on a change, as long as it takes: one after the other, each as it was shown. */
function propose(
  editor: HTMLTextAreaElement,
  after: string,
  head: string,
  why: string,
  client?: Client,
): Promise<Decision> {
  const decision = asked.then(() => decided(editor, after, head, why, client?.signal));
  // What fails is told to whoever proposed it, and keeps no later change from being asked about.
  asked = decision.catch(() => undefined);
  return decision;
}

function decided(
  editor: HTMLTextAreaElement,
  after: string,
  head: string,
  why: string,
  signal?: AbortSignal,
): Promise<Decision> {
  if (signal?.aborted) return Promise.resolve({ status: 'rejected', reason: '' });
  show(diff(editor.value, after), head, why);
  return new Promise((resolve) => {
    // Nobody waits for it any more: the proposal goes with whoever made it.
    const leave = () => change.close('gone');
    const closed = () => {
      signal?.removeEventListener('abort', leave);
      const accepted = change.returnValue === 'accept';
      if (accepted) editor.value = after;
      resolve(accepted ? { status: 'accepted' } : { status: 'rejected', reason: reason.value.trim() });
    };
    change.addEventListener('close', closed, { once: true });
    signal?.addEventListener('abort', leave, { once: true });
  });
}

function show(lines: DiffLine[], head: string, why: string): void {
  const rows = lines.map(({ sign, text }) => {
    const row = document.createElement('div');
    row.className = sign === '+' ? 'added' : sign === '-' ? 'removed' : '';
    row.textContent = `${sign} ${text}`;
    return row;
  });
  element('change-head').textContent = head;
  element('why').textContent = why;
  element('diff').replaceChildren(...rows);
  reason.value = '';
  change.returnValue = '';
  change.showModal();
  // Not on a button: whoever was typing would press it.
  element('diff').focus();
}

function text(input: Record<string, unknown>, name: string): string {
  const value = input[name];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

const TEXT = { type: 'string' };

const TOOLS: readonly Tool[] = [
  {
    name: 'get_context',
    description: 'The query and variables in the editors, the schema, and what the last run returned.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: () => ({ query: query.value, variables: variables.value, schema: SCHEMA, last_result: last }),
  },
  {
    name: 'editScript',
    description: 'Proposes another query. The person sees the difference and accepts or rejects it: {status, reason}.',
    inputSchema: { type: 'object', properties: { script: TEXT, why: TEXT }, required: ['script'] },
    execute: (input, client) => propose(query, text(input, 'script'), say('change_query'), text(input, 'why'), client),
  },
  {
    name: 'editVariables',
    description: 'Proposes other variables, as JSON. The person sees the difference and accepts or rejects it.',
    inputSchema: { type: 'object', properties: { variables: TEXT, why: TEXT }, required: ['variables'] },
    execute: (input, client) =>
      propose(variables, text(input, 'variables'), say('change_variables'), text(input, 'why'), client),
  },
  {
    name: 'executeScript',
    description: 'Runs what stands in the editors and returns {data, errors}.',
    inputSchema: { type: 'object', properties: {} },
    execute: () => execute(),
  },
];

function begin(): void {
  fill();
  reason.placeholder = say('reason');
  reason.setAttribute('aria-label', say('reason'));
  query.value = FIRST_QUERY;
  variables.value = '{\n  "limit": 5\n}';
  element('schema').textContent = SCHEMA;
  element('run').addEventListener('click', () => void execute());
  const { modelContext } = document as Document & { modelContext?: ModelContext };
  for (const tool of TOOLS) void modelContext?.registerTool(tool);
}

begin();
