/** Choices in forms: how they read, which belong to a page, and what is changed of them. */
import { describe, expect, test } from 'vitest';
import type { ChosenValue } from '../src/bindings/ChosenValue';
import type { Preference } from '../src/bindings/Preference';
import type { PreferenceProposal } from '../src/bindings/PreferenceProposal';
import { i18nOf } from '../src/i18n/i18n';
import {
  changesOf,
  choicesInShort,
  choicesInWords,
  linesOf,
  offerFor,
  optionsOf,
  placeOf,
  successors,
  valueInWords,
  valueOf,
  writtenOf,
} from '../src/page-preferences/page-preferences';
import { noPages, sitesOf, withLearned } from '../src/pages/pages';

const en = i18nOf(() => 'en');
const zh = i18nOf(() => 'zh');
const SITE = 'https://query.lanting.dev';
const PAGE = { browser: 'b', tab: 3, document: 'd1', site: SITE };

const status: ChosenValue = { name: 'Status', kind: 'choice', value: 'Open', options: ['Open', 'Done'] };
const channel: ChosenValue = { name: 'Channel', kind: 'choices', value: ['Card', 'Cash'], options: ['Card', 'Cash'] };
const mine: ChosenValue = { name: 'Only mine', kind: 'switch', value: true, options: [] };
const amount: ChosenValue = { name: 'Amount', kind: 'number', value: 200, options: [] };
const title: ChosenValue = { name: 'Title', kind: 'text', value: 'refund', options: [] };
const steps: ChosenValue = { name: 'steps', kind: 'steps', value: ['Search', 'Filter'], options: ['Search', 'Filter'] };
const ALL = [status, channel, mine, amount, title];

const kept = (memory: string, more: Partial<Preference> = {}): Preference => ({
  memory,
  site: SITE,
  form: 'Filter',
  values: ALL,
  button: 'Apply',
  time: '2026-11-20T00:00:00Z',
  ...more,
});
const proposal: PreferenceProposal = {
  id: 'p1',
  site: SITE,
  form: 'Filter',
  values: ALL,
  button: 'Apply',
  times: 3,
  of: 5,
  last: '2026-11-20T00:00:00Z',
};

describe('choices in words', () => {
  test('a value reads as a person says it, in either language', () => {
    expect(valueInWords(en, true)).toBe('on');
    expect(valueInWords(zh, false)).toBe('关');
    expect(valueInWords(en, ['Card', 'Cash'])).toBe('Card, Cash');
    expect(valueInWords(zh, ['微信', '支付宝'])).toBe('微信、支付宝');
    expect(valueInWords(en, 0)).toBe('0');
    expect(valueInWords(en, '')).toBe('(nothing)');
    expect(valueInWords(en, [])).toBe('(nothing)');
    expect(choicesInWords(en, [status, mine])).toBe('Status = Open; Only mine = on');
  });
  test('in one row a few are named and the rest is counted, and no value takes the row alone', () => {
    expect(choicesInShort(en, ALL.slice(0, 2))).toBe(choicesInWords(en, ALL.slice(0, 2)));
    expect(choicesInShort(en, ALL.slice(0, 3))).toBe('Status = Open; Channel = Card, Cash; 1 more');
    expect(choicesInShort(en, ALL)).toMatch(/; 3 more$/);
    const short = choicesInShort(en, [{ ...title, value: 'x'.repeat(500) }]);
    expect(short).toMatch(/^Title = x+…$/);
    expect(short.length).toBeLessThan(50);
  });
  test('what a page writes of itself that the eye can not see is written out', () => {
    expect(choicesInWords(en, [{ ...title, name: '\u202eeltiT' }])).toBe('\\u202eeltiT = refund');
  });
  test('a form without a name is told by its site', () => {
    expect(placeOf({ site: SITE, form: '' })).toBe('query.lanting.dev');
    expect(placeOf({ site: 'http://localhost:8080', form: 'Filter' })).toBe('http://localhost:8080 · Filter');
  });
});

