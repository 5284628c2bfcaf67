/** Skills: which are listed, which wait for a look, and what a typed `/` may mean. */
import { expect, test } from 'vitest';
import type { ListedSkill } from '../src/bindings/ListedSkill';
import { calledIn } from '../src/composer/called';
import {
  chosenOf,
  isRenamed,
  isWaiting,
  keyOf,
  listed,
  moved,
  noSkills,
  offeredFor,
  taken,
} from '../src/skills/skills';

function skill(name: string, more: Partial<ListedSkill> = {}): ListedSkill {
  return {
    name,
    description: `Does ${name}.`,
    source: 'built_in',
    trust: 'reviewed',
    on: true,
    path: null,
    from: null,
    problem: null,
    notes: [],
    ...more,
  };
}

const MINE = skill('mine', { source: 'user', trust: 'new', path: '/skills/mine' });

test('a skill of the user waits for a look until it is reviewed, and one that is broken waits for none', () => {
  expect(isWaiting(MINE)).toBe(true);
  expect(isWaiting({ ...MINE, trust: 'changed' })).toBe(true);
  expect(isWaiting({ ...MINE, trust: 'reviewed' })).toBe(false);
  expect(isWaiting({ ...MINE, problem: 'broken' })).toBe(false);
  expect(isWaiting(skill('build', { source: 'project', trust: 'new' }))).toBe(false);
});

test('skills of one name are told apart, and the one that is looked at stays', () => {
  const own = { ...MINE, name: 'clean-table' };
  const view = { ...taken(noSkills, [own, skill('clean-table')]), chosen: keyOf(skill('clean-table')) };
  expect(chosenOf(view)?.source).toBe('built_in');
  expect(chosenOf(taken(view, [own, skill('clean-table'), skill('other')]))?.source).toBe('built_in');
  expect(chosenOf(moved(view, -1))?.source).toBe('user');
  expect(chosenOf(moved(view, 9))?.source).toBe('built_in');
});

test('words are looked for in names and descriptions', () => {
  const view = taken(noSkills, [MINE, skill('chart-table')]);
  expect(listed({ ...view, text: 'does TABLE' }).map(({ name }) => name)).toEqual(['chart-table']);
  expect(listed({ ...view, waiting: true }).map(({ name }) => name)).toEqual(['mine']);
});

test('a slash at the very beginning calls a skill until a space ends the name', () => {
  expect(calledIn('/', '/')).toBe('');
  expect(calledIn('/', '/清理-a')).toBe('清理-a');
  expect(calledIn('/', '/clean-table ')).toBeNull();
  expect(calledIn('/', ' /clean')).toBeNull();
  expect(calledIn('/', '/usr/bin')).toBeNull();
});

test('what begins with the typed word comes first, each name once, and nothing that is off or broken', () => {
  const all = [
    skill('review-table'),
    skill('table-chart'),
    skill('table-chart', { source: 'user' }),
    skill('table-off', { on: false }),
    skill('table-bad', { problem: 'broken' }),
  ];
  expect(offeredFor(all, 'table', 8).map(({ name }) => name)).toEqual(['table-chart', 'review-table']);
  expect(offeredFor(all, '', 1)).toHaveLength(1);
});

test('a skill that is made of a run is written anew under another name alone', () => {
  const made = {
    skill: skill('count-words'),
    text: '',
    license: null,
    compatibility: null,
    allowed_tools: null,
    files: [],
    findings: [],
    digest: 'd',
    replaces: false,
  };
  expect(isRenamed([made], ' count-words ')).toBe(false);
  expect(isRenamed([made], 'count-it')).toBe(true);
  expect(isRenamed([], 'count-it')).toBe(false);
});
