/**
 * Whether this browser is let in: says hello, shows the code, keeps the token, and stays silent once it was turned away.
 *
 * Pure: an event in, a new state and actions out. Never asks again by itself after the person said no.
 */

/** @typedef {import('./messages.js').Reason} Reason */
/** @typedef {import('./messages.js').Pairing} PairingMessage */

/**
 * @typedef {{phase: 'away'} | {phase: 'calling'} | {phase: 'asking', code: string} | {phase: 'in'}
 *   | {phase: 'refused', reason: Reason}} Phase
 *   `away`: Shidi is not there; `calling`: it has not answered yet.
 */
/** @typedef {Phase & {token: string | null, failures: number}} State */

/**
 * @typedef {{event: 'opened' | 'closed' | 'silent' | 'connect' | 'forget'} | {event: 'said', message: PairingMessage}} Event
 *   `opened`, `closed` and `silent` are about the line; `connect` and `forget` are what a person pressed.
 */
/**
 * @typedef {{action: 'hello', token: string | null} | {action: 'keep', token: string | null, refused: Reason | null}
 *   | {action: 'close'} | {action: 'enter'}} Action
 */
/** @typedef {{state: State, actions: Action[]}} Step */

/** The longest pause between two attempts. */
export const PAUSE_MAX_MS = 30_000;
const PAUSE_FIRST_MS = 1_000;

/**
 * @param {{token?: unknown, refused?: unknown}} kept
 * @returns {State}
 */
export function restored({ token, refused }) {
  const memory = { token: typeof token === 'string' ? token : null, failures: 0 };
  const isRefused = refused === 'declined' || refused === 'forgotten' || refused === 'version';
  return isRefused ? { ...memory, phase: 'refused', reason: refused } : { ...memory, phase: 'calling' };
}

/** @param {State} state */
export function pauseMs({ failures }) {
  return Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** Math.max(0, failures - 1));
}

/**
 * @param {State} state
 * @param {Event} event
 * @returns {Step}
 */
export function step(state, event) {
  const { token, failures } = state;
  switch (event.event) {
    case 'opened':
      return { state, actions: [{ action: 'hello', token }] };
    case 'closed':
      return {
        state: state.phase === 'refused' ? state : { phase: 'away', token, failures: failures + 1 },
        actions: [],
      };
    case 'silent':
      return { state: state.phase === 'calling' ? { phase: 'away', token, failures } : state, actions: [] };
    case 'connect':
      if (state.phase === 'in' || state.phase === 'asking') return { state, actions: [] };
      return {
        state: { phase: 'calling', token, failures: 0 },
        actions: state.phase === 'refused' ? [{ action: 'keep', token, refused: null }] : [],
      };
    case 'forget':
      return turnedAway({ phase: 'refused', reason: 'forgotten', token: null, failures: 0 });
    case 'said':
      return said(state, event.message);
  }
}

/**
 * @param {State} state
 * @param {PairingMessage} message
 * @returns {Step}
 */
function said({ token }, message) {
  switch (message.type) {
    case 'pair':
      return { state: { phase: 'asking', code: message.code, token, failures: 0 }, actions: [] };
    case 'paired':
      return {
        state: { phase: 'calling', token: message.token, failures: 0 },
        actions: [{ action: 'keep', token: message.token, refused: null }],
      };
    case 'welcome':
      return { state: { phase: 'in', token, failures: 0 }, actions: [{ action: 'enter' }] };
    case 'refused':
      return turnedAway({
        phase: 'refused',
        reason: message.reason,
        token: message.reason === 'forgotten' ? null : token,
        failures: 0,
      });
  }
}

/**
 * @param {State & {phase: 'refused'}} state
 * @returns {Step}
 */
function turnedAway(state) {
  return { state, actions: [{ action: 'keep', token: state.token, refused: state.reason }, { action: 'close' }] };
}
