/** MCP servers: what a form makes of its fields, and how a server stands. */
import { describe, expect, test } from 'vitest';
import type { ListedMcpServer } from '../src/bindings/ListedMcpServer';
import type { McpDraft } from '../src/bindings/McpDraft';
import {
  allowedOf,
  clockOf,
  formOf,
  isFilled,
  lackedOf,
  offeredOf,
  serverOf,
  toldOf,
  wantsLook,
  wantsSignIn,
  wayOf,
  withServer,
} from '../src/mcp/servers';

const draft = (more: Partial<McpDraft['server']>, wanted: string[] = []): McpDraft => ({
  server: { name: 'a', command: ['uvx', 'a b'], url: null, env: {}, secrets: {}, legacy: false, ...more },
  wanted,
  program: null,
  is_here: false,
});

describe('a form', () => {
  test('holds what the text held, and what only the user knows', () => {
    const form = formOf(draft({ env: { LOG: '1' }, secrets: { KEY: 'k' } }, ['TOKEN']));
    expect(form.variables).toEqual([
      { name: 'LOG', value: '1', secret: false },
      { name: 'KEY', value: 'k', secret: true },
      { name: 'TOKEN', value: '', secret: true },
    ]);
    expect(isFilled(form)).toBe(false);
    const filled = { ...form, variables: form.variables.map((one) => ({ ...one, value: one.value || 't' })) };
    expect(isFilled(filled)).toBe(true);
    expect(serverOf(filled)).toMatchObject({ env: { LOG: '1' }, secrets: { KEY: 'k', TOKEN: 't' } });
  });

  test('keeps every header of an address as a secret', () => {
    const form = formOf(draft({ command: [], url: 'https://a.example', secrets: { 'X-Key': 'k' } }));
    const open = { ...form, variables: form.variables.map((one) => ({ ...one, secret: false })) };
    expect(serverOf(open)).toMatchObject({ env: {}, secrets: { 'X-Key': 'k' } });
  });

  test('leaves out a row that nobody filled in', () => {
    const form = formOf(draft({}));
    const more = { ...form, variables: [{ name: ' ', value: '', secret: false }] };
    expect(isFilled(more)).toBe(true);
    expect(serverOf(more).env).toEqual({});
  });

  test('shows a command as it is typed', () => {
    expect(wayOf({ command: ['uvx', 'a b', "it's"], url: null })).toBe(`uvx 'a b' 'it'\\''s'`);
  });
});

describe('a log', () => {
  test('tells the second of each line, and nothing of a time that is none', () => {
    expect(clockOf(new Date(2026, 10, 29, 8, 5, 3).toISOString())).toBe('08:05:03');
    expect(clockOf('soon')).toBe('');
  });
});

describe('a server', () => {
  const server = (name: string, tools: Partial<ListedMcpServer['tools'][number]>[]): ListedMcpServer => ({
    name,
    about: '',
    reached: '',
    secrets: [],
    state: 'idle',
    said: '',
    tools: tools.map((more) => ({
      name: 't',
      doc: '',
      class: 'send',
      allowed: false,
      changed: false,
      reads_only: null,
      destroys: null,
      parameters: [],
      ...more,
    })),
    left_out: 0,
    unread: 0,
  });

  test('gives programs what is allowed and not left out', () => {
    const one = server('a', [{ allowed: true }, { allowed: true }, { allowed: true }, {}]);
    expect([offeredOf(one), offeredOf({ ...one, left_out: 2 })]).toEqual([3, 1]);
  });

  test('tells what a parameter takes by its shape and the server’s words, as far as there are any', () => {
    const parameter = { name: 'p', kind: 'text', required: true, shape: '', doc: '' } as const;
    expect(toldOf(parameter)).toBe('');
    expect(toldOf({ ...parameter, shape: 'one of "a"', doc: 'Which one' })).toBe('one of "a" · Which one');
  });

  test('counts a tool that has changed as not allowed, and asks for a look', () => {
    const one = server('a', [{ allowed: true }, { allowed: true, changed: true }, {}]);
    expect([allowedOf(one), wantsLook(one), wantsLook(server('b', [{}]))]).toEqual([1, true, false]);
  });

  test('can be signed in to again once a call lacked rights, though it runs', () => {
    const one: ListedMcpServer = { ...server('a', []), state: 'running' };
    expect([wantsSignIn(one), lackedOf(one)]).toEqual([false, '']);
    const lacking = { ...one, lacks_rights: ['files:read', 'files:write'] };
    expect([wantsSignIn(lacking), lackedOf(lacking)]).toEqual([true, 'files:read files:write']);
    expect(wantsSignIn({ ...one, state: 'sign_in' })).toBe(true);
  });

  test('takes its place in the list by its name', () => {
    const list = [server('a', []), server('c', [])];
    expect(withServer(list, server('b', [])).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(withServer(list, server('c', [{}])).at(-1)?.tools).toHaveLength(1);
  });
});
