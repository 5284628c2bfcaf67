/**
 * What becomes of each call of a page's tool: run once, answered until the answer was taken over.
 *
 * Pure: an event in, a new ledger and actions out. Knows neither the browser nor the time; who performs the actions keeps
 * their order, so that a call is written down before it runs.
 */
import { clip, MESSAGE_MAX_CHARS } from './bounds.js';
import { understood } from './results.js';

/** @typedef {import('./messages.js').Answer} Answer */
/** @typedef {import('./messages.js').Place} Place */
/** @typedef {import('./messages.js').CallMessage} CallMessage */
/** @typedef {import('./messages.js').AboutCall} AboutCall */

/**
 * @typedef {{state: 'running', place: Place} | {state: 'answered', answer: Answer, bytes: number} | {state: 'over'}} Entry
 *   What is over stays known by its id alone: should it be asked for once more, it does not run again.
 */
/** @typedef {ReadonlyMap<string, Entry>} Ledger */

/**
 * @typedef {{event: 'call', message: CallMessage, open: Place | null} | {event: 'about', message: AboutCall, open: Place | null}
 *   | {event: 'returned', call: string, tab: number, document: string, value: unknown}
 *   | {event: 'failed', call: string, tab: number, document: string, message: string}
 *   | {event: 'gone', tab: number, document: string}
 *   | {event: 'known', tab: number, document: string, asked: string[], calls: string[]} | {event: 'welcome'}} Event
 *   `open` is the document in the tab that the message names; `known` are all calls that a document has taken in, `asked` those that ran when it was asked.
 */

/**
 * @typedef {{action: 'keep', call: string, entry: Entry} | {action: 'drop', call: string}
 *   | {action: 'send', message: Answer | {type: 'unknown' | 'running', call: string}}
 *   | {action: 'run', message: CallMessage} | {action: 'abort', call: string, place: Place}} Action
 */

/** @typedef {{ledger: Ledger, actions: Action[]}} Step */

/** Calls that run or wait to be taken over; a person looks at one page. */
export const OPEN_MAX = 64;

/** Ids that are remembered though their calls are over. */
export const OVER_MAX = 256;

/** The browser keeps 10 MB for a session; pages and ids need their part. */
export const KEPT_MAX_BYTES = 8_000_000;

export const CLOSED = 'the page was closed or has changed';
export const CLOSED_MEANWHILE = `${CLOSED} while it worked on this; look at it before you do it again`;
const NOT_BEGUN = 'the browser stopped before the page was asked; nothing was done';
const TOO_MANY = 'too many calls wait in this browser';
const NO_ROOM =
  'the browser keeps too many results already; this one was lost, look at the page before you do it again';
const OVER = 'this call is over';

/**
 * @param {Ledger} ledger
 * @param {Event} event
 * @returns {Step}
 */
export function step(ledger, event) {
  switch (event.event) {
    case 'call':
      return called(ledger, event.message, event.open);
    case 'about':
      return about(ledger, event.message, event.open);
    case 'returned':
    case 'failed':
      return isRunningIn(ledger.get(event.call), event)
        ? answered(ledger, event.call, answerOf(event))
        : { ledger, actions: [] };
    case 'gone':
      return failAll(ledger, (entry) => isRunningIn(entry, event), CLOSED_MEANWHILE);
    case 'known':
      return failAll(
        ledger,
        (entry, call) => isRunningIn(entry, event) && event.asked.includes(call) && !event.calls.includes(call),
        NOT_BEGUN,
      );
    case 'welcome':
      return { ledger, actions: [...ledger].flatMap(([call, entry]) => news(call, entry)) };
  }
}

/**
 * @param {Ledger} ledger
 * @param {CallMessage} message
 * @param {Place | null} open
 * @returns {Step}
 */
function called(ledger, message, open) {
  const { call, tab, document, site } = message;
  const entry = ledger.get(call);
  if (entry?.state === 'answered') return { ledger, actions: [told(entry.answer)] };
  if (entry?.state === 'running') return { ledger, actions: [] };
  if (entry?.state === 'over') return { ledger, actions: [told({ type: 'failed', call, message: OVER })] };
  const waiting = [...ledger.values()].filter(({ state }) => state !== 'over').length;
  if (waiting >= OPEN_MAX) return { ledger, actions: [told({ type: 'failed', call, message: TOO_MANY })] };
  const place = { tab, document, site };
  if (!isOpen(place, open)) return answered(ledger, call, { type: 'failed', call, message: CLOSED });
  return kept(ledger, call, { state: 'running', place }, { action: 'run', message });
}

/**
 * What is said of a call that nothing is known of: it may have run before the browser was started anew. Where its page
 * is gone nobody will ever give it again, so that it has failed.
 * @param {import('./messages.js').AgainMessage} message
 * @param {Place | null} open
 * @returns {Action}
 */
function unknown({ call, place }, open) {
  if (place !== null && !isOpen(place, open)) return told({ type: 'failed', call, message: CLOSED_MEANWHILE });
  return { action: 'send', message: { type: 'unknown', call } };
}

