/** Which files a run changed, and how a patch reads. */
import { expect, test } from 'vitest';
import { changed } from '../src/backend/scenes/changes';
import { changesOf, diffLines, isNewest, knownOf, nameAndFolder } from '../src/changes/changes';
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

test('what is not known any more is left out', () => {
  expect(knownOf(['r/1'], [])).toEqual([]);
});
