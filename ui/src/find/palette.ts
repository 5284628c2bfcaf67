/**
 * Find anything: sessions, memory and commands under one field, moved through as one list.
 *
 * Pure.
 */
import type { MemoryHit } from '../bindings/MemoryHit';
import type { SessionSummary } from '../bindings/SessionSummary';
import type { IconName } from '../shared/icons';

/** Something that can be done from anywhere in the panel. */
export interface Command {
  id: string;
  title: string;
  /** Further words by which it is found. */
  words: string;
  /** Written as in the table of keys. */
  keys: string | null;
  icon: IconName;
}

export interface Found {
  query: string;
  sessions: readonly SessionSummary[];
  memories: readonly MemoryHit[];
  commands: readonly Command[];
  selected: string | null;
  /** Whether the user has moved the selection since the words changed: then it stays where it is. */
  moved: boolean;
}

/** Sessions and notes shown; without words to look for, only the newest sessions. */
export const SESSIONS_SHOWN = 6;
export const MEMORIES_SHOWN = 6;

export function nothingFound(): Found {
  return { query: '', sessions: [], memories: [], commands: [], selected: null, moved: false };
}

/** The commands whose words hold everything that was typed. */
export function fitting(commands: readonly Command[], query: string): readonly Command[] {
  const words = query
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return commands.filter(({ title, words: more }) =>
    words.every((word) => `${title} ${more}`.toLowerCase().includes(word)),
  );
}

/** With other rows: the first is selected, unless the user has moved to one that is still there. */
export function settled(view: Found): Found {
  const rows = rowsOf(view);
  return view.moved && rows.includes(view.selected ?? '') ? view : { ...view, selected: rows[0] ?? null };
}

/** With other words: what does not hold them is gone at once, before the search has answered. */
export function retyped(view: Found, query: string, commands: readonly Command[]): Found {
  const words = query.trim().toLowerCase();
  const sessions = view.sessions.filter(({ title, excerpt }) =>
    `${title} ${excerpt ?? ''}`.toLowerCase().includes(words),
  );
  const memories = view.memories.filter(({ text }) => text.toLowerCase().includes(words));
  return settled({ ...view, query, sessions, memories, commands: fitting(commands, query), moved: false });
}

/** All rows in the order they are shown, each by a name of its own. */
export function rowsOf(view: Found): string[] {
  return [
    ...view.sessions.map((session) => `session:${session.id}`),
    ...view.memories.map((hit) => `memory:${hit.id}`),
    ...view.commands.map((command) => `command:${command.id}`),
  ];
}

export function moved(view: Found, steps: number): Found {
  const rows = rowsOf(view);
  const at = rows.indexOf(view.selected ?? '');
  return { ...view, selected: rows[Math.min(rows.length - 1, Math.max(0, at + steps))] ?? null, moved: true };
}

/** Short words of letters are marked where a word begins, single letters as whole words: they stand within many others. */
function bounded(word: string): string {
  if (!/^[\p{Script=Latin}\d]{1,3}$/u.test(word)) return word;
  return `(?<![\\p{L}\\p{N}])${word}${word.length === 1 ? '(?![\\p{L}\\p{N}])' : ''}`;
}

/** A text in pieces, so that what was looked for can be marked in it. */
export function marked(text: string, query: string): { text: string; hit: boolean }[] {
  const words = query
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => bounded(word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  if (words.length === 0) return [{ text, hit: false }];
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'giu'));
  return parts.map((part, index) => ({ text: part, hit: index % 2 === 1 })).filter((part) => part.text !== '');
}
