/**
 * What the user prefers: language, theme, who answers; and what the desktop says of the keys.
 *
 * Kept by the program's configuration, and followed live. The page remembers language and theme too, so that its
 * first pixels are right before the program has answered.
 */
import { createContext } from 'svelte';
import { answer } from '../backend/ask';
import type { Backend, DesktopState, HotkeyState } from '../backend/backend';
import type { ConfigEntry } from '../bindings/ConfigEntry';
import type { AnsweredRequest } from '../bindings/ReplyTo';
import type { UserError } from '../bindings/UserError';
import { configured, initialSettings, themeOf, type Settings, type Theme, type ThemeChoice } from './settings';
import { languageOf, type Language } from '../i18n/i18n';

export class Preferences {
  settings = $state.raw(initialSettings(navigator.languages));
  /** The keys that summon the panel, if they are ours. */
  hotkey = $state<string | null>(null);
  /** Why they are not, with the remedy. */
  notice = $state<string | null>(null);
  /** All keys that the desktop takes, or would. */
  hotkeys = $state.raw<readonly HotkeyState[]>([]);
  version = $state('');
  /** The theme on the page, once "as the system" is resolved. */
  themeShown = $state<Theme>('light');

  private entries = $state.raw<readonly ConfigEntry[]>([]);
  private languageIsChosen = false;
  private systemLanguage: Language | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly configuredAs: (settings: Settings) => void,
  ) {
    const language = languageOf(localStorage.getItem('language'));
    const theme = themeOf(localStorage.getItem('theme'));
    this.languageIsChosen = language !== null;
    this.settings = {
      ...this.settings,
      language: language ?? this.settings.language,
      theme: theme ?? this.settings.theme,
    };
    this.read();
    backend.onDesktopState((state) => this.show(state));
    void backend.desktopState().then((state) => this.show(state));
  }

  setLanguage(language: Language): void {
    this.languageIsChosen = true;
    this.settings = { ...this.settings, language };
    this.keep('language', language);
  }

  setTheme(theme: ThemeChoice): void {
    this.settings = { ...this.settings, theme };
    this.keep('theme', theme);
  }

  /** The keys of one of the desktop's own actions, as they are set. */
  keysOf(setting: string): string | null {
    const keys = this.entries.find((entry) => entry.key === setting)?.value ?? '';
    return keys === '' ? null : keys;
  }

  /** The value of a setting; empty until the configuration was read. */
  valueOf(key: string): string {
    return this.entries.find((entry) => entry.key === key)?.value ?? '';
  }

  /** Checks and stores a key, and makes its provider the one that answers; resolves to what went wrong, or `null`. */
  async saveKey(provider: string, key: string): Promise<UserError | null> {
    const error = await this.done({ request: 'key_set', provider, key, unchecked: false });
    if (error !== null) return error;
    // Another provider has other models, and answers at its own address.
    const other = provider === this.settings.provider ? null : '';
    return this.answerWith(provider, other, other);
  }

  /** Makes a provider the one that answers; `null` leaves the model or the address as it is. */
  async answerWith(provider: string, model: string | null, url: string | null): Promise<UserError | null> {
    const wanted: [string, string | null][] = [
      ['provider', provider],
      ['model', model],
      ['model_url', url],
    ];
    for (const [key, value] of wanted) {
      if (value === null || value === this.entries.find((entry) => entry.key === key)?.value) continue;
      const error = await this.done({ request: 'config_set', key, value });
      if (error !== null) return error;
    }
    this.read();
    return null;
  }

  /** The first run is over; it is not shown again by itself. */
  firstRunDone(): void {
    this.settings = { ...this.settings, firstRun: false };
    void this.done({ request: 'config_set', key: 'first_run', value: 'done' });
  }

  /** Reads the configuration: at the start, and whenever it has changed. */
  read(): void {
    this.backend.ask({ request: 'config_list' }, (reply) => {
      this.entries = reply.entries;
      this.settings = configured(this.settings, reply.entries);
      this.languageIsChosen = reply.entries.some(
        (entry) => entry.key === 'language' && languageOf(entry.value) !== null,
      );
      if (!this.languageIsChosen && this.systemLanguage !== null)
        this.settings = { ...this.settings, language: this.systemLanguage };
      localStorage.setItem('theme', this.settings.theme);
      localStorage.setItem('language', this.settings.language);
      this.configuredAs(this.settings);
    });
  }

  private show({ hotkey, notice, hotkeys, language, version }: DesktopState): void {
    this.hotkey = hotkey;
    this.notice = notice;
    this.hotkeys = hotkeys;
    this.version = version;
    this.systemLanguage = language;
    if (!this.languageIsChosen) this.settings = { ...this.settings, language };
  }

  private keep(key: 'language' | 'theme', value: string): void {
    localStorage.setItem(key, value);
    this.backend.ask({ request: 'config_set', key, value }, () => undefined);
  }

  /** Sends a request that has one answer; resolves to what went wrong, or `null`. */
  private async done(request: AnsweredRequest): Promise<UserError | null> {
    return (await answer(this.backend, request)).error;
  }
}

export const [usePreferences, providePreferences] = createContext<Preferences>();
