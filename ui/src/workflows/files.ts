/** Files that are brought in: how large they may be, how they are read, whose they are. Pure. */
import type { UserError } from '../bindings/UserError';

/** Bytes of one file: more is refused before it is read. Keep equal to `FILE_BYTES_MAX` of the program. */
export const FILE_BYTES_MAX = 1 << 20;

/** The bytes as text; `null` where some of them are none. */
export function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether a file means to be one of ours: we alone have steps at the top. */
export function isOurs(text: string): boolean {
  if (/^(["']?)steps\1\s*:/m.test(text)) return true;
  try {
    const root: unknown = JSON.parse(text);
    return typeof root === 'object' && root !== null && 'steps' in root;
  } catch {
    return false;
  }
}

/** Whether it was not kept since another one has its name: the remedy for the terminal is a switch that replaces it. */
export function isTaken({ code, hint }: UserError): boolean {
  return code === 'input' && /(^|\s)--replace\b/.test(hint ?? '');
}
