/**
 * Reads code: blocks of lines in letters of one width, without the numbers beside them, and differences with their signs.
 *
 * Editors, forges and logs build lines of tables, lists or bare boxes. What they share is the script and the white space.
 */
'use strict';

/** @typedef {'+' | '-' | ' ' | '@' | ''} Sign */
/** @typedef {{text: string, sign: Sign}} Line */
/** @typedef {{lines: string[], language: string, isDiff: boolean}} Code */

var shidiReader = shidiReader || {};
{
  const { hintOf, attribute } = shidiReader.parts;
  const { beginning, holds } = shidiReader.measure;
  const { boxOf } = shidiReader.boxes;

  const MONO = /mono|consolas|menlo|courier|source code|fira code|inconsolata|lucida console/i;
  const NUMBERS = /^\s*\d+(?:\s+\d+)*\s*$/;
  const NUMBER_NAMED =
    /(?:^|[^a-z])(?:num(?:ber)?s?|line-?no|linenos?|ln|gutter|line-?num(?:ber)?s?|blob-num|lineno|margin)(?![a-z])/;
  const ADDED = /(?:^|[^a-z])(?:add(?:ed|ition)?|addedline|insert(?:ed|ion)?|ins|new|plus|line-add)(?![a-z])/;
  const REMOVED = /(?:^|[^a-z])(?:del(?:eted|etion)?|deletedline|remov(?:ed|al)|rem|old|minus|line-del)(?![a-z])/;
  const DIFF = /(?:^|[^a-z])diffs?(?![a-z])|diff-|patch/;
  const LANGUAGE =
    /(?:^|\s)(?:language|lang|highlight-source|highlight|sourcecode|brush:?|code|syntax)[- ]([a-z0-9+#]{1,20})(?=\s|$)/;
  const CODE_NAMED =
    /(?:^|[^a-z])(?:code|source-?code|editor|cm-content|codemirror|monaco|ace|hljs|terminal|console|log)(?![a-z])/;
  const PROSE = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'form', 'textarea', 'blockquote']);
  const NO_LANGUAGES = new Set([
    'text',
    'plain',
    'plaintext',
    'block',
    'none',
    'container',
    'inline',
    'line',
    'lines',
    'wrapper',
    'inner',
    'rouge',
    'mirror',
  ]);

  /** @param {Part} part */
  function isMono(part) {
    if (part.element === null) return false;
    part.style.isMono ??= MONO.test(getComputedStyle(part.element).fontFamily);
    return part.style.isMono;
  }

  /** @param {Part} part */
  function spaceOf(part) {
    return part.element === null ? '' : getComputedStyle(part.element).whiteSpace;
  }

  /**
   * Whether a part is a block of code, with nothing else in it.
   * @param {Part} part
   * @returns {boolean}
   */
  function isCode(part) {
    if (!part.isBlock || part.letters === 0 || part.name === 'p' || part.name === 'body') return false;
    if (part.name === 'pre') return true;
    if (part.name === 'table' || part.role === 'table') return isCodeTable(part);
    if (/^(?:tbody|tr|ul|h[1-6]|main|article|section)$/.test(part.name) || !isMono(part)) return false;
    if (holds(part, ({ name, letters }) => PROSE.has(name) && letters > 0)) return false;
    return isWritten(part);
  }

  /**
   * Whether its lines keep their white space, as code does.
   * @param {Part} part
   */
  function isWritten(part) {
    if (spaceOf(part).startsWith('pre') && spaceOf(part) !== 'pre-line') return true;
    if (attribute(part, 'data-language') !== '' || CODE_NAMED.test(hintOf(part))) return true;
    let lines = 0;
    let kept = 0;
    holds(part, (one) => {
      const isText = one.parts.some(({ name, text }) => name === '#text' && text.trim() !== '');
      if (!isText) return false;
      lines += 1;
      if (one.name === 'pre' || /^(?:pre|pre-wrap|break-spaces)$/.test(spaceOf(one)) || one.name === 'code') kept += 1;
      return lines >= 12;
    });
    return kept > 0 && kept >= lines * 0.4;
  }

  /**
   * A table of lines: numbers, perhaps signs, and code.
   * @param {Part} table
   */
  function isCodeTable(table) {
    const rows = shidiReader.tables.tableOf(table).rows.slice(0, 40);
    if (rows.length === 0) return false;
    if (DIFF.test(hintOf(table)) && rows.some(({ part }) => holds(part, (one) => signOf(one) !== ''))) return true;
    const coded = rows.filter(({ cells }) => {
      const rest = cells.filter(({ part }) => !isNumber(part));
      return rest.length > 0 && rest.length <= 2 && rest.some(({ part }) => isMono(part) && isWritten(part));
    });
    return coded.length >= rows.length * 0.6;
  }

  /**
   * Whether a part of a line is its number, or empty.
   * @param {Part} part
   */
  function isNumber(part) {
    if (part.letters === 0) return true;
    if (part.letters > 7 || !/^[\d\s.…]+$/.test(beginning(part, 12))) return false;
    if (part.name === 'td' || NUMBER_NAMED.test(hintOf(part)) || attribute(part, 'data-line-number') !== '')
      return true;
    return part.element !== null && getComputedStyle(part.element).userSelect === 'none';
  }

  /**
   * A column of nothing but line numbers.
   * @param {Part} part
   */
  function isNumbers(part) {
    if (part.letters > 40_000) return false;
    const text = beginning(part, 40_000);
    if (!NUMBERS.test(text)) return false;
    const numbers = text.trim().split(/\s+/).map(Number);
    return (
      numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1) && numbers.length > 1
    );
  }

  /**
   * @param {Part} part
   * @returns {Code | null} Nothing where it is only a column of numbers.
   */
  function codeOf(part) {
    if (isNumbers(part)) return null;
    const isDiff = isDifference(part);
    /** @type {Line[]} */
    const lines = [];
    collect(part, lines, isDiff, part.name === 'pre' || isWritten(part));
    while (lines.length > 0 && lines[0]?.text.trim() === '') lines.shift();
    while (lines.length > 0 && lines.at(-1)?.text.trim() === '') lines.pop();
    const language = languageOf(part);
    if (lines.length === 0) return null;
    return { language: isDiff ? 'diff' : language, isDiff, lines: lines.map((line) => said(line, isDiff)) };
  }

  /** @param {Part} part */
  function isDifference(part) {
    let added = 0;
    let removed = 0;
    let hunks = 0;
    const look = (/** @type {Part} */ one) => {
      const sign = one.isBlock || one.isItem || one.name === 'span' ? signOf(one) : '';
      if (sign === '+') added += 1;
      if (sign === '-') removed += 1;
      if (one.name === '#text' && /^\s*@@ .*@@/m.test(one.text)) hunks += 1;
      return false;
    };
    look(part);
    holds(part, look);
    return hunks > 0 || (added > 0 && removed > 0 && DIFF.test(aroundHint(part)));
  }

  /** @param {Part} part */
  function aroundHint(part) {
    let hint = hintOf(part);
    let at = part.parent;
    for (let level = 0; level < 4 && at !== null; level += 1, at = at.parent) hint += ` ${hintOf(at)}`;
    holds(part, (one) => {
      if (hint.length < 2_000) hint += ` ${hintOf(one)}`;
      return hint.length >= 2_000;
    });
    return hint;
  }

  /**
   * @param {Part} part
   * @returns {Sign}
   */
  function signOf(part) {
    const mark = attribute(part, 'data-code-marker') || attribute(part, 'data-marker');
    if (mark.trim() !== '') return mark.trim() === '+' ? '+' : '-';
    const hint = `${hintOf(part)} ${attribute(part, 'data-interop-type')}`;
    if (hint.length < 3 || part.letters === 0) return '';
    if (/hunk/.test(hint)) return '@';
    return REMOVED.test(hint) ? '-' : ADDED.test(hint) ? '+' : '';
  }

  /**
   * @param {Line} line
   * @param {boolean} isDiff
   */
  function said({ text, sign }, isDiff) {
    const plain = text.replace(/\u00a0/g, ' ').replace(/[ \t\r]+$/, '');
    if (!isDiff || sign === '@' || /^(?:@@|diff --git|index [0-9a-f]|--- |\+\+\+ )/.test(plain)) return plain;
    if (sign === '' || sign === ' ') return /^[-+ ]/.test(plain) ? plain : ` ${plain}`;
    return plain.startsWith(sign) ? plain : `${sign}${plain}`;
  }

  /**
   * Adds the lines of a part.
   * @param {Part} part
   * @param {Line[]} lines
   * @param {boolean} isDiff
   * @param {boolean} isKept Whether white space counts.
   */
  function collect(part, lines, isDiff, isKept) {
    let text = '';
    /** @type {Sign} */
    let sign = '';
    const flush = () => {
      for (const line of text.split('\n')) lines.push({ text: line, sign });
      text = '';
      sign = '';
    };
    const inline = (/** @type {Part} */ one) => {
      if (one.out !== '' || one.isVeiled || one.name === 'button') return;
      if (one.name === '#text') text += isKept ? one.text : one.text.replace(/\s+/g, ' ');
      else if (one.name === 'br') text += '\n';
      else if (one.name !== 'a' || !isNumber(one)) {
        sign ||= isDiff ? signOf(one) : '';
        one.parts.forEach(inline);
      }
    };
    for (const one of inOrder(part)) {
      if (one.out !== '') continue;
      if (one.isBlock || one.isBroken) {
        if (text.trim() !== '') flush();
        text = '';
        addBlock(one, lines, isDiff, isKept);
      } else if (text !== '' || one.name !== '#text' || !/^\s*\n\s*$/.test(one.text) || part.parts.every(isInLine))
        inline(one);
    }
    if (text !== '' || part.letters === 0) flush();
  }

  /** @param {Part} part */
  function isInLine(part) {
    return !part.isBlock && !part.isBroken;
  }

  /**
   * Editors put lines where they are seen, and not where they stand in the document.
   * @param {Part} part
   */
  function inOrder(part) {
    const lines = part.parts.filter(({ isBlock }) => isBlock);
    if (lines.length < 2 || !lines.every(({ style }) => style.position === 'absolute')) return part.parts;
    return lines.sort((one, other) => (boxOf(one)?.top ?? 0) - (boxOf(other)?.top ?? 0));
  }

  /**
   * @param {Part} part
   * @param {Line[]} lines
   * @param {boolean} isDiff
   * @param {boolean} isKept
   */
  function addBlock(part, lines, isDiff, isKept) {
    if (isNumbers(part) || part.name === 'button') return;
    const cells = part.parts.filter((one) => one.out === '' && (one.isBlock || one.isItem || one.isBroken));
    const isRow =
      part.name === 'tr' ||
      part.role === 'row' ||
      (/flex|grid/.test(part.display) && cells.length > 1 && isOneLine(part));
    if (!isRow) {
      const from = lines.length;
      collect(part, lines, isDiff, isKept);
      const sign = isDiff ? signOf(part) : '';
      if (sign !== '') for (const line of lines.slice(from)) line.sign ||= sign;
      return;
    }
    const halves = cells.filter((cell) => !isNumber(cell) && !isSign(cell));
    const texts = halves.map((half) => oneOf(half, isDiff, isKept));
    const rowSign = isDiff ? signOf(part) || signIn(cells) : '';
    const [left, right] = texts;
    if (left === undefined) return;
    if (right === undefined || texts.length > 2)
      lines.push({ text: texts.map(({ text }) => text).join(''), sign: left.sign || rowSign });
    else if (!isDiff || left.text.trim() === right.text.trim())
      lines.push({ ...left, text: isDiff ? left.text : left.text + right.text });
    else lines.push({ text: left.text, sign: left.sign || '-' }, { text: right.text, sign: right.sign || '+' });
  }

  /**
   * @param {Part} part
   * @param {boolean} isDiff
   * @param {boolean} isKept
   * @returns {Line}
   */
  function oneOf(part, isDiff, isKept) {
    const inner = part.parts.filter((one) => one.isBlock || one.isItem);
    if (inner.length > 1 && inner.some(isNumber) && isOneLine(part)) {
      const rest = inner.filter((one) => !isNumber(one));
      const texts = rest.map((one) => oneOf(one, isDiff, isKept));
      return { text: texts.map(({ text }) => text).join(''), sign: signOf(part) || (texts[0]?.sign ?? '') };
    }
    /** @type {Line[]} */
    const lines = [];
    collect(part, lines, isDiff, isKept);
    const told = lines.filter(({ text }) => text.trim() !== '');
    const sign = isDiff ? signOf(part) || (told.find((line) => line.sign !== '')?.sign ?? '') : '';
    return { text: told.map(({ text }) => text).join('\n'), sign };
  }

  /** @param {Part} part */
  function isSign(part) {
    return part.letters <= 1 && /^[-+−]?$/.test(beginning(part, 2));
  }

  /**
   * @param {Part[]} cells
   * @returns {Sign}
   */
  function signIn(cells) {
    const mark = cells.find((cell) => cell.letters === 1 && isSign(cell));
    if (mark !== undefined) return beginning(mark, 1) === '+' ? '+' : '-';
    return cells.map(signOf).find((sign) => sign !== '') ?? '';
  }

  /**
   * Whether nothing in it stands below something else.
   * @param {Part} part
   */
  function isOneLine(part) {
    const box = boxOf(part);
    if (box === null || box.bottom - box.top > 120) return false;
    const cells = part.parts.filter(({ isBlock, isItem, letters }) => (isBlock || isItem) && letters > 0);
    return cells.every((cell) => cell.parts.filter(({ isBlock }) => isBlock).length <= 2);
  }

  /** @param {Part} part */
  function languageOf(part) {
    let at = /** @type {Part | null} */ (part);
    const inner = part.parts.find(({ name }) => name === 'code');
    const hints = [inner === undefined ? '' : hintOf(inner)];
    for (let level = 0; level < 4 && at !== null; level += 1, at = at.parent) {
      hints.push(hintOf(at), `lang-${(attribute(at, 'data-language') || attribute(at, 'data-lang')).toLowerCase()}`);
    }
    for (const hint of hints) {
      const [, language] = LANGUAGE.exec(hint) ?? [];
      if (language !== undefined && !NO_LANGUAGES.has(language)) return language;
    }
    return '';
  }

  shidiReader.code = { isCode, isCodeTable, isNumbers, codeOf, isMono };
}
