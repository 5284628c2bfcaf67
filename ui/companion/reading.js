/**
 * Asks a page for what it holds, and opens addresses beside it.
 *
 * Only for a document that still stands in its tab; keeps nothing of what it was told.
 */
import { pieces, PIECES_MAX } from './bounds.js';
import { CLOSED } from './calls.js';
import { siteOf } from './front.js';

/** @typedef {import('./messages.js').Place} Place */

/**
 * What a page holds, in the messages in which it passes.
 * @param {import('./messages.js').ReadMessage} message
 * @param {ReadonlyMap<number, import('./front.js').Open>} open
 * @param {boolean} asksPage Whether the page may be asked for its own context.
 * @returns {Promise<import('./messages.js').ToShidi[]>}
 */
export async function readPage({ ask, ...place }, open, asksPage) {
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
