/**
 * The list of what is remembered: what is shown of it, what is looked for, which one is chosen.
 *
 * Pure.
 */
import type { MemoryCount } from '../bindings/MemoryCount';
import type { MemoryRequest } from '../bindings/MemoryRequest';
import type { MemoryHit } from '../bindings/MemoryHit';
import type { MemoryKind } from '../bindings/MemoryKind';
import type { MemoryMeaning } from '../bindings/MemoryMeaning';
import type { MemoryRecord } from '../bindings/MemoryRecord';
import type { MemoryRoom } from '../bindings/MemoryRoom';
import type { MemoryScope } from '../bindings/MemoryScope';
import type { MemorySource } from '../bindings/MemorySource';
import type { ScoreParts } from '../bindings/ScoreParts';

/** Records of one page. */
export const ITEMS_PER_PAGE = 100;

/** Records that are listed at most: others are found by searching. */
export const ITEMS_MAX = 5_000;

/** What a search answers at most, as the store does it. */
export const HITS_MAX = 100;

export type Layer = 'long' | 'short';

export const LAYERS: readonly Layer[] = ['long', 'short'];

/** The kinds of a layer, in the order of the filters. */
export const KINDS: Readonly<Record<Layer, readonly MemoryKind[]>> = {
  long: ['preference', 'summary', 'profile', 'knowledge', 'experience'],
  short: ['conversation', 'entity', 'working'],
};

/** Kinds that a person writes by hand. */
export const WRITTEN: readonly MemoryKind[] = ['knowledge', 'preference', 'profile'];

/** A line of the list: a record, or a hit of a search with its score. */
export interface Item {
  id: string;
  kind: MemoryKind;
  scope: MemoryScope;
  text: string;
  title: string;
  time: string;
  /** Since when it is no longer so. */
  ended: string | null;
  pinned: boolean;
  tainted: boolean;
  uses: number;
  source: MemorySource;
  score: number | null;
  parts: ScoreParts | null;
}

/** What a person looks at. */
export interface Wanted {
  text: string;
  layer: Layer;
  /** All kinds of the layer when `null`. */
  kind: MemoryKind | null;
  /** One assistant or site; everything when empty. */
  owner: MemoryScope;
  /** What was replaced, too. */
  ended: boolean;
}

export interface Memories {
  wanted: Wanted;
  items: readonly Item[];
  chosen: string | null;
  /** Whether there is more to list. */
  more: boolean;
  /** Whether an answer has come yet. */
  known: boolean;
  counts: readonly MemoryCount[];
  owners: readonly MemoryScope[];
  /** The words that the items were found by. */
  answered: string;
  /** How far finding by meaning is; `null` where no model is chosen for it, undefined before that is known. */
  meaning?: MemoryMeaning | null;
  room?: MemoryRoom | null;
}

/** A question to the store, kept beside its answer. */
export interface Asked {
  wanted: Wanted;
  offset: number;
  action: Extract<MemoryRequest, { action: 'find' | 'list' }>;
}

export function noMemories(): Memories {
  const wanted: Wanted = { text: '', layer: 'long', kind: null, owner: '', ended: false };
  return { wanted, items: [], chosen: null, more: false, known: false, counts: [], owners: [], answered: '' };
}

export function ofRecord(record: MemoryRecord): Item {
  const { id, kind, scope, text, title, time, pinned, tainted, uses, source } = record;
  return {
    id,
    kind,
    scope,
    text,
    title,
    time,
    pinned,
    tainted,
    uses,
    source,
    ended: record.valid_to,
    score: null,
    parts: null,
  };
}

export function ofHit(hit: MemoryHit): Item {
  const { id, kind, scope, text, title, time, pinned, source, ended, score, parts } = hit;
  return { id, kind, scope, text, title, time, pinned, source, ended, score, parts, tainted: hit.untrusted, uses: 0 };
}

/** What was said stands in its session: there is no record to open. */
export function isSaid(item: Pick<Item, 'id'>): boolean {
  return item.id.includes('/');
}

/** What is asked for: from the beginning again, or what follows the last one. */
export function askedFor(view: Memories, part: 'first' | 'more'): Asked {
  const { wanted } = view;
  const text = wanted.text.trim();
  const kinds = wanted.kind === null ? [...KINDS[wanted.layer]] : [wanted.kind];
  if (text !== '') {
    // In all scopes when none is named, those of single sessions too: the user is looking.
    const scopes = wanted.owner === '' ? [] : [wanted.owner];
    return { wanted, offset: 0, action: { action: 'find', text, kinds, scopes, page: null, limit: HITS_MAX } };
  }
  const scopes = wanted.owner === '' ? [] : [wanted.owner];
  const offset = part === 'more' ? view.items.length : 0;
  // What was scrolled to stays: as many are read again as are there, as far as one answer holds them.
  const limit =
    part === 'more' ? ITEMS_PER_PAGE : Math.min(5 * ITEMS_PER_PAGE, Math.max(ITEMS_PER_PAGE, view.items.length));
  return { wanted, offset, action: { action: 'list', kinds, scopes, ended: wanted.ended, offset, limit } };
}

