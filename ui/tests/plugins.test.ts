/** Plugins: the order of a list, what is found in it, and what one brings. */
import { expect, test } from 'vitest';
import type { ListedPlugin } from '../src/bindings/ListedPlugin';
import type { PluginStanding } from '../src/bindings/PluginStanding';
import { isWebAddress, listed, partsOf } from '../src/plugins/plugins';

const plugin = (name: string, standing: PluginStanding, description = ''): ListedPlugin => ({
  name,
  version: '1.0',
  description,
  standing,
  from: null,
  problem: null,
});

test('what is to be decided on comes first, what could be installed last', () => {
  const all = [
    plugin('a', 'available'),
    plugin('c', 'kept'),
    plugin('b', 'kept'),
    plugin('z', 'changed'),
    plugin('y', 'broken'),
  ];
  expect(listed(all, '').map(({ name }) => name)).toEqual(['y', 'z', 'b', 'c', 'a']);
});

test('a plugin is found by every word of its name and what it is for', () => {
  const all = [plugin('invoices', 'kept', 'Files them by month'), plugin('stock', 'kept', 'Counts by month')];
  expect(listed(all, ' MONTH  files').map(({ name }) => name)).toEqual(['invoices']);
  expect(listed(all, 'nothing')).toEqual([]);
});

test('only what is there is told of, and other files lead nowhere', () => {
  const none = {
    author: null,
    homepage: null,
    prompts: [],
    tools: [],
    permissions: [],
    of_workflows: [],
    findings: [],
    faults: [],
  };
  const parts = partsOf({ ...none, plugin: plugin('a', 'kept'), workflows: ['a:b'], skills: [], others: ['x.txt'] });
  expect(parts.map(({ section, names }) => [section, names])).toEqual([
    ['workflows', ['a:b']],
    [null, ['x.txt']],
  ]);
});

test('an address that a browser would run is no link', () => {
  expect(isWebAddress('HTTPS://example.org')).toBe(true);
  for (const address of ['javascript:alert(1)', 'file:///etc/passwd', ' https://a', 'ftp://a'])
    expect(isWebAddress(address)).toBe(false);
});
