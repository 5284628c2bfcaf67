/**
 * How much may pass between a page, the browser and Shidi, and in which form.
 *
 * What a page offers is cut or left out here, and what its tools return is made plain JSON that any reader takes: no
 * lone surrogates, no endless nesting. Nothing that a page says is believed beyond its length.
 */

/** @typedef {{name: string, title?: string, description: string, schema: object, reads_only: boolean}} Tool */

/** Agreed with the other side, which checks the same. */
export const TOOLS_MAX = 64;
export const NAME_MAX_CHARS = 128;
export const TITLE_MAX_CHARS = 200;
export const DESCRIPTION_MAX_CHARS = 2_000;
export const SCHEMA_MAX_BYTES = 32_000;
export const URL_MAX_CHARS = 4_096;
export const PAGE_TITLE_MAX_CHARS = 300;
export const RESULT_MAX_BYTES = 1_000_000;
export const MESSAGE_MAX_CHARS = 2_000;
export const ID_MAX_CHARS = 128;
/** A piece of what a page holds; a letter takes at most four bytes of the megabyte that passes. */
export const PIECE_MAX_CHARS = 250_000;
export const PIECES_MAX = 16;
/** A piece of the file of a PDF in Base64: whole groups of four letters. */
export const PDF_PIECE_CHARS = 1_000_000;
export const PDF_PIECES_MAX = 28;
/** What is told of a use of a form: labels are shorter, and a longer value is what somebody wrote, not what they chose. */
export const FORM_NAME_MAX_CHARS = 80;
export const FORM_VALUE_MAX_CHARS = 80;
export const FORM_BUTTON_MAX_CHARS = 60;
export const FORM_VALUES_MAX = 20;
export const FORM_OPTIONS_MAX = 30;
export const FORM_OPTION_MAX_CHARS = 80;

/** Readers of JSON give up at 128 levels; a message adds a few of its own. */
const NESTED_MAX_LEVELS = 100;

/** A tool without one takes no arguments. */
const NO_ARGUMENTS = { type: 'object', properties: {} };

/**
 * Cuts a text, never within a character, and makes it well-formed.
 * @param {unknown} text
 * @param {number} chars
 */
export function clip(text, chars) {
  if (typeof text !== 'string') return '';
  const whole = text.length <= chars ? text : `${text.slice(0, chars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  return wellFormed(whole);
}

/**
 * The tools that a page may be said to offer: those that can be named and called in full, the first of each name.
 * @param {unknown} raw
 * @returns {Tool[]}
 */
export function offered(raw) {
  /** @type {Map<string, Tool>} */
  const tools = new Map();
  for (const one of Array.isArray(raw) ? raw : []) {
    const tool = toolOf(one);
    if (tool !== null && !tools.has(tool.name) && tools.size < TOOLS_MAX) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/**
 * A result as plain JSON with its length in bytes, or why it is none.
 * @param {unknown} value
 * @returns {{value: unknown, bytes: number} | {trouble: string}}
 */
export function plain(value) {
  if (!isShallow(value, NESTED_MAX_LEVELS)) return { trouble: 'the result is nested too deeply' };
  const text = JSON.stringify(value ?? null);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > RESULT_MAX_BYTES)
    return { trouble: `the result is too long: ${bytes} bytes, and ${RESULT_MAX_BYTES} may pass` };
  return { value: /\\ud[89a-f]/.test(text) ? JSON.parse(withoutLoneSurrogates(text)) : JSON.parse(text), bytes };
}

/**
 * @param {unknown} raw
 * @returns {Tool | null}
 */
function toolOf(raw) {
  if (typeof raw !== 'object' || raw === null) return null;
  const { name, title, description, schema, reads_only } = /** @type {Record<string, unknown>} */ (raw);
  if (typeof name !== 'string' || name === '' || name.length > NAME_MAX_CHARS || name !== wellFormed(name)) return null;
  const fitting = schemaOf(schema);
  if (fitting === null) return null;
  const shown = clip(title, TITLE_MAX_CHARS);
  return {
    name,
    ...(shown === '' ? {} : { title: shown }),
    description: clip(description, DESCRIPTION_MAX_CHARS),
    schema: fitting,
    reads_only: reads_only === true,
  };
}

/**
 * @param {unknown} raw
 * @returns {object | null}
 */
function schemaOf(raw) {
  if (raw === undefined || raw === null) return NO_ARGUMENTS;
  if (typeof raw !== 'object' || Array.isArray(raw)) return null;
  const form = plain(raw);
  return 'trouble' in form || form.bytes > SCHEMA_MAX_BYTES ? null : /** @type {object} */ (form.value);
}

/**
 * A long JSON text in pieces that pass, none of which ends within a character.
 * @param {string} json
 * @returns {string[]}
 */
export function pieces(json) {
  const text = withoutLoneSurrogates(json);
  const all = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE_MAX_CHARS, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    all.push(text.slice(start, end));
    start = end;
  }
  return all;
}

/** @param {string} text */
function wellFormed(text) {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

/**
 * JSON text writes a lone surrogate as an escape, and only such a one. Escapes are read one by one, since the same
 * letters after an escaped backslash are text.
 * @param {string} text
 */
function withoutLoneSurrogates(text) {
  return text.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, (escape, surrogate) =>
    surrogate === undefined ? escape : '\\ufffd',
  );
}

/**
 * @param {unknown} value
 * @param {number} levels
 * @returns {boolean}
 */
function isShallow(value, levels) {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}
