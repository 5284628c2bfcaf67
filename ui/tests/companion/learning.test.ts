/** On which sites it is noticed what is chosen in forms, and what of that passes. */
import { expect, test } from 'vitest';
import type { Open } from '../../companion/front.js';
import { decided, NOTHING_LEARNED, SITES_MAX, usedIn } from '../../companion/learning.js';

const A = 'https://a.example';
const B = 'https://b.example';
const OPEN = new Map<number, Open>([
  [1, { tab: 1, document: 'd1', site: A, tools: [] }],
  [2, { tab: 2, document: 'd2', site: B, tools: [] }],
]);
const KNOWN = { learned: new Set([A]), open: OPEN };
const STATUS = { name: 'Status', kind: 'choice', value: 'Open', options: ['Open', 'Closed'] };

const site = (of: string, learn: boolean) => ({ type: 'site', site: of, allowed: false, learn }) as const;
const used = (values: unknown, more: object = {}) => ({
  say: 'used',
  document: 'd1',
  form: 'Filter',
  values,
  button: 'Apply',
  ...more,
});
const values = (...all: unknown[]) => usedIn(used(all), { tab: 1, site: A }, KNOWN)?.values;

test('a site is learned from when that is decided until it no longer is, whatever is decided of others', () => {
  const one = decided(NOTHING_LEARNED, site(A, true));
  const both = decided(one, site(B, true));
  expect([...both]).toEqual([A, B]);
  expect(decided(both, site(A, true))).toBe(both);
  expect([...decided(both, site(A, false))]).toEqual([B]);
  expect(decided(one, site(B, false))).toBe(one);
  expect(NOTHING_LEARNED.size).toBe(0);
});

test('no more sites are learned than there is room for', () => {
  const full = new Set(Array.from({ length: SITES_MAX }, (_, at) => `https://${at}.example`));
  expect(decided(full, site(A, true))).toBe(full);
});

test('what was chosen is told with the tab that the browser knows', () => {
  expect(usedIn(used([STATUS], { tab: 9 }), { tab: 1, site: A }, KNOWN)).toEqual({
    type: 'used',
    tab: 1,
    document: 'd1',
    form: 'Filter',
    values: [STATUS],
    button: 'Apply',
  });
});

test('nothing is told of a site that is not learned, of another document, or of a page that nobody knows', () => {
  const refused = [
    usedIn(used([STATUS], { document: 'd2' }), { tab: 2, site: B }, KNOWN),
    usedIn(used([STATUS], { document: 'd2' }), { tab: 1, site: A }, KNOWN),
    usedIn(used([STATUS], { document: undefined }), { tab: 1, site: A }, KNOWN),
    usedIn(used([STATUS]), { tab: 3, site: A }, KNOWN),
    usedIn(used([STATUS], { document: 'd2' }), { tab: 2, site: A }, KNOWN),
    usedIn(used([STATUS]), { tab: 1, site: A }, { ...KNOWN, learned: NOTHING_LEARNED }),
    usedIn(used([]), { tab: 1, site: A }, KNOWN),
    usedIn(used('none'), { tab: 1, site: A }, KNOWN),
  ];
  expect(refused).toEqual(refused.map(() => null));
});

test('a value is what its kind says, or is left out', () => {
  const fine = [
    { name: 'Labels', kind: 'choices', value: [], options: [] },
    { name: 'Mine', kind: 'switch', value: false },
    { name: 'Most', kind: 'number', value: 0 },
    { name: 'Words', kind: 'text', value: '' },
  ];
  expect(values(...fine)).toEqual(fine);
  const wrong = [
    null,
    5,
    { ...STATUS, name: '' },
    { ...STATUS, value: 5 },
    { ...STATUS, kind: 'secret' },
    { name: 'Labels', kind: 'choices', value: ['a', 1] },
    { name: 'Mine', kind: 'switch', value: 'yes' },
    { name: 'Most', kind: 'number', value: Number.NaN },
    { name: 'Most', kind: 'number', value: '5' },
  ];
  expect(values(STATUS, ...wrong)).toEqual([STATUS]);
});

test('what is too long to be a choice is left out, and names are cut', () => {
  const long = 'x'.repeat(81);
  expect(values({ ...STATUS, value: long }, { name: 'Words', kind: 'text', value: long })).toBeUndefined();
  expect(values({ name: 'Labels', kind: 'choices', value: [long] })).toBeUndefined();
  expect(values({ name: 'Labels', kind: 'choices', value: Array(31).fill('a') })).toBeUndefined();
  const [cut] = values({ ...STATUS, name: long, options: ['', 5, long, ...Array(40).fill('o')] }) ?? [];
  expect(cut?.name).toHaveLength(80);
  expect(cut?.options?.[0]).toHaveLength(80);
  expect(cut?.options).toHaveLength(28);
  const many = Array.from({ length: 30 }, (_, at) => ({ ...STATUS, name: `Field ${at}` }));
  expect(values(...many)).toHaveLength(20);
  const named = usedIn(used([STATUS], { form: long, button: long }), { tab: 1, site: A }, KNOWN);
  expect([named?.form.length, named?.button.length]).toEqual([80, 60]);
});
