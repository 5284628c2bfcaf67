/**
 * PDFs that browsers show where no script of the companion runs: files of the disk, and all PDFs in Firefox.
 *
 * Such a tab is told by its address alone, and only where the person lets the companion read its site. Files are never
 * opened here: the companion has no right to, and asks for none.
 */

/** @typedef {import('./front.js').Open} Open */
/** @typedef {import('./front.js').Tab} Tab */
/** @typedef {import('./front.js').Window} Window */

/** The site of all files of the disk. */
const FILES = 'file://';

/** An address of the web that ends as a file, or lies in a folder, of PDFs. */
const OF_WEB = /\.pdf$|\/pdf\/[^/]+$/i;
const OF_DISK = /\.pdf$/i;

/**
 * The document of a tab whose address is that of a PDF: named by tab and address, since it never speaks.
 * @param {Tab} tab
 * @returns {Open | null}
 */
export function viewerOf({ id, url, incognito, status }) {
  if (id === undefined || incognito || status !== 'complete' || url === undefined || !URL.canParse(url)) return null;
  const { protocol, pathname, origin, host } = new URL(url);
  const isFile = protocol === 'file:' && host === '' && OF_DISK.test(pathname);
  const isWeb = /^https?:$/.test(protocol) && OF_WEB.test(pathname);
  if (!isFile && !isWeb) return null;
  const document = `viewer-${id}-${named(url.replace(/#.*$/s, ''))}`;
  return { tab: id, document, site: isFile ? FILES : origin, tools: [], pdf: true, viewer: true };
}

/**
 * The open documents, and the PDF in front where it is one of those that never speak.
 * @param {Window | null} window
 * @param {ReadonlyMap<number, Open>} open
 * @returns {Promise<ReadonlyMap<number, Open>>}
 */
export async function withViewer(window, open) {
  const tab = window?.tabs?.find(({ active }) => active);
  const viewer = window === null || window.incognito || tab === undefined ? null : viewerOf(tab);
  if (viewer === null || open.has(viewer.tab) || !(await isLetIn(viewer, tab?.url))) return open;
  return new Map(open).set(viewer.tab, viewer);
}

/**
 * The document in a tab: one that told of itself, or a PDF that never speaks.
 * @param {number} id
 * @param {ReadonlyMap<number, Open>} open
 * @returns {Promise<Open | null>}
 */
export async function standingIn(id, open) {
  const known = open.get(id);
  // A browser throws at a number that no tab has.
  if (known !== undefined || id < 0) return known ?? null;
  const tab = await chrome.tabs.get(id).catch(() => null);
  const viewer = tab === null ? null : viewerOf(tab);
  return viewer !== null && (await isLetIn(viewer, tab?.url)) ? viewer : null;
}

/**
 * Whether the companion may know of that document: in Chromium every PDF of the web speaks for itself where it may.
 * @param {Open} viewer
 * @param {string} [url]
 */
export async function isLetIn({ site }, url = '') {
  if (site === FILES) return true;
  if (!('getBrowserInfo' in chrome.runtime)) return false;
  const { protocol, hostname } = new URL(url);
  return chrome.permissions.contains({ origins: [`${protocol}//${hostname}/*`] }).catch(() => false);
}

/**
 * A short name of a text: only tabs are told apart by it.
 * @param {string} text
 */
function named(text) {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ Number(letter.codePointAt(0)), 0x01000193);
  return (hash >>> 0).toString(16);
}