describe('what is shown beside a page', () => {
  const none = new Set<string>();
  test('is asked first, then filled in, and never of another site', () => {
    expect(offerFor(PAGE, { proposals: [proposal], kept: [kept('m1')] }, none)).toEqual({ what: 'proposal', proposal });
    expect(offerFor(PAGE, { proposals: [], kept: [kept('m1')] }, none)).toMatchObject({ what: 'kept' });
    const elsewhere = { site: 'https://query.lanting.dev:8443' };
    const known = { proposals: [{ ...proposal, ...elsewhere }], kept: [kept('m1', elsewhere)] };
    expect(offerFor(PAGE, known, none)).toBeNull();
    expect(offerFor(null, { proposals: [proposal], kept: [] }, none)).toBeNull();
    const order = kept('m3', { form: '', button: '', values: [steps] });
    const both = { proposals: [], kept: [order, kept('m1')] };
    expect(offerFor(PAGE, both, none), 'what can be filled in goes first').toMatchObject({
      preference: { memory: 'm1' },
    });
    expect(offerFor(PAGE, both, new Set(['m1']))).toMatchObject({ preference: { memory: 'm3' } });
    expect(choicesInShort(en, order.values)).toBe('Search → Filter');
  });
  test('is not what was put away: another form of the site has its turn', () => {
    const known = { proposals: [], kept: [kept('m1'), kept('m2', { form: 'Export' })] };
    expect(offerFor(PAGE, known, new Set(['m1']))).toMatchObject({ preference: { memory: 'm2' } });
    expect(offerFor(PAGE, known, new Set(['m1', 'm2']))).toBeNull();
  });
});

describe('a preference that is changed', () => {
  test('is followed to the memory that takes its place, and one that is gone leads nowhere', () => {
    const before = [kept('m1'), kept('m2', { form: 'Export' })];
    expect([...successors(before, [kept('m3'), kept('m2', { form: 'Export' })])]).toEqual([['m1', 'm3']]);
    expect(successors(before, [kept('m1')]).size).toBe(0);
    expect(successors([], [kept('m1')]).size).toBe(0);
  });
  test('shows its values as its controls take them', () => {
    expect(ALL.map((chosen) => writtenOf(chosen, en))).toEqual(['Open', ['Card', 'Cash'], true, '200', 'refund']);
    expect(writtenOf({ ...channel, options: [] }, zh)).toBe('Card、Cash');
    expect(optionsOf({ ...status, value: 'Gone' })).toEqual(['Open', 'Done', 'Gone']);
  });
  test('takes what is written as a value of its kind, or not at all', () => {
    expect(valueOf(amount, ' 1e3 ')).toBe(1000);
    expect(valueOf(amount, '-0.5')).toBe(-0.5);
    for (const text of ['', ' ', 'many', '1 2', 'Infinity']) expect(valueOf(amount, text)).toBeNull();
    expect(valueOf({ ...channel, options: [] }, 'Card，Cash、 Voucher,')).toEqual(['Card', 'Cash', 'Voucher']);
    expect(valueOf(mine, false)).toBe(false);
    expect(writtenOf(steps, en)).toBe('Search → Filter');
    expect(valueOf(steps, 'Filter→ Search →')).toEqual(['Filter', 'Search']);
    expect(changesOf([steps], { steps: 'Filter → Search' }).values).toEqual({ steps: ['Filter', 'Search'] });
    expect(changesOf([channel], { Channel: ['Cash', 'Card'] }).values).toEqual({});
    expect(valueOf(title, '')).toBe('');
  });
  test('sends only what is another value', () => {
    expect(changesOf(ALL, {})).toEqual({ values: {}, wrong: [] });
    expect(changesOf(ALL, { Status: 'Open', Channel: ['Cash', 'Card'], Amount: '200.0' }).values).toEqual({});
    expect(changesOf(ALL, { Status: 'Done', Channel: [], 'Only mine': false, Amount: 'x' })).toEqual({
      values: { Status: 'Done', Channel: [], 'Only mine': false },
      wrong: ['Amount'],
    });
  });
  test('that is none of a form is read line by line', () => {
    expect(linesOf(en, { order: ['reason', 'amount'], twice: false, of: { unit: 1 } })).toEqual([
      { name: 'order', text: 'reason, amount' },
      { name: 'twice', text: 'off' },
      { name: 'of', text: '{"unit":1}' },
    ]);
    expect(linesOf(en, 'plain')).toEqual([{ name: '', text: 'plain' }]);
  });
});

describe('sites with their switches', () => {
  const front = { page: PAGE, title: '', url: SITE, tools: [], allowed: false, acts: 0 };
  test('are those that are switched on, and the one in front', () => {
    const state = { ...noPages, front, sites: ['https://a.example'], learned: ['https://b.example', SITE] };
    expect(sitesOf(state, [])).toEqual([SITE, 'https://a.example', 'https://b.example']);
    const files = { ...front, page: { ...PAGE, site: 'file://' } };
    expect(sitesOf({ ...noPages, front: files }, [])).toEqual([]);
  });
  test('keep their place while they are looked at', () => {
    expect(sitesOf({ ...noPages, sites: ['https://c.example'] }, ['https://b.example'])).toEqual([
      'https://b.example',
      'https://c.example',
    ]);
    expect(withLearned(withLearned(noPages, SITE, true), SITE, true).learned).toEqual([SITE]);
    expect(withLearned({ ...noPages, learned: [SITE] }, SITE, false).learned).toEqual([]);
  });
});
