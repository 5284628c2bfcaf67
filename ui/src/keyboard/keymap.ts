/**
 * The one table of keys: what each does, where it works, and what it is called. The sheet that shows them, the
 * commands of *find anything* and the handlers all read it.
 *
 * Pure. No key means anything while an input method composes.
 */
import type { WordKey } from '../i18n/i18n';

/** What a key press was, as far as it matters. */
export interface Key {
  key: string;
  shift: boolean;
  control: boolean;
  alt: boolean;
  /** Whether an input method is composing. */
  composing: boolean;
}

export type Place = 'anywhere' | 'input' | 'card' | 'list';

export interface Binding {
  action: Action;
  /** Each of them does it; names joined by `+`, `Ctrl` stands for ⌘ on a Mac. */
  keys: readonly string[];
  where: Place;
  word: WordKey;
}

export type Action = (typeof TABLE)[number]['action'];

const TABLE = [
  { action: 'find', keys: ['Ctrl+K'], where: 'anywhere', word: 'find_anything' },
  { action: 'find-here', keys: ['Ctrl+F'], where: 'anywhere', word: 'find_in_session' },
  { action: 'new-session', keys: ['Ctrl+N'], where: 'anywhere', word: 'new_session' },
  { action: 'new-incognito', keys: ['Ctrl+Shift+N'], where: 'anywhere', word: 'new_incognito' },
  { action: 'workbench', keys: ['Ctrl+E'], where: 'anywhere', word: 'workbench' },
  { action: 'settings', keys: ['Ctrl+,'], where: 'anywhere', word: 'settings' },
  { action: 'inside', keys: ['Ctrl+I'], where: 'anywhere', word: 'inside' },
  { action: 'keys', keys: ['Ctrl+/', '?'], where: 'anywhere', word: 'keymap' },
  { action: 'back', keys: ['Alt+ArrowUp'], where: 'anywhere', word: 'key_back' },
  { action: 'forward', keys: ['Alt+ArrowDown'], where: 'anywhere', word: 'key_forward' },
  { action: 'fold', keys: ['Space'], where: 'anywhere', word: 'key_fold' },
  { action: 'next-card', keys: ['F8'], where: 'anywhere', word: 'key_next_card' },
  { action: 'escape', keys: ['Escape'], where: 'anywhere', word: 'key_escape' },
  { action: 'send', keys: ['Enter'], where: 'input', word: 'send' },
  { action: 'newline', keys: ['Shift+Enter'], where: 'input', word: 'hint_newline' },
  { action: 'accept', keys: ['Tab'], where: 'input', word: 'key_accept' },
  { action: 'remove-last', keys: ['Backspace'], where: 'input', word: 'key_remove_last' },
  { action: 'attach', keys: ['Ctrl+U'], where: 'anywhere', word: 'attach_files' },
  { action: 'model', keys: ['Ctrl+M'], where: 'anywhere', word: 'choose_model' },
  { action: 'approve', keys: ['Ctrl+Enter'], where: 'card', word: 'key_approve' },
  { action: 'refuse', keys: ['Ctrl+D'], where: 'card', word: 'refuse' },
  { action: 'up-down', keys: ['ArrowUp', 'ArrowDown'], where: 'list', word: 'key_move' },
  { action: 'open', keys: ['Enter'], where: 'list', word: 'key_open' },
  { action: 'rename', keys: ['F2'], where: 'list', word: 'key_rename' },
  { action: 'delete', keys: ['Delete'], where: 'list', word: 'key_delete' },
] as const satisfies readonly { action: string; keys: readonly string[]; where: Place; word: WordKey }[];

export const BINDINGS: readonly Binding[] = TABLE;

/** Actions that the panel as a whole performs, whatever part has the focus. */
export type PanelAction =
  | 'find'
  | 'find-here'
  | 'new-session'
  | 'new-incognito'
  | 'workbench'
  | 'settings'
  | 'inside'
  | 'keys'
  | 'back'
  | 'forward'
  | 'next-card'
  | 'escape'
  | 'attach'
  | 'model';

const PANEL: ReadonlySet<string> = new Set<PanelAction>([
  'find',
  'find-here',
  'new-session',
  'new-incognito',
  'workbench',
  'settings',
  'inside',
  'keys',
  'back',
  'forward',
  'next-card',
  'escape',
  'attach',
  'model',
]);

