/** PDFs that the browser shows: how their file is fetched, and which of them are told by their address alone. */
import { expect, test, vi } from 'vitest';
import '../../companion/pdf.js';
import { PDF_PIECE_CHARS, PDF_PIECES_MAX } from '../../companion/bounds.js';
import { closedTab, looked, NOTHING_TOLD, type Open, type Tab, type Window } from '../../companion/front.js';
import { read } from '../../companion/messages.js';
import { pdfPieces } from '../../companion/reading.js';
import { standingIn, viewerOf, withViewer } from '../../companion/viewers.js';

const { fetched } = globalThis.shidiPdf;
const MB = 1024 * 1024;

function answering(body: BodyInit | null, headers: Record<string, string> = {}, status = 200) {
  const answer = new Response(body, { status, headers: { 'content-type': 'application/pdf', ...headers } });
  return vi.fn<typeof fetch>(() => Promise.resolve(answer));
}

test('the file is fetched as its page would fetch it, and passes byte for byte', async () => {
  const bytes = new Uint8Array(100_001).map((_, index) => index % 251);
  bytes.set(new TextEncoder().encode('%PDF-1.7'));
  const get = answering(bytes);
  const file = await fetched('https://a.example/tides.pdf#page=2', get);
  expect('base64' in file && Buffer.from(file.base64, 'base64').equals(Buffer.from(bytes))).toBe(true);
  expect(get.mock.calls[0]?.[0]).toBe('https://a.example/tides.pdf');
  expect(get.mock.calls[0]?.[1]).toMatchObject({ credentials: 'include', redirect: 'error' });
});

test('what comes in place of the file is not passed on', async () => {
  const html = { 'content-type': 'text/html' };
  for (const get of [
    answering('<p>Sign in'),
    answering('%PDF-1.7', html),
    answering('%PDF-1.7', {}, 403),
    answering(null),
    vi.fn<typeof fetch>(() => Promise.reject(new TypeError('it leads elsewhere'))),
  ])
    expect(await fetched('https://a.example/tides.pdf', get)).toEqual({ why: 'not_given' });
});

test('a file that is too large is given up, by what the server says of it or after what has come', async () => {
  expect(await fetched('https://a.example/x', answering('%PDF-', { 'content-length': String(21 * MB) }))).toEqual({
    why: 'too_large',
  });
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(MB));
    },
  });
  expect(await fetched('https://a.example/x', answering(endless))).toEqual({ why: 'too_large' });
  expect(sent).toBeLessThan(30);
});

test('a file passes in pieces that can be read one by one, and not at all beyond the bound', () => {
  const base64 = Buffer.from(new Uint8Array(1_600_000).fill(7)).toString('base64');
  const all = pdfPieces('pdf-1', base64);
  expect(all.map((one) => one.type === 'pdf_piece' && [one.index, one.count])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ]);
  const bytes = all.map((one) => Buffer.from(one.type === 'pdf_piece' ? one.piece : '', 'base64'));
  expect(Buffer.concat(bytes).toString('base64')).toBe(base64);
  expect(pdfPieces('pdf-1', '')).toEqual([]);
  expect(pdfPieces('pdf-1', 'A'.repeat(PDF_PIECE_CHARS * PDF_PIECES_MAX + 4))).toEqual([]);
});

test('the file is asked for in a message of its own', () => {
  const asked = { type: 'read_pdf', ask: 'pdf-1', tab: 3, document: 'd', site: 'https://a.example' };
  expect(read(asked)).toEqual(asked);
  expect(read({ ...asked, ask: '' })).toBeNull();
});

const tab = (url: string, more: Partial<Tab> = {}): Tab => ({
  id: 3,
  url,
  title: 'tides.pdf',
  active: true,
  incognito: false,
  status: 'complete',
  ...more,
});
const window = (shown: Tab): Window => ({ incognito: false, focused: true, tabs: [shown] });
const FILE = 'file:///home/mei/tides.pdf';

test('a tab that never speaks is a PDF by its whole address, and by nothing that stands behind it', () => {
  expect(viewerOf(tab(FILE))).toMatchObject({ tab: 3, site: 'file://', tools: [], pdf: true });
  expect(viewerOf(tab('https://a.example:8443/pdf/1706.03762'))).toMatchObject({ site: 'https://a.example:8443' });
  expect(viewerOf(tab(FILE))?.document).toBe(viewerOf(tab(`${FILE}#page=2`))?.document);
  expect(viewerOf(tab(FILE))?.document).not.toBe(viewerOf(tab('file:///home/mei/other.pdf'))?.document);
  for (const none of [
    tab('file:///home/mei/notes.txt'),
    tab('file:///home/mei/pdf/notes'),
    tab('file://elsewhere/tides.pdf'),
    tab('https://a.example/?file=tides.pdf'),
    tab('chrome://tides.pdf'),
    tab('no address'),
    tab(FILE, { incognito: true }),
    tab(FILE, { status: 'loading' }),
  ])
    expect(viewerOf(none), none.url).toBeNull();
});

