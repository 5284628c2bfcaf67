/** What was recalled, read from the record and told with its reasons. */
import { describe, expect, test } from 'vitest';
import { recalled } from '../src/backend/scenes/recall';
import { apply, conversationOf, emptyConversation } from '../src/conversation/conversation';
import { placeOf, reasonsOf, siteOf, weekday } from '../src/memory/recall';
import { eventsIn, recorded } from './recorded';

const MARK = {
  id: 'm1',
  kind: 'knowledge' as const,
  coverage: 0.6,
  parts: { lexical: 0.1, context: 0.9, entity: 0, neighbour: 0.001 },
};

describe('what was recalled', () => {
  test('tells the larger reasons first and leaves crumbs out', () => {
    expect(reasonsOf(MARK)).toEqual([
      { part: 'context', value: 0.9 },
      { part: 'lexical', value: 0.1 },
    ]);
  });

  test('knows a record from what was said', () => {
    const of = (id: string) => placeOf({ id, kind: 'knowledge', coverage: 0, parts: {} });
    expect(of('session-9/12')).toEqual({ session: 'session-9', segment: 12 });
    expect(of('0193-aa')).toBeNull();
    expect(of('a/b')).toBeNull();
  });

  test('stands before the answer, once, in a run that is watched and in one that is read back', () => {
    const events = eventsIn(recalled('zh', 'session-1'));
    const watched = events.reduce(apply, {
      ...emptyConversation(null),
      sent: {
        text:
          events.flatMap((event) => (event.type === 'segment' && event.kind === 'User' ? [event.text] : []))[0] ?? '',
        files: [],
        along: [],
      },
    });
    const read = conversationOf(recorded('session-1', events));
    for (const view of [watched, read]) {
      const pieces = view.turns[0]?.pieces.map((piece) => piece.what);
      expect(pieces).toEqual(['recall', 'words']);
    }
  });
});

test('a site is forgotten by its origin, and a day of this week has a name', () => {
  expect(siteOf('https://wiki.example/a/b?c=1#d')).toBe('https://wiki.example');
  expect(siteOf('nothing')).toBe('nothing');
  const now = new Date('2026-11-20T12:00:00');
  expect(weekday('en', '2026-11-17T09:00:00', now)).toBe('Tuesday');
  expect(weekday('zh', '2026-11-17T09:00:00', now)).toBe('周二');
  expect(weekday('en', '2026-11-20T09:00:00', now)).toBeNull();
  expect(weekday('en', '2026-10-17T09:00:00', now)).toBeNull();
});
