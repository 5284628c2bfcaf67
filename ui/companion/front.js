/**
 * Which page the person looks at, and what Shidi is told of it.
 *
 * Pure: the browser window that had the focus last goes in, messages come out. Another program in front changes
 * nothing but that the window has no focus, by which several browsers are told apart; a private window, a page of the
 * browser itself and a page that has not told of itself are no page. Each message is sent once.
 */
import { clip, PAGE_TITLE_MAX_CHARS, URL_MAX_CHARS } from './bounds.js';

/** @typedef {import('./bounds.js').Tool} Tool */
/** @typedef {import('./messages.js').PageMessage} PageMessage */

/**
 * @typedef {import('./messages.js').Place & {tools: Tool[], pdf?: boolean, viewer?: boolean}} Open A document in a tab, as
 *   it told of itself. `pdf`: the browser shows a PDF there; `viewer`: where no script runs, so it never speaks.
 */
/** @typedef {{id?: number, active: boolean, incognito: boolean, url?: string, title?: string, status?: string}} Tab */
/** @typedef {{incognito: boolean, focused?: boolean, tabs?: Tab[]}} Window */
/** @typedef {PageMessage | {type: 'no_page'}} Front */
/** @typedef {{front: Front | null}} Told What Shidi knows on this connection. */
/** @typedef {{told: Told, messages: (Front | import('./messages.js').AboutDocument)[]}} Step */

/** @type {Told} */
export const NOTHING_TOLD = { front: null };

/**
 * @param {Told} told
 * @param {Window | null} window
 * @param {ReadonlyMap<number, Open>} open
 * @returns {Step}
 */
export function looked(told, window, open) {
  const front = frontOf(window, open, told.front);
  if (front === null || JSON.stringify(front) === JSON.stringify(told.front)) return { told, messages: [] };
  return { told: { front }, messages: [...leftViewer(told.front, front, window), front] };
}

/**
 * A viewer does not say that its document is gone: whatever else stands in its tab says so.
 * @param {Front | null} before
 * @param {Front} front
 * @param {Window | null} window
 * @returns {import('./messages.js').AboutDocument[]}
 */
function leftViewer(before, front, window) {
  if (before?.type !== 'page' || !before.document.startsWith('viewer-')) return [];
  const isHere = window?.tabs?.some(({ id, active }) => active && id === before.tab) === true;
  const isSame = front.type === 'page' && front.document === before.document;
  return isHere && !isSame ? [{ type: 'gone', tab: before.tab, document: before.document }] : [];
}

/**
 * The site of an address: scheme, host and port; nothing for what is no web page.
 * @param {string | undefined} address
 */
export function siteOf(address) {
  const url = parsed(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/**
 * Where a message comes from, as the browser knows it; nothing for what is not the top of a page in a normal window.
 * @param {chrome.runtime.MessageSender & {origin?: string}} sender
 */
export function placeOf({ tab, frameId, url, origin }) {
  const site = siteOf(url);
  if (tab?.id === undefined || tab.incognito || frameId !== 0 || site === null || (origin ?? site) !== site)
    return null;
  return { tab: tab.id, site };
}

/**
 * @param {Window | null} window
 * @param {ReadonlyMap<number, Open>} open
 * @param {Front | null} before
 * @returns {Front | null} Nothing while it is not decided.
 */
function frontOf(window, open, before) {
  const tab = window?.tabs?.find(({ active }) => active);
  if (window === null || window.incognito || tab === undefined || tab.incognito) return { type: 'no_page' };
  const page = open.get(tab.id ?? -1);
  if (page !== undefined && (page.viewer === true || siteOf(tab.url) === page.site))
    return pageMessage(page, tab, window.focused === true);
  // The page that was in front is being left in the same tab: that it is gone is told, and the next one speaks soon.
  const leaving = before?.type === 'page' && before.tab === tab.id && tab.status === 'loading';
  return leaving ? null : { type: 'no_page' };
}

/**
 * @param {Open} page
 * @param {Tab} tab
 * @param {boolean} focused
 * @returns {PageMessage}
 */
function pageMessage({ tab, document, tools, pdf }, { url, title }, focused) {
  return {
    type: 'page',
    tab,
    document,
    url: cut(withoutUser(url)),
    title: clip(title, PAGE_TITLE_MAX_CHARS),
    focused,
    tools,
    ...(pdf === true ? { pdf } : {}),
  };
}

/**
 * An address can carry a name and a password.
 * @param {string | undefined} address
 */
function withoutUser(address) {
  const url = parsed(address);
  if (url === null || (url.username === '' && url.password === '')) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * An address is counted in bytes by others, and says in its own letters that it was cut.
 * @param {string} [address]
 */
function cut(address = '') {
  return address.length <= URL_MAX_CHARS ? address : `${address.slice(0, URL_MAX_CHARS - 3)}...`;
}

/** @param {string | undefined} address */
function parsed(address) {
  return address !== undefined && URL.canParse(address) ? new URL(address) : null;
}
