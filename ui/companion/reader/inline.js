/**
 * Writes what stands within a line as Markdown: emphasis, links by number, code, formulas, pictures that say something.
 *
 * What a page says is escaped, so that its text can't become a heading, a link or a table that is not there.
 */
'use strict';

/**
 * @typedef {object} Pen What is known while a page is written.
 * @property {InstanceType<typeof shidiReader.links.Links>} links
 * @property {Map<string, string>} notes Marks of footnotes by the id of the note.
 * @property {Map<Part, Table | null>} grids
 */

var shidiReader = shidiReader || {};
{
  const { attribute, hintOf } = shidiReader.parts;
  const { beginning, holds } = shidiReader.measure;
  const { boxOf } = shidiReader.boxes;
  const dom = shidiReader.dom;

  /** A line break within a paragraph, until the paragraph is put together. */
  const BREAK = '\uFDD0';

  const ALT_MAX_CHARS = 400;
  const FORMULA_MAX_CHARS = 2_000;
  const NO_ALT =
    /^(?:image|img|picture|photo|icon|logo|avatar|banner|thumbnail|cover|illustration|figure|ad|advertisement|图片|图像|图标|头像|封面|照片|缩略图|插图|广告|logo图|二维码)?[\s\d._-]*$|\.(?:png|jpe?g|gif|svg|webp|avif)$|^https?:|logo$/i;

  /** Signs that may mean something to Markdown, or are not seen. */
  const MARKS = /[\uE000-\uF8FF\u200B\uFEFF\uFDD0\\`*[\]_~<&]/;

  /**
   * @param {string} text
   * @returns {string}
   */
  function escaped(text) {
    if (!MARKS.test(text)) return text;
    return text
      .replace(/[\uE000-\uF8FF\u200B\uFEFF\uFDD0]/g, '')
      .replace(/[\\`*[\]]/g, '\\$&')
      .replace(/(^|[^\p{L}\p{N}])(_+)|(_+)(?=[^\p{L}\p{N}_]|$)/gu, (whole) => whole.replace(/_/g, '\\_'))
      .replace(/~(?=~)/g, '\\~')
      .replace(/<(?=[a-z/!?])/gi, '\\<')
      .replace(/&(?=#?\w{1,31};)/g, '\\&');
  }

  /**
   * Guards the beginning of a line, where signs mean most.
   * @param {string} line
   * @returns {string}
   */
  function guarded(line) {
    return line
      .replace(/^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|={2,}\s*$|-{2,}\s*$|~{3,}|:(?=\s)|\|)/, '$1\\$2')
      .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
  }

  /**
   * @param {readonly Part[]} parts
   * @param {Pen} pen
   * @returns {string} With single spaces; lines are still parted by a sign of their own.
   */
  function inline(parts, pen) {
    let text = '';
    for (const part of parts) {
      if (part.out === '') text += written(part, pen);
    }
    return text;
  }

  /**
   * @param {Part} part
   * @param {Pen} pen
   * @returns {string}
   */
  function written(part, pen) {
    if (part.name === '#text') return escaped(part.text.replace(/\s+/g, ' '));
    if (part.isVeiled) return part.name === 'math' ? formula(part) : '';
    const side = part.isItem || part.isBlock ? ' ' : '';
    return side + ofElement(part, pen) + side;
  }

  /**
   * @param {Part} part
   * @param {Pen} pen
   * @returns {string}
   */
  function ofElement(part, pen) {
    const inner = () => inline(part.parts, pen);
    switch (part.name) {
      case 'br':
        return BREAK;
      case 'b':
      case 'strong':
        return wrapped(inner(), '**');
      case 'i':
      case 'em':
      case 'cite':
      case 'dfn':
        return wrapped(inner(), '*');
      case 's':
      case 'del':
      case 'strike':
        return wrapped(inner(), '~~');
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return code(part);
      case 'q':
        return `“${inner()}”`;
      case 'sup':
        return raised(part, pen);
      case 'a':
        return link(part, pen);
      case 'math':
        return formula(part);
      case 'img':
      case 'svg':
      case 'canvas':
        return picture(part);
      case 'button':
      case 'input':
      case 'textarea':
      case 'select':
      case 'hr':
      case 'meter':
      case 'progress':
        return part.name === 'button' ? pushed(part, pen) : '';
      default:
        return part.role === 'button' ? pushed(part, pen) : inner();
    }
  }

  /**
   * Marks stand close to what they mark.
   * @param {string} text
   * @param {string} mark
   */
  function wrapped(text, mark) {
    const [, before = '', core = '', after = ''] = /^([\s\uFDD0]*)([^]*?)([\s\uFDD0]*)$/.exec(text) ?? [];
    return core === '' || core.includes(mark) || core.includes(BREAK) ? text : `${before}${mark}${core}${mark}${after}`;
  }

  /** @param {Part} part */
  function code(part) {
    let text = '';
    const collect = (/** @type {Part} */ one) => {
      if (one.out !== '') return;
      if (one.name === '#text') text += one.text;
      one.parts.forEach(collect);
    };
    collect(part);
    const plain = text.replace(/[\s\uFDD0]+/g, ' ');
    if (plain.trim() === '') return plain;
    const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    const core = plain.trim();
    const pad = core.startsWith('`') || core.endsWith('`') ? ' ' : '';
    return `${plain.startsWith(' ') ? ' ' : ''}${fence}${pad}${core}${pad}${fence}${plain.endsWith(' ') ? ' ' : ''}`;
  }

  /**
   * A raised number may lead to a note.
   * @param {Part} part
   * @param {Pen} pen
   */
  function raised(part, pen) {
    const note = noteOf(part, pen);
    if (note !== null) return `[^${note}]`;
    const text = inline(part.parts, pen).trim();
    return /^[-+−]?\d+$/.test(text) ? `^${text}` : text;
  }

  /**
   * @param {Part} part
   * @param {Pen} pen
   * @returns {string | null}
   */
  function noteOf(part, pen) {
    if (part.letters > 6) return null;
    const target = part.name === 'a' ? part : firstLink(part);
    const href = target === null ? '' : attribute(target, 'href');
    return href.startsWith('#') ? (pen.notes.get(href.slice(1)) ?? null) : null;
  }

  /**
   * @param {Part} part
   * @returns {Part | null}
   */
  function firstLink(part) {
    /** @type {Part[]} */
    const links = [];
    holds(part, (one) => one.name === 'a' && links.push(one) > 0);
    return links[0] ?? null;
  }

  /**
   * @param {Part} part
   * @param {Pen} pen
   */
  function link(part, pen) {
    const text = part.role === 'button' ? pushed(part, pen) : inline(part.parts, pen);
    if (part.element === null || text.trim() === '' || part.role === 'button') return text;
    const href = attribute(part, 'href');
    if (href.startsWith('#') && noteOf(part, pen) !== null && /doc-noteref|noteref/.test(part.role))
      return raised(part, pen);
    // What only leads back to a line, or to this very heading.
    if (href.startsWith('#') && /^(?:[\s¶#§↩↑^⤴\\]|\uFE0E)*$/u.test(text)) return '';
    const number = dom.localName(part.element) === 'a' ? pen.links.numberOf(part.element) : null;
    if (number === null || text.includes('][')) return text;
    const [, before = '', core = '', after = ''] = /^([\s\uFDD0]*)([^]*?)([\s\uFDD0]*)$/.exec(text) ?? [];
    return `${before}[${core.replaceAll(BREAK, ' ')}][${number}]${after}`;
  }

  /**
   * Buttons have a list of their own; but some are whole cards, or questions that open.
   * @param {Part} part
   * @param {Pen} pen
   */
  function pushed(part, pen) {
    const isSaid =
      part.letters > 60 || (attribute(part, 'aria-expanded') !== '' && part.letters > 16) || isInHeading(part);
    return isSaid ? inline(part.parts, pen) : '';
  }

  /** @param {Part} part */
  function isInHeading({ parent }) {
    return parent !== null && (/^h[1-6]$/.test(parent.name) || parent.role === 'heading' || parent.name === 'summary');
  }

  /** @param {Part} part */
  function formula(part) {
    const { element } = part;
    if (element === null) return '';
    const isSource = dom.localName(element) === 'script';
    const source = isSource ? element : dom.one(element, 'annotation[encoding*="tex" i]');
    const said =
      source === null ? dom.attributeOf(element, 'alttext') || dom.textContent(element) : dom.textContent(source);
    const text = (said ?? '').replace(/\s+/g, ' ').trim().slice(0, FORMULA_MAX_CHARS);
    return text === '' ? '' : `$${text.replace(/\$/g, '\\$')}$`;
  }

  /** @param {Part} part */
  function picture(part) {
    const title = part.name === 'svg' && part.element !== null ? dom.one(part.element, 'title') : null;
    const said =
      attribute(part, 'alt') || attribute(part, 'aria-label') || (title === null ? '' : (dom.textContent(title) ?? ''));
    const text = said.replace(/\s+/g, ' ').trim().slice(0, ALT_MAX_CHARS);
    if (text === '' || part.isUnsaid) return '';
    if (/^\p{Extended_Pictographic}/u.test(text) && text.length <= 8) return text;
    if (NO_ALT.test(text) || /icon|logo|avatar|emoji/.test(hintOf(part))) return '';
    const box = boxOf(part);
    const isSmall = box === null || box.right - box.left < 24 || box.bottom - box.top < 24;
    // Drawings are mostly icons: only a described picture says something.
    if (isSmall || (part.name !== 'img' && text.length < 12)) return '';
    const around = part.parent === null ? '' : beginning(part.parent, 600);
    return around.includes(text) ? '' : `![${escaped(text)}]`;
  }

  /**
   * A line of text: single spaces, guarded at its beginning.
   * @param {string} text
   * @returns {string}
   */
  function line(text) {
    return guarded(
      text
        .replaceAll(BREAK, ' ')
        .replace(/[ \u00a0]+/g, ' ')
        .trim(),
    );
  }

  shidiReader.inline = { inline, line, guarded, escaped, BREAK };
}
