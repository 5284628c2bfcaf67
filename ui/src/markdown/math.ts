/**
 * Finds mathematics in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`.
 *
 * Only finds it; drawing is `markdown/maths.svelte.ts`. A dollar sign before a price is left alone, and a formula
 * never spans a blank line, so that text that is still growing can't turn finished blocks into one.
 */
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

export interface MathToken extends Tokens.Generic {
  type: 'math' | 'math_block';
  /** The TeX between the marks. */
  text: string;
  display: boolean;
}

/** Characters of one formula; nobody writes a longer one, and drawing takes time. */
const FORMULA_CHARACTERS_MAX = 4_000;

const INLINE: readonly { pattern: RegExp; display: boolean }[] = [
  { pattern: /^\$\$((?:[^$\\\n]|\\[^\n]|\n(?!\s*\n))+?)\$\$/, display: true },
  // As pandoc does it: no space inside the marks, and no digit after the closing one.
  { pattern: /^\$(?![\s$])((?:[^$\\\n]|\\[^\n])*?[^\s$\\]|\\[^\n])\$(?!\d)/, display: false },
  { pattern: /^\\\(((?:[^\\\n]|\\[^)\n])+?)\\\)/, display: false },
  { pattern: /^\\\[((?:[^\\\n]|\\[^\]\n]|\n(?!\s*\n))+?)\\\]/, display: true },
];

const BLOCK: readonly RegExp[] = [
  /^ {0,3}\$\$[ \t]*\n?((?:[^$\\\n]|\\[^\n]|\\?\n(?![ \t]*\n))+?)\$\$[ \t]*(?:\n+|$)/,
  /^ {0,3}\\\[[ \t]*\n?((?:[^\\\n]|\\[^\]\n]|\\?\n(?![ \t]*\n))+?)\\\][ \t]*(?:\n+|$)/,
];

export const inlineMath: TokenizerAndRendererExtension = {
  name: 'math',
  level: 'inline',
  start: (source) => startOf(source),
  tokenizer: (source) => {
    for (const { pattern, display } of INLINE) {
      const token = tokenOf('math', pattern.exec(source), display);
      if (token !== undefined) return token;
    }
    return undefined;
  },
};

export const blockMath: TokenizerAndRendererExtension = {
  name: 'math_block',
  level: 'block',
  start: (source) => /(?:^|\n) {0,3}(?:\$\$|\\\[)/.exec(source)?.index,
  tokenizer: (source) => {
    for (const pattern of BLOCK) {
      const token = tokenOf('math_block', pattern.exec(source), true);
      if (token !== undefined) return token;
    }
    return undefined;
  },
};

function startOf(source: string): number | undefined {
  const at = source.search(/\$|\\[([]/);
  return at < 0 ? undefined : at;
}

function tokenOf(type: MathToken['type'], found: RegExpExecArray | null, display: boolean): MathToken | undefined {
  const text = found?.[1]?.trim() ?? '';
  if (found === null || text === '' || text.length > FORMULA_CHARACTERS_MAX) return undefined;
  return { type, raw: found[0], text, display };
}
