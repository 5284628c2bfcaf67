/** Which files a run changed, and how a patch reads. */
import { expect, test } from 'vitest';
import { changed } from '../src/backend/scenes/changes';
import type { FileChange } from '../src/bindings/FileChange';
import { addressOf, carry, isWhole } from '../src/cards/files';
import {
  changesOf,
  diffLines,
  isNewest,
  knownOf,
  nameAndFolder,
  openable,
  sizeIn,
  withAgents,
} from '../src/changes/changes';
import { apply, emptyConversation } from '../src/conversation/conversation';
import { eventsIn } from './recorded';

test('a run changed what its writing calls did, in their order, and nothing else', () => {
  const view = eventsIn(changed('en', 's')).reduce(apply, emptyConversation('s'));
  const [turn] = view.turns;
  expect(turn && changesOf(turn)).toEqual(['run-1/2', 'run-1/3']);
});

test('a call that failed or was refused changed nothing', () => {
  const plays = changed('en', 's').map((play) => {
    if (play.reply.reply !== 'event' || play.reply.event.type !== 'call_done') return play;
    return { ...play, reply: { ...play.reply, event: { ...play.reply.event, ok: false } } };
  });
  const [turn] = eventsIn(plays).reduce(apply, emptyConversation('s')).turns;
  expect(turn && changesOf(turn)).toEqual([]);
});

test('a patch is its lines without its names, and lines that look like names stay', () => {
  expect(diffLines('--- a\n+++ b\n@@ -1,2 +3,2 @@\n one\n--- two\n+two\n')).toEqual([
    { kind: 'place', text: '3' },
    { kind: 'same', text: 'one' },
    { kind: 'before', text: '-- two' },
    { kind: 'after', text: 'two' },
  ]);
  expect(diffLines('')).toEqual([]);
});

test('a path is its name and where it lies, on every system', () => {
  expect(nameAndFolder('/home/lin/work/a.md')).toEqual({ name: 'a.md', folder: 'lin/work' });
  expect(nameAndFolder('C:\\work\\a.md')).toEqual({ name: 'a.md', folder: 'C:/work' });
});

test('of several changes of a file only the last that stands can be taken back', () => {
  const of = (id: string, undone: boolean) => ({
    id,
    kind: 'write' as const,
    path: '/a',
    created: false,
    added: 1,
    removed: 0,
    undone,
    at: '',
  });
  const [first, second, third] = [of('1', false), of('2', false), of('3', true)];
  const all = [first, second, third];
  expect(all.map((change) => isNewest(change, all))).toEqual([false, true, true]);
});

test('what stands in the way of taking a move back is any later change at either place', () => {
  const rest = { created: false, added: 0, removed: 0, undone: false, at: '' };
  const write = { id: '1', kind: 'write' as const, path: '/a', ...rest };
  const move = { id: '2', kind: 'move' as const, path: '/a', to: '/b', ...rest };
  const later = { id: '3', kind: 'write' as const, path: '/b', ...rest };
  const all = [write, move, later];
  expect(all.map((change) => isNewest(change, all))).toEqual([false, false, true]);
});

test('what can be opened is where it stands now, and nothing that is gone', () => {
  const rest = { added: 0, removed: 0, at: '' };
  const of = (kind: FileChange['kind'], created: boolean, undone: boolean, to?: string): FileChange => ({
    id: '1',
    kind,
    path: '/a',
    ...(to === undefined ? {} : { to }),
    created,
    undone,
    ...rest,
  });
  expect(openable(of('write', true, false))).toBe('/a');
  expect(openable(of('write', true, true))).toBeNull();
  expect(openable(of('write', false, true))).toBe('/a');
  expect(openable(of('move', false, false, '/b'))).toBe('/b');
  expect(openable(of('move', false, true, '/b'))).toBe('/a');
  expect(openable(of('delete', false, false, '/trash/a'))).toBeNull();
  expect(openable(of('delete', false, true, '/trash/a'))).toBe('/a');
});

test('sizes are rounded up, so that nothing reads as empty', () => {
  expect([0, 999, 1_000, 48_210, 12_000_001].map(sizeIn)).toEqual([
    { word: 'size_bytes', n: 0 },
    { word: 'size_bytes', n: 999 },
    { word: 'size_kb', n: 1 },
    { word: 'size_kb', n: 49 },
    { word: 'size_mb', n: 13 },
  ]);
});

test('a file is carried by its address, whatever its name', () => {
  const carried: Record<string, string> = {};
  const data = { effectAllowed: 'none' as const, setData: (kind: string, text: string) => void (carried[kind] = text) };
  carry('/home/lin/a b#1%.md', data);
  expect(carried).toEqual({ 'text/uri-list': 'file:///home/lin/a%20b%231%25.md', 'text/plain': '/home/lin/a b#1%.md' });
  expect(addressOf('C:\\text\\报.md')).toBe('file:///C:/text/%E6%8A%A5.md');
  expect([isWhole('/a'), isWhole('C:\\a'), isWhole('docs/a.md')]).toEqual([true, true, false]);
});

test('what is not known any more is left out', () => {
  expect(knownOf(['r/1'], [])).toEqual([]);
});

test('changes of sub-agents stand among those of their run by their time', () => {
  const rest = { kind: 'write' as const, path: '/a', created: false, added: 1, removed: 0, undone: false };
  const at = (id: string, second: number): FileChange => ({ id, ...rest, at: `2026-11-20T09:41:0${second}.000Z` });
  const newestFirst = [at('r/3', 4), at('agent/1', 3), at('r/1', 2)];
  expect(withAgents(['r/1', 'r/3'], 'r', newestFirst).map(({ id }) => id)).toEqual(['r/1', 'agent/1', 'r/3']);
  expect(withAgents([], 'r', newestFirst.slice(1, 2)).map(({ id }) => id)).toEqual(['agent/1']);
  expect(withAgents(['r/1'], 'r', newestFirst.slice(2)).map(({ id }) => id)).toEqual(['r/1']);
});
