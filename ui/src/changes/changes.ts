/**
 * Which files a run changed, told from its calls.
 *
 * Pure. What stood there before is kept by the runtime under the ids named here.
 */
import type { FileChange } from '../bindings/FileChange';
import type { Turn } from '../conversation/view';
import type { WordKey } from '../i18n/i18n';

/** The tools whose calls change files. */
const WRITING = [
  'files.write',
  'files.edit',
  'files.write_table',
  'files.write_document',
  'files.move',
  'files.copy',
  'files.delete',
  'files.make_folder',
  'files.zip',
  'files.unzip',
  'web.download',
];

/** The ids of the changes that calls of this run made, in their order. */
export function changesOf(turn: Turn): string[] {
  const calls = turn.pieces.flatMap((piece) => (piece.what === 'program' ? piece.calls : []));
  return calls
    .filter((call) => call.state === 'done' && WRITING.includes(call.tool))
    .map((call) => `${turn.run}/${call.call}`);
}

/** Whether calls of this run gave work to sub-agents, whose changes go with its own. */
export function gaveToAgents(turn: Turn): boolean {
  return turn.pieces.some(
    (piece) => piece.what === 'program' && piece.calls.some((call) => call.tool === 'agents.run'),
  );
}

/** The last part of a path, and what stands before it. */
export function nameAndFolder(path: string): { name: string; folder: string } {
  const parts = path.split(/[/\\]/);
  const name = parts.pop() ?? path;
  return { name, folder: parts.slice(-2).join('/') };
}

/** Whether no later change of the same file stands: changes of one file are taken back one after the other. */
export function isNewest(change: FileChange, changes: readonly FileChange[]): boolean {
  const later = changes.slice(changes.indexOf(change) + 1);
  const touched = [change.path, standsAt(change)];
  return !later.some((other) => !other.undone && (touched.includes(other.path) || touched.includes(standsAt(other))));
}

/** Where the changed file is now, or was. */
export function standsAt(change: FileChange): string {
  return change.to ?? change.path;
}

/** The path of what somebody can look at now: nothing that was deleted, or made and taken back. */
export function openable(change: FileChange): string | null {
  if (change.kind === 'delete') return change.undone ? change.path : null;
  if (!change.undone) return standsAt(change);
  return change.created ? null : change.path;
}

/** The path by which a change is named: of what was deleted, where it was. */
export function namedBy(change: FileChange): string {
  return change.kind === 'delete' || change.undone ? change.path : standsAt(change);
}

/** What is said of a change that has no lines: a word, or sizes. */
export function wordFor(change: FileChange): WordKey | null {
  const words = {
    write: null,
    move: 'change_moved',
    copy: 'change_copied',
    delete: 'change_deleted',
    make_folder: 'change_folder',
    unpack: 'change_unpacked',
  } as const;
  return words[change.kind];
}

/** A size as people read it. */
export function sizeIn(bytes: number): { word: WordKey; n: number } {
  if (bytes < 1_000) return { word: 'size_bytes', n: bytes };
  if (bytes < 1_000_000) return { word: 'size_kb', n: Math.ceil(bytes / 1_000) };
  return { word: 'size_mb', n: Math.ceil(bytes / 1_000_000) };
}

/** A line of a patch with what it stands for. */
export interface DiffLine {
  kind: 'same' | 'before' | 'after' | 'place';
  text: string;
  /** A changed line in parts, where it is known which of them differ. */
  parts?: readonly DiffPart[];
}

export interface DiffPart {
  text: string;
  isChanged: boolean;
}

/** The lines of a patch without its two lines of names. */
export function diffLines(diff: string): DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines
    .slice(Math.max(first, 0))
    .filter((line) => line !== '')
    .map(lineOf);
}

function lineOf(line: string): DiffLine {
  if (line.startsWith('@@')) return { kind: 'place', text: /\+(\d+)/.exec(line)?.[1] ?? '' };
  const kind = line.startsWith('+') ? 'after' : line.startsWith('-') ? 'before' : 'same';
  return { kind, text: line.slice(1) };
}

/** What is known of these changes, in the order of the calls. */
export function knownOf(ids: readonly string[], changes: readonly FileChange[]): FileChange[] {
  return ids.flatMap((id) => changes.filter((change) => change.id === id));
}

/** The same with the changes of the run's sub-agents, in the order in which they were made. */
export function withAgents(ids: readonly string[], run: string, changes: readonly FileChange[]): FileChange[] {
  const own = knownOf(ids, changes);
  const ofAgents = changes.filter(({ id }) => !id.startsWith(`${run}/`)).toReversed();
  return ofAgents.length === 0 ? own : [...own, ...ofAgents].toSorted((one, other) => one.at.localeCompare(other.at));
}
