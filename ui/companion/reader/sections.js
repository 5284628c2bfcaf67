/**
 * Finds sections whose heading says that they lead to other pages: related articles, rankings, boxes to share.
 *
 * A heading alone is no reason: the section below it must be made of links, or of cards.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { linkShare, beginning, lettersOf } = shidiReader.measure;
  const { markAll, isTitle } = shidiReader.furniture;
  const { words } = shidiReader;

  const HEADING_MAX_LETTERS = 60;

  /** A section of links is seldom more of a page than this. */
  const SECTION_MOST = 0.5;
  const LINKS_LEAST = 0.3;

  /**
   * @param {Walk} found
   */
  function markSections({ root, parts }) {
    for (const part of parts) {
      if (part.name !== '#text' || part.out !== '' || part.letters < 2 || part.letters > HEADING_MAX_LETTERS) continue;
      if (!words.RELATED.test(part.text.trim())) continue;
      const heading = headingOf(part);
      if (heading !== null) markSection(heading, root);
    }
  }

  /**
   * What says nothing else: a heading, or a short text that stands alone.
   * @param {Part} text
   * @returns {Part | null}
   */
  function headingOf(text) {
    /** @type {Part | null} */
    let heading = null;
    for (let at = text.parent; at !== null && at.letters <= text.letters + 2; at = at.parent)
      if (at.name !== 'a') heading = at;
    return heading;
  }

  /**
   * @param {Part} heading
   * @param {Part} root
   */
  function markSection(heading, root) {
    const box = boxUnder(heading, root);
    if (box !== null) return markAll(box, 'related');
    const beside = heading.parent?.parts ?? [];
    const rank = rankOf(heading);
    let isAny = false;
    for (const part of beside.slice(beside.indexOf(heading) + 1)) {
      if (part.letters === 0) continue;
      if (rankOf(part) <= rank || isTitle(part) || linkShare(part) < LINKS_LEAST) break;
      if (part.letters > root.letters * SECTION_MOST) break;
      markAll(part, 'related');
      isAny = true;
    }
    if (isAny) markAll(heading, 'related');
  }

  /**
   * The largest part that begins with the heading and is made of what it announces.
   * @param {Part} heading
   * @param {Part} root
   * @returns {Part | null}
   */
  function boxUnder(heading, root) {
    /** @type {Part | null} */
    let box = null;
    for (let at = heading.parent; at !== null && at !== root; at = at.parent) {
      if (at.letters > root.letters * SECTION_MOST || at.name === 'main' || at.name === 'article') break;
      if (!beginning(at, HEADING_MAX_LETTERS * 2).startsWith(beginning(heading, HEADING_MAX_LETTERS))) break;
      const rest = at.letters - heading.letters;
      if (rest > 0 && leadsElsewhere(at, heading, rest)) box = at;
      else if (rest > 0) break;
    }
    return box;
  }

  /**
   * @param {Part} box
   * @param {Part} heading
   * @param {number} rest
   */
  function leadsElsewhere(box, heading, rest) {
    const linked = box.linked - heading.linked;
    if (linked / rest >= LINKS_LEAST) return true;
    // Buttons below "Share" may have no letters of their own.
    return rest <= 40 || lettersOf(beginning(box, 400)) <= HEADING_MAX_LETTERS;
  }

  /** @param {Part} part */
  function rankOf({ name }) {
    const [, rank] = /^h([1-6])$/.exec(name) ?? [];
    return rank === undefined ? 7 : Number(rank);
  }

  shidiReader.sections = { markSections };
}
