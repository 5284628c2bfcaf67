/**
 * The line to Shidi: one port to its host program at a time, opened when told to.
 *
 * Knows nothing of what is said over it, and never opens itself again: who waits how long is decided elsewhere.
 */

/** Under this name the host program is known to the browser. */
const HOST = 'com.shidi.companion';

export class Line {
  /** @type {chrome.runtime.Port | null} */
  #port = null;
  #said;
  #closed;

  /**
   * @param {(message: unknown) => void} said
   * @param {() => void} closed
   */
  constructor(said, closed) {
    this.#said = said;
    this.#closed = closed;
  }

  get isOpen() {
    return this.#port !== null;
  }

  open() {
    if (this.#port !== null) return;
    const port = chrome.runtime.connectNative(HOST);
    this.#port = port;
    port.onMessage.addListener((message) => {
      if (this.#port === port) this.#said(message);
    });
    port.onDisconnect.addListener(() => {
      // Read, or the browser writes into the console that nobody did: a host that is not there is no fault.
      void chrome.runtime.lastError;
      if (this.#port !== port) return;
      this.#port = null;
      this.#closed();
    });
  }

  /** @param {import('./messages.js').ToShidi} message */
  send(message) {
    this.#port?.postMessage(message);
  }

  close() {
    const port = this.#port;
    this.#port = null;
    port?.disconnect();
  }
}
