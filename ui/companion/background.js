/**
 * The companion's worker: carries messages between Shidi, the pages and the popup.
 *
 * Decides nothing itself: what a message means is in `pairing.js`, `calls.js`, `front.js` and `learning.js`. One event is
 * worked off at a time, and what must outlive this worker is written down first. Tab, frame and site come from the
 * browser, never from what a page says; private windows are left out.
 */
import { offered } from './bounds.js';
import { browserName } from './browser.js';
import * as calls from './calls.js';
import { closedTab, looked, NOTHING_TOLD, placeOf } from './front.js';
import { decided, NOTHING_LEARNED, usedIn } from './learning.js';
import { Line } from './line.js';
import * as memory from './memory.js';
import { read, VERSION } from './messages.js';
import * as pairing from './pairing.js';
import { openBeside, readPage } from './reading.js';
import { signal } from './signal.js';
import { viewOf } from './view.js';
import { standingIn, withViewer } from './viewers.js';

/** @typedef {import('./messages.js').Place} Place */
/** @typedef {import('./front.js').Open} Open */

/** Tabs tell of one change in several events. */
const TOGETHER_MS = 100;

/** A tab that changes is a reason to look for Shidi at once, but not more often than this. */
const ATTEMPT_MIN_MS = 1_000;

/** Shidi answers at once; its host program waits for it without a word. */
const SILENCE_MS = 3_000;

/** @type {calls.Ledger} */
let ledger = new Map();
/** @type {Map<number, Open>} */
let open = new Map();
/** @type {import('./front.js').Told} */
let told = NOTHING_TOLD;
/** @type {pairing.State} */
let paired = pairing.restored({});
/** @type {import('./messages.js').SiteMessage | null} */
let site = null;
/** Sites on which it is noticed what is chosen in forms. */
let learned = NOTHING_LEARNED;
/** @type {Set<chrome.runtime.Port>} */
const popups = new Set();
/** @type {Set<string>} Documents that calls run in. */
const watched = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let looking;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retrying;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let listening;
let attemptedAt = 0;

const line = new Line(
  (message) => inTurn(() => hear(message)),
  () => inTurn(closed),
);

/** @type {Promise<unknown>} */
let turn = Promise.resolve();

/** @param {() => unknown} work */
function inTurn(work) {
  // What failed for one event, a tab that is gone for example, must not hold up the next.
  turn = turn.then(work).catch(() => undefined);
  return turn;
}

async function start() {
  await memory.close();
  paired = pairing.restored(await memory.pairing());
  ({ ledger, open, learned } = await memory.recalled());
  for (const page of open.values()) void askPage(page);
  showPhase();
  connect();
}

// ---- pairing ----

function connect() {
  clearTimeout(retrying);
  retrying = undefined;
  if (line.isOpen || paired.phase === 'refused') return;
  attemptedAt = Date.now();
  line.open();
  void pair({ event: 'opened' });
}

function connectSoon() {
  if (!line.isOpen && Date.now() - attemptedAt >= ATTEMPT_MIN_MS) connect();
}

async function closed() {
  await hangUp();
  await pair({ event: 'closed' });
  if (paired.phase !== 'refused') retrying ??= setTimeout(() => inTurn(connect), pairing.pauseMs(paired));
}

/** @param {pairing.Event} event */
async function pair(event) {
  const { state, actions } = pairing.step(paired, event);
  paired = state;
  for (const action of actions) {
    if (action.action === 'hello')
      line.send({ type: 'hello', version: VERSION, browser: await browserName(), token: action.token });
    else if (action.action === 'keep') await memory.keepPairing(action.token, action.refused);
    else if (action.action === 'enter') await enter();
    else await hangUp();
  }
  clearTimeout(listening);
  if (paired.phase === 'calling') listening = setTimeout(() => inTurn(() => pair({ event: 'silent' })), SILENCE_MS);
  showPhase();
}

async function hangUp() {
  line.close();
  told = NOTHING_TOLD;
  site = null;
  // Nobody is there to say that it is no longer wanted.
  await learn(NOTHING_LEARNED);
}

async function enter() {
  told = NOTHING_TOLD;
  await look();
  await work({ event: 'welcome' });
}

/** @param {unknown} raw */
async function hear(raw) {
  const message = read(raw);
  switch (message?.type) {
    case 'pair':
    case 'paired':
    case 'welcome':
    case 'refused':
      return pair({ event: 'said', message });
    default:
      // Before it let this browser in, Shidi has nothing to ask of pages.
      if (message !== null && paired.phase === 'in') await hearWithin(message);
  }
}

