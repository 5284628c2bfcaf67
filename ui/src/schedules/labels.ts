/** How schedules are told of: what a kind is drawn as, how a time ended, and when it was or will be. */
import type { ScheduleDraft } from '../bindings/ScheduleDraft';
import type { ScheduleOutcome } from '../bindings/ScheduleOutcome';
import type { ScheduleRunView } from '../bindings/ScheduleRunView';
import type { ScheduleTime } from '../bindings/ScheduleTime';
import type { ScheduleView } from '../bindings/ScheduleView';
import type { ScheduleWords } from '../bindings/ScheduleWords';
import { date, figure, moment, when, type I18n, type WordKey } from '../i18n/i18n';
import type { IconName } from '../shared/icons';
import type { Kind } from './form';
import { isDecided, ownZone } from './schedules';

export const KIND_ICONS: Readonly<Record<Kind, IconName>> = { reminder: 'bell', question: 'ask', workflow: 'branch' };

const OUTCOME_ICONS: Readonly<Record<ScheduleOutcome, IconName>> = {
  done: 'check',
  failed: 'cross',
  cancelled: 'stop',
  waiting: 'person',
  missed: 'alert',
  interrupted: 'pause',
};

type Tone = 'good' | 'wrong' | 'warned' | 'quiet';

const OUTCOME_TONES: Readonly<Record<ScheduleOutcome, Tone>> = {
  done: 'good',
  failed: 'wrong',
  cancelled: 'quiet',
  waiting: 'warned',
  missed: 'warned',
  interrupted: 'warned',
};

export interface Standing {
  icon: IconName;
  tone: Tone;
  word: WordKey;
}

/** What of a time says how it ended. */
type Ended = Pick<ScheduleRunView, 'outcome' | 'decided'>;

/** How a time ended, or that it is at work. */
export function standingOf(run: Ended): Standing {
  const { outcome } = run;
  if (outcome === null) return { icon: 'play', tone: 'quiet', word: 'schedule_is_working' };
  if (isDecided(run)) return { icon: 'pause', tone: 'warned', word: 'schedule_is_decided' };
  return { icon: OUTCOME_ICONS[outcome], tone: OUTCOME_TONES[outcome], word: `schedule_is_${outcome}` };
}

const MARKS: Partial<Readonly<Record<ScheduleOutcome, WordKey>>> = {
  failed: 'schedule_mark_failed',
  missed: 'schedule_mark_missed',
  waiting: 'schedule_mark_waiting',
  interrupted: 'schedule_mark_interrupted',
};

/** What its user should know of a time; empty where there is nothing. */
export function markSaid(i18n: I18n, run: Ended): string {
  const { outcome } = run;
  if (isDecided(run)) return i18n.say('schedule_mark_decided');
  const key = outcome === null ? undefined : MARKS[outcome];
  return key === undefined ? '' : i18n.say(key);
}

/** A date that comes, with the day of its week: `Mon, 23 Nov 2026, 08:00`. */
export function comingAt(i18n: I18n, time: string, timeZone?: string): string {
  const weekday = new Date(time).toLocaleDateString(i18n.say('format_locale'), { weekday: 'short', timeZone });
  return i18n.say('schedule_day', { weekday, time: moment(i18n.language, time, timeZone) });
}

/** The same by the clock of a zone, and by that of the computer where it is another one. The zone has its name where `isNamed`. */
export function comingIn(i18n: I18n, time: string, zone: string | undefined, isNamed = true): string {
  const here = comingAt(i18n, time);
  if (zone === undefined || !isElsewhere(zone)) return here;
  const there = comingAt(i18n, time, zone);
  return i18n.say('schedule_day_there', { there: isNamed ? `${there} ${zone}` : there, here });
}

/** Whether a zone is another one than the computer's, and one whose clock is known here. */
function isElsewhere(timeZone: string): boolean {
  try {
    const there = new Intl.DateTimeFormat(undefined, { timeZone }).resolvedOptions();
    return there.timeZone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
  } catch {
    return false;
  }
}

