/**
 * What the user prefers: language, theme, who answers; and what the surroundings say of the keys.
 *
 * Kept by the program's configuration. The page remembers language and theme too, so that its first pixels are
 * right before the program has answered.
 */
import type { Backend } from '../backend/backend';
import type { Request } from '../bindings/Request';
import type { UserError } from '../bindings/UserError';
import { configured, initialSettings, languageOf, themeOf, type Language, type Settings, type ThemeChoice } from '../settings';

export class Preferences {
  settings = $state.raw(initialSettings(navigator.languages));
  /** The keys that summon the panel, if they are ours. */
  hotkey = $state<string | null>(null);
  /** Why they are not, with the remedy. */
  notice = $state<string | null>(null);

  private languageIsChosen = false;

  constructor(
    private readonly backend: Backend,
    private readonly configuredAs: (settings: Settings) => void,
  ) {
    const language = languageOf(localStorage.getItem('language'));
    const theme = themeOf(localStorage.getItem('theme'));
    this.languageIsChosen = language !== null;
    this.settings = { ...this.settings, language: language ?? this.settings.language, theme: theme ?? this.settings.theme };
    this.read();
    void this.readSurroundings();
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

  /** Checks and stores a key, and makes its provider the one that answers; resolves to what went wrong, or `null`. */
  async saveKey(provider: string, key: string): Promise<UserError | null> {
    const requests: Request[] = [{ request: 'key_set', provider, key, unchecked: false }];
    // Another provider has other models: its own default answers until one is named.
    if (provider !== this.settings.provider) {
      requests.push({ request: 'config_set', key: 'provider', value: provider }, { request: 'config_set', key: 'model', value: '' });
    }
    for (const request of requests) {
      const error = await this.done(request);
      if (error !== null) return error;
    }
    this.read();
    return null;
  }

  private read(): void {
    this.backend.send({ request: 'config_list' }, (reply) => {
      if (reply.reply !== 'config') return;
      this.settings = configured(this.settings, reply.entries);
      this.languageIsChosen ||= reply.entries.some((entry) => entry.key === 'language' && languageOf(entry.value) !== null);
      this.configuredAs(this.settings);
    });
  }

  private async readSurroundings(): Promise<void> {
    const { hotkey, notice, language } = await this.backend.surroundings();
    this.hotkey = hotkey;
    this.notice = notice;
    if (!this.languageIsChosen) this.settings = { ...this.settings, language };
  }

  private keep(key: 'language' | 'theme', value: string): void {
    localStorage.setItem(key, value);
    this.backend.send({ request: 'config_set', key, value }, () => undefined);
  }

  /** Sends a request that has one answer; resolves to what went wrong, or `null`. */
  private done(request: Request): Promise<UserError | null> {
    return new Promise((resolve) => {
      this.backend.send(request, (reply) => resolve(reply.reply === 'failed' ? reply.error : null));
    });
  }
}
