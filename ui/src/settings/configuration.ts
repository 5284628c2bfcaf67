/**
 * The settings page: entries in their groups, searched by every word of them.
 *
 * Pure. What an entry is called and may hold comes with it from the program; nothing about one setting is known here.
 */
import type { ConfigEntry } from '../bindings/ConfigEntry';
import type { SettingGroup } from '../bindings/SettingGroup';
import { inAnyLanguage, inLanguage, LANGUAGES, say, type Language, type WordKey } from '../i18n/i18n';

/** The groups in the order of the page. */
export const GROUPS: readonly SettingGroup[] = [
  'general',
  'look',
  'keys',
  'models',
  'search',
  'privacy',
  'memory',
  'permissions',
  'limits',
];

/** Parts of the page that are no settings, found by the same search. */
export type Part = 'local_model' | 'provider_keys' | 'search_key' | 'rules' | 'looks' | 'about';

export interface Section {
  group: SettingGroup | 'about';
  entries: readonly ConfigEntry[];
  parts: readonly Part[];
}

/** Which part stands in which group. */
const PARTS: readonly { part: Part; group: Section['group']; words: WordKey }[] = [
  { part: 'provider_keys', group: 'models', words: 'find_provider_keys' },
  { part: 'local_model', group: 'models', words: 'find_local_model' },
  { part: 'search_key', group: 'search', words: 'find_search_key' },
  { part: 'looks', group: 'privacy', words: 'find_looks' },
  { part: 'rules', group: 'permissions', words: 'find_rules' },
  { part: 'about', group: 'about', words: 'find_about' },
];

/** The page with what fits the words that were typed. */
export function sectionsOf(entries: readonly ConfigEntry[], query: string): Section[] {
  const words = query
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return [...GROUPS, 'about' as const]
    .map((group) => ({
      group,
      entries: entries.filter((entry) => entry.group === group && fits(wordsOf(entry))),
      parts: PARTS.filter((part) => part.group === group && fits(wordsOfPart(part.words))).map(({ part }) => part),
    }))
    .filter((section) => section.entries.length > 0 || section.parts.length > 0);
}

/** Everything by which an entry is found, in any language. */
function wordsOf(entry: ConfigEntry): string {
  const values =
    entry.kind.is === 'choice' ? entry.kind.values.map(({ value, title }) => `${value} ${inAnyLanguage(title)}`) : [];
  return [entry.key, entry.value, inAnyLanguage(entry.title), inAnyLanguage(entry.about), ...values].join(' ');
}

function wordsOfPart(words: WordKey): string {
  return LANGUAGES.map((language) => say(language, words)).join(' ');
}

export function titleOf(entry: ConfigEntry, language: Language): string {
  return inLanguage(entry.title, language) || entry.key;
}

/** Several values in one text: paths are joined by `:`, words by `;`. */
export function partsOf(entry: ConfigEntry): string[] {
  const sign = entry.kind.is === 'paths' ? ':' : ';';
  return entry.value
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function joined(entry: ConfigEntry, parts: readonly string[]): string {
  return [...new Set(parts)].join(entry.kind.is === 'paths' ? ':' : ';');
}

/** What is wrong with a number, before it is sent; `null` if it fits. */
export function outOfRange(entry: ConfigEntry, text: string): { min: number; max: number } | null {
  if (entry.kind.is !== 'number' || text.trim() === '') return null;
  const { min, max } = entry.kind;
  const number = Number(text);
  return Number.isInteger(number) && number >= min && number <= max ? null : { min, max };
}

/** Whether a search provider answers only to a key. */
export function needsSearchKey(provider: string): boolean {
  return ['brave', 'tavily', 'bing'].includes(provider);
}
