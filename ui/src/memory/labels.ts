/** How kinds and scopes of what is remembered are named and drawn. */
import type { MemoryKind } from '../bindings/MemoryKind';
import type { MemoryScope } from '../bindings/MemoryScope';
import type { Item } from './memories';
import type { IconName } from '../shared/icons';
import { type I18n, when } from '../i18n/i18n';

export const KIND_ICONS: Readonly<Record<MemoryKind, IconName>> = {
  conversation: 'chat',
  entity: 'cube',
  working: 'todo',
  preference: 'sliders',
  profile: 'person',
  summary: 'history',
  knowledge: 'info',
  experience: 'sprout',
  chunk: 'book',
};

/** A scope in its parts: `assistant:sales` is the assistant `sales`. */
function partsOf(scope: MemoryScope): { level: 'user' | 'assistant' | 'site' | 'session' | 'base'; name: string } {
  const at = scope.indexOf(':');
  const level = at < 0 ? scope : scope.slice(0, at);
  const name = at < 0 ? '' : scope.slice(at + 1);
  return level === 'assistant' || level === 'site' || level === 'session' || level === 'base'
    ? { level, name }
    : { level: 'user', name: '' };
}

/** An address as it is known to people: without what is the same everywhere. */
export function siteName(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

function nameOf(scope: MemoryScope): string {
  const { level, name } = partsOf(scope);
  return level === 'site' ? siteName(name) : name;
}

export function scopeName(i18n: I18n, scope: MemoryScope): string {
  return i18n.say(`scope_${partsOf(scope).level}`, { name: nameOf(scope) });
}

/** Where something is recalled, in a sentence. */
export function usedIn(i18n: I18n, scope: MemoryScope): string {
  return i18n.say(`used_by_${partsOf(scope).level}`, { name: nameOf(scope) });
}

/** The second line of the list: what it is, whose, and what became of it. */
export function factsOf(i18n: I18n, item: Item, now: Date): string {
  const at = (time: string) => when(i18n.language, time, now);
  const last =
    item.ended !== null
      ? i18n.say('replaced_at', { when: at(item.ended) })
      : item.uses > 0
        ? i18n.say(item.uses === 1 ? 'used_once' : 'used_n', { n: item.uses })
        : at(item.time);
  return [i18n.say(`kind_${item.kind}`), scopeName(i18n, item.scope), last].join(' · ');
}

/** Where what is remembered and imported lies, and who reads it: `model` gives it vectors, if one is chosen. */
export function whereItStays(i18n: I18n, model: string): string {
  return model === '' ? i18n.say('memory_stays') : i18n.say('stays_but', { model });
}
