/**
 * What the windows say, in the language that is set, and the forms of numbers and times in it. Holds no state.
 */
import { createContext } from 'svelte';
import type { Worded } from '../bindings/Worded';
import { SOURCE, textOf, type Language, type WordKey } from './catalogue';

export { LANGUAGES, languageOf, SOURCE, type Language, type WordKey } from './catalogue';

/** The strings of the language that is set; it may change while a window is open. */
export interface I18n {
  readonly language: Language;
  say(key: WordKey, gaps?: Record<string, string | number>): string;
}

export const [useI18n, provideI18n] = createContext<I18n>();

/** `language` is asked for whenever something is said, so that what is drawn follows it. */
export function i18nOf(language: () => Language): I18n {
  return {
    get language() {
      return language();
    },
    say: (key, gaps) => say(language(), key, gaps),
  };
}

/** A sentence with its `{{gaps}}` filled; the gap `count` decides the form of a counted one. */
export function say(language: Language, key: WordKey, gaps: Record<string, string | number> = {}): string {
  const text = textOf(language, key, gaps['count']);
  return text.replace(/\{\{(\w+)\}\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}

/** A text of the program: ours in every language it was kept in, else the source's; another party's is in none. */
export function inLanguage(text: Worded, language: Language): string {
  return typeof text === 'string' ? text : (text[language] ?? text[SOURCE] ?? '');
}

/** The same in all its languages: what is searched is found in any. */
export function inAnyLanguage(text: Worded): string {
  return typeof text === 'string' ? text : Object.values(text).join(' ');
}

/** Sentences of ours end without a stop; joined they need one. */
export function joined(language: Language, sentences: readonly (string | null)[]): string {
  const said = sentences.flatMap((sentence) =>
    sentence === null || sentence === '' ? [] : [sentence.replace(/[。.]$/, '')],
  );
  const capital = say(language, 'format_sentence_start') === 'capital';
  const begun = capital ? said.map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1)) : said;
  return begun.join(say(language, 'format_sentence_stop'));
}

/** A running time in whole seconds: `6 s`, `2 min 10 s`. */
export function elapsed(language: Language, seconds: number): string {
  if (seconds < 60) return say(language, 'seconds', { n: seconds });
  return say(language, 'minutes', { m: Math.floor(seconds / 60), s: seconds % 60 });
}

/** `2 ms`, `1.2 s`, `2 min 10 s`. */
export function duration(language: Language, ms: number): string {
  if (ms < 1000) return say(language, 'milliseconds', { n: Math.round(ms) });
  if (ms < 59_950) return say(language, 'seconds', { n: ms < 9_950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000) });
  return elapsed(language, Math.round(ms / 1000));
}

/** `214`, `3.2k`, `1.4M`. */
export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 99_950 ? 1 : 0)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** A whole number with its thousands apart: `12,345`. */
export function figure(n: number): string {
  return n.toLocaleString(SOURCE);
}

/** A price in US dollars with as many places as it needs to say anything. */
export function price(dollars: number): string {
  if (dollars === 0) return '$0';
  return dollars < 0.01 ? `$${dollars.toPrecision(1)}` : `$${dollars.toFixed(2)}`;
}

/** The same to two figures, where prices stand beside one another. */
export function exactPrice(dollars: number): string {
  return dollars > 0 && dollars < 0.1 ? `$${dollars.toPrecision(2)}` : price(dollars);
}

/** When something was, as short as it is clear: `14:05`, `Yesterday`, `12 Nov`, `3 Dec 2025`. */
export function when(language: Language, time: string, now: Date): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return '';
  const locale = say(language, 'format_locale');
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (then.getTime() >= midnight)
    return then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hour12: false });
  if (then.getTime() >= midnight - 86_400_000) return say(language, 'yesterday');
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const text = then.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...year });
  return spaced(text);
}

/** A whole date with its time: `2026 年 9 月 1 日 18:00`, `1 Sep 2026, 18:00`. Without a zone it is that of the computer. */
export function moment(language: Language, time: string, timeZone?: string): string {
  const day = date(language, time, timeZone);
  if (day === '') return '';
  const clock = new Date(time).toLocaleTimeString(say(language, 'format_locale'), {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZone,
  });
  return say(language, 'format_date_and_time', { date: day, time: clock });
}

/** A whole date: `2026 年 9 月 1 日`, `1 Sep 2026`. */
export function date(language: Language, time: string, timeZone?: string): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return '';
  const text = then.toLocaleDateString(say(language, 'format_locale'), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  });
  return spaced(text);
}

/** Chinese dates with a space between digits and signs, as all text of the windows has it. */
function spaced(date: string): string {
  return date.replace(/(\d+)(年|月|日)/g, '$1 $2 ').trim();
}
