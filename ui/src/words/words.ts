/**
 * The one table of strings: a key that is missing in a language does not compile.
 *
 * Also the forms of numbers and times, which differ by language. Holds no state.
 */
import type { Language } from '../settings';
import { en } from './en';
import { zh } from './zh';

export type WordKey = keyof typeof zh;
export type Words = Record<WordKey, string>;

export const words: Record<Language, Words> = { zh, en };

/** A string with its `{holes}` filled. */
export function say(language: Language, key: WordKey, holes: Record<string, string | number> = {}): string {
  return words[language][key].replace(/\{(\w+)\}/g, (hole, name: string) => String(holes[name] ?? hole));
}

/** Sentences of ours end without a stop; joined they need one. */
export function joined(language: Language, sentences: readonly (string | null)[]): string {
  const said = sentences.flatMap((sentence) => (sentence === null || sentence === '' ? [] : [sentence.replace(/[。.]$/, '')]));
  const begun = language === 'zh' ? said : said.map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1));
  return begun.join(language === 'zh' ? '。' : '. ');
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
  return n.toLocaleString('en');
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
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (then.getTime() >= midnight) return then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hour12: false });
  if (then.getTime() >= midnight - 86_400_000) return words[language].yesterday;
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const text = then.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...year });
  return language === 'zh' ? text.replace(/(\d+)(年|月|日)/g, '$1 $2 ').trim() : text;
}

/** A whole date with its time: `2026 年 9 月 1 日 18:00`, `1 Sep 2026, 18:00`. */
export function moment(language: Language, time: string): string {
  const day = date(language, time);
  if (day === '') return '';
  const clock = new Date(time).toLocaleTimeString(language === 'zh' ? 'zh-CN' : 'en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });
  return language === 'zh' ? `${day} ${clock}` : `${day}, ${clock}`;
}

/** A whole date: `2026 年 9 月 1 日`, `1 Sep 2026`. */
export function date(language: Language, time: string): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return '';
  const text = then.toLocaleDateString(language === 'zh' ? 'zh-CN' : 'en-GB', { day: 'numeric', month: language === 'zh' ? 'long' : 'short', year: 'numeric' });
  return language === 'zh' ? text.replace(/(\d+)(年|月|日)/g, '$1 $2 ').trim() : text;
}
