/**
 * Find in session: marks every place of the words on the page, folded parts too, and walks between them.
 *
 * Marks by highlights and never changes the page; where there are none, the place at hand is selected.
 */
import { createContext } from 'svelte';
import { tick } from 'svelte';
import { FOUND_MAX, keptPlace, placesOf } from './text-search';

/** Letters across which words are found: those of one paragraph, cell, or line of code. */
const LINES = 'p, li, td, th, h1, h2, h3, h4, h5, h6, .line, pre, blockquote, summary, dd, div';

export class FindInPage {
  open = $state(false);
  query = $state('');
  count = $state(0);
  /** Place at hand, from 0; -1 when there is none. */
  place = $state(-1);
  /** Counts the moments at which the field must take the focus. */
  calls = $state(0);

  private ranges: Range[] = [];

  begin(): void {
    this.open = true;
    this.calls += 1;
  }

  end(): void {
    this.open = false;
    this.show([]);
  }

  /** Looks again: the words or the page have changed. */
  look(root: ParentNode | null): void {
    if (!this.open || root === null) return;
    const ranges = rangesIn(root, this.query);
    this.show(ranges, keptPlace(this.place, ranges.length));
  }

  /** Goes to the next place, or the one before, around the ends. */
  async step(steps: 1 | -1): Promise<void> {
    if (this.count === 0) return;
    this.place = (this.place + steps + this.count) % this.count;
    await this.reveal();
  }

  /** Brings the place at hand into sight, unfolding what it lies in. */
  async reveal(): Promise<void> {
    const range = this.ranges[this.place];
    const element = range?.startContainer.parentElement;
    if (range === undefined || element === null || element === undefined) return;
    const folded = element.closest('[data-folded="true"]');
    if (folded !== null) {
      folded.closest('.step, .todo')?.querySelector<HTMLElement>('button[aria-expanded="false"]')?.click();
      await tick();
    }
    element.scrollIntoView({ block: 'nearest' });
    this.mark();
  }

  private show(ranges: Range[], place = -1): void {
    this.ranges = ranges;
    this.count = ranges.length;
    this.place = place;
    this.mark();
  }

  private mark(): void {
    const here = this.ranges[this.place];
    if (!('highlights' in CSS)) {
      if (here !== undefined)
        getSelection()?.setBaseAndExtent(here.startContainer, here.startOffset, here.endContainer, here.endOffset);
      return;
    }
    CSS.highlights.set('found', new Highlight(...this.ranges));
    CSS.highlights.set('found-here', here === undefined ? new Highlight() : new Highlight(here));
  }
}

function rangesIn(root: ParentNode, query: string): Range[] {
  const ranges: Range[] = [];
  if (query.trim() === '') return ranges;
  for (const line of linesIn(root)) {
    const text = line.map((node) => node.data).join('');
    for (const at of placesOf(text, query, FOUND_MAX - ranges.length))
      ranges.push(rangeOver(line, at, at + query.length));
    if (ranges.length >= FOUND_MAX) break;
  }
  return ranges;
}

/** The letters that are read as one line, in the order of the page. */
function* linesIn(root: ParentNode): Generator<Text[]> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let line: Text[] = [];
  let of: Element | null = null;
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (
      parent === null ||
      parent.closest('.readable, .calls') === null ||
      parent.closest('.katex-mathml, button, .spoken') !== null
    )
      continue;
    const block = parent.closest(LINES);
    if (block !== of && line.length > 0) {
      yield line;
      line = [];
    }
    of = block;
    line.push(node);
  }
  if (line.length > 0) yield line;
}

function rangeOver(line: Text[], from: number, to: number): Range {
  const range = document.createRange();
  let passed = 0;
  for (const node of line) {
    const end = passed + node.data.length;
    if (from >= passed && from < end) range.setStart(node, from - passed);
    if (to > passed && to <= end) range.setEnd(node, to - passed);
    passed = end;
  }
  return range;
}

export const [useFindInPage, provideFindInPage] = createContext<FindInPage>();
