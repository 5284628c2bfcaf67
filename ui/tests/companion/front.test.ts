/** Which page is in front, and what is told of it. */
import { expect, test } from 'vitest';
import { looked, NOTHING_TOLD, siteOf, type Open, type Tab, type Window } from '../../companion/front.js';

const TOOLS = [{ name: 'get_context', description: 'd', schema: {}, reads_only: true }];
const OPEN = new Map<number, Open>([
  [1, { tab: 1, document: 'd1', site: 'https://a.example', tools: TOOLS }],
  [2, { tab: 2, document: 'd2', site: 'http://b.example:8080', tools: [] }],
]);

function tab(id: number, url: string, more: Partial<Tab> = {}): Tab {
  return { id, url, title: `Title ${id}`, active: true, incognito: false, status: 'complete', ...more };
}
const A = tab(1, 'https://a.example/x?y#z');
const B = tab(2, 'http://b.example:8080/');
const window = (...tabs: Tab[]): Window => ({ incognito: false, focused: true, tabs });
const PAGE_A = {
  type: 'page',
  tab: 1,
  document: 'd1',
  url: 'https://a.example/x?y#z',
  title: 'Title 1',
  focused: true,
  tools: TOOLS,
};

const first = (at: Window | null) => looked(NOTHING_TOLD, at, OPEN).messages;

test('the active tab of the window that had the focus last is in front', () => {
  expect(first(window({ ...B, active: false }, A))).toEqual([PAGE_A]);
});

test('another program in front changes nothing but who has the focus, and coming back is told', () => {
  const { told } = looked(NOTHING_TOLD, window(A), OPEN);
  expect(looked(told, window(A), OPEN).messages).toEqual([]);
  const away = looked(told, { ...window(A), focused: false }, OPEN);
  expect(away.messages).toEqual([{ ...PAGE_A, focused: false }]);
  expect(looked(away.told, window(A), OPEN).messages).toEqual([PAGE_A]);
});

test('a tab, an address, a title and tools that change are told, each once', () => {
  let { told } = looked(NOTHING_TOLD, window(A), OPEN);
  const richer = new Map(OPEN).set(1, { tab: 1, document: 'd1', site: 'https://a.example', tools: [] });
  for (const [at, open] of [
    [window({ ...A, active: false }, B), OPEN],
    [window(A), OPEN],
    [window({ ...A, url: 'https://a.example/other' }), OPEN],
    [window({ ...A, title: 'Another' }), OPEN],
    [window({ ...A, title: 'Another' }), richer],
  ] as const) {
    const step = looked(told, at, open);
    ({ told } = step);
    expect(step.messages).toHaveLength(1);
    expect(looked(told, at, open).messages).toEqual([]);
  }
});

test('what is no web page, is private or has said nothing is no page', () => {
  const others = [
    null,
    { incognito: false, tabs: [] },
    { incognito: true, tabs: [A] },
    window({ ...A, incognito: true }),
    window(tab(3, 'https://silent.example/')),
    window(tab(1, 'chrome://settings')),
    window(tab(1, 'https://a.example.evil.example/')),
    window({ id: 1, active: true, incognito: false }),
  ];
  for (const at of others) expect(first(at), JSON.stringify(at)).toEqual([{ type: 'no_page' }]);
});

test('a page that is on its way in the same tab is waited for; another tab is not', () => {
  const { told } = looked(NOTHING_TOLD, window(A), OPEN);
  const on = new Map([...OPEN].filter(([id]) => id !== 1));
  expect(looked(told, window({ ...A, status: 'loading' }), on).messages).toEqual([]);
  expect(looked(told, window(A), on).messages).toEqual([{ type: 'no_page' }]);
  expect(looked(told, window(tab(3, 'https://c.example/', { status: 'loading' })), on).messages).toEqual([
    { type: 'no_page' },
  ]);
});

test('an address goes without name and password, and within its bounds', () => {
  const [secret] = first(window({ ...A, url: 'https://me:secret@a.example/x' }));
  expect(secret).toMatchObject({ url: 'https://a.example/x' });
  const [long] = first(window({ ...A, url: `https://a.example/${'x'.repeat(9_000)}`, title: 'y'.repeat(900) }));
  expect(long?.type === 'page' && [new TextEncoder().encode(long.url).length, long.title.length]).toEqual([4_096, 300]);
});

test('only web pages have a site', () => {
  expect(siteOf('https://a.example:8443/x')).toBe('https://a.example:8443');
  for (const address of [
    undefined,
    '',
    'no address',
    'file:///etc/passwd',
    'about:blank',
    'data:text/html,x',
    'chrome-extension://abc/popup.html',
  ]) {
    expect(siteOf(address), String(address)).toBeNull();
  }
});
