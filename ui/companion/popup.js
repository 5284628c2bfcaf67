/**
 * Draws the popup from what the worker says, and passes on what was pressed. Keeps nothing.
 *
 * Titles and addresses are a page's own words: they are set as text, never as HTML.
 */
import { wordsFor } from './words.js';

/** @typedef {import('./pairing.js').State['phase']} PhaseName */
/**
 * @typedef {object} View
 * @property {PhaseName} phase
 * @property {string | null} code
 * @property {import('./messages.js').Reason | null} reason
 * @property {boolean} paired
 * @property {{title: string, site: string, tools: number} | null} page
 * @property {boolean} allowed
 */

const words = wordsFor(navigator.language);

/** @param {View} view */
function draw(view) {
  const isIn = view.phase === 'in';
  document.body.dataset['phase'] = view.phase;
  write('code', view.code === null ? null : spaced(view.code));
  write('state', stateOf(view));
  write('title', isIn ? (view.page?.title ?? words.noPage) : null);
  write('site', isIn ? (view.page?.site ?? words.reload) : null);
  write('offer', isIn && view.page !== null ? words.tools(view.page.tools) : null);
  write(
    'allowed',
    isIn && view.page !== null && view.page.tools > 0 ? (view.allowed ? words.allowed : words.notAllowed) : null,
  );
  element('allowed').className = view.allowed ? 'yes' : 'no';
  element('page').hidden = !isIn;
  element('connect').hidden = view.phase !== 'refused' && view.phase !== 'away';
  element('forget').hidden = !view.paired;
}

/** @param {View} view */
function stateOf({ phase, reason }) {
  switch (phase) {
    case 'away':
      return words.away;
    case 'calling':
      return words.calling;
    case 'asking':
      return words.asking;
    case 'in':
      return words.connected;
    case 'refused':
      return words.refused[reason ?? 'version'];
  }
}

/**
 * Six digits are compared three at a time.
 * @param {string} code
 */
function spaced(code) {
  return code.length === 6 ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}

/**
 * What stands between back ticks is a command, as it is typed.
 * @param {string} id
 * @param {string | null} text
 */
function write(id, text) {
  const target = element(id);
  target.hidden = text === null;
  if (target.dataset['text'] === (text ?? '')) return;
  target.dataset['text'] = text ?? '';
  const isOurs = id === 'state';
  const parts = isOurs ? (text ?? '').split('`') : [text ?? ''];
  target.replaceChildren(...parts.map((part, place) => (place % 2 === 1 ? command(part) : part)));
}

/** @param {string} text */
function command(text) {
  const code = document.createElement('code');
  code.textContent = text;
  return code;
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`popup.html has no ${id}`);
  return found;
}

/** @returns {chrome.runtime.Port} */
function open() {
  const opened = chrome.runtime.connect({ name: 'popup' });
  opened.onMessage.addListener(draw);
  // The worker may be started anew while this is open.
  opened.onDisconnect.addListener(() => {
    port = open();
  });
  return opened;
}

document.documentElement.lang = words.language;
write('name', words.name);
element('connect').textContent = words.connect;
element('forget').textContent = words.forget;
let port = open();
for (const pressed of ['connect', 'forget'])
  element(pressed).addEventListener('click', () => port.postMessage(pressed));
