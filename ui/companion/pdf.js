/**
 * Fetches the file of a PDF that the browser shows: its viewer lets nobody read what it shows.
 *
 * Beside a page this is the page's own request, to its own address; in the companion's worker it is the companion's,
 * where the browser lets it. Looks at the beginning of the file alone, and keeps nothing of it.
 */
'use strict';

var shidiPdf = shidiPdf || {};
{
  /** As much is taken by the other side. */
  const BYTES_MAX = 20 * 1024 * 1024;
  const FETCH_MAX_MS = 20_000;

  /** Some programs write a few bytes before the first of a PDF. */
  const HEAD_BYTES = 1_024;

  /** Bytes that become text at once: whole groups of three, and no more than a call takes as arguments. */
  const GROUP_BYTES = 24_576;

  /** Servers tell files of all sorts to be a mere stream of bytes. */
  const TYPE = /^\s*(?:application\/(?:x-)?pdf|application\/octet-stream|binary\/octet-stream)\b/i;

  /** @typedef {{base64: string} | {why: 'too_large' | 'not_given'}} Fetched */

  /**
   * The file as Base64, or why it is not there: a result of a form, an address for one use, a door in its place.
   * @param {string} address
   * @param {typeof fetch} [get]
   * @returns {Promise<Fetched>}
   */
  async function fetched(address, get = fetch) {
    try {
      // What leads elsewhere is another document than the one that is shown.
      const answer = await get(address.replace(/#.*$/s, ''), {
        cache: 'force-cache',
        credentials: 'include',
        redirect: 'error',
        signal: AbortSignal.timeout(FETCH_MAX_MS),
      });
      if (!answer.ok || answer.body === null || !TYPE.test(answer.headers.get('content-type') ?? ''))
        return { why: 'not_given' };
      const bytes = Number(answer.headers.get('content-length')) > BYTES_MAX ? null : await bytesOf(answer.body);
      if (bytes === null) return { why: 'too_large' };
      return isPdf(bytes) ? { base64: base64Of(bytes) } : { why: 'not_given' };
    } catch {
      return { why: 'not_given' };
    }
  }

  /**
   * @param {ReadableStream<Uint8Array>} body
   * @returns {Promise<Uint8Array | null>} Nothing where it is too large.
   */
  async function bytesOf(body) {
    const reader = body.getReader();
    /** @type {Uint8Array[]} */
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > BYTES_MAX) {
        await reader.cancel();
        return null;
      }
      parts.push(value);
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  /** @param {Uint8Array} bytes */
  function isPdf(bytes) {
    return String.fromCharCode(...bytes.subarray(0, HEAD_BYTES)).includes('%PDF-');
  }

  /** @param {Uint8Array} bytes */
  function base64Of(bytes) {
    let text = '';
    for (let at = 0; at < bytes.length; at += GROUP_BYTES)
      text += btoa(String.fromCharCode(...bytes.subarray(at, at + GROUP_BYTES)));
    return text;
  }

  // Named there too: in the worker this file is a module, whose names are its own.
  shidiPdf.fetched = fetched;
  globalThis.shidiPdf = shidiPdf;
}
