/**
 * Counts what parts of a page hold: letters, letters within links, and fields. Decides nothing.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  /** Signs of these and higher codes say as much as two or three letters. */
  const WIDE_FROM = 0x2e80;

  /** Longer ones are cards that can be pushed. */
  const BUTTON_MAX_LETTERS = 60;

  const FIELDS = new Set(['input', 'textarea', 'select']);

  /**
   * @param {string} text
   * @returns {number} Letters and other signs, without white space; wide ones count twice.
   */
  function lettersOf(text) {
    let letters = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 32 && code !== 160) letters += code >= WIDE_FROM ? 2 : 1;
    }
    return letters;
  }

  /**
   * Counts once more, leaving out what was found not to belong to the content.
   * @param {readonly Part[]} parts Each parent before its children.
   */
  function measure(parts) {
    for (const part of parts) {
      part.letters = part.out !== '' ? 0 : part.name === '#text' ? (part.own ??= lettersOf(part.text)) : 0;
      part.linked = 0;
      part.fields = part.out === '' && FIELDS.has(part.name) ? 1 : 0;
    }
    for (let index = parts.length - 1; index > 0; index -= 1) {
      const part = /** @type {Part} */ (parts[index]);
      const { parent } = part;
      if (parent === null || part.out !== '') continue;
      // What a button says is told apart from the text.
      if (isPushed(part)) continue;
      if (isLink(part)) part.linked = part.letters;
      parent.letters += part.letters;
      parent.linked += part.linked;
      parent.fields += part.fields;
    }
  }

  /** @param {Part} part */
  function isLink(part) {
    return part.name === 'a' || part.name === 'button' || part.role === 'link' || part.role === 'button';
  }

  /** @param {Part} part */
  function isPushed({ name, role, letters, parent }) {
    const isButton = name === 'button' || role === 'button';
    return (
      isButton && letters <= BUTTON_MAX_LETTERS && parent?.name !== 'summary' && !/^h[1-6]$/.test(parent?.name ?? '')
    );
  }

  /**
   * @param {Part} part
   * @returns {number} Share of letters that lead elsewhere, from 0 to 1.
   */
  function linkShare(part) {
    return part.letters === 0 ? 0 : part.linked / part.letters;
  }

  /**
   * The beginning of a part's text, with single spaces.
   * @param {Part} part
   * @param {number} chars
   * @returns {string}
   */
  function beginning(part, chars) {
    let text = '';
    const stack = [part];
    for (let at = stack.pop(); at !== undefined && text.length < chars; at = stack.pop()) {
      if (at.name === '#text') text += at.text;
      else if (at.isBlock || at.name === 'br') text += ' ';
      for (let index = at.parts.length - 1; index >= 0; index -= 1) stack.push(/** @type {Part} */ (at.parts[index]));
    }
    return text
      .replace(/[\s\u200b\ufeff]+/g, ' ')
      .trim()
      .slice(0, chars);
  }

  /**
   * Whether one of a few is in a part.
   * @param {Part} part
   * @param {(part: Part) => boolean} wanted
   * @returns {boolean}
   */
  function holds(part, wanted) {
    const stack = [...part.parts];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (wanted(at)) return true;
      stack.push(...at.parts);
    }
    return false;
  }

  shidiReader.measure = { measure, lettersOf, linkShare, beginning, holds, isLink, isPushed };
}
