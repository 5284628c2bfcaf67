/**
 * What a tool's result means, whichever way it came: browsers hand over text, and tools wrap theirs as MCP does.
 *
 * Pure. Guesses nothing: what is neither JSON nor MCP stays the text that it is.
 */
import { clip, MESSAGE_MAX_CHARS, plain } from './bounds.js';

/** How a browser writes that a tool returned nothing. */
const NOTHING = 'undefined';

/**
 * The value that a tool's result stands for, or why there is none.
 * @param {unknown} raw
 * @returns {{value: unknown, bytes: number} | {trouble: string}}
 */
export function understood(raw) {
  if (raw === undefined || raw === NOTHING) return plain(null);
  const outer = typeof raw === 'string' ? parsed(raw) : raw;
  const text = wrappedText(outer);
  if (text === null) return plain(typeof outer === 'string' ? structured(outer) : outer);
  if (/** @type {{isError?: unknown}} */ (outer).isError === true)
    return { trouble: clip(text, MESSAGE_MAX_CHARS) || 'the tool failed' };
  return plain(parsed(text));
}

/**
 * The text within `{content: [{type: 'text', text}]}`; nothing where there is anything else too.
 * @param {unknown} value
 * @returns {string | null}
 */
function wrappedText(value) {
  if (typeof value !== 'object' || value === null || !('content' in value) || !Array.isArray(value.content))
    return null;
  const texts = value.content.map((part) =>
    part?.type === 'text' && typeof part.text === 'string' ? part.text : null,
  );
  return texts.length === 0 || texts.includes(null) ? null : texts.join('\n');
}

/**
 * A text within a text is read once more only where it holds an object or a list: "5" may well be meant as a text.
 * @param {string} text
 */
function structured(text) {
  return /^\s*[[{]/.test(text) ? parsed(text) : text;
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
