/**
 * A workflow's text as it is being typed, read as far as it goes: what stands in what, and where. It is no reader of YAML.
 * It refuses nothing, checks nothing and resolves neither tags nor anchors. Pure.
 */

/** Stands at the caret, as a letter of what is typed there. */
export const MARK = '\uE000';

/** Nodes within one another: the format ends far below that, and so does the stack far above. */
const DEPTH_MAX = 64;

/** Letters of a line in which the colon of a key is looked for: the longest name has 80. */
const KEY_MAX = 400;

/** A text, from its first letter to behind its last one, without its quotes. */
export interface TextNode {
  kind: 'text';
  style: 'plain' | 'quoted' | 'block';
  text: string;
  from: number;
  to: number;
}

export interface Entry {
  key: string;
  /** Where the key stands, without its quotes. */
  from: number;
  to: number;
  isQuoted: boolean;
  /** A key that is still being typed has no colon. */
  hasColon: boolean;
  value: Node | null;
}

export interface MapNode {
  kind: 'map';
  /** Whether it stands in braces. */
  isFlow: boolean;
  entries: Entry[];
  from: number;
  to: number;
}

export interface ListNode {
  kind: 'list';
  isFlow: boolean;
  items: (Node | null)[];
}

export type Node = TextNode | MapNode | ListNode;

export function outline(text: string): Node | null {
  return new Reader(text).whole();
}

/** The value of a key, where there is one. */
export function valueOf(node: Node | null | undefined, ...keys: string[]): Node | null {
  if (node?.kind !== 'map') return null;
  return node.entries.find((entry) => entry.hasColon && keys.includes(entry.key))?.value ?? null;
}

export function textOf(node: Node | null): string {
  return node?.kind === 'text' ? node.text.trim() : '';
}

class Reader {
  #at = 0;
  #depth = 0;

  constructor(private readonly text: string) {}

  whole(): Node | null {
    return this.#node(-1);
  }

