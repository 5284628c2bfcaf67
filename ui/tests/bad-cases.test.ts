/** Bad cases: which are listed, what is said before one is made, and which change was tried. */
import { expect, test } from 'vitest';
import {
  chosenOf,
  draftOf,
  isMeasured,
  isSaid,
  listed,
  moved,
  noCases,
  partsOf,
  taken,
  wantedOf,
} from '../src/bad-cases/bad-cases';
import type { BadCase } from '../src/bindings/BadCase';
import type { CaseChange } from '../src/bindings/CaseChange';

const FACT: CaseChange = { kind: 'knowledge', text: 'The year begins in April' };

function caseOf(name: string, question: string): BadCase {
  return { name, question, wrong: '', path: '', problem: null, proposed: null, measured: null, accepted: null };
}

const two = taken(noCases, [caseOf('rows', 'How many rows?'), caseOf('year', 'Which year?')]);

test('a case is found by its question, and the choice stays within what is found', () => {
  expect(listed({ ...two, text: 'YEAR which' }).map(({ name }) => name)).toEqual(['year']);
  expect(chosenOf({ ...two, chosen: 'rows', text: 'year' })?.name).toBe('year');
  expect(chosenOf(moved({ ...two, chosen: 'rows' }, 5))?.name).toBe('year');
  expect(chosenOf(noCases)).toBeNull();
});

test('nothing is made of an answer before something is said about it', () => {
  const draft = draftOf('run-1');
  expect(isSaid({ ...draft, wrong: ' ', wanted: '\n' })).toBe(false);
  expect(isSaid({ ...draft, wanted: '42' })).toBe(true);
  expect(wantedOf({ ...draft, wanted: ' 42 \n\nrows' })).toEqual(['42', 'rows']);
});

test('a measurement counts for the change that was tried, and for no other', () => {
  const measured = { change: FACT, verdict: 'better', measures: [] } as const;
  expect(isMeasured({ ...measured, measures: [] }, { ...FACT })).toBe(true);
  expect(isMeasured({ ...measured, measures: [] }, { ...FACT, text: 'another' })).toBe(false);
  expect(isMeasured(null, FACT)).toBe(false);
});

test('every text of a change is shown, and nothing empty', () => {
  const lesson: CaseChange = { kind: 'experience', goal: 'count', lesson: 'read first', code: '' };
  expect(partsOf(lesson).map(([, text]) => text)).toEqual(['count', 'read first']);
  expect(partsOf({ ...lesson, code: 'x = 1' }).at(-1)).toEqual(['case_code', 'x = 1', true]);
  expect(partsOf(FACT)).toEqual([['case_fact', FACT.text, false]]);
});
