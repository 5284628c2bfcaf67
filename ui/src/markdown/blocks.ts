/**
 * Splits a growing Markdown answer into blocks, so that only what can still change is read and drawn again.
 *
 * A block is final once another one follows it; in a long list or table the same holds for items and rows. What is
 * final stays the same object. Makes tokens and text, never HTML: see `html.ts`.
 */
import { Marked, type Token, type Tokens, type TokensList } from 'marked';
import { blockMath, inlineMath } from './math';

export interface Block {
  raw: string;
  token: Token;
}

export interface Blocks {
  text: string;
  blocks: readonly Block[];
  /** The addresses that references stand for, as far as they are given. */
  links: TokensList['links'];
}

/** Blocks at the end that may still change when text is added: a list may go on after a blank line. */
const OPEN_BLOCKS = 2;

/** Items or rows at the end of a list or table that may still change: a dash may turn out to be a line under words. */
const OPEN_PARTS = 2;

/** Items or rows from which on a list or table grows part by part; a shorter one is read again as a whole. */
const LONG_PARTS = 12;

export const noBlocks: Blocks = { text: '', blocks: [], links: {} };

const marked = new Marked({
  gfm: true,
  extensions: [blockMath, inlineMath],
  tokenizer: {
    /** `**中文。**后` is bold: the flanking rules of CommonMark were made for spaces between words. */
    emStrong(source, _masked, before) {
      const bold = /^\*\*([^*\n]*[^*\s])\*\*/u.exec(source);
      const inner = bold?.[1];
      if (bold === null || inner === undefined || /^\s/.test(inner)) return false;
      const follows = source.charAt(bold[0].length);
      const closesAfterMark = /\p{P}$/u.test(inner) && /[\p{L}\p{N}]/u.test(follows);
      const opensBeforeMark = /^\p{P}/u.test(inner) && /[\p{L}\p{N}]/u.test(before ?? '');
      if (!closesAfterMark && !opensBeforeMark) return false;
      return { type: 'strong', raw: bold[0], text: inner, tokens: this.lexer.inlineTokens(inner) };
    },
  },
});

/** The blocks of `text`, taking over the final ones of an earlier, shorter text. */
export function grown(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  const { blocks } = before;
  const last = blocks.at(-1);
  // What stands before many items or rows can no longer become a part of them.
  const kept = text.startsWith(before.text)
    ? blocks.slice(0, last !== undefined && isLong(last) ? -1 : -OPEN_BLOCKS)
    : [];
  const length = kept.reduce((sum, block) => sum + block.raw.length, 0);
  // The lexer normalises line ends; where its raw text differs from ours, everything is read again.
  const safe = kept.map((block) => block.raw).join('') === text.slice(0, length);
  if (!safe) return whole(text, blocks);
  const rest = text.slice(length);
  const open = blocks.slice(kept.length);
  const links = { ...before.links };
  const known = Object.keys(links).length;
  const fresh = lengthened(open[0], rest, links) ?? read(rest, links);
  // An address that is given at the end is meant for links anywhere above it.
  const told = fresh.some((block, at) => block.token.type === 'def' && block.raw !== open[at]?.raw);
  if (told || Object.keys(links).length !== known) return whole(text, blocks);
  return { text, blocks: [...kept, ...fresh.map((block, at) => sameOr(open[at], block))], links };
}

function whole(text: string, before: readonly Block[]): Blocks {
  const links = {};
  // What holds no bracket holds no reference either.
  const blocks = read(text, links).map((block, at) => (block.raw.includes('[') ? block : sameOr(before[at], block)));
  return { text, blocks, links };
}

/** The part of a growing text that can be shown: the head of a table would be seen as bars and dashes at first. */
export function presentable(text: string): string {
  const [line, above, beyond] = [lineBefore(text, text.length), ...linesAbove(text)];
  if (isRow(line) && !isRow(above)) return text.slice(0, text.length - line.length);
  const isRule = /^[\s|:-]*$/.test(line);
  return isRule && isRow(above) && !isRow(beyond) ? text.slice(0, text.length - line.length - above.length - 1) : text;
}

function linesAbove(text: string): [string, string] {
  const end = text.lastIndexOf('\n');
  if (end < 0) return ['', ''];
  const above = lineBefore(text, end);
  return [above, above.length < end ? lineBefore(text, end - above.length - 1) : ''];
}