  /** What begins in a column behind the one of what it stands in. */
  #node(parent: number): Node | null {
    const column = this.#next();
    if (column <= parent) return null;
    if (this.#depth >= DEPTH_MAX) {
      this.#skipLine();
      return null;
    }
    this.#depth += 1;
    const node = this.#isDash() ? this.#list(column) : this.#mapOrText(column, parent);
    this.#depth -= 1;
    return node;
  }

  #mapOrText(column: number, parent: number): Node | null {
    const begin = this.text[this.#at] ?? '';
    const isKey = this.#keyEnd() >= 0;
    return !isKey && /[{['"|>]/.test(begin) ? this.#value(parent) : this.#map(column);
  }

  #list(column: number): ListNode {
    const items: (Node | null)[] = [];
    while (this.#next() === column && this.#isDash()) {
      this.#at += 1;
      items.push(this.#node(column));
      this.#skipDeeper(column);
    }
    return { kind: 'list', isFlow: false, items };
  }

  #map(column: number): MapNode | TextNode {
    const from = this.#at;
    const entries: Entry[] = [];
    while (this.#next() === column && !this.#isDash()) {
      entries.push(this.#entry(column));
      this.#skipDeeper(column);
    }
    const [first] = entries;
    if (first !== undefined && entries.length === 1 && !first.hasColon)
      return {
        kind: 'text',
        style: first.isQuoted ? 'quoted' : 'plain',
        text: first.key,
        from: first.from,
        to: first.to,
      };
    return { kind: 'map', isFlow: false, entries, from, to: this.#at };
  }

  #entry(column: number): Entry {
    const isQuoted = /['"]/.test(this.text[this.#at] ?? '');
    const from = this.#at + (isQuoted ? 1 : 0);
    const end = this.#keyEnd();
    const hasColon = end >= 0;
    const whole = this.text.slice(from, hasColon ? end : this.#contentEnd()).trimEnd();
    const key = isQuoted ? whole.replace(/['"]$/, '') : whole;
    this.#at = hasColon ? end + 1 : this.#lineEnd();
    const value = hasColon ? this.#value(column) : null;
    return { key, from, to: from + key.length, isQuoted, hasColon, value };
  }

  /** What stands behind a colon, or is alone in its place. */
  #value(parent: number): Node | null {
    this.#at += /^[ \t]*(?:[!&][^\s,\]}]*[ \t]+)*/.exec(this.#restOfLine())?.[0].length ?? 0;
    const rest = this.#restOfLine();
    if (/^[ \t\r]*(?:$|#)/.test(rest)) return this.#below(parent);
    if (/^[|>][-+\d]*[ \t\r]*(?:$|#)/.test(rest)) return this.#block(parent);
    const limit = /^[{['"]/.test(rest) ? this.#limit(parent) : 0;
    const value = /^['"]/.test(rest) ? this.#quoted(limit) : limit > 0 ? this.#flow(limit) : this.#plain();
    this.#skipLine();
    return value;
  }

  #below(column: number): Node | null {
    const next = this.#next();
    return next === column && this.#isDash() ? this.#list(column) : this.#node(column);
  }

  #plain(): TextNode {
    const from = this.#at;
    const to = this.#contentEnd();
    return { kind: 'text', style: 'plain', text: this.text.slice(from, to), from, to };
  }

  /** A text over several lines. An empty line at its end belongs to it where the caret stands as deep as the text. */
  #block(parent: number): TextNode {
    const from = this.#lineEnd();
    let to = from;
    for (let begin = from + 1; begin <= this.text.length;) {
      const end = this.#lineEnd(begin);
      const line = this.text.slice(begin, end);
      const depth = line.search(/\S/);
      const isEmpty = line.replace(MARK, '').trim() === '';
      if (depth > parent) to = end;
      else if (!isEmpty) break;
      begin = end + 1;
    }
    this.#at = to;
    return { kind: 'text', style: 'block', text: this.text.slice(from, to), from, to };
  }

  /** One that is not closed ends with its line. */
  #quoted(limit: number): TextNode {
    const quote = this.text[this.#at] ?? '';
    const from = this.#at + 1;
    const close = this.#closing(quote, from, limit);
    const to = close < 0 ? Math.min(this.#lineEnd(from), limit) : close;
    this.#at = close < 0 ? to : to + 1;
    return { kind: 'text', style: 'quoted', text: this.text.slice(from, to), from, to };
  }

  /** Where the quote stands that closes a text; -1 where none does. */
  #closing(quote: string, from: number, limit: number): number {
    for (let at = from; at < limit; at += 1) {
      const isDoubled = quote === "'" && this.text[at + 1] === quote;
      if (this.text[at] === quote && !isDoubled) return at;
      if ((this.text[at] === '\\' && quote === '"') || this.text[at] === quote) at += 1;
    }
    return -1;
  }

  #flow(limit: number): Node | null {
    const begin = this.text[this.#at];
    if (begin === '"' || begin === "'") return this.#quoted(limit);
    if (begin !== '{' && begin !== '[') return this.#flowPlain(limit);
    if (this.#depth >= DEPTH_MAX) {
      this.#at = limit;
      return null;
    }
    this.#depth += 1;
    const node = begin === '{' ? this.#flowMap(limit) : this.#flowList(limit);
    this.#depth -= 1;
    return node;
  }

  #flowMap(limit: number): MapNode {
    const from = this.#at;
    const entries: Entry[] = [];
    this.#at += 1;
    let to = this.#at;
    while (this.#flowGap(limit) && !this.#flowEnds()) {
      entries.push(this.#flowEntry(limit));
      to = this.#at;
    }
    if (this.#at < limit && this.text[this.#at] === '}') to = this.#at += 1;
    return { kind: 'map', isFlow: true, entries, from, to };
  }

  #flowEntry(limit: number): Entry {
    const key = this.#flow(limit);
    const { text, from, to, style } =
      key?.kind === 'text' ? key : { text: '', from: this.#at, to: this.#at, style: '' };
    const colon = /^\s*:/.exec(this.text.slice(this.#at, Math.min(limit, this.#at + 80)));
    const entry = { key: text, from, to, isQuoted: style === 'quoted', hasColon: colon !== null, value: null };
    if (colon === null) return entry;
    this.#at += colon[0].length;
    while (this.#at < limit && /\s/.test(this.text[this.#at] ?? '')) this.#at += 1;
    const isEmpty = this.#at >= limit || /[,\]}]/.test(this.text[this.#at] ?? '');
    return { ...entry, value: isEmpty ? null : this.#flow(limit) };
  }

  #flowList(limit: number): ListNode {
    const items: (Node | null)[] = [];
    this.#at += 1;
    while (this.#flowGap(limit) && !this.#flowEnds()) items.push(this.#flow(limit));
    if (this.#at < limit && this.text[this.#at] === ']') this.#at += 1;
    return { kind: 'list', isFlow: true, items };
  }

  /** A text in braces. It takes one letter at least, so that a reading always comes to its end. */
  #flowPlain(limit: number): TextNode {
    const from = this.#at;
    let to = from + 1;
    const isOver = (at: number) =>
      /[,[\]{}\n]/.test(this.text[at] ?? '') || /^:(?:[\s,[\]{}'"]|$)/.test(this.text.slice(at, at + 2));
    while (to < limit && !isOver(to)) to += 1;
    this.#at = to;
    const text = this.text.slice(from, to).trimEnd();
    return { kind: 'text', style: 'plain', text, from, to: from + text.length };
  }

  /** Goes on to what comes next in braces, and tells whether there is anything. */
  #flowGap(limit: number): boolean {
    while (this.#at < limit && /[\s,#]/.test(this.text[this.#at] ?? ''))
      this.#at = this.text[this.#at] === '#' ? this.#lineEnd() : this.#at + 1;
    this.#at = Math.min(this.#at, limit);
    return this.#at < limit;
  }

  #flowEnds(): boolean {
    return /[\]}]/.test(this.text[this.#at] ?? '');
  }

  /** Where the first line begins that can't belong to a value. It stands no deeper than what the value is of. */
  #limit(parent: number): number {
    for (let begin = this.#lineEnd() + 1; begin < this.text.length;) {
      const end = this.#lineEnd(begin);
      const line = this.text.slice(begin, end);
      const depth = line.search(/\S/);
      if (depth >= 0 && depth <= parent && !/^\s*[\]}]/.test(line)) return begin;
      begin = end + 1;
    }
    return this.text.length;
  }

  /** Goes on to the next content and tells its column; -1 where there is none. */
  #next(): number {
    for (;;) {
      const begin = this.#lineBegin();
      const rest = this.#restOfLine();
      const gap = rest.search(/\S/);
      const isComment = rest[gap] === '#' && (this.#at + gap === begin || gap > 0);
      const isMarker = this.#at === begin && /^(?:---|\.\.\.)\s*$|^%/.test(rest);
      if (gap >= 0 && !isComment && !isMarker) {
        this.#at += gap;
        return this.#at - begin;
      }
      const end = this.#lineEnd();
      this.#at = end + 1;
      if (end >= this.text.length) return -1;
    }
  }

  /** Leaves out lines that stand deeper than anything they could belong to. */
  #skipDeeper(column: number): void {
    while (this.#next() > column) this.#skipLine();
  }

  #isDash(): boolean {
    return /^-(?:\s|$)/.test(this.text.slice(this.#at, this.#at + 2));
  }

  /** Where the colon of the key stands that begins here; -1 where none does. */
  #keyEnd(): number {
    const line = this.text.slice(this.#at, Math.min(this.#contentEnd(), this.#at + KEY_MAX));
    const key = /^(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|(?!['"{[|>]).*?)\s*:(?=\s|$)/.exec(line)?.[0];
    return key === undefined ? -1 : this.#at + key.length - 1;
  }

  /** The end of the line without its comment and the spaces before it. */
  #contentEnd(): number {
    const rest = this.#restOfLine();
    const comment = rest.search(/\s#/);
    return this.#at + (comment < 0 ? rest : rest.slice(0, comment)).trimEnd().length;
  }

  #restOfLine(): string {
    return this.text.slice(this.#at, this.#lineEnd());
  }

  #lineBegin(): number {
    return this.#at === 0 ? 0 : this.text.lastIndexOf('\n', this.#at - 1) + 1;
  }

  #lineEnd(from = this.#at): number {
    const end = this.text.indexOf('\n', from);
    return end < 0 ? this.text.length : end;
  }

  #skipLine(): void {
    this.#at = this.#lineEnd();
  }
}
