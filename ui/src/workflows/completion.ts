/**
 * What can stand at the caret of a workflow's text: keys and values that its place takes. Within braces these are the names
 * that are known there. It proposes and never decides: what is wrong in a text is said by its faults. Pure.
 */
import { namesAt, stepsBeside, type Known } from './completion-names';
import { keysOf, placeOf, takesReferences, valuesOf, type Place, type Way } from './completion-schema';
import { MARK, outline, textOf, valueOf, type Entry, type MapNode, type Node, type TextNode } from './outline';

export interface Proposal {
  /** As it is shown. */
  label: string;
  /** What takes the place of what is there. */
  insert: string;
  what: 'key' | 'type' | 'value' | 'name';
  /** Of a key, whether the map can't be without it. */
  isNeeded: boolean;
  /** Of a name, the step that leaves it. */
  step: string;
}

export interface Completion {
  /** The range that a proposal takes the place of. */
  from: number;
  to: number;
  proposals: readonly Proposal[];
}

/** Whether letters were just typed, or the user asked, which needs none. */
export type Occasion = 'typed' | 'asked';

/** What stands at the caret, and the way to it. */
type Spot = { ways: Way[] } & ({ map: MapNode; entry: Entry } | { text: TextNode });

/** A range of the marked text with what may stand there. */
type Range = Completion & { typed: string };

export function completionAt(text: string, caret: number, occasion: Occasion = 'typed'): Completion | null {
  const before = text.slice(0, caret).replaceAll(MARK, ' ');
  const marked = before + MARK + text.slice(caret).replaceAll(MARK, ' ');
  const at = before.length;
  const spot = spotAt(outline(marked), at, []);
  const range = spot === null ? null : 'text' in spot ? inText(marked, at, spot) : inKey(marked, at, spot);
  if (range === null || (occasion === 'typed' && range.typed === '' && marked[at - 1] !== '{')) return null;
  const proposals = fitting(range);
  const [first] = proposals;
  const isThere = first !== undefined && first.insert === text.slice(range.from, range.to - 1);
  if (first === undefined || (isThere && occasion === 'typed')) return null;
  return { from: range.from, to: range.to - 1, proposals };
}

/** Those that begin with what was typed, then those that hold it. */
function fitting({ typed, proposals }: Range): Proposal[] {
  const wanted = typed.toLowerCase();
  const placeIn = ({ label }: Proposal) => label.toLowerCase().indexOf(wanted);
  const isWhole = ({ label }: Proposal) => label.toLowerCase() === wanted;
  const held = proposals.filter((one) => placeIn(one) === 0 || (placeIn(one) > 0 && wanted.length > 1));
  const rank = (one: Proposal) => (isWhole(one) ? 0 : placeIn(one) === 0 ? 1 : 2);
  return held.toSorted((one, other) => rank(one) - rank(other));
}

function spotAt(node: Node | null, at: number, ways: Way[]): Spot | null {
  if (node === null) return null;
  if (node.kind === 'text') return node.from <= at && at < node.to ? { ways, text: node } : null;
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) {
      const found = spotAt(item, at, [...ways, { list: node, index }]);
      if (found !== null) return found;
    }
    return null;
  }
  for (const entry of node.entries) {
    if (entry.from <= at && at < entry.to) return { ways, map: node, entry };
    const found = spotAt(entry.value, at, [...ways, { map: node, entry }]);
    if (found !== null) return found;
  }
  return null;
}

function inKey(marked: string, at: number, { ways, map, entry }: Spot & { entry: Entry; map: MapNode }): Range | null {
  const place = placeOf(ways);
  if (takesReferences(place, lastKey(ways))) return bareBraces(marked, at, ways, map, entry);
  const { from, to } = entry;
  return { from, to, typed: marked.slice(from, at), proposals: keyProposals(place, map, entry) };
}

