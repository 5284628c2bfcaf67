/**
 * Files that a task made, as the desktop names them.
 *
 * Pure. Whether a file is there, and whether it is opened, is for the program around the windows.
 */

/** Whether a path says by itself where a file is. */
export function isWhole(path: string): boolean {
  return /^(\/|[A-Za-z]:[/\\])/.test(path);
}

/** The last part of a path, and the folder before it. */
export function nameOf(path: string): { folder: string; name: string } {
  const cut = path.replace(/[/\\]+$/, '');
  const from = Math.max(cut.lastIndexOf('/'), cut.lastIndexOf('\\')) + 1;
  return { folder: path.slice(0, from), name: path.slice(from) };
}

/** A file's address, which other programs take when it is dragged to them. */
export function addressOf(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/').map(encodeURIComponent);
  const whole = parts.join('/').replace(/^([A-Za-z])%3A\//, '/$1:/');
  return `file://${whole}`;
}

/** Puts a file into a drag: as an address for file managers and editors, as its path for everything that takes words. */
export function carry(path: string, data: Pick<DataTransfer, 'setData' | 'effectAllowed'> | null): void {
  if (data === null) return;
  data.effectAllowed = 'copy';
  data.setData('text/uri-list', addressOf(path));
  data.setData('text/plain', path);
}
