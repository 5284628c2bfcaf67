/**
 * How one text differs from another: line by line, with the words that differ in a line that was changed. Pure.
 *
 * For texts of settings, as an assistant's prompt; patches of files come from the runtime.
 */
import type { DiffLine, DiffPart } from './changes';

/** Lines that stay around a change; what lies between two changes folds. */
const AROUND = 3;
/** Steps of one comparison: beyond it all between the equal ends counts as changed. */
const STEPS_MAX = 1_000_000;
/** Share of words that two lines have in common, from which one is the other one changed. */
const ALIKE_MIN = 0.4;
/** Letters that stay beside a changed word in a long line; what lies between folds. */
const LETTERS_AROUND = 60;

/** Words, runs of blanks, and signs by themselves: what has no gaps between its words is compared sign by sign. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu;

type Edit<Item> = { kind: 'same' | 'before' | 'after'; item: Item };

/** The lines of both texts in the order of reading; unchanged stretches between changes are left out. */
export function diffOf(before: string, after: string): DiffLine[] {
  const edits = compared(linesOf(before), linesOf(after));
  const near = nearChanges(edits.map(({ kind }) => kind !== 'same'));
  const lines: DiffLine[] = [];
  let number = 1;
  let isFolded = false;
  for (let at = 0; at < edits.length;) {
    const block = blockAt(edits, at);
    if (block.length > 0) {
      lines.push(...blockLines(block));
      number += block.filter(({ kind }) => kind === 'after').length;
      at += block.length;
      continue;
    }
    const [edit] = edits.slice(at, at + 1);
    if (near[at] !== true) isFolded = true;
    else if (edit !== undefined) {
      if (isFolded) lines.push({ kind: 'place', text: String(number) });
      isFolded = false;
      lines.push({ kind: 'same', text: edit.item });
    }
    number += 1;
    at += 1;
  }
  return lines;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The changed lines that stand together from there on. */
function blockAt(edits: readonly Edit<string>[], at: number): readonly Edit<string>[] {
  const end = edits.findIndex(({ kind }, place) => place >= at && kind === 'same');
  return edits.slice(at, end < 0 ? edits.length : end);
}

/** A block with what was there first; a line beside the one that took its place tells which words differ. */
function blockLines(block: readonly Edit<string>[]): DiffLine[] {
  const of = (kind: 'before' | 'after') => block.flatMap((edit) => (edit.kind === kind ? [edit.item] : []));
  const [gone, come] = [of('before'), of('after')];
  const pairs = gone.map((line, at) => wordsOf(line, come[at] ?? ''));
  return [
    ...gone.map((text, at) => lineOf('before', text, pairs[at]?.before)),
    ...come.map((text, at) => lineOf('after', text, pairs[at]?.after)),
  ];
}

function lineOf(kind: 'before' | 'after', text: string, parts: readonly DiffPart[] | undefined): DiffLine {
  return parts === undefined ? { kind, text } : { kind, text, parts };
}

/** What differs between two lines that are alike; `null` where another one stands in its place. */
function wordsOf(before: string, after: string): Record<'before' | 'after', DiffPart[]> | null {
  const [gone, come] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  const edits = compared(gone, come);
  const common = edits.filter(({ kind, item }) => kind === 'same' && item.trim() !== '').length;
  const most = Math.max(...[gone, come].map((words) => words.filter((word) => word.trim() !== '').length));
  if (most === 0 || common / most < ALIKE_MIN) return null;
  const side = (own: 'before' | 'after') => folded(joined(edits.filter(({ kind }) => kind === 'same' || kind === own)));
  return { before: side('before'), after: side('after') };
}

/** Neighbours of one kind as one part; a blank between two changed words is changed with them. */
function joined(edits: readonly Edit<string>[]): DiffPart[] {
  const parts: DiffPart[] = [];
  edits.forEach(({ kind, item }, at) => {
    const isBetween = item.trim() === '' && at > 0 && edits[at - 1]?.kind !== 'same' && edits[at + 1]?.kind !== 'same';
    const isChanged = kind !== 'same' || (isBetween && at + 1 < edits.length);
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.text += item;
    else parts.push({ text: item, isChanged });
  });
  return parts;
}

/** Long stretches without a change are cut in their middle, at the outer ends from outside. */
function folded(parts: readonly DiffPart[]): DiffPart[] {
  return parts.map((part, at) => {
    const letters = [...part.text];
    const [left, right] = [at > 0 ? LETTERS_AROUND : 0, at < parts.length - 1 ? LETTERS_AROUND : 0];
    if (part.isChanged || letters.length <= 2 * LETTERS_AROUND + 1 || left + right === 0) return part;
    const end = right === 0 ? '' : letters.slice(-right).join('');
    return { text: `${letters.slice(0, left).join('')}…${end}`, isChanged: false };
  });
}

/** Which places lie near a change. */
function nearChanges(changed: readonly boolean[]): boolean[] {
  const near = changed.map(() => false);
  changed.forEach((isChanged, at) => {
    if (isChanged) near.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
  });
  // Where one line would fold, the fold is no shorter.
  return near.map((isNear, at) => isNear || (near[at - 1] === true && near[at + 1] === true));
}

/** The shortest way from one to the other, by the longest common subsequence between their equal ends. */
function compared(before: readonly string[], after: readonly string[]): Edit<string>[] {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const same = (items: readonly string[]) => items.map((item): Edit<string> => ({ kind: 'same', item }));
  const [gone, come] = [before, after].map((all) => all.slice(first, all.length - last));
  return [
    ...same(before.slice(0, first)),
    ...middle(gone ?? [], come ?? []),
    ...same(last === 0 ? [] : before.slice(-last)),
  ];
}

function middle(gone: readonly string[], come: readonly string[]): Edit<string>[] {
  const edits: Edit<string>[] = [];
  let [a, b] = [0, 0];
  if (gone.length * come.length <= STEPS_MAX) {
    const common = lengths(gone, come);
    const width = come.length + 1;
    const at = (i: number, j: number) => common[i * width + j] ?? 0;
    while (a < gone.length && b < come.length) {
      const [before = '', after = ''] = [gone[a], come[b]];
      if (before === after) {
        edits.push({ kind: 'same', item: before });
        a += 1;
        b += 1;
      } else if (at(a + 1, b) >= at(a, b + 1)) {
        edits.push({ kind: 'before', item: before });
        a += 1;
      } else {
        edits.push({ kind: 'after', item: after });
        b += 1;
      }
    }
  }
  const rest = (kind: 'before' | 'after', items: readonly string[]) => items.map((item) => ({ kind, item }));
  return [...edits, ...rest('before', gone.slice(a)), ...rest('after', come.slice(b))];
}

/** How many items the rest of one has in common with the rest of the other, for each pair of places. */
function lengths(gone: readonly string[], come: readonly string[]): Uint32Array {
  const width = come.length + 1;
  const common = new Uint32Array((gone.length + 1) * width);
  for (let i = gone.length - 1; i >= 0; i -= 1) {
    for (let j = come.length - 1; j >= 0; j -= 1) {
      const isSame = gone[i] === come[j];
      const [down = 0, right = 0] = [common[(i + 1) * width + j], common[i * width + j + 1]];
      common[i * width + j] = isSame ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right);
    }
  }
  return common;
}