/** `{name}` without quotes is a map to YAML: what is accepted stands in them. */
function bareBraces(marked: string, at: number, ways: Way[], map: MapNode, entry: Entry): Range | null {
  const { from, to } = map;
  const isAlone = map.isFlow && map.entries.length === 1 && !entry.hasColon && !entry.isQuoted;
  if (!isAlone || !/^[ \t]*(?:[\n,}\]#]|$)/.test(marked.slice(to, to + 80))) return null;
  const proposals = namesAt(ways).map((known) => nameProposal(known, `'{${known.name}}'`));
  return { from, to, typed: marked.slice(entry.from, at), proposals };
}

function inText(marked: string, at: number, { ways, text }: Spot & { text: TextNode }): Range | null {
  const place = placeOf(ways);
  if (takesReferences(place, lastKey(ways))) {
    const range = inBraces(marked, at, ways, text);
    if (range !== null) return range;
  }
  if (text.style === 'block') return null;
  const { from, to } = text;
  const keys = mayBeKey(marked, ways, text) ? keyProposals(place, null) : [];
  const values = valuesAt(place, ways).map((value) => valueProposal(value, text, lastKey(ways)));
  return { from, to, typed: marked.slice(from, at), proposals: [...values, ...keys] };
}

/** Names, or parts of one, where a brace before the caret begins them. */
function inBraces(marked: string, at: number, ways: Way[], { from, to }: TextNode): Range | null {
  const brace = marked.slice(from, at).lastIndexOf('{') + from;
  const slashes = /\\*$/.exec(marked.slice(from, Math.max(from, brace)))?.[0].length ?? 0;
  const typed = /^\{ *(?:([\p{L}_][\p{L}\p{N}_]*)([.[]))?([\p{L}\p{N}_]*)$/u.exec(marked.slice(brace, at));
  if (brace < from || slashes % 2 === 1 || typed === null) return null;
  const [, whole, sign, word = ''] = typed;
  const rest = /^[\p{L}\p{N}_]*/u.exec(marked.slice(at + 1, to))?.[0].length ?? 0;
  const end = at + 1 + rest;
  const known = namesAt(ways);
  if (whole !== undefined) {
    const close = sign === '[' && marked[end] !== ']' ? ']' : '';
    const parts = known.find(({ name }) => name === whole)?.parts ?? [];
    const proposals = parts.map((part) => nameProposal({ name: part, step: '', parts: [] }, part + close));
    return { from: at - word.length, to: end, typed: word, proposals };
  }
  const close = /^ *[}.[]/.test(marked.slice(end, to)) ? '' : '}';
  const proposals = known.map((one) => nameProposal(one, one.name + close));
  return { from: at - word.length, to: end, typed: word, proposals };
}

/** Whether a text that stands alone can be the first key of a map. */
function mayBeKey(marked: string, ways: readonly Way[], text: TextNode): boolean {
  const last = ways.at(-1);
  if (text.style !== 'plain') return false;
  if (last === undefined) return true;
  if ('list' in last) return !last.list.isFlow;
  return !last.map.isFlow && marked.slice(last.entry.to, text.from).includes('\n');
}

function valuesAt(place: Place, ways: readonly Way[]): string[] {
  const last = ways.findLast((way) => 'map' in way);
  if (last?.entry.key === 'needs') return stepsBeside(ways);
  const isFlag = /^bool(?:ean)?$/.test(textOf(valueOf(last?.map, 'type')));
  if (isFlag && ['default', 'example'].includes(lastKey(ways))) return ['true', 'false'];
  return valuesOf(place);
}

/** The key whose value is at hand; empty where it is a list's item. */
function lastKey(ways: readonly Way[]): string {
  const last = ways.at(-1);
  return last !== undefined && 'map' in last ? last.entry.key : '';
}

function keyProposals(place: Place, map: MapNode | null, entry?: Entry): Proposal[] {
  const isNamed = entry?.hasColon === true || entry?.isQuoted === true;
  const tail = (isContainer: boolean) => (isNamed ? '' : isContainer && map?.isFlow !== true ? ':' : ': ');
  return keysOf(place, map, entry).map(({ name, isNeeded, isContainer }) => ({
    label: name,
    insert: name + tail(isContainer),
    what: 'key',
    isNeeded,
    step: '',
  }));
}

function valueProposal(label: string, { style }: TextNode, key: string): Proposal {
  const isFlag = label === 'true' || label === 'false';
  const isPlain = style === 'quoted' || isFlag || /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(label);
  const what = key === 'type' ? 'type' : 'value';
  return { label, insert: isPlain ? label : `'${label}'`, what, isNeeded: false, step: '' };
}

function nameProposal({ name, step }: Known, insert: string): Proposal {
  return { label: name, insert, what: 'name', isNeeded: false, step };
}
