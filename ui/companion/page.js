/**
 * Supplies `document.modelContext` (WebMCP) to pages of browsers that have none, and lets the companion use it.
 *
 * Runs among the page's own scripts, so it holds nothing that the page may not see: the page could answer in its stead,
 * but only for its own tools. Where the browser has WebMCP, or would not offer it (insecure pages), it does nothing.
 */
'use strict';

if (window.isSecureContext && !('modelContext' in document) && !('modelContext' in navigator)) {
  /** @typedef {(input: object, client: {signal: AbortSignal}) => unknown} Execute */
  /** @typedef {{name: string, title?: string, description: string, inputSchema?: object, annotations?: object}} Described */
  /** @typedef {Described & {execute: Execute}} Offered */

  const NAME = /^[\w.-]{1,128}$/;

  /** @type {Map<string, {described: Described, execute: Execute}>} */
  const tools = new Map();

  /** The interface of the browser that lacks it, with the same names, order of checks and kinds of errors. */
  class ModelContext extends EventTarget {
    /** @type {((event: Event) => unknown) | null} */
    #ontoolchange = null;

    get ontoolchange() {
      return this.#ontoolchange;
    }

    set ontoolchange(listener) {
      if (this.#ontoolchange !== null) this.removeEventListener('toolchange', this.#ontoolchange);
      this.#ontoolchange = typeof listener === 'function' ? listener : null;
      if (this.#ontoolchange !== null) this.addEventListener('toolchange', this.#ontoolchange);
    }

    /**
     * @param {Offered} tool
     * @param {{signal?: AbortSignal}} [options]
     */
    async registerTool(tool, { signal } = {}) {
      const { described, execute } = checked(tool);
      signal?.throwIfAborted();
      if (tools.has(described.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
      tools.set(described.name, { described, execute });
      signal?.addEventListener('abort', () => this.#unregister(described.name), { once: true });
      this.#changed();
    }

    async getTools() {
      return [...tools.values()].map(({ described }) => ({
        ...structuredClone(described),
        origin: location.origin,
        window,
      }));
    }

    /**
     * @param {{name: string}} tool
     * @param {object} input
     * @param {{signal?: AbortSignal}} [options]
     */
    async executeTool(tool, input, { signal } = {}) {
      if (typeof input !== 'object' || input === null) throw new TypeError('The input is not an object');
      const known = tools.get(tool?.name);
      if (known === undefined) throw new DOMException('There is no such tool', 'NotFoundError');
      signal?.throwIfAborted();
      const lasting = signal ?? new AbortController().signal;
      return asText(
        await untilAborted(
          Promise.resolve(known.execute.call(undefined, structuredClone(input), { signal: lasting })),
          lasting,
        ),
      );
    }

    /** @param {string} name */
    #unregister(name) {
      tools.delete(name);
      this.#changed();
    }

    #changed() {
      queueMicrotask(() => this.dispatchEvent(new Event('toolchange')));
    }
  }

  /** @param {Offered} tool */
  function checked({ name, title, description, inputSchema, annotations, execute }) {
    if (typeof execute !== 'function') throw new TypeError('A tool needs a function named execute');
    if (inputSchema !== undefined && (typeof inputSchema !== 'object' || inputSchema === null))
      throw new TypeError('inputSchema is not an object');
    if (!NAME.test(name)) throw new DOMException('Invalid tool name', 'InvalidStateError');
    if (typeof description !== 'string' || description === '')
      throw new DOMException('Description is required', 'InvalidStateError');
    /** @type {Described} */
    const described = JSON.parse(JSON.stringify({ name, title: title ?? '', description, inputSchema, annotations }));
    return { described, execute };
  }

  /**
   * @param {Promise<unknown>} work
   * @param {AbortSignal} signal
   * @returns {Promise<unknown>}
   */
  function untilAborted(work, signal) {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      work.then(resolve, reject);
    });
  }

  /**
   * Browsers hand results over as text.
   * @param {unknown} value
   */
  function asText(value) {
    return typeof value === 'string' ? value : String(JSON.stringify(value));
  }

  const context = new ModelContext();
  Object.defineProperty(Document.prototype, 'modelContext', {
    configurable: true,
    enumerable: true,
    get: () => context,
  });

  /** @type {Map<string, AbortController>} */
  const running = new Map();

  /** @param {object} message */
  function tell(message) {
    document.dispatchEvent(new CustomEvent('shidi-companion-tell', { detail: JSON.stringify(message) }));
  }

  /** @param {{id: string, tool: string, input: object}} call */
  async function run({ id, tool, input }) {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      tell({ tell: 'returned', id, text: await context.executeTool({ name: tool }, input, { signal: abort.signal }) });
    } catch (cause) {
      tell({ tell: 'failed', id, message: cause instanceof Error ? cause.message : String(cause) });
    }
    running.delete(id);
  }

  /** @param {string} detail */
  function hear(detail) {
    const ask = JSON.parse(detail);
    if (ask.ask === 'run') void run(ask);
    else if (ask.ask === 'abort') running.get(ask.id)?.abort();
    // Within the same turn: who asks reads the answer when its question returns.
    else if (ask.ask === 'tools') tell({ tell: 'tools', tools: [...tools.values()].map(({ described }) => described) });
  }

  document.addEventListener('shidi-companion-ask', (event) => {
    try {
      hear(/** @type {CustomEvent<string>} */ (event).detail);
    } catch {
      // The page can write such events too: what is no question is none.
    }
  });
  context.addEventListener('toolchange', () => tell({ tell: 'changed' }));
  tell({ tell: 'changed' });
}
