/**
 * What outlives the background worker, which the browser ends and starts as it likes.
 *
 * The pairing stays on the disk of the browser's profile; calls, results and open documents stay in memory until the
 * browser ends. Pages can read none of it.
 */

/** @typedef {import('./calls.js').Entry} Entry */
/** @typedef {import('./front.js').Open} Open */

const CALL = 'call:';
const DOCUMENTS = 'documents';
const LEARNED = 'learned';

/** What results leave of the 10 MB that a browser keeps. Tools beyond it are asked for anew. */
const TOOLS_MAX_CHARS = 1_000_000;

/** Keeps the scripts beside pages out: browsers let them read the pairing otherwise. Firefox has no such lock yet. */
export async function close() {
  const lock = /** @type {{setAccessLevel?: typeof chrome.storage.local.setAccessLevel}} */ (chrome.storage.local);
  await lock.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });
}

/** @returns {Promise<{ledger: Map<string, Entry>, open: Map<number, Open>, learned: ReadonlySet<string>}>} */
export async function recalled() {
  const kept = await chrome.storage.session.get(null);
  const entries = Object.entries(kept).filter(([key]) => key.startsWith(CALL));
  const ledger = new Map(
    entries.map(([key, entry]) => [key.slice(CALL.length), /** @type {Entry} */ (JSON.parse(String(entry)))]),
  );
  const documents = /** @type {Open[]} */ (JSON.parse(String(kept[DOCUMENTS] ?? '[]')));
  const learned = /** @type {string[]} */ (JSON.parse(String(kept[LEARNED] ?? '[]')));
  return { ledger, open: new Map(documents.map((one) => [one.tab, one])), learned: new Set(learned) };
}

/**
 * Written as text, which takes as much room as it is long; a list of numbers would take ten times as much.
 * @param {string} call
 * @param {Entry} entry
 */
export async function keepCall(call, entry) {
  await chrome.storage.session.set({ [CALL + call]: JSON.stringify(entry) });
}

/** @param {string} call */
export async function dropCall(call) {
  await chrome.storage.session.remove(CALL + call);
}

/** @param {ReadonlyMap<number, Open>} open */
export async function keepDocuments(open) {
  let room = TOOLS_MAX_CHARS;
  const documents = [...open.values()].map((one) => {
    room -= JSON.stringify(one.tools).length;
    return room >= 0 ? one : { ...one, tools: [] };
  });
  await chrome.storage.session.set({ [DOCUMENTS]: JSON.stringify(documents) });
}

/** @param {ReadonlySet<string>} sites */
export async function keepLearned(sites) {
  await chrome.storage.session.set({ [LEARNED]: JSON.stringify([...sites]) });
}

/** @returns {Promise<{token?: unknown, refused?: unknown}>} */
export async function pairing() {
  return chrome.storage.local.get(['token', 'refused']);
}

/**
 * @param {string | null} token
 * @param {string | null} refused
 */
export async function keepPairing(token, refused) {
  await chrome.storage.local.set({ token, refused });
}