function lineBefore(text: string, end: number): string {
  return text.slice(end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1, end);
}

function isRow(line: string): boolean {
  return /^ {0,3}\|/.test(line);
}

/** Whether a code block has its closing fence, or can have none: until then its source still grows. */
export function isClosed(token: Tokens.Code): boolean {
  return !/^ {0,3}(?:`{3,}|~{3,})/.test(token.raw) || /\n {0,3}(?:`{3,}|~{3,})\s*$/.test(token.raw);
}

/** The source of a code block, without its fences. */
export function codeOf(token: Token): Tokens.Code | null {
  return token.type === 'code' ? (token as Tokens.Code) : null;
}

export function listOf(token: Token): Tokens.List | null {
  return token.type === 'list' ? (token as Tokens.List) : null;
}

export function tableOf(token: Token): Tokens.Table | null {
  return token.type === 'table' ? (token as Tokens.Table) : null;
}

/** Adds the addresses it finds to `links`. */
function read(text: string, links: TokensList['links']): Block[] {
  const blocks: Block[] = [];
  const lexer = new marked.Lexer(marked.defaults);
  lexer.tokens.links = links;
  for (const token of lexer.lex(text)) {
    const last = blocks.at(-1);
    // Blank lines belong to the block before them, so that the raw texts join to the whole.
    if (token.type === 'space' && last !== undefined) last.raw += token.raw;
    else blocks.push({ raw: token.raw, token });
  }
  return blocks;
}

/** The block as it was when nothing of it has changed, so that nothing of it is drawn again. */
function sameOr(old: Block | undefined, fresh: Block): Block {
  return old !== undefined && old.raw === fresh.raw ? old : fresh;
}

function isLong({ token }: Block): boolean {
  return (listOf(token)?.items ?? tableOf(token)?.rows ?? []).length >= LONG_PARTS;
}

/** `text`, which begins with a long list or table that has grown: its finished parts are not read again. */
function lengthened(old: Block | undefined, text: string, links: TokensList['links']): Block[] | null {
  if (old === undefined || !isLong(old)) return null;
  const list = listOf(old.token);
  if (list !== null) return longerList(list, text, links);
  const table = tableOf(old.token);
  return table === null ? null : longerTable(table, text, links);
}

function longerList(old: Tokens.List, text: string, links: TokensList['links']): Block[] | null {
  // One finished item is read along: whether blank lines lie between the items shows in it.
  const kept = old.items.slice(0, -OPEN_PARTS - 1);
  const before = kept.map((item) => item.raw).join('');
  if (!text.startsWith(before)) return null;
  const [first, ...others] = read(text.slice(before.length), links);
  const list = first === undefined ? null : listOf(first.token);
  const known = old.items[kept.length];
  if (first === undefined || list === null || known === undefined || list.items[0]?.raw !== known.raw) return null;
  if (list.loose !== old.loose || list.ordered !== old.ordered) return null;
  const items = [
    ...kept,
    known,
    ...list.items.slice(1).map((item, at) => sameItem(old.items[kept.length + 1 + at], item)),
  ];
  return [{ raw: before + first.raw, token: { ...list, raw: before + list.raw, start: old.start, items } }, ...others];
}

function sameItem(old: Tokens.ListItem | undefined, fresh: Tokens.ListItem): Tokens.ListItem {
  return old !== undefined && old.raw === fresh.raw ? old : fresh;
}

function longerTable(old: Tokens.Table, text: string, links: TokensList['links']): Block[] | null {
  const lines = old.raw.replace(/\n+$/, '').split('\n');
  const [head, rule] = lines;
  // A row is a line, and only then do the last rows begin where the last lines do.
  if (head === undefined || rule === undefined || lines.length !== old.rows.length + 2) return null;
  const before = `${lines.slice(0, -OPEN_PARTS).join('\n')}\n`;
  if (!text.startsWith(before)) return null;
  const shortened = `${head}\n${rule}\n`;
  const [first, ...others] = read(shortened + text.slice(before.length), links);
  const table = first === undefined ? null : tableOf(first.token);
  if (first === undefined || table === null) return null;
  const full = (raw: string) => before + raw.slice(shortened.length);
  const rows = [...old.rows.slice(0, -OPEN_PARTS), ...table.rows];
  return [{ raw: full(first.raw), token: { ...old, raw: full(table.raw), rows } }, ...others];
}
