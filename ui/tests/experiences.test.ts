/** What runs taught, as a list: which answers are too late, where the choice goes after a decision. */
import { expect, test } from 'vitest';
import type { Experience } from '../src/bindings/Experience';
import {
  askedFor,
  changed,
  chosen,
  countOf,
  EXPERIENCES_PER_PAGE,
  looking,
  moved,
  noExperiences,
  searched,
  taken,
  votesOf,
  without,
} from '../src/experience/experiences';

const time = '2026-11-20T09:00:00Z';
const one = (id: string, more: Partial<Experience> = {}): Experience => ({
  id,
  kind: 'fix',
  state: 'candidate',
  ground: 'undecided',
  scope: 'user',
  goal: '',
  lesson: '',
  code: '',
  context: [],
  calls: [],
  failed_code: '',
  error: '',
  result: '',
  outcome: 'success',
  language: '',
  tainted: false,
  edited: false,
  seen: 1,
  wins: 0,
  losses: 0,
  bound: 0,
  created: time,
  decided: time,
  last_used: null,
  votes: [],
  runs: [],
  ...more,
});
const some = (count: number, from = 0) => Array.from({ length: count }, (_, index) => one(`e${from + index}`));
const listed = (found: Experience[]) => taken(noExperiences(), askedFor(noExperiences(), 'first'), found, []);

test('an answer to another question is too late, but its counts are not', () => {
  const counts = [{ state: 'candidate' as const, experiences: 3 }];
  for (const view of [looking(noExperiences(), 'approved'), searched(noExperiences(), 'x')]) {
    const next = taken(view, askedFor(noExperiences(), 'first'), some(1), counts);
    expect([next.known, next.items, countOf(next.counts, 'candidate')]).toEqual([false, [], 3]);
  }
});

test('pages follow one another, nothing stands in them twice, and runs that were read stay', () => {
  const run = { run: 'r', session: 's', question: 'q', role: 'taught' as const, outcome: null, time };
  const first = changed(listed(some(EXPERIENCES_PER_PAGE)), one('e3', { runs: [run] }));
  const second = taken(first, askedFor(first, 'more'), some(3, EXPERIENCES_PER_PAGE - 1), []);
  expect([second.items.length, second.more]).toEqual([EXPERIENCES_PER_PAGE + 2, false]);
  expect(taken(second, askedFor(second, 'first'), some(9), []).items[3]?.runs).toEqual([run]);
});

test('what is decided leaves its list, and the next one is chosen', () => {
  const view = chosen(listed(some(3)), 'e1');
  expect(changed(view, one('e1', { state: 'approved' }))).toMatchObject({
    chosen: 'e2',
    items: [{ id: 'e0' }, { id: 'e2' }],
  });
  expect(changed(view, one('e1', { lesson: 'new' })).items[1]?.lesson).toBe('new');
  expect(changed(view, one('other', { state: 'approved' }))).toBe(view);
  expect(without(chosen(view, 'e2'), 'e2').chosen).toBe('e1');
  expect([moved(view, 9).chosen, moved(view, -9).chosen]).toEqual(['e2', 'e0']);
});

test('votes are summed up, and no votes are no sum', () => {
  const vote = (score: number, keep: boolean) => ({ model: 'm', keep, score, comment: '', time });
  expect(votesOf(one('a', { votes: [vote(9, true), vote(4, false)] }))).toEqual({ mean: 6.5, keep: 1, of: 2 });
  expect(votesOf(one('a'))).toBeNull();
});
