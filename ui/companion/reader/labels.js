/**
 * What a person calls a field or button: by its label, by what its page says for assistive programs, or by what stands
 * before it.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { LABEL_MAX_CHARS } = shidiReader.limits;

  /** Elements whose text is no part of a label. */
  const NOT_SAID = new Set(['input', 'select', 'textarea', 'script', 'style', 'template', 'noscript', 'svg', 'option']);
  const FIELD = 'input:not([type=hidden i]), select, textarea, [role=combobox], [role=textbox], [contenteditable=true]';

  /** Steps towards the page that are taken to find what stands before a field. */
  const LEVELS_MAX = 4;

  /**
   * The text of an element as a label: without fields within it, and without the mark of required ones.
   * @param {Node} node
   * @param {Element} [except] What is not asked for its text.
   * @returns {string}
   */
  function labelText(node, except) {
    let text = '';
    const stack = [node];
    for (let at = stack.pop(); at !== undefined && text.length < LABEL_MAX_CHARS * 4; at = stack.pop()) {
      if (dom.nodeType(at) === dom.TEXT) text += dom.dataOf(at);
      if (!dom.isElement(at)) continue;
      if (at === except || NOT_SAID.has(dom.localName(at)) || (at !== node && isSilent(at))) continue;
      text += ' ';
      stack.push(...dom.childrenOf(at).toReversed());
    }
    return tidied(text);
  }

  /** @param {Element} element */
  function isSilent(element) {
    return !Element.prototype.checkVisibility.call(element) && getComputedStyle(element).display !== 'contents';
  }

  /** @param {string} text */
  function tidied(text) {
    const plain = text.replace(/[\s\u00a0\u200b]+/g, ' ').trim();
    return plain
      .replace(/^[*＊]\s*|\s*[*＊]?\s*[:：]?\s*[*＊]?$/g, '')
      .trim()
      .slice(0, LABEL_MAX_CHARS);
  }

  /**
   * @param {Element} element
   * @param {string} attribute That names others by their ids.
   * @returns {Element[]}
   */
  function namedBy(element, attribute) {
    const ids = dom.attributeOf(element, attribute).split(/\s+/).filter(Boolean).slice(0, 8);
    return ids.map((id) => dom.named(element, id)).filter((one) => one !== null);
  }

  /**
   * @param {Element} field
   * @returns {string}
   */
  function labelOf(field) {
    const by = namedBy(field, 'aria-labelledby').filter((one) => one !== field);
    return (
      by
        .map((one) => labelText(one))
        .filter(Boolean)
        .join(' ') ||
      ownLabel(field) ||
      tidied(dom.attributeOf(field, 'aria-label')) ||
      (isTicked(field) ? textAfter(field) : '') ||
      textBefore(field) ||
      tidied(dom.attributeOf(field, 'placeholder')) ||
      tidied(dom.attributeOf(field, 'title')) ||
      tidied(dom.attributeOf(field, 'name'))
    );
  }

  /** @param {Element} field */
  function ownLabel(field) {
    const label = labelElement(field);
    return label === null ? '' : labelText(label);
  }

  /**
   * @param {Element} field
   * @returns {Element | null}
   */
  function labelElement(field) {
    const id = dom.attributeOf(field, 'id');
    const root = Node.prototype.getRootNode.call(field);
    const named = id === '' ? null : dom.one(root, `label[for="${CSS.escape(id)}"]`);
    return named ?? dom.closest(field, 'label');
  }

  /** @param {Element} field */
  function isTicked(field) {
    return /^(?:checkbox|radio)$/.test(dom.attributeOf(field, 'type').toLowerCase() || dom.attributeOf(field, 'role'));
  }

  /**
   * What stands just after a tick, up to the next one.
   * @param {Element} field
   * @returns {string}
   */
  function textAfter(field) {
    let text = '';
    for (let node = dom.nextSibling(field); node !== null; node = dom.nextSibling(node)) {
      if (
        dom.isElement(node) &&
        (dom.matches(node, FIELD) || dom.one(node, FIELD) !== null || dom.localName(node) === 'br')
      )
        break;
      text += dom.isElement(node) ? ` ${labelText(node)} ` : dom.nodeType(node) === dom.TEXT ? dom.dataOf(node) : '';
    }
    return tidied(text);
  }

  /**
   * The nearest text before a field, as long as no other field is between.
   * @param {Element} field
   * @returns {string}
   */
  function textBefore(field) {
    let at = /** @type {Node} */ (field);
    for (let level = 0; level < LEVELS_MAX; level += 1) {
      for (let node = dom.previousSibling(at); node !== null; node = dom.previousSibling(node)) {
        if (dom.isElement(node) && (dom.matches(node, FIELD) || dom.one(node, FIELD) !== null)) return '';
        const text = dom.isElement(node)
          ? labelText(node)
          : dom.nodeType(node) === dom.TEXT
            ? tidied(dom.dataOf(node))
            : '';
        if (/[\p{L}\p{N}]/u.test(text) && !(dom.isElement(node) && isSilent(node))) return text;
      }
      const parent = dom.parentOf(at);
      if (parent === null || !dom.isElement(parent) || /^(?:form|fieldset|body|main)$/.test(dom.localName(parent)))
        return '';
      at = parent;
    }
    return '';
  }

  /**
   * What a group of fields is called: its legend, its label, or the heading before it.
   * @param {Element} field
   * @returns {string}
   */
  function groupOf(field) {
    const group = dom.closest(field, 'fieldset, [role=radiogroup], [role=group]');
    if (group !== null) {
      const legend = dom.childrenOf(group).find((one) => dom.isElement(one) && dom.localName(one) === 'legend');
      const by = namedBy(group, 'aria-labelledby');
      const said =
        (legend === undefined ? '' : labelText(legend)) ||
        by.map((one) => labelText(one)).join(' ') ||
        tidied(dom.attributeOf(group, 'aria-label'));
      if (said !== '' || dom.localName(group) !== 'fieldset') return said || textBefore(group);
    }
    return '';
  }

  /**
   * The name of a button.
   * @param {Element} button
   * @returns {string}
   */
  function nameOf(button) {
    const by = namedBy(button, 'aria-labelledby')
      .map((one) => labelText(one))
      .filter(Boolean)
      .join(' ');
    const value =
      dom.localName(button) === 'input' ? dom.attributeOf(button, 'value') || dom.attributeOf(button, 'alt') : '';
    return (
      by ||
      tidied(dom.attributeOf(button, 'aria-label')) ||
      tidied(value) ||
      labelText(button) ||
      tidied(dom.attributeOf(button, 'title'))
    );
  }

  shidiReader.labels = { labelOf, labelText, labelElement, groupOf, nameOf, namedBy, textAfter, textBefore };
}
