/**
 * The buttons of a page by their names: those of its content first, then those of its bars.
 */
'use strict';

/** @typedef {{ref: string, label: string}} Button */

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { nameOf } = shidiReader.labels;
  const { BUTTONS_MAX, LABEL_MAX_CHARS } = shidiReader.limits;

  const TYPES = new Set(['submit', 'button', 'reset', 'image']);
  const NAMED = /(?:^|[^a-z])(?:btn|button)(?![a-z])/;

  /** Buttons of what wants something of the user are the last that a user wants. */
  const LAST = new Set(['popup', 'newsletter', 'paid', 'footer', 'survey', 'related']);

  /** @param {Part} part */
  function isButton({ element, name, role, isMute }) {
    if (element === null || isMute) return false;
    if (name === 'button' || role === 'button' || (role === 'link' && name !== 'a'))
      return role !== 'tab' && role !== 'combobox';
    if (name === 'input') return TYPES.has(dom.attributeOf(element, 'type').toLowerCase());
    return name === 'a' && NAMED.test(dom.hintOf(element));
  }

  /**
   * @param {Walk} found
   * @returns {{buttons: Button[], isCut: boolean}}
   */
  function buttonsOf({ parts }) {
    const found = parts.filter((part) => isButton(part) && !part.isVeiled);
    const ranked = found
      .map((part, index) => ({ part, index }))
      .sort((one, other) => rank(one.part) - rank(other.part) || one.index - other.index);
    /** @type {Map<string, Button>} */
    const buttons = new Map();
    for (const { part } of ranked) {
      const label = part.element === null ? '' : nameOf(part.element).slice(0, LABEL_MAX_CHARS);
      if (part.element === null || label === '' || buttons.has(label)) continue;
      if (buttons.size >= BUTTONS_MAX) return { buttons: [...buttons.values()], isCut: true };
      buttons.set(label, { ref: shidiHands.refs.refOf(part.element), label });
    }
    return { buttons: [...buttons.values()], isCut: false };
  }

  /** @param {Part} part */
  function rank({ out }) {
    return out === '' ? 0 : LAST.has(out) ? 2 : 1;
  }

  shidiReader.buttons = { buttonsOf, isButton };
}
