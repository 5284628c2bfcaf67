/**
 * Writes the content of a page as blocks of Markdown: headings, lists, tables, code, quotes, notes.
 *
 * Each block knows the part that it was written from, so that those in view can be told from the others.
 */
'use strict';

/** @typedef {{text: string, part: Part}} Piece A row of a table, or a line of a list. */
/**
 * @typedef {object} Block
 * @property {string} text
 * @property {Part} part Where it stands.
 * @property {boolean} isTight Whether it follows the one before it without an empty line.
 * @property {'code' | 'diff'} [code] What sort of code it is.
 * @property {Piece[]} [rows] Of a table: its head first.
 */

var shidiReader = shidiReader || {};
{
  const { attribute } = shidiReader.parts;
  const { holds } = shidiReader.measure;
  const { inline, line, BREAK } = shidiReader.inline;
  const { tables, code } = shidiReader;

  /** Two line breaks in a row, and more. */
  const PARAGRAPHS = new RegExp(`${BREAK}[\\s\\u00a0]*${BREAK}[\\s\\u00a0${BREAK}]*`);

  /** @typedef {{pen: Pen, blocks: Block[], link: number | null}} Sheet */

  /**
   * @param {Part} root
   * @param {Pen} pen
   * @returns {Block[]}
   */
  function blocksOf(root, pen) {
    /** @type {Sheet} */
    const sheet = { pen, blocks: [], link: null };
    children(root, sheet);
    return sheet.blocks;
  }

  /**
   * What stands in a part: blocks of their own, and paragraphs of what is between them.
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function children(part, sheet) {
    /** @type {Part[]} */
    let run = [];
    const flush = () => {
      if (run.length > 0) paragraphs(run, part, sheet);
      run = [];
    };
    for (const one of part.parts) {
      if (one.out !== '') continue;
      if (!one.isBlock && !one.isBroken) run.push(one);
      else {
        flush();
        block(one, sheet);
      }
    }
    flush();
  }

  /**
   * Two line breaks in a row part paragraphs.
   * @param {Part[]} run
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function paragraphs(run, part, sheet) {
    const text = inline(run, sheet.pen);
    for (const one of text.split(PARAGRAPHS)) {
      const lines = one
        .split(BREAK)
        .map(line)
        .filter((said) => said !== '');
      if (lines.length > 0) add(linked(lines.join('  \n'), sheet), part, sheet);
    }
  }

  /**
   * A card that is one link leads there by its first line.
   * @param {string} text
   * @param {Sheet} sheet
   */
  function linked(text, sheet) {
    const { link } = sheet;
    if (link === null || text.includes('][') || text.includes('\n')) return text;
    sheet.link = null;
    return `[${text}][${link}]`;
  }

  /**
   * @param {string} text
   * @param {Part} part
   * @param {Sheet} sheet
   * @param {boolean} [isTight]
   */
  function add(text, part, sheet, isTight = false) {
    sheet.blocks.push({ text, part, isTight });
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function block(part, sheet) {
    if (part.letters === 0 && !holds(part, isPicture)) return;
    const note = sheet.pen.notes.get(attribute(part, 'id'));
    if (note !== undefined && part.letters > 0) return footnote(part, note, sheet);
    if (/^h[1-6]$/.test(part.name) || part.role === 'heading') return heading(part, sheet);
    if (tables.isGrid(part) && !code.isCodeTable(part)) return table(part, sheet);
    if (code.isCode(part)) return codeBlock(part, sheet);
    switch (part.name) {
      case 'ul':
      case 'ol':
        return list(part, sheet);
      case 'blockquote':
        return prefixed(part, sheet, '> ', '> ');
      case 'dt':
        return bold(part, sheet);
      case 'dd':
        return prefixed(part, sheet, ': ', '  ');
      case 'summary':
      case 'figcaption':
      case 'caption':
        return paragraphs(
          part.parts.filter(({ out }) => out === ''),
          part,
          sheet,
        );
      case 'a':
        return card(part, sheet);
      case 'button':
        return part.letters > 60 ? children(part, sheet) : undefined;
      default:
        return part.role === 'button' && part.letters <= 60 ? undefined : children(part, sheet);
    }
  }

  /** @param {Part} part */
  function isPicture({ name }) {
    return name === 'img' || name === 'svg' || name === 'canvas' || name === 'math';
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function heading(part, sheet) {
    const said = /^h[1-6]$/.test(part.name) ? part.name.slice(1) : attribute(part, 'aria-level');
    const level = Math.min(Math.max(Number.parseInt(said, 10) || 2, 1), 6);
    const text = line(inline(part.parts, sheet.pen));
    if (text !== '') add(`${'#'.repeat(level)} ${linked(text, sheet)}`, part, sheet);
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function bold(part, sheet) {
    const text = line(inline(part.parts, sheet.pen));
    if (text !== '') add(text.includes('*') || text.includes('`') ? text : `**${text}**`, part, sheet);
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function list(part, sheet) {
    const start = Number.parseInt(attribute(part, 'start'), 10);
    let number = Number.isFinite(start) ? start : 1;
    let isFirst = true;
    for (const item of part.parts) {
      if (item.out !== '' || item.name === '#text') continue;
      const note = sheet.pen.notes.get(attribute(item, 'id'));
      if (item.name !== 'li' || note !== undefined) {
        block(item, sheet);
        continue;
      }
      const mark = part.name === 'ol' ? `${number}. ` : '- ';
      const from = sheet.blocks.length;
      prefixed(item, sheet, mark, ' '.repeat(mark.length));
      const first = sheet.blocks[from];
      if (first === undefined) continue;
      first.isTight = !isFirst;
      isFirst = false;
      number += 1;
    }
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   * @param {string} first Before the first line.
   * @param {string} others Before all others.
   */
  function prefixed(part, sheet, first, others) {
    const from = sheet.blocks.length;
    children(part, sheet);
    for (const [index, one] of sheet.blocks.slice(from).entries()) {
      const lead = index === 0 ? first : others;
      one.text = one.text.replace(/^(?=[^\n])/gm, others).replace(others, lead);
      one.rows?.forEach((row, at) => {
        row.text = (at === 0 ? lead : others) + row.text;
      });
    }
  }

  /**
   * @param {Part} part
   * @param {string} note
   * @param {Sheet} sheet
   */
  function footnote(part, note, sheet) {
    prefixed(part, sheet, `[^${note}]: `, '    ');
  }

  /**
   * A link around blocks.
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function card(part, sheet) {
    const outer = sheet.link;
    sheet.link = part.element === null ? null : sheet.pen.links.numberOf(part.element);
    children(part, sheet);
    sheet.link = outer;
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function codeBlock(part, sheet) {
    const said = code.codeOf(part);
    if (said === null) return;
    const text = said.lines.join('\n');
    const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    const block = `${fence}${said.language}\n${text}\n${fence}`;
    sheet.blocks.push({ text: block, part, isTight: false, code: said.isDiff ? 'diff' : 'code' });
  }

  /**
   * @param {Part} part
   * @param {Sheet} sheet
   */
  function table(part, sheet) {
    const known = sheet.pen.grids.get(part);
    // It was joined to one before it.
    if (known === null) return;
    const found = known ?? tables.tableOf(part);
    if (!tables.isData(found)) return children(part, sheet);
    const caption = part.parts.find(({ name, out }) => name === 'caption' && out === '');
    if (caption !== undefined) block(caption, sheet);
    const rows = tables.written(found, (cell) => cellText(cell, sheet.pen));
    const [head, ...rest] = rows;
    if (head === undefined) return;
    const isHeaded = head.isHead || (rest.length > 0 && isStyledHead(head.part, rest[0]?.part));
    const width = head.texts.length;
    const first = isHeaded ? head : { part: head.part, texts: Array(width).fill('') };
    const top = `${row(first.texts)}\n|${' --- |'.repeat(width)}`;
    /** @type {Piece[]} */
    const pieces = [{ text: top, part: first.part }];
    for (const { part: at, texts } of isHeaded ? rest : rows) pieces.push({ text: row(texts), part: at });
    sheet.blocks.push({ text: pieces.map(({ text }) => text).join('\n'), part, isTight: false, rows: pieces });
  }

  /** @param {string[]} texts */
  function row(texts) {
    return `| ${texts.join(' | ')} |`;
  }

  /**
   * Many a head is made by style alone.
   * @param {Part} head
   * @param {Part | undefined} next
   */
  function isStyledHead(head, next) {
    const [one, other] = [firstCell(head), next === undefined ? undefined : firstCell(next)];
    if (one === undefined || other === undefined) return false;
    if (one.name === 'th') return other.name === 'td' && head.parts.every(({ name }) => name !== 'td');
    const weigh = (/** @type {Part} */ part) => {
      const element =
        part.parts.find(({ name }) => /^(?:b|strong|font|div|span|p)$/.test(name))?.element ?? part.element;
      return element === null ? '400' : getComputedStyle(element).fontWeight;
    };
    if (Number(weigh(one)) >= 600 && Number(weigh(other)) < 600) return true;
    const ground = (/** @type {Part} */ { element }) =>
      element === null ? '' : getComputedStyle(element).backgroundColor;
    return (
      ground(head) + ground(one) !== (next === undefined ? '' : ground(next)) + ground(other) &&
      /^[^\d]*$/.test(labelsOf(head))
    );
  }

  /** @param {Part} head */
  function labelsOf(head) {
    return shidiReader.measure.beginning(head, 200);
  }

  /** @param {Part} part */
  function firstCell(part) {
    return part.parts.find(tables.isCell);
  }

  /**
   * @param {Part} cell
   * @param {Pen} pen
   * @returns {string}
   */
  function cellText(cell, pen) {
    const said = line(cellParts(cell, pen)).replace(/\\?\|/g, '\\|');
    return said.replace(/^\\(?=[-+>#:]|\d)/, '');
  }

  /**
   * @param {Part} cell
   * @param {Pen} pen
   * @returns {string}
   */
  function cellParts(cell, pen) {
    let text = '';
    for (const part of cell.parts) {
      if (part.out !== '') continue;
      if (part.name === 'input' || part.name === 'select' || part.name === 'textarea') text += ` ${fieldText(part)} `;
      else if (part.isBlock || part.isBroken)
        text += ` ${part.name === 'a' ? inline([part], pen) : cellParts(part, pen)} `;
      else text += inline([part], pen);
    }
    return text;
  }

  /** @param {Part} part */
  function fieldText(part) {
    return part.element === null ? '' : shidiReader.inline.escaped(shidiReader.fields.shownValue(part.element));
  }

  shidiReader.markdown = { blocksOf };
}
