/**
 * The catalogue of the windows: `assets/locales`, a folder for each language, a file for each area.
 *
 * The format is i18next JSON: `{{name}}` is a gap, and `_one`, `_other` end the forms of one counted sentence. English says
 * which sentences there are; that every language has them, with the same gaps, is checked where the program is built.
 */

/** Every key of English, with the ending of its form. */
type Entry =
  | keyof typeof import('../../../assets/locales/en/windows_assistants.json')
  | keyof typeof import('../../../assets/locales/en/windows_bad_cases.json')
  | keyof typeof import('../../../assets/locales/en/windows_cards.json')
  | keyof typeof import('../../../assets/locales/en/windows_dashboard.json')
  | keyof typeof import('../../../assets/locales/en/windows_errors.json')
  | keyof typeof import('../../../assets/locales/en/windows_experience.json')
  | keyof typeof import('../../../assets/locales/en/windows_folders.json')
  | keyof typeof import('../../../assets/locales/en/windows_format.json')
  | keyof typeof import('../../../assets/locales/en/windows_inspector.json')
  | keyof typeof import('../../../assets/locales/en/windows_knowledge.json')
  | keyof typeof import('../../../assets/locales/en/windows_local_model.json')
  | keyof typeof import('../../../assets/locales/en/windows_mcp.json')
  | keyof typeof import('../../../assets/locales/en/windows_memory.json')
  | keyof typeof import('../../../assets/locales/en/windows_page_preferences.json')
  | keyof typeof import('../../../assets/locales/en/windows_pages.json')
  | keyof typeof import('../../../assets/locales/en/windows_panel.json')
  | keyof typeof import('../../../assets/locales/en/windows_plugins.json')
  | keyof typeof import('../../../assets/locales/en/windows_prompts.json')
  | keyof typeof import('../../../assets/locales/en/windows_recall.json')
  | keyof typeof import('../../../assets/locales/en/windows_replay.json')
  | keyof typeof import('../../../assets/locales/en/windows_schedules.json')
  | keyof typeof import('../../../assets/locales/en/windows_settings.json')
  | keyof typeof import('../../../assets/locales/en/windows_skills.json')
  | keyof typeof import('../../../assets/locales/en/windows_tools.json')
  | keyof typeof import('../../../assets/locales/en/windows_workbench.json')
  | keyof typeof import('../../../assets/locales/en/windows_workflows.json');

/** What is said: a sentence of the catalogue. */
export type WordKey = Entry extends infer Key
  ? Key extends `${infer Counted}_${'one' | 'other'}`
    ? Counted
    : Key
  : never;

/** The code of a language, by the name of its folder: `en`, `zh`. */
export type Language = string;

/** What is spoken where nothing else is known, and which says what sentences there are. */
export const SOURCE: Language = 'en';

const FILES = import.meta.glob<Record<string, string>>('../../../assets/locales/*/windows_*.json', {
  eager: true,
  import: 'default',
});

/** The texts of each language by key. */
export const TABLES = new Map<Language, Record<string, string>>();
for (const [path, table] of Object.entries(FILES)) {
  const language = path.split('/').at(-2) ?? SOURCE;
  TABLES.set(language, { ...TABLES.get(language), ...table });
}

/** Every language there is, in the order of their codes. */
export const LANGUAGES: readonly Language[] = [...TABLES.keys()].sort();

/** The language of a code or tag such as `zh`, `zh-CN`, `en-GB`, if there is one. */
export function languageOf(tag: string | null): Language | null {
  const [code = ''] = (tag ?? '').toLowerCase().split(/[-_]/);
  return LANGUAGES.find((language) => language === tag) ?? LANGUAGES.find((language) => language === code) ?? null;
}

/** The text of a sentence; of a counted one, the form for `count`. */
export function textOf(language: Language, key: string, count?: string | number): string {
  const table = TABLES.get(language) ?? TABLES.get(SOURCE) ?? {};
  const form = new Intl.PluralRules(language).select(Number(count ?? 0));
  return table[key] ?? table[`${key}_${form}`] ?? table[`${key}_other`] ?? key;
}