/**
 * @param {Ledger} ledger
 * @param {AboutCall} message
 * @param {Place | null} open
 * @returns {Step}
 */
function about(ledger, message, open) {
  const { type, call } = message;
  const entry = ledger.get(call);
  if (type === 'again') {
    if (entry?.state === 'answered') return { ledger, actions: [told(entry.answer)] };
    return { ledger, actions: entry?.state === 'running' ? [] : [unknown(message, open)] };
  }
  if (entry === undefined || entry.state === 'over') return { ledger, actions: [] };
  if (entry.state === 'answered') return over(ledger, call);
  // A running call is not settled by anything but its answer.
  return type === 'settled'
    ? { ledger, actions: [] }
    : over(ledger, call, { action: 'abort', call, place: entry.place });
}

/**
 * @param {{event: 'returned', call: string, value: unknown} | {event: 'failed', call: string, message: string}} event
 * @returns {Answer}
 */
function answerOf(event) {
  const { call } = event;
  if (event.event === 'failed') return { type: 'failed', call, message: clip(event.message, MESSAGE_MAX_CHARS) };
  const result = understood(event.value);
  return 'trouble' in result
    ? { type: 'failed', call, message: result.trouble }
    : { type: 'returned', call, value: result.value };
}

/**
 * @param {Ledger} ledger
 * @param {string} call
 * @param {Answer} answer
 * @returns {Step}
 */
function answered(ledger, call, answer) {
  const bytes = bytesOf(answer);
  const already = [...ledger.values()].reduce((sum, entry) => sum + (entry.state === 'answered' ? entry.bytes : 0), 0);
  /** @type {Answer} */
  const lasting = already + bytes <= KEPT_MAX_BYTES ? answer : { type: 'failed', call, message: NO_ROOM };
  return kept(
    ledger,
    call,
    { state: 'answered', answer: lasting, bytes: lasting === answer ? bytes : NO_ROOM.length },
    told(lasting),
  );
}

/**
 * @param {Ledger} ledger
 * @param {(entry: Entry, call: string) => boolean} concerns
 * @param {string} message
 * @returns {Step}
 */
function failAll(ledger, concerns, message) {
  /** @type {Step} */
  const start = { ledger, actions: [] };
  return [...ledger]
    .filter(([call, entry]) => concerns(entry, call))
    .reduce((sum, [call]) => {
      const next = answered(sum.ledger, call, { type: 'failed', call, message });
      return { ledger: next.ledger, actions: [...sum.actions, ...next.actions] };
    }, start);
}

/**
 * @param {Ledger} ledger
 * @param {string} call
 * @param {Action[]} further
 * @returns {Step}
 */
function over(ledger, call, ...further) {
  // The newest stands last, so that the oldest is the first to be dropped.
  const others = new Map([...ledger].filter(([id]) => id !== call));
  const done = kept(others, call, { state: 'over' }, ...further);
  const past = [...done.ledger].filter(([, { state }]) => state === 'over').map(([id]) => id);
  const dropped = past.slice(0, Math.max(0, past.length - OVER_MAX));
  /** @type {Action[]} */
  const drops = dropped.map((id) => ({ action: 'drop', call: id }));
  return {
    ledger: new Map([...done.ledger].filter(([id]) => !dropped.includes(id))),
    actions: [...done.actions, ...drops],
  };
}

/**
 * Writes an entry down before anything else is done about it.
 * @param {Ledger} ledger
 * @param {string} call
 * @param {Entry} entry
 * @param {Action[]} further
 * @returns {Step}
 */
function kept(ledger, call, entry, ...further) {
  return { ledger: new Map(ledger).set(call, entry), actions: [{ action: 'keep', call, entry }, ...further] };
}

/**
 * What is told of an entry to a Shidi that has been away: it may have forgotten what it gave, or wait for it no more.
 * @param {string} call
 * @param {Entry} entry
 * @returns {Action[]}
 */
function news(call, entry) {
  if (entry.state === 'answered') return [told(entry.answer)];
  return entry.state === 'running' ? [{ action: 'send', message: { type: 'running', call } }] : [];
}

/**
 * @param {Answer} answer
 * @returns {Action}
 */
function told(answer) {
  return { action: 'send', message: answer };
}

/**
 * @param {Place} place
 * @param {Place | null} open
 */
function isOpen({ tab, document, site }, open) {
  return open !== null && open.tab === tab && open.document === document && open.site === site;
}

/** @param {Answer} answer */
function bytesOf(answer) {
  return new TextEncoder().encode(JSON.stringify(answer)).length;
}

/**
 * The calls that run in a document.
 * @param {Ledger} ledger
 * @param {{tab: number, document: string}} place
 */
export function runningIn(ledger, place) {
  return [...ledger].filter(([, entry]) => isRunningIn(entry, place)).map(([call]) => call);
}

/**
 * @param {Entry | undefined} entry
 * @param {{tab: number, document: string}} place
 */
function isRunningIn(entry, { tab, document }) {
  return entry?.state === 'running' && entry.place.tab === tab && entry.place.document === document;
}
