/**
 * Reads tables: which ones hold data, and their cells row by row.
 *
 * Takes elements and roles alike. A merged cell is repeated wherever it reaches; columns of controls and rows without a
 * word are left out. A table that only lays out a page, or a form, is no table.
 */
'use strict';

/** @typedef {{part: Part, isHead: boolean, across: number, down: number}} Cell */
/** @typedef {{part: Part, cells: Cell[], isHead: boolean}} Row */
/** @typedef {{part: Part, rows: Row[]}} Table */
/** @typedef {{part: Part, cells: (Cell | null)[], isHead: boolean}} FullRow Each place of the row, merged ones repeated. */

var shidiReader = shidiReader || {};
{
  const { attribute } = shidiReader.parts;
  const { holds } = shidiReader.measure;
  const { CELLS_MAX, SPAN_MAX_CELLS } = shidiReader.limits;

  const GRIDS = new Set(['table', 'grid', 'treegrid']);
  const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

  /** Cells of data are short; those of a layout hold whole articles. */
  const CELL_MAX_LETTERS = 600;

  /** Rows that are looked at to see what a table is. */
  const ROWS_LOOKED_AT = 60;

  /** @param {Part} part */
  function isGrid({ name, role }) {
    return GRIDS.has(role) || (name === 'table' && role !== 'presentation' && role !== 'none');
  }

  /** @param {Part} part */
  function isRow({ name, role }) {
    return role === 'row' || (name === 'tr' && role !== 'presentation');
  }

  /** @param {Part} part */
  function isCell({ name, role }) {
    return CELLS.has(role) || name === 'td' || name === 'th';
  }

  /**
   * The rows of a table or grid as they stand, without those of tables within it.
   * @param {Part} part
   * @returns {Table}
   */
  function tableOf(part) {
    /** @type {Row[]} */
    const rows = [];
    const stack = part.parts.toReversed();
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.out !== '' && at.out !== part.out) continue;
      if (isRow(at)) rows.push(rowOf(at));
      else if (!isGrid(at)) for (const inner of at.parts.toReversed()) stack.push(inner);
    }
    return { part, rows };
  }

  /**
   * @param {Part} part
   * @returns {Row}
   */
  function rowOf(part) {
    /** @type {Cell[]} */
    const cells = [];
    const stack = part.parts.toReversed();
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (isCell(at)) cells.push(cellOf(at));
      else for (const inner of at.parts.toReversed()) stack.push(inner);
    }
    const isHead =
      isInHead(part) || (cells.length > 1 && cells.every((cell) => cell.isHead && cell.part.role !== 'rowheader'));
    return { part, cells, isHead };
  }

  /**
   * @param {Part} part
   * @returns {Cell}
   */
  function cellOf(part) {
    const span = (/** @type {string} */ name) => {
      const said = Number.parseInt(attribute(part, name) || attribute(part, `aria-${name}`), 10);
      return Number.isFinite(said) ? Math.min(Math.max(said, 1), SPAN_MAX_CELLS) : 1;
    };
    const isHead = part.name === 'th' || part.role === 'columnheader' || part.role === 'rowheader';
    return { part, isHead, across: span('colspan'), down: span('rowspan') };
  }

  /** @param {Part} row */
  function isInHead(row) {
    return row.parent?.name === 'thead';
  }

  /**
   * Puts every cell wherever it reaches.
   * @param {Table} table
   * @returns {FullRow[]}
   */
  function filled({ rows }) {
    /** @type {FullRow[]} */
    const full = rows.map(({ part, isHead }) => ({ part, isHead, cells: [] }));
    let count = 0;
    for (const [at, row] of rows.entries()) {
      let column = 0;
      for (const cell of row.cells) {
        while (full[at]?.cells[column] !== undefined) column += 1;
        for (let down = 0; down < cell.down; down += 1)
          for (let across = 0; across < cell.across && count < CELLS_MAX; across += 1, count += 1) {
            const target = full[at + down];
            if (target !== undefined) target.cells[column + across] ??= cell;
          }
        column += cell.across;
      }
    }
    const width = Math.max(0, ...full.map(({ cells }) => cells.length));
    for (const { cells } of full) for (let column = 0; column < width; column += 1) cells[column] ??= null;
    return full;
  }

  /**
   * Whether a table holds data, and does not only lay out a page.
   * @param {Table} table
   * @returns {boolean}
   */
  function isData({ part, rows }) {
    if (rows.length === 0 || part.role === 'presentation' || part.role === 'none') return false;
    if (GRIDS.has(part.role)) return rows.some(({ cells }) => cells.length > 1);
    const looked = rows.slice(0, ROWS_LOOKED_AT);
    const widest = Math.max(...looked.map(({ cells }) => cells.reduce((width, { across }) => width + across, 0)));
    if (widest < 2 || laysOut(looked)) return false;
    if (rows.some(({ isHead }) => isHead) || holdsHead(part)) return true;
    const cells = looked.flatMap((row) => row.cells);
    const isSays = cells.filter(({ part: cell }) => cell.letters > 0).length >= cells.length * 0.4;
    return rows.length >= 2 && isSays && isEven(looked, widest);
  }

  /** @param {Part} part */
  function holdsHead(part) {
    return (
      part.parts.some(({ name, letters }) => name === 'caption' && letters > 0) ||
      holds(part, ({ name }) => name === 'th')
    );
  }

  /**
   * Whether cells hold what no cell of data holds: other tables, headings, long texts, or the fields of a form.
   * @param {Row[]} rows
   */
  function laysOut(rows) {
    const cells = rows.flatMap((row) => row.cells);
    const isLong = cells.some(({ part }) => part.letters > CELL_MAX_LETTERS && !isProse(part));
    if (isLong || cells.some(({ part }) => holds(part, isBuilding))) return true;
    const withField = rows.filter((row) => row.cells.some(({ part }) => holds(part, isField))).length;
    return (
      withField >= rows.length * 0.4 && rows.every((row) => row.cells.length <= 6) && !rows.some(({ isHead }) => isHead)
    );
  }

  /** @param {Part} part */
  function isBuilding({ name, role, letters }) {
    return (name === 'table' && role !== 'presentation' && letters > 0) || name === 'form' || /^h[1-3]$/.test(name);
  }

  /** @param {Part} part */
  function isProse(part) {
    return !holds(part, ({ name }) => name === 'div' || name === 'p' || name === 'br');
  }

  /** @param {Part} part */
  function isField(part) {
    const type = attribute(part, 'type').toLowerCase();
    if (part.name === 'input') return !/^(?:checkbox|button|submit|reset|image|hidden)$/.test(type);
    return part.name === 'textarea' || part.name === 'select';
  }

  /**
   * @param {Row[]} rows
   * @param {number} widest
   */
  function isEven(rows, widest) {
    const even = rows.filter(({ cells }) => cells.reduce((width, { across }) => width + across, 0) >= widest - 1);
    return even.length >= rows.length * 0.6;
  }

  /**
   * The rows of data with the text of their cells.
   * @param {Table} table
   * @param {(cell: Part) => string} textOf
   * @returns {{part: Part, texts: string[], isHead: boolean}[]}
   */
  function written(table, textOf) {
    /** @type {Map<Part, string>} */
    const known = new Map();
    const say = (/** @type {Cell | null} */ cell) => {
      if (cell === null) return '';
      const text = known.get(cell.part) ?? textOf(cell.part);
      known.set(cell.part, text);
      return text;
    };
    const rows = filled(table).map(({ part, cells, isHead }) => ({ part, isHead, texts: cells.map(say) }));
    const told = rows.filter(({ texts }) => texts.some((text) => text !== ''));
    const width = told[0]?.texts.length ?? 0;
    const kept = [...Array(width).keys()].filter((column) => told.some(({ texts }) => texts[column] !== ''));
    return told.map(({ part, isHead, texts }) => ({ part, isHead, texts: kept.map((column) => texts[column] ?? '') }));
  }

  shidiReader.tables = { isGrid, isCell, isRow, tableOf, filled, isData, written };
}
