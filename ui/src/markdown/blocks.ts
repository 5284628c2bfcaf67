/**
 * Splits a growing Markdown answer into blocks, so that only the last ones are read and drawn again.
 *
 * A block is final once another one follows it. Makes tokens and text, never HTML: see `html.ts`.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { blockMath, inlineMath } from './math';

export interface Block {
  raw: string;
  token: Token;
}

export interface Blocks {
  text: string;
  blocks: readonly Block[];
}

/** Blocks at the end that may still change when text is added: a list may go on after a blank line. */
const OPEN_BLOCKS = 2;

export const noBlocks: Blocks = { text: '', blocks: [] };

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
  const kept = text.startsWith(before.text) ? before.blocks.slice(0, -OPEN_BLOCKS) : [];
  const length = kept.reduce((sum, block) => sum + block.raw.length, 0);
  // The lexer normalises line ends; where its raw text differs from ours, everything is read again.
  const safe = kept.map((block) => block.raw).join('') === text.slice(0, length);
  const rest = safe ? text.slice(length) : text;
  return { text, blocks: [...(safe ? kept : []), ...read(rest)] };
}

/** Whether a code block has its closing fence, or can have none: until then its source still grows. */
export function isClosed(token: Tokens.Code): boolean {
  return !/^ {0,3}(?:`{3,}|~{3,})/.test(token.raw) || /\n {0,3}(?:`{3,}|~{3,})\s*$/.test(token.raw);
}

/** The source of a code block, without its fences. */
export function codeOf(token: Token): Tokens.Code | null {
  return token.type === 'code' ? (token as Tokens.Code) : null;
}

function read(text: string): Block[] {
  const blocks: Block[] = [];
  for (const token of marked.lexer(text)) {
    const last = blocks.at(-1);
    // Blank lines belong to the block before them, so that the raw texts join to the whole.
    if (token.type === 'space' && last !== undefined) last.raw += token.raw;
    else blocks.push({ raw: token.raw, token });
  }
  return blocks;
}