/** What the key asks of the panel; `typing` tells whether letters go into a field. */
export function panelActionOf(key: Key, typing: boolean): PanelAction | null {
  if (key.composing) return null;
  const bare = !key.control && !key.alt && key.key.length === 1;
  if (typing && bare) return null;
  const binding = BINDINGS.find(({ action, keys }) => PANEL.has(action) && keys.some((keys_) => fits(keys_, key)));
  return (binding?.action as PanelAction | undefined) ?? null;
}

/** Whether a key press is the one that is written as `Ctrl+K`. */
export function fits(written: string, key: Key): boolean {
  const parts = written.split('+');
  const name = parts.at(-1) ?? '';
  if (parts.includes('Ctrl') !== key.control || parts.includes('Alt') !== key.alt) return false;
  // A sign such as ? needs Shift on some keyboards and none on others.
  const sign = name.length === 1 && !/[a-z0-9]/i.test(name);
  if (!sign && parts.includes('Shift') !== key.shift) return false;
  return name.toLowerCase() === (key.key === ' ' ? 'space' : key.key.toLowerCase());
}

/** The caps that a key is drawn with: `['Ctrl', 'K']`, on a Mac `['⌘', 'K']`. */
export function capsOf(written: string, mac: boolean): string[] {
  return written.split('+').map((part) => (mac ? MAC_CAPS[part] : undefined) ?? CAPS[part] ?? part);
}

/** Keys that the desktop listens for, by the name of their setting. */
export const DESKTOP_KEYS: readonly { setting: string; word: WordKey }[] = [
  { setting: 'hotkey', word: 'hint_summon' },
  { setting: 'hotkey_screen', word: 'ask_screen' },
  { setting: 'hotkey_pause', word: 'pause_sensing' },
  { setting: 'hotkey_assistants', word: 'assistant_call' },
  { setting: 'hotkey_selection', word: 'selection_acts' },
];

/** How the desktop calls the keys of an assistant, before its name. */
export const OF_ASSISTANT = 'assistant/';

/** Keys that the desktop takes for something, and why they are not ours where they are not. */
interface Taken {
  action: string;
  keys: string;
  notice: string | null;
}

/** Why keys are not ours that were chosen for something: a setting, or `assistant/NAME`. */
export function refusalOf(taken: readonly Taken[], action: string, keys: string): string | null {
  return taken.find((one) => one.action === action && one.keys === keys)?.notice ?? null;
}

/** The keys of assistants that are ours, each with the assistant's name. */
export function assistantKeys(taken: readonly Taken[]): { name: string; keys: string }[] {
  const known = taken.filter(({ action, notice }) => action.startsWith(OF_ASSISTANT) && notice === null);
  return known.map(({ action, keys }) => ({ name: action.slice(OF_ASSISTANT.length), keys }));
}

const CAPS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
  Backspace: '⌫',
  Delete: 'Del',
};
const MAC_CAPS: Record<string, string> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧', Super: '⌘' };

/** The modifiers by which a recorded combination begins, in the order they are written. */
const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'];

/** What pressing keys records: a whole combination, nothing yet, or the wish to stop. */
export type Recorded = { keys: string } | 'waiting' | 'cancelled';

/** Reads a key press as a combination for the whole desktop: at least one modifier besides Shift, and one key. */
export function recorded(event: {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}): Recorded {
  if (event.key === 'Escape' && !event.ctrlKey && !event.altKey && !event.metaKey) return 'cancelled';
  if (MODIFIERS.includes(event.key)) return 'waiting';
  const name = codeName(event.code, event.key);
  const held = [
    event.ctrlKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
    event.metaKey ? 'Super' : '',
  ].filter((part) => part !== '');
  const alone = held.length === 0 || (held.length === 1 && held[0] === 'Shift');
  // A letter alone would be taken from every program; a function key is nobody's letter.
  if (name === null || (alone && !/^F\d+$/.test(name)) || held.length === 0) return 'waiting';
  return { keys: [...held, name].join('+') };
}

/** The key's own name, whatever letter the modifiers make of it. */
function codeName(code: string, key: string): string | null {
  const letter = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  if (letter !== undefined) return letter;
  if (
    /^F\d{1,2}$/.test(code) ||
    [
      'Space',
      'Enter',
      'Tab',
      'Insert',
      'Delete',
      'Home',
      'End',
      'PageUp',
      'PageDown',
      'ArrowUp',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
    ].includes(code)
  ) {
    return code.replace('Arrow', '');
  }
  return key.length === 1 && key.trim() !== '' ? key.toUpperCase() : null;
}
