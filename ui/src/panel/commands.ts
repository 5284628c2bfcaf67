/**
 * What *find anything* can do: every action of the panel by name, with its keys where it has some.
 *
 * The actions themselves are the desk's; this file only names them.
 */
import type { Command } from '../finding';
import { BINDINGS } from '../keymap';
import type { IconName } from '../shared/icons';
import { say, words, type WordKey } from '../words/words';
import type { Desk } from './desk.svelte';

interface Deed {
  id: string;
  word: WordKey;
  icon: IconName;
  /** The setting whose value is its keys, or the action in the table of keys. */
  setting?: string;
  action?: string;
  act: (desk: Desk) => void;
}

const DEEDS: readonly Deed[] = [
  { id: 'new-session', icon: 'plus', word: 'new_session', action: 'new-session', act: (desk) => desk.newSession() },
  { id: 'new-incognito', icon: 'eye_off', word: 'new_incognito', action: 'new-incognito', act: (desk) => desk.newIncognito() },
  { id: 'attach-files', icon: 'attach', word: 'attach_files', action: 'attach', act: (desk) => void desk.drafting.pick('files') },
  { id: 'attach-folder', icon: 'folder', word: 'attach_folder', act: (desk) => void desk.drafting.pick('folder') },
  { id: 'look-region', icon: 'screen', word: 'look_region', act: (desk) => void desk.drafting.look('region') },
  { id: 'look-window', icon: 'window', word: 'look_window', act: (desk) => void desk.drafting.look('window') },
  { id: 'look-monitor', icon: 'image', word: 'look_monitor', setting: 'hotkey_screen', act: (desk) => void desk.drafting.look('monitor') },
  { id: 'model', icon: 'cube', word: 'choose_model', action: 'model', act: (desk) => desk.chooseModel() },
  { id: 'sessions', icon: 'clock', word: 'all_sessions', act: (desk) => desk.show('sessions') },
  { id: 'compact', icon: 'layers', word: 'compact', act: (desk) => desk.conversation.session !== null && desk.compact(desk.conversation.session) },
  { id: 'workbench', icon: 'trace', word: 'workbench', action: 'workbench', act: (desk) => desk.backend.openWorkbench(null) },
  { id: 'settings', icon: 'sliders', word: 'settings', action: 'settings', act: (desk) => desk.show('settings') },
  { id: 'inside', icon: 'braces', word: 'inside', action: 'inside', act: (desk) => desk.show('inside') },
  { id: 'keys', icon: 'keyboard', word: 'keymap', action: 'keys', act: (desk) => desk.show('keys') },
  { id: 'add-key', icon: 'key', word: 'add_key', act: (desk) => (desk.keyFormOpen = true) },
  { id: 'theme-system', icon: 'sliders', word: 'theme_as_system', act: (desk) => desk.preferences.setTheme('system') },
  { id: 'theme-light', icon: 'sliders', word: 'theme_to_light', act: (desk) => desk.preferences.setTheme('light') },
  { id: 'theme-dark', icon: 'sliders', word: 'theme_to_dark', act: (desk) => desk.preferences.setTheme('dark') },
  { id: 'language-zh', icon: 'chat', word: 'language_to_zh', act: (desk) => desk.preferences.setLanguage('zh') },
  { id: 'language-en', icon: 'chat', word: 'language_to_en', act: (desk) => desk.preferences.setLanguage('en') },
  { id: 'pin', icon: 'pin', word: 'pin', act: (desk) => desk.frame.togglePin() },
  { id: 'welcome', icon: 'play', word: 'first_run_again', act: (desk) => desk.show('welcome') },
  { id: 'quit', icon: 'cross', word: 'quit', act: (desk) => desk.frame.quit() },
];

export function commandsOf(desk: Desk): Command[] {
  const keysOf = ({ action, setting }: Deed): string | null => {
    if (setting !== undefined) return desk.preferences.keysOf(setting);
    return BINDINGS.find((binding) => binding.action === action)?.keys[0] ?? null;
  };
  return DEEDS.map((action) => ({
    id: action.id,
    title: say(desk.settings.language, action.word),
    // Found in either language: somebody who types English finds it in a Chinese panel too.
    words: `${words.zh[action.word]} ${words.en[action.word]}`,
    keys: keysOf(action),
    icon: action.icon,
  }));
}

/** Does what was chosen, with the conversation in view. */
export function perform(desk: Desk, id: string): void {
  desk.show('conversation');
  DEEDS.find((action) => action.id === id)?.act(desk);
}
