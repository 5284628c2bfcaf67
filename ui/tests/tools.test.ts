/** What programs may call: counting, finding, choosing. */
import { expect, test } from 'vitest';
import type { ListedToolkit } from '../src/bindings/ListedToolkit';
import { chosenOf, hasOff, listed, moved, noTools, onOf, taken } from '../src/tools/tools';

const toolkit = (name: string, tools: [name: string, on: boolean][]): ListedToolkit => ({
  name,
  doc: `About ${name}`,
  source: 'built_in',
  switchable: true,
  tools: tools.map(([tool, on]) => ({ name: tool, doc: `Does ${tool}`, class: 'read', on })),
});
const ALL = [
  toolkit('clock', [['now', true]]),
  toolkit('mail', [
    ['read', true],
    ['send', false],
  ]),
  toolkit('web', [['fetch', false]]),
];
const view = taken(noTools, ALL);

test('what is on is counted', () => {
  expect(ALL.map((one) => [onOf(one), hasOff(one)])).toEqual([
    [1, false],
    [1, true],
    [0, true],
  ]);
});

test('toolkits are found by their tools, and by whether something of them is off', () => {
  expect(listed({ ...view, text: 'mail.send' }).map(({ name }) => name)).toEqual(['mail']);
  expect(listed({ ...view, text: 'does fetch' }).map(({ name }) => name)).toEqual(['web']);
  expect(listed({ ...view, off: true }).map(({ name }) => name)).toEqual(['mail', 'web']);
});

test('one is looked at as long as it is listed, and the choice stops at the ends', () => {
  expect(chosenOf(view)?.name).toBe('clock');
  expect(chosenOf(moved(view, Infinity))?.name).toBe('web');
  expect(chosenOf(moved(view, -Infinity))?.name).toBe('clock');
  const last = moved(view, 2);
  expect(chosenOf({ ...last, text: 'mail' })?.name).toBe('mail');
  expect(chosenOf(taken(last, ALL.slice(0, 2)))?.name).toBe('clock');
  expect(chosenOf(noTools)).toBeNull();
});
