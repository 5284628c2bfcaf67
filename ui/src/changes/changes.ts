/**
 * Which files a run changed, told from its calls.
 *
 * Pure. What stood there before is kept by the runtime under the ids named here.
 */
import type { FileChange } from '../bindings/FileChange';
import type { Turn } from '../conversation/view';

/** The tools whose calls change files. */
const WRITING = ['files.write', 'files.edit'];

/** The ids of the changes that calls of this run made, in their order. */
export function changesOf(turn: Turn): string[] {
  const calls = turn.pieces.flatMap((piece) => (piece.what === 'program' ? piece.calls : []));
  return calls
    .filter((call) => call.state === 'done' && WRITING.includes(call.tool))
    .map((call) => `${turn.run}/${call.call}`);
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
  return !later.some((other) => other.path === change.path && !other.undone);
}

/** A line of a patch with what it stands for. */
export interface DiffLine {
  kind: 'same' | 'before' | 'after' | 'place';
  text: string;
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
