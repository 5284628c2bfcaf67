/**
 * Asks a page for what it holds, has the file of a PDF fetched, and opens addresses beside pages.
 *
 * Only for a document that still stands in its tab; keeps nothing of what it was told.
 */
import './pdf.js';
import { PDF_PIECE_CHARS, PDF_PIECES_MAX, pieces, PIECES_MAX } from './bounds.js';
import { CLOSED } from './calls.js';
import { siteOf } from './front.js';
import { isLetIn, viewerOf } from './viewers.js';

/** @typedef {import('./messages.js').Place} Place */

/**
 * What a page holds, in the messages in which it passes.
 * @param {import('./messages.js').ReadMessage} message
 * @param {ReadonlyMap<number, import('./front.js').Open>} open
 * @param {boolean} asksPage Whether the page may be asked for its own context.
 * @returns {Promise<import('./messages.js').ToShidi[]>}
 */
export async function readPage({ type, ask, ...place }, open, asksPage) {
  if (type === 'read_pdf') return pdfOf(ask, place, open);
  const asking = { action: 'read', document: place.document, asksPage };
  const reply = isOpen(place, open)
    ? await chrome.tabs.sendMessage(place.tab, asking, { frameId: 0 }).catch(() => null)
    : null;
  const all = reply?.taken === true ? pieces(String(reply.content)) : [];
  if (all.length === 0 || all.length > PIECES_MAX)
    return [{ type: 'not_read', ask, message: String(reply?.message ?? CLOSED) }];
  return all.map((piece, index) => ({ type: 'content', ask, index, count: all.length, piece }));
}

/**
 * The file of a PDF, in the messages in which it passes.
 * @param {string} ask
 * @param {Place} place
 * @param {ReadonlyMap<number, import('./front.js').Open>} open
 * @returns {Promise<import('./messages.js').ToShidi[]>}
 */
async function pdfOf(ask, place, open) {
  const asking = { action: 'pdf', document: place.document };
  const reply = isOpen(place, open)
    ? await chrome.tabs.sendMessage(place.tab, asking, { frameId: 0 }).catch(() => null)
    : await fetchedBeside(place);
  const all = pdfPieces(ask, typeof reply?.base64 === 'string' ? reply.base64 : '');
  return all.length > 0 ? all : [{ type: 'not_read', ask, message: String(reply?.why ?? CLOSED) }];
}

/**
 * A file in Base64 in pieces that pass; none where it is too long.
 * @param {string} ask
 * @param {string} base64
 * @returns {import('./messages.js').ToShidi[]}
 */
export function pdfPieces(ask, base64) {
  const count = Math.ceil(base64.length / PDF_PIECE_CHARS);
  if (count > PDF_PIECES_MAX) return [];
  return Array.from({ length: count }, (_, index) => {
    const piece = base64.slice(index * PDF_PIECE_CHARS, (index + 1) * PDF_PIECE_CHARS);
    return { type: 'pdf_piece', ask, index, count, piece };
  });
}

/**
 * The file of a PDF beside which no script runs; only while its tab still shows it, and never one of the disk.
 * @param {Place} place
 */
async function fetchedBeside({ tab, document, site }) {
  const shown = await chrome.tabs.get(tab).catch(() => null);
  const viewer = shown === null ? null : viewerOf(shown);
  if (shown?.url === undefined || viewer === null || siteOf(shown.url) !== site || viewer.document !== document)
    return null;
  return (await isLetIn(viewer, shown.url)) ? globalThis.shidiPdf.fetched(shown.url) : null;
}

/**
 * Whether a document is still what stands in its tab, of the site that is meant.
 * @param {Place} place
 * @param {ReadonlyMap<number, import('./front.js').Open>} open
 */
function isOpen({ tab, document, site }, open) {
  const page = open.get(tab);
  return page?.document === document && page.site === site;
}

/**
 * Opens an address in a new tab beside the page; only a web address.
 * @param {import('./messages.js').CallMessage} message
 * @returns {Promise<{event: 'failed', message: string} | {event: 'returned', value: string}>}
 */
export async function openBeside({ tab, arguments: given }) {
  const { url } = /** @type {{url?: unknown}} */ (given);
  if (typeof url !== 'string' || siteOf(url) === null)
    return { event: 'failed', message: 'only an address of the web can be opened' };
  // The page's own window is never a private one; the one in front may be.
  const beside = await chrome.tabs.get(tab).catch(() => null);
  const opened =
    beside === null ? null : await chrome.tabs.create({ url, windowId: beside.windowId }).catch(() => null);
  return opened === null
    ? { event: 'failed', message: CLOSED }
    : { event: 'returned', value: JSON.stringify({ done: true, url }) };
}
