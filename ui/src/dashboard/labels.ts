/** What the dashboard says: figures, changes and days in the words of the windows. */
import { say, type I18n, type Language, type WordKey } from '../i18n/i18n';
import { changeOf, type Compared, type Outcome, type Series } from './dashboard';

export const OUTCOME_WORDS: Readonly<Record<Outcome, WordKey>> = {
  completed: 'standing_completed',
  gave_up: 'standing_gave_up',
  failed: 'standing_failed',
  cancelled: 'standing_cancelled',
  unfinished: 'dash_unfinished',
};

/** What stands where nothing can be said. */
export const NOTHING = '—';

/** A share in parts of a hundred. */
export function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(share * 100)} %`;
}

/** `+4 points`, `−12 %`, `the same`; `null` where there is nothing before. */
export function changeSaid(i18n: I18n, compared: Compared): string | null {
  const change = changeOf(compared);
  if (change === null) return null;
  if (change === 0) return i18n.say('dash_same');
  const signed = `${change > 0 ? '+' : '−'}${Math.abs(change)}`;
  return compared.by === 'points' ? i18n.say('dash_points', { n: signed }) : `${signed} %`;
}

/** A day as short as it is clear beside others: `29 Nov`, `11 月 29 日`. */
export function dayName(language: Language, day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const text = new Date(year, month - 1, date).toLocaleDateString(say(language, 'format_locale'), {
    day: 'numeric',
    month: 'short',
  });
  return text.replace(/(\d+)(年|月|日)/g, '$1 $2 ').trim();
}

/** The figures of one day in words: `29 Nov: 4 done, 1 failed`. */
export function daySaid(language: Language, day: string, parts: readonly string[]): string {
  const said = parts.length === 0 ? say(language, 'dash_nothing') : parts.join(say(language, 'format_list_comma'));
  return say(language, 'dash_day', { day, said });
}

/** The parts of a day that say something. */
export function partsOf(series: readonly Series[], at: number, text: (value: number) => string): string[] {
  return series.flatMap(({ name, values }) => {
    const value = values[at] ?? null;
    return value === null || value === 0 ? [] : [`${name} ${text(value)}`];
  });
}
