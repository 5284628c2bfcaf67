/**
 * What the companion and Shidi say to each other: version 1.
 *
 * Reads what comes from the host, which is data too: unknown kinds are left out, and a field of a wrong form becomes an
 * empty one, so that a call always gets an answer. Says nothing by itself.
 */
import { clip, ID_MAX_CHARS } from './bounds.js';

/** @typedef {import('./bounds.js').Tool} Tool */

/** @typedef {{type: 'returned', call: string, value: unknown} | {type: 'failed', call: string, message: string}} Answer */
/** @typedef {{type: 'page', tab: number, document: string, url: string, title: string, focused: boolean, tools: Tool[], pdf?: true}} PageMessage `pdf`: the browser shows one there, and its file is what can be read. */
/** @typedef {{type: 'gone' | 'acted', tab: number, document: string}} AboutDocument */

/**
 * @typedef {{type: 'hello', version: number, browser: string, token: string | null} | PageMessage | AboutDocument
 *   | {type: 'no_page' | 'forget'} | Answer | {type: 'unknown' | 'running', call: string}
 *   | {type: 'content' | 'pdf_piece', ask: string, index: number, count: number, piece: string}
 *   | {type: 'not_read', ask: string, message: string} | import('./learning.js').UsedMessage} ToShidi
 */

/** @typedef {'version' | 'declined' | 'forgotten'} Reason */
/** @typedef {{tab: number, document: string, site: string}} Place One document, and the site that it belongs to. */
/** @typedef {{type: 'call', call: string, tool: string, arguments: object, own: boolean} & Place} CallMessage `own`: the companion itself does it, and not the page. */
/** @typedef {{type: 'read' | 'read_pdf', ask: string} & Place} ReadMessage `read_pdf`: the file of a PDF. */
/** @typedef {{type: 'again', call: string, place: Place | null}} AgainMessage `place`: where the call was to run. */
/** @typedef {AgainMessage | {type: 'cancel' | 'settled', call: string}} AboutCall */
/**
 * @typedef {{type: 'pair', code: string} | {type: 'paired', token: string} | {type: 'welcome'}
 *   | {type: 'refused', reason: Reason}} Pairing
 */
/** @typedef {{type: 'site', site: string, allowed: boolean, learn: boolean}} SiteMessage `learn`: whether what is chosen in its forms is noticed. */
/** @typedef {Pairing | SiteMessage | CallMessage | AboutCall | ReadMessage} FromShidi */

export const VERSION = 1;

/** Longest token that is kept. */
const TOKEN_MAX_CHARS = 512;
const SITE_MAX_CHARS = 512;

/**
 * A message of Shidi, or nothing where it is none that is known.
 * @param {unknown} raw
 * @returns {FromShidi | null}
 */
export function read(raw) {
  if (typeof raw !== 'object' || raw === null) return null;
  const fields = /** @type {Record<string, unknown>} */ (raw);
  switch (fields['type']) {
    case 'pair':
      return isText(fields['code'], ID_MAX_CHARS) ? { type: 'pair', code: clip(fields['code'], 12) } : null;
    case 'paired':
      return isText(fields['token'], TOKEN_MAX_CHARS) ? { type: 'paired', token: fields['token'] } : null;
    case 'welcome':
      return { type: 'welcome' };
    case 'refused':
      return { type: 'refused', reason: reasonOf(fields['reason']) };
    case 'site':
      return isText(fields['site'], SITE_MAX_CHARS)
        ? { type: 'site', site: fields['site'], allowed: fields['allowed'] === true, learn: fields['learn'] === true }
        : null;
    case 'read':
    case 'read_pdf':
      return isText(fields['ask'], ID_MAX_CHARS)
        ? { type: fields['type'], ask: fields['ask'], ...placeOf(fields) }
        : null;
    default:
      return aboutCall(fields);
  }
}

/**
 * @param {Record<string, unknown>} fields
 * @returns {CallMessage | AboutCall | null}
 */
function aboutCall({ type, call, ...rest }) {
  if (!isText(call, ID_MAX_CHARS)) return null;
  if (type === 'cancel' || type === 'settled') return { type, call };
  if (type === 'again') return { type, call, place: rest['document'] === undefined ? null : placeOf(rest) };
  if (type !== 'call') return null;
  const given = rest['arguments'];
  return {
    type,
    call,
    ...placeOf(rest),
    tool: clip(rest['tool'], ID_MAX_CHARS),
    arguments: typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {},
    own: rest['own'] === true,
  };
}

/**
 * @param {Record<string, unknown>} fields
 * @returns {Place}
 */
function placeOf({ tab, document, site }) {
  return {
    tab: Number.isInteger(tab) ? Number(tab) : -1,
    document: clip(document, ID_MAX_CHARS),
    site: clip(site, SITE_MAX_CHARS),
  };
}

/**
 * A reason that is not known is one that a newer Shidi has.
 * @param {unknown} reason
 * @returns {Reason}
 */
function reasonOf(reason) {
  return reason === 'declined' || reason === 'forgotten' ? reason : 'version';
}

/**
 * @param {unknown} value
 * @param {number} chars
 * @returns {value is string}
 */
function isText(value, chars) {
  return typeof value === 'string' && value !== '' && value.length <= chars;
}
