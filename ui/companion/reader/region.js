/**
 * Finds where on a page its content is, and leaves out what stands above, beside and below it.
 *
 * Goes down from the page towards the part that holds most of it. At each step, what is cut off is looked at: columns of
 * links, strips of menus and small print go; a title, a note or a message stays.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { linkShare, beginning, holds, measure, isLink } = shidiReader.measure;
  const { markAll, isTitle, isSaid } = shidiReader.furniture;
  const { boxOf } = shidiReader.boxes;
  const { hintOf } = shidiReader.parts;
  const { words } = shidiReader;

  /** A field is worth as much as a short line. */
  const FIELD_LETTERS = 40;

  /** The part that holds at least this share is where the content is. */
  const MOST = 0.6;

  /** A `main` with less than this holds something else than the content. */
  const MAIN_LEAST = 0.2;

  const STEPS_MAX = 24;
  const STRIP_MAX_LETTERS = 200;
  const STRIP_MAX_PX = 140;
  const TOP_PX = 170;
  const FOOT_MAX_LETTERS = 900;
  const LAST_MAX_LETTERS = 260;

  /** How far above the end of the page its last strip may end. */
  const LAST_PX = 90;

  /** Menus stand at the edge of the window. */
  const EDGE_PX = 40;
  const PARAGRAPH_LETTERS = 70;

  /** Reasons that were guesses: taken back where nothing else is left. */
  const GUESSED = new Set(['named', 'related', 'beside', 'above', 'below', 'outside', 'choices', 'account', 'header']);
  const TOO_LITTLE_LETTERS = 60;

  /**
   * @param {Walk} found
   * @returns {Part} The part that holds the content.
   */
  function markAround(found) {
    const { root, parts } = found;
    const before = root.letters;
    const main = mainOf(found);
    if (main !== null) markOutside(main);
    const held = descend(main ?? root);
    if (root.letters < TOO_LITTLE_LETTERS && root.fields === 0 && before > TOO_LITTLE_LETTERS) restore(parts);
    return held;
  }

  /** @param {Part} part */
  function weight(part) {
    return part.letters - part.linked * 0.7 + part.fields * FIELD_LETTERS;
  }

  /**
   * @param {Walk} found
   * @returns {Part | null}
   */
  function mainOf({ root, parts }) {
    const mains = parts.filter((part) => part.out === '' && (part.name === 'main' || part.role === 'main'));
    const [first] = mains.sort((one, other) => weight(other) - weight(one));
    return first !== undefined && weight(first) >= weight(root) * MAIN_LEAST ? first : null;
  }

  /** @param {Part} main */
  function markOutside(main) {
    const hasTitle = holds(main, isTitle);
    for (let at = main; at.parent !== null; at = at.parent) {
      for (const part of at.parent.parts) {
        if (part === at || part.out !== '' || part.letters + part.fields === 0) continue;
        const isText = part.letters - part.linked >= 500 && linkShare(part) < 0.2;
        const isTold =
          isSaid(part) || isDialog(part) || (!hasTitle && holds(part, isTitle)) || (isTitle(part) && !hasTitle);
        if (!isText && !isTold && !isNote(part, at)) markAll(part, 'outside');
      }
    }
  }

  /**
   * A short line in the column of the content, just above it: how much was found, for example.
   * @param {Part} part
   * @param {Part} main What holds the content.
   */
  function isNote(part, main) {
    const { parent } = main;
    if (parent === null || parent.name === 'body' || part.letters > 120 || part.linked > 0 || part.fields > 0)
      return false;
    const beside = parent.parts.filter(({ out, letters }) => out === '' && letters > 0);
    return beside.indexOf(part) >= 0 && beside.indexOf(part) < beside.indexOf(main) && part.isBlock;
  }

  /** @param {Part} part */
  function isDialog(part) {
    const is = (/** @type {Part} */ { name, role }) => name === 'dialog' || role === 'dialog' || role === 'alertdialog';
    return is(part) || holds(part, is);
  }

  /**
   * @param {Part} from
   * @returns {Part}
   */
  function descend(from) {
    const page = Math.max(weight(from), 1);
    let at = from;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const parts = at.parts.filter((part) => part.out === '' && weight(part) > 0);
      const heavy = parts.reduce(
        (best, part) => (best !== null && weight(best) >= weight(part) ? best : part),
        firstOf(parts),
      );
      if (heavy === null || heavy.name === '#text' || weight(at) < page * MOST * MOST || isEntry(heavy, parts))
        return at;
      const isMost = weight(heavy) >= weight(at) * MOST;
      for (const part of parts) {
        if (part === heavy || part.name === '#text') continue;
        const reason = reasonBeside(part, heavy, { within: at, isMost });
        if (reason !== '') markAll(part, reason);
      }
      if (!isMost || (heavy.name === 'table' && heavy.role !== 'presentation' && !isLayout(heavy))) return at;
      at = heavy;
    }
    return at;
  }

  /**
   * Whether it is one of several of its kind, one below the other: none of them is the content alone.
   * @param {Part} heavy
   * @param {Part[]} parts
   */
  function isEntry(heavy, parts) {
    if (!/^(?:article|section|li|div|tr|p)$/.test(heavy.name) || (heavy.name === 'div' && hintOf(heavy) === ''))
      return false;
    const box = boxOf(heavy);
    return parts.some((part) => {
      const isLike =
        part !== heavy && part.name === heavy.name && hintOf(part) === hintOf(heavy) && part.role === heavy.role;
      const other = isLike ? boxOf(part) : null;
      return other !== null && box !== null && !isColumn(box, other) && heavy.name !== 'tr';
    });
  }

  /**
   * @param {Part[]} parts
   * @returns {Part | null}
   */
  function firstOf(parts) {
    return parts[0] ?? null;
  }

  /** @param {Part} table */
  function isLayout(table) {
    return holds(table, ({ name }) => name === 'table' || name === 'form' || /^h[1-3]$/.test(name) || name === 'p');
  }

  /**
   * @param {Part} part
   * @param {Part} heavy What holds more than any other.
   * @param {{within: Part, isMost: boolean}} level
   * @returns {string}
   */
  function reasonBeside(part, heavy, { within, isMost }) {
    if (isSaid(part) || isDialog(part) || isTitle(part) || holds(part, ({ name }) => name === 'h1')) return '';
    const [box, main] = [boxOf(part), boxOf(heavy)];
    if (box === null || main === null) return '';
    if (isColumn(box, main)) return isMost && isSide(part, box, heavy, main) ? 'beside' : '';
    const isBefore = within.parts.indexOf(part) < within.parts.indexOf(heavy);
    if (isBefore) return isStrip(part, box, isBelowTitle(part, within)) ? 'above' : '';
    return isFoot(part, box) || isLast(part, box, within) ? 'below' : '';
  }

  /**
   * Whether two boxes stand side by side.
   * @param {Box} one
   * @param {Box} other
   */
  function isColumn(one, other) {
    // A list of links may reach a little below what stands beside it.
    const edge = Math.min(one.right - one.left, other.right - other.left) * 0.2;
    const apart = one.right <= other.left + edge || other.right <= one.left + edge;
    const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return apart && common >= Math.min(one.bottom - one.top, other.bottom - other.top) * 0.3;
  }

  /**
   * @param {Part} part
   * @param {Box} box
   * @param {Part} heavy
   * @param {Box} main
   */
  function isSide(part, box, heavy, main) {
    const isNarrow = box.right - box.left <= (main.right - main.left) * 0.5;
    if (!isNarrow) return false;
    const links = linkShare(part);
    if (links >= 0.4 && !(part.letters < 60 && isInMain(part))) return true;
    const isAtEdge = box.left <= EDGE_PX || box.right >= window.innerWidth - EDGE_PX;
    if (heavy.fields >= 3) return isAtEdge && part.fields === 0 && isListOfShort(part);
    const isPage = main.right - main.left >= window.innerWidth * 0.4 && main.bottom - main.top >= 160;
    if (!isPage) return false;
    if (links >= 0.25 || isListOfShort(part) || part.fields >= 2) return true;
    const isProse = paragraphsIn(heavy) >= 3;
    if (part.letters <= STRIP_MAX_LETTERS * 0.75 && isProse) return true;
    return part.letters < heavy.letters * 0.5 && isProse && paragraphsIn(part) < 4;
  }

  /** @param {Part} part */
  function isInMain({ zone }) {
    return zone !== '';
  }

  /**
   * Three or more entries of the same kind, and none of them says much.
   * @param {Part} part
   */
  function isListOfShort(part) {
    let lists = 0;
    const look = (/** @type {Part} */ one) => {
      const entries = one.parts.filter(({ isBlock, letters }) => isBlock && letters > 0);
      const [first] = entries;
      const isAlike = entries.every((entry) => entry.name === first?.name && entry.letters <= 120);
      const isList =
        entries.length >= 3 &&
        isAlike &&
        (first?.name !== 'div' || hintOf(entries[1] ?? first) === hintOf(entries[2] ?? first));
      if (isList) lists += one.letters;
      return false;
    };
    look(part);
    holds(part, look);
    return lists >= part.letters * 0.6;
  }

  /**
   * Texts that are as long as a sentence.
   * @param {Part} part
   */
  function paragraphsIn(part) {
    let paragraphs = 0;
    holds(part, (one) => {
      const isLong = one.letters >= PARAGRAPH_LETTERS && (one.name === 'p' || one.name === '#text');
      if (isLong && linkShare(one) < 0.5 && one.parent?.name !== 'a') paragraphs += 1;
      return paragraphs >= 6;
    });
    return paragraphs;
  }

  /**
   * Whether the title of the page stands before it.
   * @param {Part} part
   * @param {Part} within
   */
  function isBelowTitle(part, within) {
    const before = within.parts.slice(0, within.parts.indexOf(part));
    return before.some((one) => one.out === '' && (isTitle(one) || holds(one, isTitle)));
  }

  /**
   * A strip of links, or of a name and links, above the content.
   * @param {Part} part
   * @param {Box} box
   * @param {boolean} isBelow Whether the title stands above it.
   */
  function isStrip(part, box, isBelow) {
    const links = linkShare(part);
    if (/^(?:p|h[1-6]|pre|blockquote)$/.test(part.name) || (part.name === 'table' && links < 0.7)) return false;
    if (links >= 0.5 && part.letters <= STRIP_MAX_LETTERS * 2 && countLinks(part, 3) >= 3) return true;
    if (isBelow) return false;
    const isTop = box.top + window.scrollY < TOP_PX && box.bottom - box.top <= STRIP_MAX_PX;
    const isWide = box.right - box.left >= window.innerWidth * 0.55;
    if (!isTop || !isWide || part.letters > STRIP_MAX_LETTERS || part.zone !== '' || part.fields > 2) return false;
    return !isTitleText(beginning(part, 120)) && (links > 0 || box.top + window.scrollY < 60);
  }

  /**
   * Whether it is what the page calls itself first.
   * @param {string} text
   */
  function isTitleText(text) {
    const title = shidiReader.dom.titleOf(document);
    const [first = ''] = title.split(/ [|·–—-] |[|_]/);
    return text.length > 4 && first.trim() !== '' && (first.includes(text) || text.includes(first.trim()));
  }

  /**
   * @param {Part} part
   * @param {Box} box
   */
  function isFoot(part, box) {
    if (part.letters > FOOT_MAX_LETTERS || part.name === 'p' || part.name === 'table') {
      return part.letters <= FOOT_MAX_LETTERS && words.FOOT.test(beginning(part, 300)) && linkShare(part) > 0.2;
    }
    if (words.FOOT.test(beginning(part, 400))) return true;
    const links = linkShare(part) >= 0.5 ? countLinks(part, 2) : 0;
    return links >= 2 && box.right - box.left >= window.innerWidth * 0.3 && !holds(part, isFile);
  }

  /**
   * The last thing on the page, short, and set off from the text by its name, its ground or its letters.
   * @param {Part} part
   * @param {Box} box
   * @param {Part} within
   */
  function isLast(part, box, within) {
    if (part.letters > LAST_MAX_LETTERS || part.fields > 0 || part.zone !== '' || part.element === null) return false;
    if (!/^(?:div|section|tr|td|center|font|footer|ul)$/.test(part.name) || within.element === null) return false;
    const isWide = box.right - box.left >= window.innerWidth * 0.5;
    const isBelow =
      box.bottom + window.scrollY >= shidiReader.dom.boxOf(within.element).bottom + window.scrollY - LAST_PX;
    const root = shidiReader.dom.boxOf(shidiReader.dom.rootElement(document) ?? within.element);
    if (!isWide || !isBelow || box.bottom < root.bottom - LAST_PX) return false;
    if (/(?:^|[^a-z])(?:foot|footer|bottom|copy|copyright|ft|end)(?![a-z])/.test(hintOf(part))) return true;
    const cells = part.name === 'tr' ? part.parts.filter(({ element }) => element !== null) : [part];
    const shown = cells.length === 1 ? (cells[0]?.element ?? part.element) : part.element;
    const [own, outer] = [getComputedStyle(shown), getComputedStyle(within.element)];
    const isSetOff = own.backgroundColor !== outer.backgroundColor && own.backgroundColor !== 'rgba(0, 0, 0, 0)';
    return (
      isSetOff ||
      own.textAlign.includes('center') ||
      Number.parseFloat(own.fontSize) < Number.parseFloat(outer.fontSize)
    );
  }

  /**
   * @param {Part} part
   * @param {number} most
   */
  function countLinks(part, most) {
    let links = 0;
    holds(part, (one) => {
      if (isLink(one)) links += 1;
      return links >= most;
    });
    return links;
  }

  /** @param {Part} part */
  function isFile(part) {
    return part.name === 'a' && /\.(?:pdf|docx?|xlsx?|pptx?|zip|csv|txt|gz|rar|7z)\b/i.test(beginning(part, 120));
  }

  /** @param {readonly Part[]} parts */
  function restore(parts) {
    for (const part of parts) if (GUESSED.has(part.out)) part.out = '';
    measure(parts);
  }

  shidiReader.region = { markAround };
}
