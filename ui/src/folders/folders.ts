/**
 * Folders to work in: their names, which of what is attached could be one, and the folder that a call wants to write to.
 *
 * Pure.
 */
import type { WorkFolders } from '../bindings/WorkFolders';
import type { Chip } from '../composer/chips';
import { nameOf } from '../composer/chips';
import type { WaitingApproval } from '../conversation/view';
import type { I18n } from '../i18n/i18n';

export const noFolders: WorkFolders = { folders: [], recent: [] };

/** The attached folder that is asked about: only read, or worked in. */
export function offeredOf(chips: readonly Chip[], view: WorkFolders, declined: ReadonlySet<string>): Chip | null {
  const isOpen = (path: string) => !declined.has(path) && !view.folders.some((folder) => folder.path === path);
  return (
    chips.find(({ what, state, attachment }) => {
      const path = attachment?.path;
      return what === 'folder' && state === 'ready' && path !== undefined && isOpen(path);
    }) ?? null
  );
}

/** The folder in which a call that reaches outside of all work folders wants to change something. */
export function wantedBy({ class: kind, args }: Pick<WaitingApproval, 'class' | 'args'>): string | null {
  if (kind !== 'write_outside') return null;
  const path = args['path'];
  if (typeof path !== 'string' || !/^(\/|~\/|[a-z]:[\\/])/i.test(path)) return null;
  const folder = path.replace(/[/\\][^/\\]*$/, '');
  return folder === '' || folder === '~' || /^[a-z]:$/i.test(folder) ? null : folder;
}

/** A folder by its last part, or by its whole path where two are called so. */
export function shownName(path: string, all: readonly string[]): string {
  const name = nameOf(path);
  return all.filter((other) => nameOf(other) === name).length > 1 ? path : name;
}

/** The ways to a folder to work in: one that is picked, or one that was worked in before. */
export function folderEntries(
  i18n: I18n,
  { recent }: WorkFolders,
  grant: (path: string) => void,
  pick: () => Promise<readonly string[]>,
): ({ heading: string } | { label: string; act: () => void })[] {
  const picked = async () => {
    const [path] = await pick();
    if (path !== undefined) grant(path);
  };
  return [
    { label: i18n.say('work_here'), act: () => void picked() },
    ...(recent.length === 0 ? [] : [{ heading: i18n.say('work_recent') }]),
    ...recent.map((path) => ({ label: shownName(path, recent), act: () => grant(path) })),
  ];
}
