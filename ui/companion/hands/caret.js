/**
 * Remembers the field that had the focus before the user turned to Shidi, and inserts a text at its caret.
 *
 * Keeps which field it was and where its caret stood, and nothing of what stands in it.
 */
'use strict';

/** @typedef {{element: Element, start: number | null, end: number | null, range: Range | null}} Caret */

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;
  const { names, values } = shidiHands;

  const TEXT_MAX_CHARS = 100_000;

  /** @type {{element: WeakRef<Element>, start: number | null, end: number | null, range: Range | null} | null} */
  let last = null;
  let isRemembering = false;

  /** From now on, the field that loses the focus is remembered. */
  function remember() {
    if (isRemembering) return;
    isRemembering = true;
    window.addEventListener('focusout', (event) => note(deepTarget(event)), { capture: true, passive: true });
    window.addEventListener('blur', () => note(shidiReader.selection.focused()), { passive: true });
  }

  /** @param {Event} event */
  function deepTarget(event) {
    const [target] = event.composedPath();
    return target instanceof Node && dom.isElement(target) ? target : null;
  }

  /** @param {Element | null} element */
  function note(element) {
    const field = element === null ? null : fieldAround(element);
    if (field === null) return;
    const { start, end } = rangeIn(field);
    last = { element: new WeakRef(field), start, end, range: names.isEditable(field) ? selectedRange(field) : null };
  }

  /**
   * @param {Element} element
   * @returns {Element | null}
   */
  function fieldAround(element) {
    const name = dom.localName(element);
    if (name === 'textarea') return element;
    if (name === 'input') return /^(?:textbox|searchbox)$/.test(names.roleOf(element)) ? element : null;
    return dom.closest(element, '[contenteditable=""], [contenteditable=true], [contenteditable=plaintext-only]');
  }

  /**
   * @param {Element} field
   * @returns {{start: number | null, end: number | null}}
   */
  function rangeIn(field) {
    const name = dom.localName(field);
    if (name !== 'input' && name !== 'textarea') return { start: null, end: null };
    const { prototype } = name === 'input' ? HTMLInputElement : HTMLTextAreaElement;
    const get = (/** @type {string} */ property) => {
      try {
        return /** @type {unknown} */ (Object.getOwnPropertyDescriptor(prototype, property)?.get?.call(field));
      } catch {
        return null;
      }
    };
    const [start, end] = [get('selectionStart'), get('selectionEnd')];
    return { start: typeof start === 'number' ? start : null, end: typeof end === 'number' ? end : null };
  }

  /**
   * @param {Element} field
   * @returns {Range | null}
   */
  function selectedRange(field) {
    const selection = Document.prototype.getSelection.call(dom.ownerDocument(field) ?? document);
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    return range !== null && Node.prototype.contains.call(field, range.commonAncestorContainer)
      ? range.cloneRange()
      : null;
  }

  /** @returns {Caret | null} */
  function remembered() {
    // A field that still has the focus was never left.
    const focused = shidiReader.selection.focused();
    if (focused !== null && fieldAround(focused) !== null) note(focused);
    const element = last?.element.deref();
    if (last === null || element === undefined || !dom.isConnected(element)) return null;
    return { ...last, element };
  }

  /**
   * @param {Caret} caret
   * @param {string} text
   * @returns {Put}
   */
  function insert({ element, start, end, range }, text) {
    if (text.length > TEXT_MAX_CHARS)
      return { done: false, reason: `the text is longer than ${TEXT_MAX_CHARS} characters` };
    if (names.isEditable(element)) return compose(element, range, text);
    const value = shidiReader.fields.written(element);
    const from = Math.min(start ?? value.length, value.length);
    const to = Math.min(end ?? value.length, value.length);
    const type = dom.attributeOf(element, 'type').toLowerCase();
    const whole = value.slice(0, from) + text + value.slice(to);
    const reason = values.misfit(element, whole, type);
    if (reason !== null) return { done: false, reason };
    values.focus(element);
    values.set(element, 'value', whole);
    if (shidiReader.fields.written(element) === value && text !== '')
      return { done: false, reason: 'the browser does not take this value for the field' };
    if (start !== null) moveCaret(element, from + text.length);
    values.tell(element, text);
    return { done: true, back: () => values.restore(element, value) };
  }

  /**
   * @param {Element} field
   * @param {number} at
   */
  function moveCaret(field, at) {
    const { prototype } = dom.localName(field) === 'input' ? HTMLInputElement : HTMLTextAreaElement;
    prototype.setSelectionRange.call(field, at, at);
  }

  /**
   * @param {Element} field
   * @param {Range | null} range
   * @param {string} text
   * @returns {Put}
   */
  function compose(field, range, text) {
    const back = values.backOf(field);
    const page = dom.ownerDocument(field) ?? document;
    values.focus(field);
    const selection = Document.prototype.getSelection.call(page);
    if (range !== null) {
      selection?.removeAllRanges();
      selection?.addRange(range);
    } else {
      selection?.selectAllChildren(field);
      selection?.collapseToEnd();
    }
    values.typed(page, field, text);
    return { done: true, back };
  }

  shidiHands.caret = { remember, remembered, insert };
}
