/**
 * Joins what a page has split: a head that stands apart from its rows, columns that are held in place beside the others.
 *
 * Parts of one grid stand close together, have as many columns, or rows at the same height. Rows that a grid draws in any
 * order are put in the order in which they are seen.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { attribute } = shidiReader.parts;
  const { boxOf } = shidiReader.boxes;
  const { isGrid, isData, tableOf } = shidiReader.tables;

  /** Parts of one grid may be apart by the width of a line. */
  const EDGE_PX = 4;

  /** A head may stand a bar of filters above its rows. */
  const GAP_PX = 48;

  /** Pages of the grid, or how many rows it has. */
  const BESIDE_MAX_LETTERS = 60;

  /** Levels that a split grid is wrapped in. */
  const LEVELS_MAX = 7;

  /** @typedef {{tables: Map<Part, Table | null>, open: Table[], grids: Part[], joined: Map<Table, Part[]>}} Joining */

  /**
   * @param {Walk} found
   * @returns {Map<Part, Table | null>} The tables of a page by the part that they begin at; nothing for joined ones.
   */
  function gridsOf({ parts }) {
    const grids = parts.filter((part) => part.out === '' && isGrid(part));
    /** @type {Joining} */
    const state = { tables: new Map(), open: [], grids, joined: new Map() };
    for (const part of grids) {
      const table = ordered(tableOf(part));
      state.tables.set(part, table);
      state.open = state.open.filter((other) => !isWithin(part, other.part));
      if (!join(table, state)) state.open.push(table);
    }
    // What is no table when it is joined was none before.
    for (const [table, others] of state.joined)
      if (!isData(table)) for (const part of [table.part, ...others]) state.tables.delete(part);
    return state.tables;
  }

  /**
   * @param {Part} part
   * @param {Part} other
   */
  function isWithin(part, other) {
    for (let at = part.parent; at !== null; at = at.parent) if (at === other) return true;
    return false;
  }

  /**
   * @param {Table} table
   * @param {Joining} state
   * @returns {boolean} Whether it was joined to one of those before it.
   */
  function join(table, state) {
    const last = state.open.at(-1);
    if (last === undefined || !isClose(last, table, state.grids)) return false;
    if (isBeside(last, table)) merge(last, table);
    else if (isHeadOf(last, table)) last.rows.push(...withoutOwnHead(last, table));
    else return false;
    note(last, table, state);
    // Four parts: the two upper ones were joined, and now the two lower ones.
    const upper = state.open.at(-2);
    if (upper !== undefined && isClose(upper, last, state.grids) && isHeadOf(upper, last)) {
      upper.rows.push(...last.rows);
      note(upper, last, state);
      state.open.pop();
    }
    return true;
  }

  /**
   * @param {Table} table
   * @param {Table} other
   * @param {Joining} state
   */
  function note(table, other, { tables, joined }) {
    tables.set(other.part, null);
    joined.set(table, [...(joined.get(table) ?? []), other.part, ...(joined.get(other) ?? [])]);
    joined.delete(other);
  }

  /**
   * Whether the frame that two tables have in common holds next to nothing but tables.
   * @param {Table} one
   * @param {Table} other
   * @param {Part[]} grids
   */
  function isClose(one, other, grids) {
    let frame = one.part.parent;
    for (let level = 0; level < LEVELS_MAX && frame !== null && !isWithin(other.part, frame); level += 1)
      frame = frame.parent;
    if (frame === null || !isWithin(other.part, frame) || frame.name === 'body' || frame.name === 'main') return false;
    const within = frame;
    const held = grids.filter((grid) => isWithin(grid, within)).reduce((letters, grid) => letters + grid.letters, 0);
    return frame.letters <= held * 1.1 + BESIDE_MAX_LETTERS;
  }

  /**
   * @param {Table} left
   * @param {Table} right
   */
  function isBeside(left, right) {
    const [one, other] = [boxOf(left.part), boxOf(right.part)];
    if (one === null || other === null || left.rows.length !== right.rows.length) return false;
    if (one.right > other.left + EDGE_PX * 2 && other.right > one.left + EDGE_PX * 2) return false;
    return left.rows.every((row, index) => {
      const [a, b] = [boxOf(row.part), boxOf(right.rows[index]?.part ?? row.part)];
      return a !== null && b !== null && Math.abs(a.top - b.top) <= EDGE_PX;
    });
  }

  /**
   * @param {Table} one
   * @param {Table} other
   */
  function merge(one, other) {
    const isAfter = (boxOf(other.part)?.left ?? 0) >= (boxOf(one.part)?.left ?? 0);
    for (const [index, row] of one.rows.entries()) {
      const cells = other.rows[index]?.cells ?? [];
      row.cells = isAfter ? [...row.cells, ...cells] : [...cells, ...row.cells];
    }
  }

  /**
   * Whether one is the head of the other: little more than one row, as wide, and just above.
   * @param {Table} head
   * @param {Table} body
   */
  function isHeadOf(head, body) {
    const [above, below] = [boxOf(head.part), boxOf(body.part)];
    const [first] = body.rows;
    if (above === null || below === null || head.rows.length > 3 || head.rows.length === 0 || first === undefined)
      return false;
    const isOnTop =
      below.top >= above.top && below.top - above.bottom <= GAP_PX && Math.abs(above.left - below.left) <= EDGE_PX;
    return isOnTop && Math.abs(widthOf(head) - widthOf(body)) <= 1 && head.rows.length <= body.rows.length;
  }

  /** @param {Table} table */
  function widthOf({ rows }) {
    return Math.max(0, ...rows.map(({ cells }) => cells.reduce((width, { across }) => width + across, 0)));
  }

  /**
   * Some bodies have a head of their own, which is not seen, or only holds the widths.
   * @param {Table} head
   * @param {Table} body
   */
  function withoutOwnHead(head, body) {
    for (const row of head.rows) row.isHead = true;
    return body.rows.filter(({ part, isHead }) => part.letters > 0 && !isHead);
  }

  /**
   * Joins rows of the same number, or at the same height, and puts rows and cells in order where the page says it.
   * @param {Table} table
   * @returns {Table}
   */
  function ordered(table) {
    if (table.part.name === 'table' || table.rows.length < 2) return table;
    /** @type {Map<number, Row>} */
    const byPlace = new Map();
    const merged = new Set();
    for (const row of table.rows) {
      const place = placeOf(row);
      const known = byPlace.get(place);
      if (known === undefined) byPlace.set(place, { ...row, cells: [...row.cells] });
      else {
        known.cells.push(...row.cells);
        merged.add(known);
      }
    }
    const rows = [...byPlace].sort(([one], [other]) => one - other).map(([, row]) => row);
    for (const row of rows) {
      const isNumbered = row.cells.every(({ part }) => attribute(part, 'aria-colindex') !== '');
      if (isNumbered || merged.has(row)) row.cells.sort((one, other) => columnOf(one) - columnOf(other));
    }
    return { part: table.part, rows };
  }

  /** @param {Row} row */
  function placeOf({ part }) {
    const said = Number.parseInt(attribute(part, 'aria-rowindex'), 10);
    if (Number.isFinite(said)) return said;
    const [first] = part.parts;
    const box = boxOf(part);
    const top = box !== null && box.bottom > box.top ? box.top : first === undefined ? 0 : (boxOf(first)?.top ?? 0);
    return Math.round(top + window.scrollY);
  }

  /** @param {Cell} cell */
  function columnOf({ part }) {
    const said = Number.parseInt(attribute(part, 'aria-colindex'), 10);
    return Number.isFinite(said) ? said : (boxOf(part)?.left ?? 0);
  }

  shidiReader.grids = { gridsOf };
}
