/** Resources of MCP servers: which are found, and what a chip of one says. */
import { describe, expect, test } from 'vitest';
import type { McpResource } from '../src/bindings/McpResource';
import { filesOf, inspected, originOf, resourceChip, unfinished } from '../src/composer/chips';
import { groupsOf, idOf, ROWS_MAX, titleOf, withServer } from '../src/composer/resources';

const resource = (server: string, uri: string, name = ''): McpResource => ({
  server,
  uri,
  name,
  description: '',
  media_type: '',
});

describe('the list', () => {
  const all = [resource('a', 'a://1', 'Plan'), resource('b', 'b://plan/2', 'Notes'), resource('a', 'a://3', 'Minutes')];

  test('finds by every word, wherever it stands, and keeps servers together', () => {
    expect(groupsOf(all, '').map(({ server, rows }) => [server, rows.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(groupsOf(all, ' PLAN ').flatMap(({ rows }) => rows.map(idOf))).toEqual(['mcp:a/a://1', 'mcp:b/b://plan/2']);
    expect(groupsOf(all, 'plan notes').flatMap(({ rows }) => rows)).toHaveLength(1);
    expect(groupsOf(all, 'plan minutes')).toEqual([]);
  });

  test('shows no more rows than somebody looks through', () => {
    const many = Array.from({ length: ROWS_MAX + 5 }, (_, at) => resource('a', `a://${at}`));
    expect(groupsOf(many, '').flatMap(({ rows }) => rows)).toHaveLength(ROWS_MAX);
  });

  test('takes a server that was started in place of what was known of it', () => {
    expect(withServer(all, 'a', [resource('a', 'a://9')]).map(idOf)).toEqual(['mcp:b/b://plan/2', 'mcp:a/a://9']);
  });
});

describe('a chip', () => {
  test('says whose it is, and goes along only once it was read', () => {
    const chip = resourceChip(resource('a', 'a://1', 'Plan'));
    expect([chip.name, originOf(chip), unfinished([chip])]).toEqual(['Plan', { server: 'a', uri: 'a://1' }, true]);
    expect([filesOf([chip]), titleOf(resource('a', 'a://1'))]).toEqual([[], 'a://1']);
  });

  test('keeps its name and its kind when it was read, unless it is a picture', () => {
    const chip = resourceChip(resource('a', 'a://1', 'Plan'));
    const read = { path: '/data/1.md', name: '1.md', kind: 'text' } as Parameters<typeof inspected>[1];
    expect(inspected(chip, read)).toMatchObject({ name: 'Plan', what: 'resource', state: 'ready' });
    expect(inspected(chip, { ...read, kind: 'image' }).what).toBe('image');
    expect(filesOf([inspected(chip, read)])).toEqual(['/data/1.md']);
  });
});