/** @param {import('./messages.js').SiteMessage | import('./messages.js').CallMessage | import('./messages.js').AboutCall | import('./messages.js').ReadMessage} message */
async function hearWithin(message) {
  switch (message.type) {
    case 'read':
    case 'read_pdf':
      // Others need not wait for it: nothing is decided by what is read.
      return void readPage(message, open, isAllowed(message)).then((said) => said.forEach(sendIfIn));
    case 'site':
      site = message;
      await learn(decided(learned, message));
      return show();
    case 'call':
      return work({ event: 'call', message, open: await standingIn(message.tab, open) });
    case 'again':
      return work({ event: 'about', message, open: await standingIn(message.place?.tab ?? -1, open) });
    case 'cancel':
    case 'settled':
      return work({ event: 'about', message, open: null });
  }
}

// ---- calls ----

/** @param {calls.Event} event */
async function work(event) {
  const step = calls.step(ledger, event);
  ledger = step.ledger;
  for (const action of step.actions) {
    if (action.action === 'keep') await memory.keepCall(action.call, action.entry);
    else if (action.action === 'drop') await memory.dropCall(action.call);
    else if (action.action === 'send') sendIfIn(action.message);
    else if (action.action === 'run') void runIn(action.message);
    else void reach(action.place, { action: 'abort', call: action.call, document: action.place.document });
  }
}

/** @param {import('./messages.js').ToShidi} message */
function sendIfIn(message) {
  if (paired.phase === 'in') line.send(message);
}

/**
 * Says something to a document, and finds out whether it is still there.
 * @param {Place} place
 * @param {object} message
 * @returns {Promise<{taken: boolean, calls: string[]} | null>}
 */
async function reach(place, message) {
  const reply = await chrome.tabs.sendMessage(place.tab, message, { frameId: 0 }).catch(() => null);
  if (reply?.taken === true) return reply;
  await inTurn(() => leave(place));
  return null;
}

/**
 * Whether the person allowed a page's own tools.
 * @param {Place} place
 */
function isAllowed({ site: of }) {
  return site?.site === of && site.allowed;
}

/** @param {import('./messages.js').CallMessage} message */
async function runIn(message) {
  const { call, tab, document } = message;
  if (message.own && message.tool === 'open') {
    const outcome = await openBeside(message);
    void inTurn(() => work({ ...outcome, call, tab, document }));
    return;
  }
  const reply = await reach(message, { ...message, action: 'run', asksPage: isAllowed(message) });
  if (reply !== null) void watch(message);
}

/** @param {Place} place */
async function askPage(place) {
  // What is given while the page has not answered comes to it after the question.
  const before = calls.runningIn(ledger, place);
  const reply = await reach(place, { action: 'tell', document: place.document });
  if (reply === null) return;
  await inTurn(() =>
    work({ event: 'known', tab: place.tab, document: place.document, asked: before, calls: reply.calls }),
  );
  if (reply.calls.length > 0) void watch(place);
}

/**
 * Holds a question open that the document never answers: it ends with the document, also when that crashes, of which
 * browsers tell in no other way.
 * @param {{tab: number, document: string}} place
 */
async function watch({ tab, document }) {
  if (watched.has(document)) return;
  watched.add(document);
  await chrome.tabs.sendMessage(tab, { action: 'stay', document }, { frameId: 0 }).catch(() => null);
  watched.delete(document);
  await inTurn(() => leave({ tab, document }));
}

// ---- what is chosen in forms ----

/** @param {ReadonlySet<string>} sites Where it is noticed from now on. Pages are told again what they may know. */
async function learn(sites) {
  const before = learned;
  learned = sites;
  for (const page of open.values()) if (before.has(page.site) || sites.has(page.site)) tellLearned(page);
  // Only a worker that is started anew needs it, and Shidi tells it again soon after.
  if (sites !== before) await memory.keepLearned(sites).catch(() => undefined);
}

/** @param {Place} place */
function tellLearned(place) {
  void reach(place, { action: 'learn', document: place.document, on: learned.has(place.site) });
}

// ---- pages ----

async function look() {
  if (paired.phase !== 'in') return;
  const window = await chrome.windows.getLastFocused({ populate: true }).catch(() => null);
  const step = looked(told, window, await withViewer(window, open));
  told = step.told;
  step.messages.forEach(sendIfIn);
  show();
}

