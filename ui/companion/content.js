/**
 * Stands beside each web page: tells the companion which tools it offers, and runs one when Shidi asks.
 *
 * Reads the page only when Shidi asks for it, acts in it only for an approved call (`own.js`), and notices what is chosen
 * in its forms only where the person wants that (`forms.js`). Uses the
 * browser's own WebMCP where there is one, else what `page.js` supplies. Says nothing in a private window, and nothing of a
 * document that was left.
 */
'use strict';

if (!chrome.extension.inIncognitoContext) {
  /** @typedef {{name: string, title?: string, description: string, inputSchema?: object | string, annotations?: {readOnlyHint?: boolean}, origin?: string}} Registered */
  /**
   * @typedef {Partial<EventTarget> & {
   *   getTools(): Promise<Registered[]>,
   *   executeTool?(tool: Registered, input: object | string, options: {signal: AbortSignal}): Promise<unknown>,
   *   invokeTool?(name: string, input: object | string, options: {signal: AbortSignal}): Promise<unknown>,
   * }} ModelContext
   */
  /** @typedef {{list(): Promise<Registered[]>, run(tool: string, input: object, signal: AbortSignal): Promise<unknown>, watch(changed: () => void): void}} Offers */
  /** @typedef {{say: 'returned', value: string} | {say: 'failed', message: string}} Outcome */

  /** Pages register their tools one after the other; they are told together. */
  const TOGETHER_MS = 50;

  /** Before something that was lost is said again. */
  const AGAIN_MS = 1_000;

  /** Many times what may pass in the end: more need not cross to another process. */
  const CROSSING_MAX_CHARS = 4_000_000;
  const TOOLS_CROSSING_MAX = 256;
  const TEXT_CROSSING_MAX_CHARS = 4_000;
  const SCHEMA_CROSSING_MAX_CHARS = 64_000;

  /** A page may take this long to tell its own context while somebody waits for the panel. */
  const CONTEXT_MAX_MS = 60;

  const CONTEXTS_MAX = 16;
  const CONTEXT_MAX_CHARS = 20_000;

  /** The tool by which a page tells its context: read-only, without arguments. */
  const CONTEXT_TOOL = 'get_context';

  /** @type {Map<string, {abort: AbortController, outcome: Outcome | null}>} */
  const calls = new Map();

  /**
   * Questions that are answered when the document goes.
   * @type {(() => void)[]}
   */
  const staying = [];

  const native = browserContext();
  const offers = native === null ? supplied() : browserOffers(native);
  let identity = newIdentity();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let telling;

  /** @returns {ModelContext | null} */
  function browserContext() {
    const found = [document, navigator].map(
      (owner) => /** @type {{modelContext?: ModelContext}} */ (owner).modelContext,
    );
    return found.find((context) => typeof context?.getTools === 'function') ?? null;
  }

  /**
   * @param {ModelContext} context
   * @returns {Offers}
   */
  function browserOffers(context) {
    const list = async () =>
      (await context.getTools()).filter(({ origin }) => origin === undefined || origin === location.origin);
    return {
      list,
      async run(name, input, signal) {
        const tool = (await list()).find((one) => one.name === name);
        if (tool === undefined) throw new Error('the page offers no such tool');
        // Told apart by the schema, and never by trying: what was tried may have been done.
        const given = typeof tool.inputSchema === 'string' ? JSON.stringify(input) : pageObject(input);
        return context.executeTool?.(tool, given, { signal }) ?? context.invokeTool?.(name, given, { signal });
      },
      watch(changed) {
        if (typeof context.addEventListener === 'function') context.addEventListener('toolchange', changed);
        // Firefox tells of no change: it is asked when pages usually have made one.
        else for (const moment of ['DOMContentLoaded', 'load', 'focus']) window.addEventListener(moment, changed);
      },
    };
  }

  /**
   * Firefox lets a page read only what was made for it.
   * @param {object} input
   * @returns {object}
   */
  function pageObject(input) {
    const { cloneInto } = /** @type {{cloneInto?: (value: object, target: object) => object}} */ (globalThis);
    return cloneInto === undefined ? input : cloneInto(input, window);
  }

  /** @returns {Offers} */
  function supplied() {
    /** @type {Map<string, {resolve: (text: unknown) => void, reject: (cause: Error) => void}>} */
    const waiting = new Map();
    /** @type {Registered[]} */
    let tools = [];
    /** @type {() => void} */
    let changed = () => undefined;
    document.addEventListener('shidi-companion-tell', (event) => {
      const told = toldBy(/** @type {CustomEvent<unknown>} */ (event).detail);
      if (told?.['tell'] === 'changed') changed();
      else if (told?.['tell'] === 'tools' && Array.isArray(told['tools'])) tools = told['tools'].filter(Boolean);
      else if (told?.['tell'] === 'returned') waiting.get(String(told['id']))?.resolve(told['text']);
      else if (told?.['tell'] === 'failed') waiting.get(String(told['id']))?.reject(new Error(String(told['message'])));
    });
    return {
      async list() {
        ask({ ask: 'tools' });
        return tools;
      },
      run(tool, input, signal) {
        const id = newIdentity();
        signal.addEventListener('abort', () => ask({ ask: 'abort', id }), { once: true });
        /** @type {Promise<unknown>} */
        const outcome = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
        ask({ ask: 'run', id, tool, input });
        return outcome.finally(() => waiting.delete(id));
      },
      watch: (told) => {
        changed = told;
      },
    };
  }

  /** @param {object} message */
  function ask(message) {
    document.dispatchEvent(new CustomEvent('shidi-companion-ask', { detail: JSON.stringify(message) }));
  }

  /**
   * The page can write this itself.
   * @param {unknown} detail
   * @returns {Record<string, unknown> | null}
   */
  function toldBy(detail) {
    try {
      const told = JSON.parse(String(detail));
      return typeof told === 'object' ? told : null;
    } catch {
      return null;
    }
  }

  /** Pages on plain connections have no `randomUUID`. */
  function newIdentity() {
    const hex = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /**
   * What became of a message. It is lost where the worker ends just then, or was ended for good.
   * @param {object} message
   * @returns {Promise<'taken' | 'refused' | 'lost'>}
   */
  async function send(message) {
    try {
      const reply = await chrome.runtime.sendMessage(message);
      return reply === undefined ? 'lost' : reply.taken === true ? 'taken' : 'refused';
    } catch {
      return 'lost';
    }
  }

  /**
   * Says something once more after a while, unless the companion was removed or loaded anew: nobody listens then.
   * @param {() => unknown} say
   */
  function sayAgain(say) {
    if (chrome.runtime?.id !== undefined) setTimeout(say, AGAIN_MS);
  }

  async function tellPage() {
    telling = undefined;
    const document = identity;
    const tools = (await offers.list().catch(() => [])).slice(0, TOOLS_CROSSING_MAX).map(crossing);
    if (document !== identity || document === '') return;
    const { isPdf: pdf } = shidiOwn.page;
    if ((await send({ say: 'page', document, tools, pdf })) === 'lost' && document === identity) sayAgain(tellPageSoon);
  }

  function tellPageSoon() {
    telling ??= setTimeout(() => void tellPage(), TOGETHER_MS);
  }

  /** @param {Registered} tool */
  function crossing({ name, title, description, inputSchema, annotations }) {
    const cut = (/** @type {unknown} */ text) => String(text ?? '').slice(0, TEXT_CROSSING_MAX_CHARS);
    const schema = typeof inputSchema === 'string' ? toldBy(inputSchema) : inputSchema;
    const fits = JSON.stringify(schema ?? null).length <= SCHEMA_CROSSING_MAX_CHARS;
    return {
      name: cut(name),
      title: cut(title),
      description: cut(description),
      schema: fits ? schema : '',
      reads_only: annotations?.readOnlyHint === true,
    };
  }

  /** @param {{call: string, tool: string, arguments: object, own: boolean, asksPage: boolean}} message */
  async function run({ call, tool, arguments: input, own, asksPage }) {
    if (calls.has(call)) return;
    const known = { abort: new AbortController(), outcome: /** @type {Outcome | null} */ (null) };
    calls.set(call, known);
    const performed = own
      ? act(tool, input, known.abort.signal, asksPage)
      : offers.run(tool, input, known.abort.signal);
    known.outcome = await performed.then(returned).catch(failed);
    await deliver(call);
  }

  /**
   * What Shidi itself does in the page.
   * @param {string} tool
   * @param {object} input
   * @param {AbortSignal} signal
   * @param {boolean} asksPage Whether the person allowed the page's own tools.
   * @returns {Promise<unknown>}
   */
  async function act(tool, input, signal, asksPage) {
    if (tool !== 'context') return shidiOwn.page.act(tool, /** @type {Record<string, string>} */ (input));
    if (!asksPage) throw new Error('the person has not allowed what this page offers');
    return Object.fromEntries((await contexts(signal)).map(({ name, text }) => [name, text]));
  }

  /**
   * What the page tells of itself by name, where it offers that.
   * @param {AbortSignal} signal
   * @returns {Promise<{name: string, text: string}[]>}
   */
  async function contexts(signal) {
    const tools = await offers.list();
    const tells = tools.find(({ name, annotations }) => name === CONTEXT_TOOL && annotations?.readOnlyHint === true);
    if (tells === undefined) return [];
    const told = await offers.run(CONTEXT_TOOL, {}, signal);
    const value = typeof told === 'string' ? (toldBy(told) ?? { context: told }) : told;
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value)
      .slice(0, CONTEXTS_MAX)
      .map(([name, text]) => ({
        name,
        text: (typeof text === 'string' ? text : String(JSON.stringify(text, null, 2))).slice(0, CONTEXT_MAX_CHARS),
      }));
  }

  /**
   * The page as it is now, as text; the page's own context only where it may be asked, and as far as it comes in time.
   * @param {boolean} asksPage
   */
  async function readNow(asksPage) {
    const told = !asksPage ? [] : contexts(AbortSignal.timeout(CONTEXT_MAX_MS)).catch(() => []);
    // A page may take no notice of the signal.
    const late = new Promise((resolve) => setTimeout(() => resolve([]), CONTEXT_MAX_MS));
    return shidiOwn.page.content(await Promise.race([told, late]));
  }

  /**
   * @param {unknown} value
   * @returns {Outcome}
   */
  function returned(value) {
    const text = typeof value === 'string' ? value : String(JSON.stringify(value));
    return text.length > CROSSING_MAX_CHARS
      ? { say: 'failed', message: 'the result is too long' }
      : { say: 'returned', value: text };
  }

  /**
   * @param {unknown} cause
   * @returns {Outcome}
   */
  function failed(cause) {
    const message = cause instanceof Error || cause instanceof DOMException ? cause.message : String(cause);
    return { say: 'failed', message: message.slice(0, TEXT_CROSSING_MAX_CHARS) };
  }

  /**
   * An outcome is kept until the companion has written it down.
   * @param {string} call
   */
  async function deliver(call) {
    const outcome = calls.get(call)?.outcome;
    if (!outcome) return;
    const became = await send({ ...outcome, call, document: identity });
    if (became === 'taken') calls.delete(call);
    if (became === 'lost') sayAgain(() => deliver(call));
  }

  /**
   * From now on what is chosen in forms is told of, or no longer.
   * @param {boolean} isLearned
   */
  function learn(isLearned) {
    if (isLearned) shidiOwn.forms.begin((used) => void send({ say: 'used', document: identity, ...used }));
    else shidiOwn.forms.end();
  }

  function leave() {
    if (identity === '') return;
    shidiOwn.forms.leave();
    void send({ say: 'gone', document: identity });
    identity = '';
    for (const { abort } of calls.values()) abort.abort();
    calls.clear();
    staying.splice(0).forEach((reply) => reply());
  }

  /** A page that was kept aside is a new document to Shidi: whatever ran in it was told to be lost. */
  function comeBack() {
    if (identity !== '') return;
    identity = newIdentity();
    tellPageSoon();
  }

  chrome.runtime.onMessage.addListener((message, _sender, reply) => {
    const isHere = message.document === identity;
    if (isHere && message.action === 'stay') {
      staying.push(reply);
      return true;
    }
    if (isHere && message.action === 'read') {
      readNow(message.asksPage === true).then(
        (content) => reply({ taken: true, content }),
        (cause) => reply({ taken: false, message: String(cause) }),
      );
      return true;
    }
    if (isHere && message.action === 'pdf') {
      shidiOwn.page.pdf().then(reply);
      return true;
    }
    reply({ taken: isHere, document: identity, calls: [...calls.keys()] });
    if (!isHere) return false;
    if (message.action === 'run') void run(message);
    if (message.action === 'abort') {
      calls.get(message.call)?.abort.abort();
      calls.delete(message.call);
    }
    if (message.action === 'learn') learn(message.on === true);
    if (message.action === 'tell') {
      tellPageSoon();
      for (const call of calls.keys()) void deliver(call);
    }
    return false;
  });

  function begin() {
    offers.watch(tellPageSoon);
    shidiReader.changes.onAct(() => void send({ say: 'acted', document: identity }));
    shidiHands.hands.remember();
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    void tellPage();
  }

  // A page that is loaded ahead is not there yet for the person.
  if ('prerendering' in document && document.prerendering === true)
    document.addEventListener('prerenderingchange', begin, { once: true });
  else begin();
}
