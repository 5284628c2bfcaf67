/**
 * Which page the person looks at, and what Shidi is told of it.
 *
 * Pure: the browser window that had the focus last goes in, messages come out. Another program in front changes
 * nothing but that the window has no focus, by which several browsers are told apart; a private window, a page of the
 * browser itself and a page that has not told of itself are no page. Each message is sent once.
 */
import { clip, PAGE_TITLE_MAX_CHARS, URL_MAX_CHARS } from './bounds.js';
import { viewerOf } from './viewers.js';

/** @typedef {import('./bounds.js').Tool} Tool */
/** @typedef {import('./messages.js').PageMessage} PageMessage */

/**
 * @typedef {import('./messages.js').Place & {tools: Tool[], pdf?: boolean, viewer?: boolean}} Open A document in a tab, as
 *   it told of itself. `pdf`: the browser shows a PDF there; `viewer`: where no script runs, so it never speaks.
 */
/** @typedef {{id?: number, active: boolean, incognito: boolean, url?: string, title?: string, status?: string}} Tab */
/** @typedef {{incognito: boolean, focused?: boolean, tabs?: Tab[]}} Window */
/** @typedef {PageMessage | {type: 'no_page'}} Front */
/** @typedef {{tab: number, document: string}} Viewer A document that never speaks, also of its end. */
/** @typedef {{front: Front | null, viewers: readonly Viewer[]}} Told What Shidi knows on this connection. */
/** @typedef {{told: Told, messages: (Front | import('./messages.js').AboutDocument)[]}} Step */

/** @type {Told} */
export const NOTHING_TOLD = { front: null, viewers: [] };

/** As many pages of a browser are remembered by the other side. */
const VIEWERS_MAX = 64;

/**
 * @param {Told} told
 * @param {Window | null} window
 * @param {ReadonlyMap<number, Open>} open
 * @returns {Step}
 */
export function looked(told, window, open) {
  const front = frontOf(window, open, told.front);
  if (front === null) return { told, messages: [] };
  const left = told.viewers.filter((viewer) => hasLeft(viewer, front, window, open));
  const viewers = told.viewers.filter((viewer) => !left.includes(viewer));
  if (front.type === 'page' && open.get(front.tab)?.viewer === true && !viewers.some(isIn(front.tab)))
    viewers.push({ tab: front.tab, document: front.document });
  const isNews = JSON.stringify(front) !== JSON.stringify(told.front);
  return {
    told: { front, viewers: viewers.slice(-VIEWERS_MAX) },
    messages: [...left.map(gone), ...(isNews ? [front] : [])],
  };
}

/**
 * A tab is closed, or holds no document any more: what never spoke there is gone with it.
 * @param {Told} told
 * @param {number} tab
 * @returns {{told: Told, messages: import('./messages.js').AboutDocument[]}}
 */
export function closedTab(told, tab) {
  const closed = told.viewers.filter(isIn(tab));
  if (closed.length === 0) return { told, messages: [] };
  // It is told anew should the tab be shown again.
  const front = told.front?.type === 'page' && told.front.tab === tab ? null : told.front;
  return { told: { front, viewers: told.viewers.filter((viewer) => viewer.tab !== tab) }, messages: closed.map(gone) };
}

/** @param {number} tab */
function isIn(tab) {
  return (/** @type {Viewer} */ viewer) => viewer.tab === tab;
}

/**
 * @param {Viewer} viewer
 * @returns {import('./messages.js').AboutDocument}
 */
function gone({ tab, document }) {
  return { type: 'gone', tab, document };
}

/**
 * A viewer does not say that its document is gone: whatever else stands in its tab says so.
 * @param {Viewer} viewer
 * @param {Front} front
 * @param {Window | null} window
 * @param {ReadonlyMap<number, Open>} open
 */
function hasLeft(viewer, front, window, open) {
  const tab = window?.tabs?.find(({ id }) => id === viewer.tab);
  if (tab === undefined) return false;
  if (tab.active) return front.type !== 'page' || front.document !== viewer.document;
  const speaking = open.get(viewer.tab);
  if (speaking !== undefined) return speaking.document !== viewer.document;
  return tab.status === 'complete' && viewerOf(tab)?.document !== viewer.document;
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
