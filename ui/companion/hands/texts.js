/**
 * Finds a text on the page where a person would see it, selects it and scrolls to it.
 */
'use strict';

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;

  const WANTED_MAX_CHARS = 5_000;

  /** @typedef {{node: Node, offset: number}} Place */

  /**
   * @param {string} wanted
   * @returns {{element: Element, isSelected: boolean} | null} Nothing where the text is not seen.
   */
  function select(wanted) {
    const needle = wanted.replace(/\s+/g, ' ').trim().slice(0, WANTED_MAX_CHARS);
    if (needle === '') return null;
    const { text, places } = spelled();
    const exact = text.indexOf(needle);
    const at = exact >= 0 ? exact : text.toLowerCase().indexOf(needle.toLowerCase());
    const [start, end] = [places[at], places[at + needle.length - 1]];
    if (at < 0 || start === undefined || end === undefined) return null;
    const element = dom.parentNode(start.node);
    if (element === null || !dom.isElement(element)) return null;
    return { element, isSelected: mark(start, { node: end.node, offset: end.offset + 1 }) };
  }

  /**
   * The text that is seen, letter by letter, with single spaces, and where each letter stands.
   * @returns {{text: string, places: Place[]}}
   */
  function spelled() {
    let text = '';
    /** @type {Place[]} */
    const places = [];
    const add = (/** @type {string} */ sign, /** @type {Place} */ place) => {
      if (sign === ' ' && (text === '' || text.endsWith(' '))) return;
      text += sign;
      places.push(place);
    };
    /** @type {Place | null} */
    let last = null;
    for (const part of shidiReader.parts.walk(document).parts) {
      if (part.name !== '#text') {
        if ((part.isBlock || part.name === 'br') && last !== null) add(' ', last);
        continue;
      }
      const node = nodeOf(part);
      if (node === null) continue;
      for (let offset = 0; offset < part.text.length; offset += 1) {
        const sign = part.text.charAt(offset);
        last = { node, offset };
        add(/\s/.test(sign) ? ' ' : sign, last);
      }
    }
    return { text, places };
  }

  /**
   * The node that a run of text was read from.
   * @param {Part} part
   * @returns {Node | null}
   */
  function nodeOf(part) {
    const { parent } = part;
    if (parent === null || parent.element === null) return null;
    const like = parent.parts.filter(({ name, text }) => name === '#text' && text === part.text);
    const root = dom.shadowRoot(parent.element) ?? parent.element;
    const nodes = childNodes(root).filter((node) => dom.nodeType(node) === dom.TEXT && dom.dataOf(node) === part.text);
    return nodes[like.indexOf(part)] ?? null;
  }

  /** @param {Node} root */
  function childNodes(root) {
    if (dom.isElement(root) && dom.localName(root) === 'slot') return dom.slotted(root);
    if (dom.isElement(root) && dom.localName(root) === 'iframe') {
      const body = dom.bodyOf(dom.documentIn(root) ?? document);
      return body === null ? [] : dom.childrenOf(body);
    }
    return dom.childrenOf(root);
  }

  /**
   * @param {Place} start
   * @param {Place} end
   * @returns {boolean} Whether the browser has taken the selection.
   */
  function mark(start, end) {
    const page = dom.ownerDocument(start.node) ?? document;
    const selection = Document.prototype.getSelection.call(page);
    try {
      selection?.setBaseAndExtent(start.node, start.offset, end.node, end.offset);
    } catch {
      return false;
    }
    return selection !== null && !selection.isCollapsed;
  }

  shidiHands.texts = { select };
}
