/**
 * The list of sessions: what it shows, where the selection is, what was deleted and can still be undone.
 *
 * Pure. Deleting hides the session at once; the panel asks the program to delete it when the undo has passed.
 */
import type { SessionId } from '../bindings/SessionId';
import type { SessionSummary } from '../bindings/SessionSummary';

export interface Sessions {
  all: readonly SessionSummary[];
  query: string;
  selected: SessionId | null;
  /** Hidden and about to be deleted. */
  leaving: SessionSummary | null;
  /** Whose title is being written. */
  renaming: SessionId | null;
}

/** Sessions asked for at once; older ones are found by searching. */
export const SESSIONS_LISTED_MAX = 200;

/** Letters of a title; the program keeps as many. */
export const TITLE_LETTERS_MAX = 160;

/** Time in which a deletion can be undone, in milliseconds (design language, "Toast"). */
export const UNDO_MS = 10_000;

export function noSessions(): Sessions {
  return { all: [], query: '', selected: null, leaving: null, renaming: null };
}

export function listed(view: Sessions, all: readonly SessionSummary[]): Sessions {
  return selectable({ ...view, all });
}

/** What was found, from the best on: whoever searches means none of those that were there before. */
export function found(view: Sessions, all: readonly SessionSummary[]): Sessions {
  return { ...view, all, selected: all[0]?.id ?? null };
}

export function queried(view: Sessions, query: string): Sessions {
  return { ...view, query };
}

/** The sessions as shown: newest first as they came, without the one that leaves. */
export function shown(view: Sessions): SessionSummary[] {
  return view.all.filter((session) => session.id !== view.leaving?.id);
}

export function selected(view: Sessions, session: SessionId | null): Sessions {
  return { ...view, selected: session };
}

/** Moves the selection by `steps`, stopping at the ends. */
export function moved(view: Sessions, steps: number): Sessions {
  const rows = shown(view);
  const at = rows.findIndex((session) => session.id === view.selected);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, selected: next.id };
}

/** Begins to write another title for a session that is shown. */
export function renaming(view: Sessions, session: SessionId): Sessions {
  return shown(view).some(({ id }) => id === session) ? { ...view, selected: session, renaming: session } : view;
}

/** Which session gets which title by what was typed: none for nothing, blanks, or the same again. */
export function titled(view: Sessions, typed: string | null): { session: SessionId | null; title: string | null } {
  const session = view.all.find(({ id }) => id === view.renaming);
  const title =
    typed
      ?.split(/\s+/)
      .filter((word) => word !== '')
      .join(' ') ?? '';
  const isNew = session !== undefined && title !== '' && title !== session.title;
  return { session: view.renaming, title: isNew ? title : null };
}

/** Ends the writing; the list shows the new title at once. */
export function renamed(view: Sessions, typed: string | null): Sessions {
  const { session, title } = titled(view, typed);
  const all = title === null ? view.all : view.all.map((known) => (known.id === session ? { ...known, title } : known));
  return { ...view, all, renaming: null };
}

export function deleted(view: Sessions, session: SessionId): Sessions {
  const leaving = view.all.find((known) => known.id === session) ?? null;
  const at = shown(view).findIndex((known) => known.id === session);
  const without = { ...view, leaving };
  const neighbour = shown(without)[Math.min(at, shown(without).length - 1)];
  return { ...without, selected: neighbour?.id ?? null };
}

export function undone(view: Sessions): Sessions {
  return { ...view, selected: view.leaving?.id ?? view.selected, leaving: null };
}

/** After the program has deleted it. */
export function left(view: Sessions): Sessions {
  const all = view.all.filter((session) => session.id !== view.leaving?.id);
  return selectable({ ...view, all, leaving: null });
}

/** Where nobody has chosen, the first that was found is selected, and of all sessions none. */
function selectable(view: Sessions): Sessions {
  const rows = shown(view);
  if (rows.some((session) => session.id === view.selected)) return view;
  return { ...view, selected: view.query.trim() === '' ? null : (rows[0]?.id ?? null) };
}
