/** How skills are told of: where each is from, and how far it is trusted. */
import type { ListedSkill } from '../bindings/ListedSkill';
import type { SkillSource } from '../bindings/SkillSource';
import type { I18n } from '../i18n/i18n';
import type { IconName } from '../shared/icons';

export const ICONS: Record<SkillSource, IconName> = {
  built_in: 'todo',
  user: 'person',
  project: 'folder',
  plugin: 'plug',
};

/** In a word, what is to be known of one beside its name; empty where all is well. */
export function standingOf(i18n: I18n, { on, problem, source, trust }: ListedSkill): string {
  if (problem !== null) return i18n.say('skill_left_out');
  if (!on) return i18n.say('skill_is_off');
  if (source === 'built_in' || trust === 'reviewed') return '';
  return i18n.say(trust === 'changed' ? 'skill_changed' : 'skill_new');
}
