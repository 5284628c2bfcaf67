/**
 * Where the user was in each session: the draft, how far it was scrolled, what was unfolded.
 *
 * Kept while the program runs and nowhere else: drafts are nobody's record.
 */
import { createContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { SessionId } from '../bindings/SessionId';
import type { Composer } from '../composer/composer';

/** Distance from the top in pixels; `null` at the end, where new text is followed. */
export type Scroll = number | null;

export type Fold = 'open' | 'folded';

/** Sessions whose place is kept; of older ones the draft is given up. */
const SESSIONS_MAX = 100;

/** Folds kept over all sessions. */
const FOLDS_MAX = 4_000;

export class Places {
  /** News that was told, by session and what it is: it is not told again by going to another part of the panel and back. */
  told = $state.raw<ReadonlySet<string>>(new Set());

  private readonly drafts = new Map<SessionId, Composer>();
  private readonly scrolls = new Map<SessionId, Scroll>();
  private readonly folds = new SvelteMap<string, Fold>();

  keepDraft(session: SessionId | null, composer: Composer): void {
    kept(this.drafts, session ?? '', composer, SESSIONS_MAX);
  }

  /** The draft left there; it is taken out. */
  takeDraft(session: SessionId | null): Composer | null {
    const draft = this.drafts.get(session ?? '') ?? null;
    this.drafts.delete(session ?? '');
    return draft;
  }

  keepScroll(session: SessionId | null, scroll: Scroll): void {
    if (session !== null) kept(this.scrolls, session, scroll, SESSIONS_MAX);
  }

  scrollOf(session: SessionId | null): Scroll {
    return this.scrolls.get(session ?? '') ?? null;
  }

  /** How the user left the part of that name, if it was touched. */
  foldOf(part: string): Fold | null {
    return this.folds.get(part) ?? null;
  }

  keepFold(part: string, fold: Fold): void {
    kept(this.folds, part, fold, FOLDS_MAX);
  }
}

/** Puts a value last and drops the first ones beyond the bound. */
function kept<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const first of map.keys()) {
    if (map.size <= most) break;
    map.delete(first);
  }
}

export const [usePlaces, providePlaces] = createContext<Places>();
