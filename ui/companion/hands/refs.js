/**
 * Names for elements: given when a page is read, taken back when something is done on it.
 *
 * Begins with what the element is called, so that a person who approves sees what is meant; the rest cannot be guessed. A
 * name belongs to one element of one document. Where the element was removed, replaced or is called otherwise by now, its
 * name leads nowhere, and never to another element.
 */
'use strict';

var shidiHands = shidiHands || {};
{
  /** More than a page has fields and buttons that are told; the oldest names go first. */
  const REFS_MAX = 4_000;
  const REF_BYTES = 5;
  const CALLED_MAX_SIGNS = 32;

  /** @type {Map<string, {element: WeakRef<Element>, name: string}>} */
  const elements = new Map();
  /** @type {WeakMap<Element, string>} */
  const refs = new WeakMap();

  /**
   * @param {Element} element
   * @returns {string}
   */
  function refOf(element) {
    const name = shidiHands.names.nameOf(element);
    const before = refs.get(element);
    if (before !== undefined && elements.get(before)?.name === name) return before;
    const ref = newRef(name || shidiHands.names.roleOf(element));
    elements.set(ref, { element: new WeakRef(element), name });
    refs.set(element, ref);
    for (const oldest of elements.keys()) {
      if (elements.size <= REFS_MAX) break;
      elements.delete(oldest);
    }
    return ref;
  }

  /**
   * @param {string} called
   * @returns {string}
   */
  function newRef(called) {
    const bytes = [...crypto.getRandomValues(new Uint8Array(REF_BYTES))];
    const random = bytes.map((byte) => byte.toString(36).padStart(2, '0')).join('');
    const signs = [...called.replace(/[^\p{L}\p{N}]+/gu, '-')].slice(0, CALLED_MAX_SIGNS).join('');
    return `${signs.replace(/^-|-$/g, '') || 'element'}-${random}`;
  }

  /**
   * @param {string} ref
   * @returns {boolean} Whether it was ever given.
   */
  function isRef(ref) {
    return elements.has(ref);
  }

  /**
   * @param {string} ref
   * @returns {{element: Element} | {reason: string}}
   */
  function elementOf(ref) {
    const known = elements.get(ref);
    const element = known?.element.deref();
    if (known === undefined || element === undefined || !shidiReader.dom.isConnected(element))
      return { reason: 'the element is no longer on the page: read it again' };
    const name = shidiHands.names.nameOf(element);
    return name === known.name
      ? { element }
      : { reason: `the element was called "${known.name}" and is called "${name}" now: read the page again` };
  }

  shidiHands.refs = { refOf, newRef, isRef, elementOf };
}
