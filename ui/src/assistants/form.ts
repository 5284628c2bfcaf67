/** The values of an assistant's form: words of a language, lists as lines, and the steps. Pure. */
import type { AssistantDetail } from '../bindings/AssistantDetail';
import type { AssistantSpec } from '../bindings/AssistantSpec';
import type { Sampling } from '../bindings/Sampling';
import type { Language } from '../i18n/i18n';

export const STEPS = ['identity', 'opening', 'knowledge', 'abilities', 'publish'] as const;
export type Step = (typeof STEPS)[number];

/** What it may have a model of its own for; `main` answers where no role has one. */
export const MODELS = ['main', 'coder', 'general', 'fast', 'vision'] as const;
/** Roles that may choose their words otherwise. */
export const SAMPLED = ['coder', 'general', 'fast'] as const;
export const NUMBERS = [
  'temperature',
  'top_p',
  'seed',
  'presence_penalty',
  'frequency_penalty',
] as const satisfies readonly (keyof Sampling)[];

type Words = Record<string, string>;

/** What is being changed: the values, the text that they were read from, and what it takes the place of. */
export interface Draft {
  spec: AssistantSpec;
  text: string;
  /** The digest of the file that is changed; `null` of a new one. */
  earlier: string | null;
}

/** One that nobody has said anything about. */
export const NO_SPEC: AssistantSpec = {
  name: '',
  title: {},
  picture: '',
  hotkey: '',
  description: {},
  opening: {},
  suggestions: [],
  prompt: {},
  languages: [],
  models: {},
  sampling: {},
  role_sampling: {},
  knowledge: null,
  toolkits: null,
  skills: null,
  workflows: null,
  memory: 'own',
  permissions: { mode: null, allow: [], ask: [], deny: [] },
};

/** A draft of one that is there: one that ships is changed as a copy. */
export function draftOf({ assistant, spec, text, digest }: AssistantDetail): Draft {
  const isOwn = assistant.source === 'user';
  const name = isOwn ? spec.name : `my-${spec.name}`;
  return { spec: { ...spec, name }, text, earlier: isOwn ? digest : null };
}

/** The words for a language: its own, those for all, else some. */
export function wordsIn(words: Words, language: Language): string {
  return words[language] ?? words[''] ?? Object.values(words)[0] ?? '';
}

/** Other words for a language; where there is one text for all languages, it stays one. */
export function withWords(words: Words, language: Language, text: string): Words {
  const isOne = Object.keys(words).every((key) => key === '');
  const key = isOne ? '' : language;
  const others = Object.entries(words).filter(([known]) => known !== key);
  return Object.fromEntries(text.trim() === '' ? others : [...others, [key, text]]);
}

/** Each line that says something. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Suggestions of a language as lines, each keeping its words of the others. */
export function withSuggestions(before: readonly Words[], language: Language, text: string): Words[] {
  return linesOf(text).map((line, at) => withWords(before[at] ?? {}, language, line));
}

export function suggestionsIn(suggestions: readonly Words[], language: Language): string {
  return suggestions.map((words) => wordsIn(words, language)).join('\n');
}

/** A number of a field, or nothing where there is none. */
export function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? undefined : number;
}

/** Sampling with another number; an empty field leaves it out. */
export function withNumber(sampling: Sampling, key: keyof Sampling, text: string): Sampling {
  const number = numberOf(text);
  const others = without(sampling, key);
  return number === undefined ? others : { ...others, [key]: number };
}

/** The same of one role; a role without a number is left out. */
export function withRoleNumber(
  roles: Readonly<Record<string, Sampling>>,
  role: string,
  key: keyof Sampling,
  text: string,
): Record<string, Sampling> {
  const sampling = withNumber(roles[role] ?? {}, key, text);
  const others = without(roles, role);
  return Object.keys(sampling).length === 0 ? others : { ...others, [role]: sampling };
}

/** Languages with one more or less. Their order counts: the first answers whoever writes in none of them. */
export function withLanguage(languages: readonly string[], language: string, isSpoken: boolean): string[] {
  const others = languages.filter((one) => one !== language);
  return isSpoken ? [...others, language] : others;
}

/** The same without one of its keys. */
export function without<Value extends object>(value: Value, key: keyof Value): Value {
  const copy = { ...value };
  delete copy[key];
  return copy;
}
