/** Plugins: which there are, what one holds under the names by which it is called, and what waits for a look. Pure. */
import type { ListedPlugin } from '../bindings/ListedPlugin';
import type { PluginDetail } from '../bindings/PluginDetail';
import type { PluginStanding } from '../bindings/PluginStanding';
import type { WordKey } from '../i18n/i18n';

/** In a word, how one stands; what is kept as it was shown needs none. */
export const STANDING_WORDS: Record<PluginStanding, WordKey | null> = {
  available: 'plugin_is_available',
  kept: null,
  changed: 'plugin_is_changed',
  broken: 'plugin_is_broken',
};

/** The order of a list: what is to be decided on, what is kept, what could be. */
const ORDER: Record<PluginStanding, number> = { broken: 0, changed: 0, kept: 1, available: 2 };

/** The plugins that fit what was typed. */
export function listed(all: readonly ListedPlugin[], text: string): readonly ListedPlugin[] {
  const words = text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = ({ name, description }: ListedPlugin) => {
    const known = `${name} ${description}`.toLowerCase();
    return words.every((word) => known.includes(word));
  };
  return all.filter(fits).toSorted((a, b) => ORDER[a.standing] - ORDER[b.standing] || a.name.localeCompare(b.name));
}

/** What one brings, by the sections where it is used. */
export interface Part {
  word: WordKey;
  section: 'workflows' | 'skills' | 'prompts' | null;
  names: readonly string[];
}

export function partsOf({ workflows, prompts, skills, others }: PluginDetail): readonly Part[] {
  const parts: Part[] = [
    { word: 'plugin_workflows', section: 'workflows', names: workflows },
    { word: 'plugin_skills', section: 'skills', names: skills },
    { word: 'plugin_prompts', section: 'prompts', names: prompts },
    { word: 'plugin_others', section: null, names: others },
  ];
  return parts.filter(({ names }) => names.length > 0);
}

/** What an address in a manifest may be to become a link. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address);
}
