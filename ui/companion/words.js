/** What the popup says: sentences of the catalogue in the browser's language. Short, with the next step beside what went wrong. */
import { SENTENCES } from './sentences.js';

/** The language that stands in for those that the catalogue has not. */
const SOURCE = 'en';

/**
 * @typedef {object} Words
 * @property {string} language
 * @property {string} name
 * @property {string} away
 * @property {string} calling
 * @property {string} asking
 * @property {string} connected
 * @property {{version: string, declined: string, forgotten: string}} refused
 * @property {string} noPage
 * @property {string} reload
 * @property {(count: number) => string} tools
 * @property {string} allowed
 * @property {string} notAllowed
 * @property {string} connect
 * @property {string} forget
 */

/** Every language there is. */
export const LANGUAGES = Object.keys(SENTENCES);

/**
 * @param {string} tag The browser's language, such as `zh-CN`.
 * @returns {Words}
 */
export function wordsFor(tag) {
  const first = (/** @type {string} */ code) => code.toLowerCase().split('-')[0];
  const language =
    LANGUAGES.find((code) => code.toLowerCase() === tag.toLowerCase()) ??
    LANGUAGES.find((code) => first(code) === first(tag)) ??
    SOURCE;
  /** @param {string} key */
  const say = (key) => SENTENCES[language]?.[key] ?? SENTENCES[SOURCE]?.[key] ?? key;
  const forms = new Intl.PluralRules(language);
  return {
    language,
    name: say('name'),
    away: say('away'),
    calling: say('calling'),
    asking: say('asking'),
    connected: say('connected'),
    refused: {
      version: say('refused_version'),
      declined: say('refused_declined'),
      forgotten: say('refused_forgotten'),
    },
    noPage: say('no_page'),
    reload: say('reload'),
    tools: (count) =>
      count === 0 ? say('tools_none') : say(`tools_${forms.select(count)}`).replace('{{count}}', String(count)),
    allowed: say('allowed'),
    notAllowed: say('not_allowed'),
    connect: say('connect'),
    forget: say('forget'),
  };
}
