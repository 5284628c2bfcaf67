/**
 * Language and theme of the windows.
 *
 * Pure. Both follow the system until the user picks one; the choice is kept by the program's configuration.
 */
import type { ConfigEntry } from '../bindings/ConfigEntry';
import type { Mode } from '../bindings/Mode';
import { languageOf, SOURCE, type Language } from '../i18n/catalogue';
import type { Choice } from '../models/choices';

export type Theme = 'light' | 'dark';
export type ThemeChoice = Theme | 'system';

export interface Settings {
  language: Language;
  theme: ThemeChoice;
  /** What answers: the model's name, else its provider's; `null` for the offline planner. */
  model: string | null;
  provider: string | null;
  /** The same as a choice of the picker; what is not set is empty. */
  choice: Choice;
  mode: Mode;
  /** Whether the first run is still to be done. */
  firstRun: boolean;
}

export function initialSettings(systemLanguages: readonly string[]): Settings {
  const language = systemLanguages.map(languageOf).find((known) => known !== null) ?? SOURCE;
  return {
    language,
    theme: 'system',
    model: null,
    provider: null,
    choice: 'offline',
    mode: 'risky',
    firstRun: false,
  };
}

/** Takes what is configured; entries that are absent, empty or unknown change nothing. */
export function configured(view: Settings, entries: readonly ConfigEntry[]): Settings {
  const value = (key: string) => entries.find((entry) => entry.key === key)?.value.trim() ?? '';
  const named = (key: string) => (value(key) === '' ? null : value(key));
  const provider = named('provider');
  const answers = provider !== null || named('model_url') !== null;
  return {
    language: languageOf(value('language')) ?? view.language,
    theme: themeOf(value('theme')) ?? view.theme,
    model: answers ? (named('model') ?? provider ?? named('model_url')) : null,
    provider,
    choice: answers ? { provider: value('provider'), model: value('model'), url: value('model_url') } : 'offline',
    mode: modeOf(value('mode')) ?? view.mode,
    firstRun: value('first_run') === 'pending',
  };
}

export function themeShown(choice: ThemeChoice, systemIsDark: boolean): Theme {
  if (choice === 'system') return systemIsDark ? 'dark' : 'light';
  return choice;
}

export function themeOf(text: string | null): ThemeChoice | null {
  return text === 'light' || text === 'dark' || text === 'system' ? text : null;
}

function modeOf(text: string): Mode | null {
  return text === 'ask' || text === 'risky' || text === 'trust' ? text : null;
}
