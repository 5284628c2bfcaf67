/**
 * The composer: draft, attached files, mode, and what a key means in it.
 *
 * Pure. No key means anything while an input method composes: Enter then only commits the word.
 */
import type { Ask } from './bindings/Ask';
import type { Mode } from './bindings/Mode';
import type { SessionId } from './bindings/SessionId';
import type { Language } from './settings';

export interface Composer {
  text: string;
  /** Absolute paths, in the order they were attached. */
  files: readonly string[];
  mode: Mode;
  /** Sent while a run was at work; asked when it ends. */
  queued: Draft | null;
}

export interface Draft {
  text: string;
  files: readonly string[];
}

export type Form = 'full' | 'running' | 'resting';

export type KeyMeaning = 'send' | 'remove-last-file' | 'none';

export interface Key {
  key: string;
  shift: boolean;
  control: boolean;
  alt: boolean;
  /** Whether an input method is composing. */
  composing: boolean;
}

/** Files of one question; more than these belong into a folder. */
export const FILES_MAX = 32;

/** Characters of one question, as the mind bounds them; a longer text belongs into a file. */
export const QUESTION_CHARACTERS_MAX = 200_000;

export function emptyComposer(mode: Mode): Composer {
  return { text: '', files: [], mode, queued: null };
}

export function typed(view: Composer, text: string): Composer {
  return { ...view, text: text.slice(0, QUESTION_CHARACTERS_MAX) };
}

/** Adds files, each once, up to the bound. */
export function attached(view: Composer, paths: readonly string[]): Composer {
  return { ...view, files: [...new Set([...view.files, ...paths])].slice(0, FILES_MAX) };
}

export function removed(view: Composer, path: string): Composer {
  return { ...view, files: view.files.filter((file) => file !== path) };
}

export function withMode(view: Composer, mode: Mode): Composer {
  return { ...view, mode };
}

export function sendable(view: Composer): boolean {
  return view.text.trim() !== '';
}

/** Empties the composer into a draft that is about to be asked. */
export function taken(view: Composer): { draft: Draft; view: Composer } {
  return { draft: { text: view.text.trim(), files: view.files }, view: { ...view, text: '', files: [] } };
}

/** Keeps the draft until the run ends; a second one joins the first. */
export function queued(view: Composer): Composer {
  const { draft, view: emptied } = taken(view);
  const before = view.queued;
  const joined = before === null ? draft : { text: `${before.text}\n${draft.text}`, files: [...before.files, ...draft.files] };
  return { ...emptied, queued: joined };
}

export function unqueued(view: Composer): Composer {
  return { ...view, queued: null };
}

/** Puts words before the draft, as a quotation. */
export function quoted(view: Composer, words: string): Composer {
  const lines = words.trim().split('\n').map((line) => `> ${line}`.trimEnd());
  return typed(view, `${lines.join('\n')}\n\n${view.text}`);
}

/** A draft that is come back to: what waited for a run that has ended since is in the input again. */
export function resumed(view: Composer, working: boolean): Composer {
  return view.queued === null || working ? view : kept(unqueued(view), view.queued);
}

/** Gives a draft back to be mended, unless the user has begun another. */
export function kept(view: Composer, draft: Draft): Composer {
  if (view.text !== '' || view.files.length > 0) return view;
  return { ...view, text: draft.text, files: draft.files };
}

export function askOf(draft: Draft, session: SessionId | null, mode: Mode, language: Language): Ask {
  return {
    text: draft.text,
    session,
    files: [...draft.files],
    screens: [],
    context: null,
    folders: [],
    mode,
    approve: [],
    max_rounds: null,
    max_tokens: null,
    timeout_s: null,
    overrides: {},
    language,
    again: null,
  };
}

export function formOf(working: boolean, cardHasFocus: boolean): Form {
  if (cardHasFocus) return 'resting';
  return working ? 'running' : 'full';
}

export function meaningOf(key: Key, view: Composer): KeyMeaning {
  if (key.composing || key.control || key.alt) return 'none';
  if (key.key === 'Enter' && !key.shift) return 'send';
  if (key.key === 'Backspace' && view.text === '' && view.files.length > 0) return 'remove-last-file';
  return 'none';
}

/** Characters at the end of a file's name that are always shown: its kind, and often its number. */
const TAIL_CHARACTERS = 8;

/** A name in two parts, of which the first may be cut: what tells files apart often stands at the end. */
export function headAndTail(name: string): [head: string, tail: string] {
  const characters = [...name];
  return [characters.slice(0, -TAIL_CHARACTERS).join(''), characters.slice(-TAIL_CHARACTERS).join('')];
}

/** The name of a file without its folders. */
export function nameOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}
