/**
 * Where an answer goes at the user's click: into the page in front, or into the window that the user came from.
 *
 * Pure. Nothing goes anywhere by itself.
 */
import type { PageView } from '../bindings/PageView';
import type { ScreenView } from '../bindings/ScreenView';

export type InsertTarget = { to: 'page' } | { to: 'window'; window: number; name: string };

/** A window that no system has: the program then says why there is none. */
const NO_WINDOW = 0;

/**
 * The target, from what was in front before the panel: `null` where nothing was, `'unseen'` where this desktop tells
 * of none. A page is served by its companion, whatever window it is in.
 */
export function insertTarget(front: ScreenView | 'unseen' | null, page: PageView | undefined): InsertTarget | null {
  if (front === 'unseen' && page === undefined) return { to: 'window', window: NO_WINDOW, name: '' };
  if (front !== null && front !== 'unseen' && front.page === undefined && front.window !== undefined)
    return { to: 'window', window: front.window, name: front.title === '' ? front.app : front.title };
  return page === undefined ? null : { to: 'page' };
}
