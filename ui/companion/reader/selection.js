/**
 * What the user has selected, wherever that is possible: on the page, in a shadow root, in a frame, in a field.
 *
 * Never reads a secret field. What stands before and after the selection goes along, so that it can be understood.
 */
'use strict';

/** @typedef {{text: string, before: string, after: string}} Selected */

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { isSecret } = shidiReader.secrets;
  const { SELECTION_MAX_CHARS, SELECTION_AROUND_CHARS } = shidiReader.limits;

  /** Texts that are gone through at most on each side. */
  const STEPS_MAX = 4_000;
  const LEVELS_MAX = 20;
  const NOT_READ = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'select', 'input', 'rt', 'rp']);

  /**
   * @param {readonly (Document | ShadowRoot)[]} roots
   * @returns {{selected: Selected | null, isCut: boolean}}
   */
  function selectionOf(roots) {
    const inField = fieldSelection();
    const selected = inField ?? pageSelection(roots);
    if (selected === null) return { selected: null, isCut: false };
    const isCut = selected.text.length > SELECTION_MAX_CHARS;
    return { selected: { ...selected, text: selected.text.slice(0, SELECTION_MAX_CHARS) }, isCut };
  }

  /**
   * The element that has the focus, however deep it is.
   * @returns {Element | null}
   */
  function focused() {
    let at = dom.activeElement(document);
    for (let level = 0; level < LEVELS_MAX && at !== null; level += 1) {
      const shadow = dom.shadowRoot(at);
      const within = dom.localName(at) === 'iframe' ? dom.documentIn(at) : null;
      const next = shadow !== null ? dom.activeWithin(shadow) : within === null ? null : dom.activeElement(within);
      if (next === null) return at;
      at = next;
    }
    return at;
  }

  /** @returns {Selected | null} */
  function fieldSelection() {
    const field = focused();
    if (field === null || !/^(?:input|textarea)$/.test(dom.localName(field))) return null;
    const range = rangeIn(field);
    if (range === null || range.start === range.end || isSecret(field)) return null;
    const { value, start, end } = range;
    return {
      text: value.slice(start, end),
      before: value.slice(Math.max(0, start - SELECTION_AROUND_CHARS), start),
      after: value.slice(end, end + SELECTION_AROUND_CHARS),
    };
  }

  /**
   * @param {Element} field
   * @returns {{value: string, start: number, end: number} | null}
   */
  function rangeIn(field) {
    const { prototype } = dom.localName(field) === 'input' ? HTMLInputElement : HTMLTextAreaElement;
    const get = (/** @type {string} */ name) => Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(field);
    try {
      const [start, end] = [get('selectionStart'), get('selectionEnd')];
      return typeof start === 'number' && typeof end === 'number' ? { value: String(get('value')), start, end } : null;
    } catch {
      return null;
    }
  }

  /**
   * @param {readonly (Document | ShadowRoot)[]} roots
   * @returns {Selected | null}
   */
  function pageSelection(roots) {
    for (const range of rangesOf(roots)) {
      if (range === null || range.collapsed) continue;
      const text = textIn(range);
      if (text.trim() === '') continue;
      return {
        text: tidied(text),
        before: around(range.startContainer, range.startOffset, -1),
        after: around(range.endContainer, range.endOffset, 1),
      };
    }
    return null;
  }

  /**
   * @param {readonly (Document | ShadowRoot)[]} roots
   * @returns {(StaticRange | Range | null)[]}
   */
  function rangesOf(roots) {
    /** @type {(StaticRange | Range | null)[]} */
    const ranges = [];
    for (const root of roots) {
      // Chromium keeps a selection for each shadow root.
      const { getSelection } = /** @type {{getSelection?: () => Selection | null}} */ (ShadowRoot.prototype);
      const selection = dom.isShadow(root)
        ? (getSelection?.call(root) ?? null)
        : Document.prototype.getSelection.call(root);
      if (selection !== null && selection.rangeCount > 0) ranges.push(selection.getRangeAt(0));
    }
    const page = window.getSelection();
    if (page !== null && 'getComposedRanges' in page) {
      const shadowRoots = roots.filter((root) => dom.isShadow(root));
      try {
        ranges.push(...page.getComposedRanges({ shadowRoots }));
      } catch {
        // The call takes its roots in another form in some browsers.
      }
    }
    return ranges.sort((one, other) => Number(one?.collapsed ?? true) - Number(other?.collapsed ?? true));
  }

  /**
   * The text between two places, without what is not seen and what stands in fields.
   * @param {StaticRange | Range} range
   */
  function textIn({ startContainer, startOffset, endContainer, endOffset }) {
    if (startContainer === endContainer && dom.nodeType(startContainer) === dom.TEXT)
      return isSeen(startContainer) ? dom.dataOf(startContainer).slice(startOffset, endOffset) : '';
    let text = '';
    const end = placeOf(endContainer, endOffset);
    let steps = 0;
    let at = placeOf(startContainer, startOffset);
    while (at !== null && at !== end && steps < STEPS_MAX * 4 && text.length <= SELECTION_MAX_CHARS) {
      steps += 1;
      if (dom.nodeType(at) === dom.TEXT) {
        const data = dom.dataOf(at);
        if (isSeen(at)) text += at === startContainer ? data.slice(startOffset) : data;
      } else if (isLine(at) && text !== '') text += '\n';
      at = following(at);
    }
    if (at !== null && at === end && dom.nodeType(endContainer) === dom.TEXT && at === endContainer && isSeen(at))
      text += dom.dataOf(at).slice(0, endOffset);
    return text;
  }

  /**
   * @param {Node} container
   * @param {number} offset
   * @returns {Node | null}
   */
  function placeOf(container, offset) {
    if (dom.nodeType(container) === dom.TEXT) return container;
    return dom.childrenOf(container)[offset] ?? afterAll(container);
  }

  /**
   * The node after a node and all that is in it.
   * @param {Node} node
   * @returns {Node | null}
   */
  function afterAll(node) {
    for (let at = /** @type {Node | null} */ (node); at !== null; at = dom.parentNode(at)) {
      const next = dom.nextSibling(at);
      if (next !== null) return next;
    }
    return null;
  }

  /**
   * @param {Node} node
   * @returns {Node | null}
   */
  function following(node) {
    const first = dom.isElement(node) && NOT_READ.has(dom.localName(node)) ? null : dom.firstChild(node);
    return first ?? afterAll(node);
  }

  /** @param {Node} node */
  function isLine(node) {
    return dom.isElement(node) && /^(?:p|div|li|tr|br|h[1-6]|pre|section|blockquote|dt|dd)$/.test(dom.localName(node));
  }

  /** @param {Node} node */
  function isSeen(node) {
    const parent = dom.parentNode(node);
    if (parent === null || !dom.isElement(parent)) return parent !== null;
    const seen = { checkVisibilityCSS: true, checkOpacity: true };
    return !NOT_READ.has(dom.localName(parent)) && Element.prototype.checkVisibility.call(parent, seen);
  }

  /**
   * What stands before or after a place.
   * @param {Node} container
   * @param {number} offset
   * @param {1 | -1} way
   */
  function around(container, offset, way) {
    const root = Node.prototype.getRootNode.call(container);
    const walker = Document.prototype.createTreeWalker.call(
      dom.ownerDocument(container) ?? document,
      root,
      NodeFilter.SHOW_TEXT,
    );
    const isText = dom.nodeType(container) === dom.TEXT;
    let text = isText ? (way < 0 ? dom.dataOf(container).slice(0, offset) : dom.dataOf(container).slice(offset)) : '';
    walker.currentNode = isText ? container : (placeOf(container, offset) ?? container);
    for (let step = 0; step < STEPS_MAX && text.length < SELECTION_AROUND_CHARS * 2; step += 1) {
      const node = way < 0 ? walker.previousNode() : walker.nextNode();
      if (node === null) break;
      if (!isSeen(node)) continue;
      const data = dom.dataOf(node);
      text = way < 0 ? `${data}${text}` : `${text}${data}`;
    }
    const plain = text.replace(/\s+/g, ' ');
    return way < 0
      ? plain.slice(-SELECTION_AROUND_CHARS).trimStart()
      : plain.slice(0, SELECTION_AROUND_CHARS).trimEnd();
  }

  /** @param {string} text */
  function tidied(text) {
    return text
      .replace(/[ \t\u00a0]+/g, ' ')
      .replace(/ ?\n[\s]*/g, '\n')
      .trim();
  }

  shidiReader.selection = { selectionOf, focused, rangesOf };
}