/** Takes an answer to that question; one to another question is too late. */
export function taken(view: Memories, asked: Asked, found: readonly Item[]): Memories {
  const { action } = asked;
  if (!isSame(asked.wanted, view.wanted) || (asked.offset > 0 && asked.offset !== view.items.length)) return view;
  const fresh = action.action === 'find' && !asked.wanted.ended ? found.filter(({ ended }) => ended === null) : found;
  const known = new Set(view.items.map(({ id }) => id));
  // Something that was written in between moves the pages: nothing stands in the list twice.
  const items = asked.offset === 0 ? [...fresh] : [...view.items, ...fresh.filter(({ id }) => !known.has(id))];
  const more = action.action === 'list' && found.length >= action.limit && items.length < ITEMS_MAX;
  // Whoever asks something else wants the best of it.
  const answered = asked.wanted.text.trim();
  const isKept = answered === view.answered && items.some(({ id }) => id === view.chosen);
  return { ...view, items, more, chosen: isKept ? view.chosen : (items[0]?.id ?? null), known: true, answered };
}

function isSame(one: Wanted, other: Wanted): boolean {
  return (
    one.text.trim() === other.text.trim() &&
    one.layer === other.layer &&
    one.kind === other.kind &&
    one.owner === other.owner &&
    one.ended === other.ended
  );
}

/** Looks at something else; the list stays until its answer is there. */
export function looking(view: Memories, change: Partial<Wanted>): Memories {
  const layer = change.layer ?? view.wanted.layer;
  const kind = change.layer !== undefined && change.layer !== view.wanted.layer ? null : view.wanted.kind;
  return { ...view, wanted: { ...view.wanted, kind, ...change, layer } };
}

export function chosen(view: Memories, id: string | null): Memories {
  return { ...view, chosen: id };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Memories, steps: number): Memories {
  const next = view.items[Math.min(view.items.length - 1, Math.max(0, placeOf(view) + steps))];
  return next === undefined ? view : { ...view, chosen: next.id };
}

export function placeOf(view: Memories): number {
  return view.items.findIndex(({ id }) => id === view.chosen);
}

/** Without that one; what follows it is chosen in its place. */
export function without(view: Memories, id: string): Memories {
  const at = view.items.findIndex((item) => item.id === id);
  if (at < 0) return view;
  const items = view.items.filter((item) => item.id !== id);
  const next = items[Math.min(at, items.length - 1)]?.id ?? null;
  return { ...view, items, chosen: view.chosen === id ? next : view.chosen };
}

/** With `item` where `id` stood: nothing moves that is being looked at. */
export function replaced(view: Memories, id: string, item: Item): Memories {
  const items = view.items.map((known) =>
    known.id === id ? { ...item, score: known.score, parts: known.parts } : known,
  );
  return { ...view, items, chosen: view.chosen === id ? item.id : view.chosen };
}

/** How many there are of a layer, or of a kind. */
export function countOf(view: Memories, of: Layer | MemoryKind): number {
  const kinds = of === 'long' || of === 'short' ? KINDS[of] : [of];
  return view.counts.reduce((sum, { kind, records }) => (kinds.includes(kind) ? sum + records : sum), 0);
}

/** A part of a score, by the name of its word. */
export interface Part {
  name: keyof ScoreParts;
  value: number;
}

/** Below this a part says nothing. */
const PART_LEAST = 0.005;

const PARTS: readonly (keyof ScoreParts)[] = [
  'lexical',
  'vector',
  'context',
  'entity',
  'neighbour',
  'page',
  'weight',
  'recency',
  'correction',
  'repeated',
];

/** What a score is made of, without what adds nothing: first what lifts, then what lowers. */
export function partsOf(parts: ScoreParts): Part[] {
  const all = PARTS.map((name) => ({ name, value: parts[name] ?? 0 })).filter(
    ({ value }) => Math.abs(value) >= PART_LEAST,
  );
  return [...all.filter(({ value }) => value > 0), ...all.filter(({ value }) => value < 0)];
}

/** Whether no word of the question led to it. */
export function isByMeaningAlone(parts: ScoreParts): boolean {
  const { vector, lexical, context, entity } = parts;
  return (vector ?? 0) >= PART_LEAST && Math.max(lexical, context, entity) < PART_LEAST;
}

/** Share of the bar that a score fills: the best of the list is full. */
export function shareOf(view: Memories, item: Item): number {
  const best = Math.max(0.01, ...view.items.map(({ score }) => score ?? 0));
  return Math.max(0, Math.min(1, (item.score ?? 0) / best));
}

/** The page or site that a record belongs to. */
export function siteOf(item: Pick<Item, 'scope' | 'source'>): string | null {
  return item.scope.startsWith('site:') ? item.scope.slice(5) : item.source.site;
}

/** A number of a record that is short enough to be read: ids are told apart by their ends. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`;
}
