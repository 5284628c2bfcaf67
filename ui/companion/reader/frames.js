/**
 * Names frames of other sites, whose content the browser shows to nobody but them: one line each, with its address.
 *
 * Reads nothing in them. What the page calls such a frame is the page's own word. Small frames are buttons and
 * advertisements, and are not named.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { limits, dom } = shidiReader;
  const { hintOf } = shidiReader.parts;
  const { boxOf } = shidiReader.boxes;
  const { PAID } = shidiReader.furniture;
  const { escaped } = shidiReader.inline;

  /** Places beside what was found to be the content: a frame there may be the content itself. */
  const BESIDE = new Set(['', 'beside', 'above', 'below', 'outside']);

  /** A frame of an advertisement seldom says so itself, but the boxes around it do. */
  const PAID_LEVELS = 4;

  /**
   * The frames that were not read, in the order of the page.
   * @param {Walk} found
   * @param {InstanceType<typeof shidiReader.links.Links>} links
   * @returns {Block[]}
   */
  function unread({ parts }, links) {
    /** @type {Block[]} */
    const blocks = [];
    for (const part of parts) {
      if (part.name !== 'iframe' || part.element === null || !isContent(part)) continue;
      if (dom.documentIn(part.element) !== null) continue;
      if (blocks.length >= limits.UNREAD_FRAMES_MAX) break;
      blocks.push({ text: named(part.element, links), part, isTight: blocks.length > 0 });
    }
    return blocks;
  }

  /** @param {Part} part */
  function isContent(part) {
    if (part.isMute || part.isUnsaid || !BESIDE.has(part.out) || isPaid(part)) return false;
    const box = boxOf(part);
    return box !== null && (box.right - box.left) * (box.bottom - box.top) >= limits.UNREAD_FRAME_LEAST_PX;
  }

  /** @param {Part} part */
  function isPaid(part) {
    let at = /** @type {Part | null} */ (part);
    for (let level = 0; level < PAID_LEVELS && at !== null; level += 1) {
      if (at.name !== 'body' && PAID.test(hintOf(at))) return true;
      at = at.parent;
    }
    return false;
  }

  /**
   * @param {Element} frame
   * @param {InstanceType<typeof shidiReader.links.Links>} links
   */
  function named(frame, links) {
    const number = links.numberOf(frame, 'src');
    const address = number === null ? undefined : links.addresses[number - 1];
    const site = address === undefined ? '' : ` of ${escaped(new URL(address).host)}`;
    const title = dom.attributeOf(frame, 'title').replace(/\s+/g, ' ').trim().slice(0, limits.LABEL_MAX_CHARS);
    const said = `[Frame${site}${title === '' ? '' : `, “${escaped(title)}”`}: not read]`;
    return number === null ? said : `${said}[${number}]`;
  }

  shidiReader.frames = { unread };
}
