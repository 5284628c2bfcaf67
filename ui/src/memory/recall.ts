/**
 * What memory brought into a run by itself: read from the record, and told with its reasons.
 *
 * Pure. The record names what was recalled and says why; the words are asked for when somebody looks, so that what was
 * forgotten since is gone here too.
 */
import { say, type Language } from '../i18n/i18n';
import type { RecallMark } from '../bindings/RecallMark';
import type { ScoreParts } from '../bindings/ScoreParts';
import type { SessionId } from '../bindings/SessionId';

/** One thing that was recalled: a record, or `SESSION/SEGMENT` of a question that was asked about the page at hand. */
export type Mark = Omit<RecallMark, 'parts' | 'score'> & { parts: Partial<ScoreParts> };

/** The parts of a score in the order in which they are told. */
export const PARTS = [
  'lexical',
  'context',
  'entity',
  'neighbour',
  'page',
  'vector',
  'recency',
  'weight',
  'correction',
  'repeated',
] as const satisfies readonly (keyof ScoreParts)[];
export type PartName = (typeof PARTS)[number];

/** Parts below this tell nothing: they are the crumbs of the sum. */
const TELLING = 0.005;

/** What its score is made of, the largest first. */
export function reasonsOf(mark: Mark): { part: PartName; value: number }[] {
  const told = PARTS.map((part) => ({ part, value: mark.parts[part] ?? 0 }));
  return told.filter(({ value }) => Math.abs(value) >= TELLING).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

/** Session and segment of what was said; `null` for a record. */
export function placeOf(mark: Mark): { session: SessionId; segment: number } | null {
  const [session, segment] = mark.id.split('/');
  return session === undefined || segment === undefined || !/^\d+$/.test(segment)
    ? null
    : { session, segment: Number(segment) };
}

/** The site of an address, as it is forgotten: scheme and host. */
export function siteOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** The day of the week for what was in the last days, else nothing. */
export function weekday(language: Language, time: string, now: Date): string | null {
  const days = (now.getTime() - Date.parse(time)) / 86_400_000;
  if (!(days >= 1 && days < 6)) return null;
  return new Date(time).toLocaleDateString(say(language, 'format_locale'), {
    weekday: say(language, 'format_weekday_form') === 'short' ? 'short' : 'long',
  });
}