test('a PDF of the disk is told, and gone once another document stands in its tab', async () => {
  const open = new Map();
  vi.stubGlobal('chrome', { runtime: {} });
  const first = looked(NOTHING_TOLD, window(tab(FILE)), await withViewer(window(tab(FILE)), open));
  const { document } = viewerOf(tab(FILE)) ?? {};
  expect(first.messages).toEqual([
    { type: 'page', tab: 3, document, url: FILE, title: 'tides.pdf', focused: true, tools: [], pdf: true },
  ]);
  const next = tab('file:///home/mei/other.pdf');
  const second = looked(first.told, window(next), await withViewer(window(next), open));
  expect(second.messages).toMatchObject([{ type: 'gone', tab: 3, document }, { type: 'page' }]);
  const notes = window(tab('file:///home/mei/notes.txt'));
  const third = looked(first.told, notes, await withViewer(notes, open));
  expect(third.messages).toEqual([{ type: 'gone', tab: 3, document }, { type: 'no_page' }]);
  const elsewhere = window(tab('file:///home/mei/notes.txt', { id: 4 }));
  expect(looked(first.told, elsewhere, await withViewer(elsewhere, open)).messages).toEqual([{ type: 'no_page' }]);
  const unseen = { ...window(tab(FILE)), incognito: true };
  expect(looked(NOTHING_TOLD, unseen, await withViewer(unseen, open)).messages).toEqual([{ type: 'no_page' }]);
});

test('a PDF that never speaks is told as gone when its tab closes, also behind other tabs, and once', async () => {
  vi.stubGlobal('chrome', { runtime: {} });
  const front = window(tab(FILE));
  const first = looked(NOTHING_TOLD, front, await withViewer(front, new Map()));
  const { document } = viewerOf(tab(FILE)) ?? {};
  const gone = { type: 'gone', tab: 3, document };
  const page = { tab: 4, document: 'd', site: 'https://a.example', tools: [] };
  const open = new Map<number, Open>([[4, page]]);
  const beside = (shown: Partial<Tab>): Window => ({
    incognito: false,
    tabs: [tab(FILE, { active: false, ...shown }), tab('https://a.example/', { id: 4 })],
  });
  const behind = looked(first.told, beside({}), open);
  expect(behind.messages).toMatchObject([{ type: 'page', document: 'd' }]);
  const closed = closedTab(behind.told, 3);
  expect(closed.messages).toEqual([gone]);
  expect(closed.told.front).toEqual(behind.told.front);
  expect(closedTab(closed.told, 3).messages).toEqual([]);
  expect(closedTab(behind.told, 4).messages).toEqual([]);
  // One that leads elsewhere behind the others is gone too; one that loads is not yet.
  const notes = 'file:///home/mei/notes.txt';
  expect(looked(behind.told, beside({ url: notes, status: 'loading' }), open).messages).toEqual([]);
  expect(looked(behind.told, beside({ url: notes }), open).messages).toEqual([gone]);
  // What was closed and is opened in its place is told anew.
  const reopened = looked(closedTab(first.told, 3).told, front, await withViewer(front, new Map()));
  expect(reopened.messages).toMatchObject([{ type: 'page', document }]);
});

test('a PDF that never speaks stands in its tab as long as that shows it, and behind no page that speaks', async () => {
  const speaks = { tab: 3, document: 'd', site: 'https://a.example', tools: [] };
  const shown = (found: Tab | null) =>
    vi.stubGlobal('chrome', {
      runtime: {},
      tabs: { get: () => (found === null ? Promise.reject(new Error('no tab')) : Promise.resolve(found)) },
    });
  shown(tab(FILE));
  expect(await standingIn(3, new Map())).toEqual(viewerOf(tab(FILE)));
  expect(await standingIn(3, new Map([[3, speaks]]))).toBe(speaks);
  shown(tab('https://a.example/tides.pdf'));
  expect(await standingIn(3, new Map())).toBeNull();
  shown(null);
  expect(await standingIn(3, new Map())).toBeNull();
});

test('a PDF of the web that never speaks is told in Firefox alone, and only where its site may be read', async () => {
  const shown = window(tab('https://a.example/tides.pdf'));
  const isTold = async (chrome: object) => {
    vi.stubGlobal('chrome', chrome);
    return (await withViewer(shown, new Map())).has(3);
  };
  const firefox = (may: boolean) => ({
    runtime: { getBrowserInfo: () => undefined },
    permissions: { contains: async () => may },
  });
  expect(await isTold({ runtime: {} })).toBe(false);
  expect(await isTold(firefox(false))).toBe(false);
  expect(await isTold(firefox(true))).toBe(true);
});
