/**
 * The list of what runs taught: what is looked at of it, which one is chosen, what its figures say.
 *
 * Pure.
 */
import type { Experience } from '../bindings/Experience';
import type { ExperienceCount } from '../bindings/ExperienceCount';
import type { ExperienceRequest } from '../bindings/ExperienceRequest';
import type { ExperienceState } from '../bindings/ExperienceState';

/** Experiences of one page, and those that are listed at most: others are found by searching. */
export const EXPERIENCES_PER_PAGE = 50;
export const EXPERIENCES_MAX = 1_000;

/** The states in the order of the tabs. */
export const STATES: readonly ExperienceState[] = ['candidate', 'approved', 'rejected', 'expired'];

export interface Experiences {
  state: ExperienceState;
  text: string;
  items: readonly Experience[];
  chosen: string | null;
  more: boolean;
  known: boolean;
  counts: readonly ExperienceCount[];
}

export interface AskedExperiences {
  state: ExperienceState;
  text: string;
  offset: number;
  action: Extract<ExperienceRequest, { action: 'list' }>;
}

export function noExperiences(): Experiences {
  return { state: 'candidate', text: '', items: [], chosen: null, more: false, known: false, counts: [] };
}

/** What is asked for: from the beginning again, or what follows the last one. */
export function askedFor(view: Experiences, part: 'first' | 'more'): AskedExperiences {
  const { state } = view;
  const text = view.text.trim();
  const offset = part === 'more' ? view.items.length : 0;
  const limit =
    part === 'more' ? EXPERIENCES_PER_PAGE : Math.min(500, Math.max(EXPERIENCES_PER_PAGE, view.items.length));
  return { state, text, offset, action: { action: 'list', states: [state], text, offset, limit } };
}

/** Takes an answer to that question; one to another question is too late, but its counts are not. */
export function taken(
  view: Experiences,
  asked: AskedExperiences,
  found: readonly Experience[],
  counts: readonly ExperienceCount[],
): Experiences {
  const isLate =
    asked.state !== view.state ||
    asked.text !== view.text.trim() ||
    (asked.offset > 0 && asked.offset !== view.items.length);
  if (isLate) return { ...view, counts };
  const known = new Map(view.items.map((item) => [item.id, item]));
  // A list comes without runs: those that were read stay until they are read again.
  const fresh = found.map((item) => (item.runs.length > 0 ? item : { ...item, runs: known.get(item.id)?.runs ?? [] }));
  const items = asked.offset === 0 ? fresh : [...view.items, ...fresh.filter(({ id }) => !known.has(id))];
  const more = found.length >= asked.action.limit && items.length < EXPERIENCES_MAX;
  const chosen = items.some(({ id }) => id === view.chosen) ? view.chosen : (items[0]?.id ?? null);
  return { ...view, items, more, chosen, counts, known: true };
}

/** The list with one that was asked for by itself, which may stand on a later page. */
export function holding(view: Experiences, item: Experience | null): Experiences {
  if (item === null || item.state !== view.state || view.text.trim() !== '') return view;
  const items = view.items.some(({ id }) => id === item.id) ? view.items : [item, ...view.items];
  return { ...view, items, chosen: item.id };
}

export function looking(view: Experiences, state: ExperienceState): Experiences {
  return state === view.state ? view : { ...view, state, items: [], chosen: null, known: false };
}

export function searched(view: Experiences, text: string): Experiences {
  return { ...view, text };
}

export function chosen(view: Experiences, id: string | null): Experiences {
  return { ...view, chosen: id };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Experiences, steps: number): Experiences {
  const at = view.items.findIndex(({ id }) => id === view.chosen);
  const next = view.items[Math.min(view.items.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.id };
}

/** One of them as it is now. In another state it is no longer among these, and what follows it is chosen. */
export function changed(view: Experiences, experience: Experience): Experiences {
  const at = view.items.findIndex(({ id }) => id === experience.id);
  if (at < 0) return view;
  if (experience.state === view.state)
    return { ...view, items: view.items.map((known) => (known.id === experience.id ? experience : known)) };
  return without(view, experience.id);
}

export function without(view: Experiences, id: string): Experiences {
  const at = view.items.findIndex((item) => item.id === id);
  if (at < 0) return view;
  const items = view.items.filter((item) => item.id !== id);
  return {
    ...view,
    items,
    chosen: view.chosen === id ? (items[Math.min(at, items.length - 1)]?.id ?? null) : view.chosen,
  };
}

export function countOf(counts: readonly ExperienceCount[], state: ExperienceState): number {
  return counts.find((count) => count.state === state)?.experiences ?? 0;
}

/** Mean of what models gave it, from 0 to 10, and how many of them would keep it; `null` without any vote. */
export function votesOf(experience: Pick<Experience, 'votes'>): { mean: number; keep: number; of: number } | null {
  const { votes } = experience;
  if (votes.length === 0) return null;
  return {
    mean: votes.reduce((sum, { score }) => sum + score, 0) / votes.length,
    keep: votes.filter(({ keep }) => keep).length,
    of: votes.length,
  };
}