/** A time beside another one: its clock alone where both are of one day. */
export function clockAt(i18n: I18n, time: string, beside: string): string {
  if (date(i18n.language, time) !== date(i18n.language, beside)) return moment(i18n.language, time);
  return new Date(time).toLocaleTimeString(i18n.say('format_locale'), { hour12: false });
}

/** When it happens, in the words of its user. An event is told in the language that is set. */
export function whenSaid(i18n: I18n, words: ScheduleWords): string {
  if (words.kind === 'change') return i18n.say('schedule_words_change', { path: words.path });
  if (words.kind !== 'job') return words.text;
  return words.name === '' ? i18n.say('schedule_words_any_job') : i18n.say('schedule_words_job', { name: words.name });
}

/** An event in full; `null` of what has dates. */
export function eventSaid(i18n: I18n, time: ScheduleTime): string | null {
  if (time.kind === 'change') return i18n.say('schedule_event_change', { path: time.path });
  if (time.kind !== 'job') return null;
  return time.name === '' ? i18n.say('schedule_event_any_job') : i18n.say('schedule_event_job', { name: time.name });
}

/** What stands in the place of a date that an event does not have; `null` of what has dates. */
function wheneverSaid(i18n: I18n, { kind }: ScheduleTime): string | null {
  if (kind === 'change') return i18n.say('schedule_whenever_changes');
  return kind === 'job' ? i18n.say('schedule_whenever_ends') : null;
}

/** When it comes next, or why it does not. */
export function comesSaid(i18n: I18n, { on, next, time, draft }: ScheduleView): string {
  if (next !== null) return comingIn(i18n, next, ownZone(time, draft.zone));
  if (!on) return i18n.say('schedule_paused_now');
  return wheneverSaid(i18n, time) ?? i18n.say('schedule_over');
}

/** What each time may spend. */
export function boundsSaid(i18n: I18n, { max_tokens: tokens, max_usd: usd }: ScheduleDraft): readonly string[] {
  return [
    ...(tokens === undefined ? [] : [i18n.say('schedule_bound_tokens', { most: figure(tokens) })]),
    ...(usd === undefined ? [] : [i18n.say('schedule_bound_usd', { most: usd })]),
  ];
}

/** When it comes next, and when it was last finished. */
export function datesSaid(i18n: I18n, schedule: ScheduleView, now: Date): readonly string[] {
  const { on, next, last } = schedule;
  // Whose clock it is by stands in the detail: a row has room for one.
  const coming = next === null ? comesSaid(i18n, schedule) : comingAt(i18n, next);
  return [
    ...(on || next !== null ? [next === null ? coming : i18n.say('schedule_next_at', { time: coming })] : []),
    ...(last === null ? [] : [i18n.say('schedule_last_at', { time: when(i18n.language, last, now) })]),
  ];
}

/** What became of a time, step by step. */
export function courseSaid(
  i18n: I18n,
  { due, dispatched, started, finished, outcome, missed }: ScheduleRunView,
): string {
  const at = (key: WordKey, time: string | null) =>
    time === null ? [] : [i18n.say(key, { time: clockAt(i18n, time, due) })];
  // One that was skipped stands for those before it and makes up for none.
  const standsFor = outcome === 'missed' ? 'schedule_with_earlier' : 'schedule_makes_up';
  const counted = missed > 0 ? [i18n.say(standsFor, { count: missed })] : [];
  return [
    ...at('schedule_taken_up', dispatched),
    ...at('schedule_begun', started),
    ...at('schedule_finished', finished),
    ...counted,
  ].join(' · ');
}

/** Schedules to begin with: what happens, and when, in the user's language. */
export const EXAMPLES: readonly { kind: 'reminder' | 'question'; text: WordKey; words: WordKey }[] = [
  { kind: 'reminder', text: 'schedule_example_stand_up', words: 'schedule_example_in_minutes' },
  { kind: 'question', text: 'schedule_example_news', words: 'schedule_example_workdays' },
  { kind: 'reminder', text: 'schedule_example_report', words: 'schedule_example_friday' },
];
