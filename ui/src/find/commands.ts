/**
 * What *find anything* can do: every action of the panel by name, with its keys where it has some.
 *
 * The actions themselves are the stores'; this file only names them.
 */
import type { Backend } from '../backend/backend';
import type { DraftStore } from '../composer/draft-store.svelte';
import type { ConversationStore } from '../conversation/conversation-store.svelte';
import type { ModelStore } from '../models/model-store.svelte';
import type { Frame } from '../panel/frame.svelte';
import type { Navigation } from '../panel/navigation.svelte';
import type { Preferences } from '../settings/preferences.svelte';
import type { Command } from './palette';
import { BINDINGS } from '../keyboard/keymap';
import type { IconName } from '../shared/icons';
import { LANGUAGES, say, type I18n, type Language, type WordKey } from '../i18n/i18n';

/** The stores that commands act on. */
export interface Stores {
  readonly backend: Backend;
  readonly conversation: ConversationStore;
  readonly draft: DraftStore;
  readonly frame: Frame;
  readonly i18n: I18n;
  readonly models: ModelStore;
  readonly navigation: Navigation;
  readonly preferences: Preferences;
}

interface Action {
  id: string;
  word: WordKey;
  icon: IconName;
  /** The setting whose value is its keys, or the action in the table of keys. */
  setting?: string;
  action?: string;
  act: (stores: Stores) => void;
}

/** What the ids of commands begin with that change the language. */
const LANGUAGE = 'language-';

const ACTIONS: readonly Action[] = [
  {
    id: 'new-session',
    icon: 'plus',
    word: 'new_session',
    action: 'new-session',
    act: ({ conversation }) => conversation.newSession(),
  },
  {
    id: 'new-incognito',
    icon: 'eye_off',
    word: 'new_incognito',
    action: 'new-incognito',
    act: ({ conversation }) => conversation.newIncognito(),
  },
  {
    id: 'attach-files',
    icon: 'attach',
    word: 'attach_files',
    action: 'attach',
    act: ({ draft }) => void draft.pick('files'),
  },
  { id: 'attach-folder', icon: 'folder', word: 'attach_folder', act: ({ draft }) => void draft.pick('folder') },
  { id: 'look-region', icon: 'screen', word: 'look_region', act: ({ draft }) => void draft.look('region') },
  { id: 'look-window', icon: 'window', word: 'look_window', act: ({ draft }) => void draft.look('window') },
  {
    id: 'look-monitor',
    icon: 'image',
    word: 'look_monitor',
    setting: 'hotkey_screen',
    act: ({ draft }) => void draft.look('monitor'),
  },
  { id: 'model', icon: 'cube', word: 'choose_model', action: 'model', act: ({ models }) => models.show() },
  { id: 'sessions', icon: 'clock', word: 'all_sessions', act: ({ navigation }) => navigation.show('sessions') },
  {
    id: 'compact',
    icon: 'layers',
    word: 'compact',
    act: ({ conversation }) => conversation.view.session !== null && conversation.compact(conversation.view.session),
  },
  {
    id: 'workbench',
    icon: 'trace',
    word: 'workbench',
    action: 'workbench',
    act: ({ backend }) => backend.openWorkbench(null),
  },
  {
    id: 'settings',
    icon: 'sliders',
    word: 'settings',
    action: 'settings',
    act: ({ navigation }) => navigation.show('settings'),
  },
  {
    id: 'inside',
    icon: 'braces',
    word: 'inside',
    action: 'inside',
    act: ({ navigation }) => navigation.show('inside'),
  },
  { id: 'keys', icon: 'keyboard', word: 'keymap', action: 'keys', act: ({ navigation }) => navigation.show('keys') },
  { id: 'add-key', icon: 'key', word: 'add_key', act: ({ navigation }) => (navigation.keyFormOpen = true) },
  {
    id: 'theme-system',
    icon: 'sliders',
    word: 'theme_as_system',
    act: ({ preferences }) => preferences.setTheme('system'),
  },
  {
    id: 'theme-light',
    icon: 'sliders',
    word: 'theme_to_light',
    act: ({ preferences }) => preferences.setTheme('light'),
  },
  { id: 'theme-dark', icon: 'sliders', word: 'theme_to_dark', act: ({ preferences }) => preferences.setTheme('dark') },
  { id: 'pin', icon: 'pin', word: 'pin', act: ({ frame }) => frame.togglePin() },
  { id: 'welcome', icon: 'play', word: 'first_run_again', act: ({ navigation }) => navigation.show('welcome') },
  { id: 'quit', icon: 'cross', word: 'quit', act: ({ frame }) => frame.quit() },
];

export function commandsOf({ i18n, preferences }: Stores): Command[] {
  const keysOf = ({ action, setting }: Pick<Action, 'action' | 'setting'>): string | null => {
    if (setting !== undefined) return preferences.keysOf(setting);
    return BINDINGS.find((binding) => binding.action === action)?.keys[0] ?? null;
  };
  const actions = ACTIONS.map(({ id, word, icon, ...keys }) => ({
    id,
    title: i18n.say(word),
    // Found in any language: somebody who types English finds it in a Chinese panel too.
    words: LANGUAGES.map((language) => say(language, word)).join(' '),
    keys: keysOf(keys),
    icon,
  }));
  return [...actions, ...LANGUAGES.map((language) => toLanguage(i18n, language))];
}

/** The command that changes to a language, found by its name in any language. */
function toLanguage(i18n: I18n, language: Language): Command {
  const names = LANGUAGES.map((reader) => new Intl.DisplayNames(reader, { type: 'language' }).of(language) ?? '');
  const name = say(language, 'format_name');
  return {
    id: `${LANGUAGE}${language}`,
    title: i18n.say('language_to', { name }),
    words: `${LANGUAGES.map((reader) => say(reader, 'language_to', { name })).join(' ')} ${names.join(' ')}`,
    keys: null,
    icon: 'chat',
  };
}

/** Does what was chosen, with the conversation in view. */
export function perform(stores: Stores, id: string): void {
  stores.navigation.show('conversation');
  if (id.startsWith(LANGUAGE)) stores.preferences.setLanguage(id.slice(LANGUAGE.length));
  else ACTIONS.find((action) => action.id === id)?.act(stores);
}