function lookSoon() {
  looking ??= setTimeout(() => {
    looking = undefined;
    void inTurn(look);
  }, TOGETHER_MS);
}

/** @param {{tab: number, document: string}} place */
async function leave({ tab, document }) {
  if (open.get(tab)?.document === document) {
    open.delete(tab);
    await memory.keepDocuments(open);
    // Also of one that was never in front: a task may be bound to it.
    sendIfIn({ type: 'gone', tab, document });
  }
  await work({ event: 'gone', tab, document });
  lookSoon();
}

/** @param {number} tab */
async function leaveTab(tab) {
  const page = open.get(tab);
  if (page !== undefined) await leave(page);
  const closed = closedTab(told, tab);
  told = closed.told;
  closed.messages.forEach(sendIfIn);
}

/**
 * @param {Record<string, unknown>} message
 * @param {{tab: number, site: string}} from
 */
async function hearPage(message, from) {
  const document = String(message['document']);
  const call = String(message['call']);
  switch (message['say']) {
    case 'page': {
      if (open.get(from.tab)?.document !== document) await leaveTab(from.tab);
      open.set(from.tab, { ...from, document, tools: offered(message['tools']), pdf: message['pdf'] === true });
      await memory.keepDocuments(open);
      if (learned.has(from.site)) tellLearned({ ...from, document });
      return lookSoon();
    }
    case 'used': {
      const used = usedIn(message, from, { learned, open });
      // One that is not to be noticed has missed that.
      return used === null ? tellLearned({ ...from, document }) : sendIfIn(used);
    }
    case 'acted':
      return sendIfIn({ type: 'acted', tab: from.tab, document });
    case 'gone':
      return leave({ tab: from.tab, document });
    case 'returned':
      return work({ event: 'returned', call, tab: from.tab, document, value: message['value'] });
    case 'failed':
      return work({ event: 'failed', call, tab: from.tab, document, message: String(message['message']) });
  }
}

// ---- popup and badge ----

function showPhase() {
  signal(paired.phase);
  show();
}

function show() {
  for (const port of popups) port.postMessage(viewOf(paired, told, site));
}

/** @param {unknown} pressed */
async function press(pressed) {
  if (pressed !== 'connect' && pressed !== 'forget') return;
  if (pressed === 'forget') sendIfIn({ type: 'forget' });
  await pair({ event: pressed });
  if (pressed === 'connect') connect();
}

// ---- what wakes this worker ----

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  const from = placeOf(sender);
  if (from === null || typeof message !== 'object' || message === null) {
    reply({ taken: false });
    return false;
  }
  void inTurn(() => hearPage(message, from)).then(() => reply({ taken: true }));
  return true;
});

chrome.runtime.onConnect.addListener((port) => {
  if (port.sender?.url !== chrome.runtime.getURL('popup.html')) return;
  popups.add(port);
  port.onDisconnect.addListener(() => popups.delete(port));
  port.onMessage.addListener((pressed) => void inTurn(() => press(pressed)));
  void inTurn(async () => {
    connectSoon();
    await look();
    port.postMessage(viewOf(paired, told, site));
  });
});

chrome.tabs.onActivated.addListener(() => void inTurn(notice));
chrome.tabs.onReplaced.addListener((_added, removed) => void inTurn(() => leaveTab(removed)));
chrome.tabs.onRemoved.addListener((tab) => void inTurn(() => leaveTab(tab)));
chrome.tabs.onUpdated.addListener((tab, change) => {
  // A tab that is put to sleep for want of memory takes its document with it, without a word.
  void inTurn(() => (change.discarded === true ? leaveTab(tab) : notice()));
});
chrome.windows.onFocusChanged.addListener(() => void inTurn(notice));
chrome.windows.onRemoved.addListener(() => void inTurn(notice));
chrome.alarms.onAlarm.addListener(() => void inTurn(connectSoon));
chrome.runtime.onStartup.addListener(() => void inTurn(tryVersionAnew));
chrome.runtime.onInstalled.addListener(() => void inTurn(tryVersionAnew));

function notice() {
  connectSoon();
  lookSoon();
}

/** After an update of either side the versions may fit. */
async function tryVersionAnew() {
  if (paired.phase === 'refused' && paired.reason === 'version') await press('connect');
}

void inTurn(start);
