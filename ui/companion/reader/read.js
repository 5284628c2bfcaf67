/**
 * Reads the page: its content as Markdown, what of it is in view, what is selected, its fields, buttons and links.
 *
 * Only reads: nothing is written into the page, nothing is loaded, no script of the page is called. All that it returns
 * is data that strangers have written.
 */
'use strict';

/**
 * @typedef {object} PageContent
 * @property {Kind} kind
 * @property {string} language Two letters.
 * @property {string} title
 * @property {string} [site]
 * @property {string} [description]
 * @property {string} [author]
 * @property {string} [published]
 * @property {string} text The whole content, as Markdown.
 * @property {string} visible What of it is in view.
 * @property {Selected | null} selection
 * @property {string[]} links By number, from 1.
 * @property {Field[]} fields
 * @property {Button[]} buttons
 * @property {string[]} cut Bounds that have cut something off.
 * @property {number} elements
 * @property {number} ms
 */
/** @typedef {{timeMs?: number, anew?: boolean}} ReadOptions `anew`: whatever is known of the page already. */
/** @typedef {{found: Walk, blocks: Block[], content: PageContent}} Reading */

var shidiReader = shidiReader || {};
{
  const { limits, dom, changes } = shidiReader;
  const { walk, attribute } = shidiReader.parts;
  const { measure, beginning } = shidiReader.measure;
  const { boxOf } = shidiReader.boxes;

  /** Cells of tables are asked for the language only where there is less than this. */
  const PROSE_LEAST_CHARS = 80;

  /** @type {Reading | null} */
  let last = null;

  /**
   * @param {ReadOptions} [options]
   * @returns {PageContent}
   */
  function read({ timeMs = limits.TIME_MAX_MS, anew = false } = {}) {
    const begun = performance.now();
    const { isDirty, isMoved, isReselected } = changes.taken();
    if (last !== null && !anew && !isDirty && !isReselected) {
      if (isMoved) last.content = { ...last.content, ...inView(last.blocks, forgotten(last.found)) };
      return last.content;
    }
    last = readAnew(timeMs, begun);
    changes.begin(last.found.roots);
    return last.content;
  }

  /**
   * @param {number} timeMs
   * @param {number} begun
   * @returns {Reading}
   */
  function readAnew(timeMs, begun) {
    const found = walk(document, timeMs);
    markAll(found);
    const links = new shidiReader.links.Links();
    const pen = { links, notes: notesOf(found), grids: shidiReader.grids.gridsOf(found) };
    const own = shidiReader.markdown.blocksOf(found.root, pen);
    const blocks = [...own, ...shidiReader.frames.unread(found, links)];
    const whole = joined(blocks, limits.TEXT_MAX_CHARS);
    if (whole.isCut) found.cut.add('text');
    if (links.isCut) found.cut.add('links');
    // What sort of page it is, the frames of others don't tell.
    const text = blocks.length === own.length ? whole.text : joined(own, limits.TEXT_MAX_CHARS).text;
    const content = {
      ...described(found, own, text),
      text: whole.text,
      links: links.addresses,
      ...inView(blocks, found),
      cut: [...found.cut],
    };
    return {
      found,
      blocks,
      content: { ...content, elements: found.elements, ms: Math.round((performance.now() - begun) * 10) / 10 },
    };
  }

  /** @param {Walk} found */
  function markAll(found) {
    measure(found.parts);
    shidiReader.furniture.markFurniture(found);
    shidiReader.sections.markSections(found);
    shidiReader.region.markAround(found);
    if (keepSelected(found)) measure(found.parts);
  }

  /**
   * What the user has selected belongs to the content, whatever it is.
   * @param {Walk} found
   * @returns {boolean}
   */
  function keepSelected({ parts, roots }) {
    const ranges = shidiReader.selection.rangesOf(roots).filter((range) => range !== null && !range.collapsed);
    if (ranges.length === 0) return false;
    let isAny = false;
    for (const part of parts) {
      if (part.out === '' || part.element === null || !ranges.some((range) => range !== null && touches(range, part)))
        continue;
      for (let at = /** @type {Part | null} */ (part); at !== null; at = at.parent) at.out = '';
      for (const inner of part.parts) if (inner.name === '#text') inner.out = '';
      isAny = true;
    }
    return isAny;
  }

  /**
   * @param {StaticRange | Range} range
   * @param {Part} part
   */
  function touches({ startContainer, startOffset, endContainer, endOffset }, { element }) {
    if (element === null || dom.ownerDocument(startContainer) !== dom.ownerDocument(element)) return false;
    try {
      const range = new Range();
      range.setStart(startContainer, startOffset);
      range.setEnd(endContainer, endOffset);
      return range.intersectsNode(element);
    } catch {
      return false;
    }
  }

  /**
   * Marks of footnotes by the ids that they lead to.
   * @param {Walk} found
   */
  function notesOf({ parts }) {
    /** @type {Map<string, string>} */
    const notes = new Map();
    for (const part of parts) {
      if (part.name !== 'a' || part.out !== '' || part.letters > 6) continue;
      const isRaised =
        part.parent?.name === 'sup' || part.parts.some(({ name }) => name === 'sup') || /noteref/.test(part.role);
      if (!isRaised) continue;
      const target = attribute(part, 'href');
      const mark = beginning(part, 12).replace(/[^\p{L}\p{N}]/gu, '');
      if (target.startsWith('#') && target.length > 1 && mark !== '') notes.set(target.slice(1), mark);
    }
    if (notes.size === 0) return notes;
    const ids = new Set(
      parts
        .filter(({ name, out }) => out === '' && /^(?:li|p|div|dd|aside|section)$/.test(name))
        .map((part) => attribute(part, 'id')),
    );
    for (const id of notes.keys()) if (!ids.has(id)) notes.delete(id);
    return notes;
  }

  /**
   * @param {Walk} found
   * @param {Block[]} blocks
   * @param {string} text
   */
  function described(found, blocks, text) {
    const { selected, isCut } = shidiReader.selection.selectionOf(found.roots);
    if (isCut) found.cut.add('selection');
    const meta = shidiReader.meta.metaOf(found);
    const all = shidiReader.fields.fieldsOf(found);
    const { buttons, isCut: areButtonsCut } = shidiReader.buttons.buttonsOf(found);
    const kind = shidiReader.kind.kindOf({
      blocks,
      parts: found.parts,
      fields: all.fields,
      buttons,
      title: meta.title,
      text,
    });
    // The search box in a page's bar is not what the page is there for, unless it is.
    const fields = all.fields.filter((field) => kind === 'search' || !all.asides.has(field));
    if (all.isCut) found.cut.add('fields');
    if (areButtonsCut) found.cut.add('buttons');
    const root = dom.rootElement(document);
    const claimed = root === null ? '' : dom.attributeOf(root, 'lang');
    const prose = proseOf(blocks) || `${meta.title} ${fields.map(({ label }) => label).join(' ')}`;
    return {
      kind,
      language: shidiReader.language.languageOf(prose, claimed),
      ...meta,
      text,
      selection: selected,
      fields,
      buttons,
    };
  }

  /**
   * The words of a page without its code, which is mostly in English.
   * @param {Block[]} blocks
   */
  function proseOf(blocks) {
    const told = blocks.filter(({ code }) => code === undefined);
    const running = told.filter(({ rows }) => rows === undefined);
    const isEnough = running.reduce((sum, { text }) => sum + text.length, 0) >= PROSE_LEAST_CHARS;
    const prose = (isEnough ? running : told).map(({ text }) => text);
    return prose
      .join('\n')
      .slice(0, 12_000)
      .replace(/`[^`\n]*`|\$[^$\n]*\$/g, ' ');
  }

  /**
   * @param {readonly Block[]} blocks
   * @param {number} most
   * @returns {{text: string, isCut: boolean}}
   */
  function joined(blocks, most) {
    const texts = [];
    let chars = 0;
    for (const [index, { text, isTight }] of blocks.entries()) {
      if (chars + text.length > most) {
        texts.push(index === 0 ? '' : '\n\n', text.slice(0, Math.max(0, most - chars)).replace(/[\uD800-\uDBFF]$/, ''));
        return { text: texts.join(''), isCut: true };
      }
      texts.push(index === 0 ? '' : isTight ? '\n' : '\n\n', text);
      chars += text.length + 2;
    }
    return { text: texts.join(''), isCut: false };
  }

  /**
   * Boxes are asked for anew after scrolling.
   * @param {Walk} found
   */
  function forgotten(found) {
    for (const part of found.parts) part.box = null;
    return found;
  }

  /**
   * @param {readonly Block[]} blocks
   * @param {Walk} found
   * @returns {{visible: string}}
   */
  function inView(blocks, found) {
    /** @type {Map<Part, boolean>} */
    const known = new Map();
    const seen = blocks.filter(({ part }) => isInView(part, known)).map((block) => seenRows(block, known));
    const { text, isCut } = joined(seen, limits.VISIBLE_MAX_CHARS);
    if (isCut) found.cut.add('visible');
    return { visible: text };
  }

  /**
   * Of a table, its head and the rows in view.
   * @param {Block} block
   * @param {Map<Part, boolean>} known
   * @returns {Block}
   */
  function seenRows(block, known) {
    const [head, ...rows] = block.rows ?? [];
    if (head === undefined) return block;
    return {
      ...block,
      text: [head, ...rows.filter(({ part }) => isInView(part, known))].map(({ text }) => text).join('\n'),
    };
  }

  /**
   * @param {Part} part
   * @param {Map<Part, boolean>} known
   * @returns {boolean}
   */
  function isInView(part, known) {
    let at = /** @type {Part | null} */ (part);
    while (at !== null && (at.element === null || (!at.isBlock && at.display !== 'inline-block'))) at = at.parent;
    if (at === null) return true;
    const before = known.get(at);
    if (before !== undefined) return before;
    const isIn = isAroundInView(at, known) && isBoxInView(at);
    known.set(at, isIn);
    return isIn;
  }

  /**
   * What stands around a part tells of most that they are out of view, without asking for their boxes.
   * @param {Part} part
   * @param {Map<Part, boolean>} known
   */
  function isAroundInView(part, known) {
    if (!part.style.isFlow || part.parent === null || part.parent.name === 'body' || isInView(part.parent, known))
      return true;
    let around = /** @type {Part | null} */ (part.parent);
    while (around !== null && !around.isBlock) around = around.parent;
    const box = around?.box ?? null;
    return box !== null && box.bottom - box.top < 1;
  }

  /** @param {Part} part */
  function isBoxInView(part) {
    const box = boxOf(part);
    if (box === null) return true;
    if (box.bottom <= 0 || box.right <= 0 || box.top >= window.innerHeight || box.left >= window.innerWidth)
      return false;
    // It may be scrolled out of a frame that is in view itself.
    for (let outer = part.parent; outer !== null && outer.name !== 'body'; outer = outer.parent) {
      const frame = outer.box;
      if (frame === null || outer.element === null || outer.style.isFlow) continue;
      const isPast =
        box.bottom <= frame.top || box.top >= frame.bottom || box.right <= frame.left || box.left >= frame.right;
      if (isPast && frame.bottom > frame.top && getComputedStyle(outer.element).overflowY !== 'visible') return false;
    }
    return true;
  }

  shidiReader.reader = { read };
}
