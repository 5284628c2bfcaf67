/**
 * On which sites it is noticed what is chosen in forms, and what Shidi is told of that.
 *
 * Pure. The user decides it in Shidi, site by site, and Shidi tells it again whenever a page of the site is in front. What a
 * page's script says of any other site, or of a document that is not the one in its tab, is told to nobody.
 */
import {
  clip,
  FORM_BUTTON_MAX_CHARS,
  FORM_NAME_MAX_CHARS,
  FORM_OPTION_MAX_CHARS,
  FORM_OPTIONS_MAX,
  FORM_VALUE_MAX_CHARS,
  FORM_VALUES_MAX,
} from './bounds.js';

/** @typedef {{name: string, kind: string, value: string | string[] | boolean | number, options?: string[]}} Value */
/** @typedef {{type: 'used', tab: number, document: string, form: string, values: Value[], button: string}} UsedMessage */
/** @typedef {{learned: ReadonlySet<string>, open: ReadonlyMap<number, import('./front.js').Open>}} Known */

/** More sites than anybody switches on by hand. */
export const SITES_MAX = 500;

/** @type {ReadonlySet<string>} */
export const NOTHING_LEARNED = new Set();

/**
 * The sites after a decision; the same set where it changes nothing.
 * @param {ReadonlySet<string>} sites
 * @param {import('./messages.js').SiteMessage} message
 * @returns {ReadonlySet<string>}
 */
export function decided(sites, { site, learn }) {
  if (sites.has(site) === learn || (learn && sites.size >= SITES_MAX)) return sites;
  return learn ? new Set([...sites, site]) : new Set([...sites].filter((one) => one !== site));
}

/**
 * What is told of a form that was used.
 * @param {Record<string, unknown>} said What the script beside the page says.
 * @param {{tab: number, site: string}} from Where that stands, as the browser knows it.
 * @param {Known} known
 * @returns {UsedMessage | null} Nothing where it is not to be noticed, or nothing is left of it.
 */
export function usedIn(said, { tab, site }, { learned, open }) {
  const page = open.get(tab);
  if (!learned.has(site) || page?.site !== site || page.document !== said['document']) return null;
  const raw = Array.isArray(said['values']) ? said['values'] : [];
  const values = raw
    .map(valueOf)
    .filter((value) => value !== null)
    .slice(0, FORM_VALUES_MAX);
  if (values.length === 0) return null;
  return {
    type: 'used',
    tab,
    document: page.document,
    form: clip(said['form'], FORM_NAME_MAX_CHARS),
    values,
    button: clip(said['button'], FORM_BUTTON_MAX_CHARS),
  };
}

/**
 * @param {unknown} raw
 * @returns {Value | null}
 */
function valueOf(raw) {
  if (typeof raw !== 'object' || raw === null) return null;
  const { name: said, kind, value, options: offered } = /** @type {Record<string, unknown>} */ (raw);
  const name = clip(said, FORM_NAME_MAX_CHARS);
  if (name === '') return null;
  switch (kind) {
    case 'text':
      return isShort(value) ? { name, kind, value: whole(value) } : null;
    case 'choice':
      return isShort(value) ? { name, kind, value: whole(value), options: optionsOf(offered) } : null;
    case 'choices': {
      const isList = Array.isArray(value) && value.length <= FORM_OPTIONS_MAX && value.every(isShort);
      return isList ? { name, kind, value: value.map(whole), options: optionsOf(offered) } : null;
    }
    case 'switch':
      return typeof value === 'boolean' ? { name, kind, value } : null;
    case 'number':
      return Number.isFinite(value) ? { name, kind, value: Number(value) } : null;
    default:
      return null;
  }
}

/**
 * A value that is cut could not be chosen again.
 * @param {unknown} value
 * @returns {value is string}
 */
function isShort(value) {
  return typeof value === 'string' && value.length <= FORM_VALUE_MAX_CHARS;
}

/** @param {string} value */
function whole(value) {
  return clip(value, FORM_VALUE_MAX_CHARS);
}

/**
 * @param {unknown} raw
 * @returns {string[]}
 */
function optionsOf(raw) {
  if (!Array.isArray(raw)) return [];
  return raw
    .slice(0, FORM_OPTIONS_MAX)
    .map((option) => clip(option, FORM_OPTION_MAX_CHARS))
    .filter(Boolean);
}
