/** What the program says of itself, as windows get it: in every language of its catalogue. Used by the scripted backend alone. */
import type { Worded } from '../../bindings/Worded';
import { SOURCE } from '../../i18n/i18n';
import { PSEUDO, pseudo } from '../pseudo';

type Area = 'models' | 'settings';

const FILES = import.meta.glob<Record<string, string>>('../../../../assets/locales/*/{models,settings}.json', {
  eager: true,
  import: 'default',
});

/** The texts of an area by language. */
function tables(area: Area): Map<string, Record<string, string>> {
  const found = new Map<string, Record<string, string>>();
  for (const [path, table] of Object.entries(FILES))
    if (path.endsWith(`/${area}.json`)) found.set(path.split('/').at(-2) ?? SOURCE, table);
  found.set(PSEUDO, pseudo(found.get(SOURCE) ?? {}));
  return found;
}

const TABLES = { models: tables('models'), settings: tables('settings') };

/** A sentence in every language; one that the catalogue has no more is a fault of the scene. */
export function worded(area: Area, key: string): Exclude<Worded, string> {
  const texts = [...TABLES[area]].map(([language, table]) => {
    const text = table[key];
    if (text === undefined) throw new Error(`${language}/${area}.json has no '${key}'`);
    return [language, text] as const;
  });
  return Object.fromEntries(texts);
}
