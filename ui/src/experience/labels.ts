/** How experiences are named and drawn. */
import type { Experience } from '../bindings/Experience';
import type { ExperienceKind } from '../bindings/ExperienceKind';
import type { ExperienceOutcome } from '../bindings/ExperienceOutcome';
import { votesOf } from './experiences';
import type { IconName } from '../shared/icons';
import { type I18n, when } from '../i18n/i18n';

export const EXPERIENCE_ICONS: Readonly<Record<ExperienceKind, IconName>> = {
  fix: 'wrench',
  warning: 'cross',
  practice: 'sprout',
  mistake: 'alert',
};

/** The mark of how a run came out; `null` while it is at work. */
export function markOf(outcome: ExperienceOutcome | null): { icon: IconName; tone: 'good' | 'wrong' | 'quiet' } {
  if (outcome === 'success') return { icon: 'check', tone: 'good' };
  return outcome === 'failure' ? { icon: 'cross', tone: 'wrong' } : { icon: 'clock', tone: 'quiet' };
}

/** The figure of a row: how it fared, else what models gave it. */
export function figureOf(experience: Experience): string {
  const uses = experience.wins + experience.losses;
  if (uses > 0) return `${experience.wins}/${uses}`;
  return votesOf(experience)?.mean.toFixed(1) ?? '';
}

/** Who decided, and when. */
export function decidedBy(i18n: I18n, experience: Experience, now: Date): string {
  return i18n.say(`ground_${experience.ground}`, { when: when(i18n.language, experience.decided, now) });
}

/** How it came to be: how many tasks taught it, or whose hand wrote it. */
export function originOf(i18n: I18n, experience: Experience): string {
  if (experience.seen === 0) return i18n.say('experience_by_hand');
  return i18n.say('experience_seen', { count: experience.seen });
}
