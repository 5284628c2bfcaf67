/** Keeps a window's page in the theme and the language that are set; the system's theme is followed live. */
import type { I18n } from '../i18n/i18n';
import type { Preferences } from './preferences.svelte';
import { themeShown } from './settings';

/** To be called while the window's first component is made. */
export function followTheme(preferences: Preferences, i18n: I18n): void {
  const darkSystem = matchMedia('(prefers-color-scheme: dark)');
  let systemIsDark = $state(darkSystem.matches);
  darkSystem.addEventListener('change', (change) => (systemIsDark = change.matches));
  $effect.pre(() => {
    preferences.themeShown = themeShown(preferences.settings.theme, systemIsDark);
    document.documentElement.dataset['theme'] = preferences.themeShown;
    document.documentElement.lang = i18n.say('format_page_language');
  });
}
