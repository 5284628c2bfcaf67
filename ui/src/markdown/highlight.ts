/**
 * Colours code: a small lexer for the languages that answers are full of.
 *
 * Knows comments, strings, numbers, keywords and calls, nothing deeper: a wrong colour is a smaller harm than a
 * megabyte of grammars in a window that is always in memory. Linear in the text, and never makes HTML of it.
 */
export type Colour = 'plain' | 'keyword' | 'string' | 'call' | 'number' | 'comment' | 'added' | 'removed';

export interface Run {
  text: string;
  colour: Colour;
}

interface Grammar {
  /** Comment to the end of the line. */
  line: string[];
  block: [string, string][];
  quotes: string[];
  keywords: Set<string>;
}

/** Characters beyond which code stays plain: colours are for reading, and nobody reads that much here. */
const COLOURED_CHARACTERS_MAX = 40_000;

const set = (names: string) => new Set(names.split(' '));
const C_BLOCK: [string, string][] = [['/*', '*/']];

const python: Grammar = {
  line: ['#'],
  block: [],
  quotes: ['"""', "'''", '"', "'"],
  keywords: set(
    'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return True try while with yield',
  ),
};
const script: Grammar = {
  line: ['//'],
  block: C_BLOCK,
  quotes: ['`', '"', "'"],
  keywords: set(
    'abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null of readonly return static super switch this throw true try type typeof undefined var void while yield',
  ),
};
const rust: Grammar = {
  line: ['//'],
  block: C_BLOCK,
  quotes: ['"'],
  keywords: set(
    'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
  ),
};
const curly: Grammar = {
  line: ['//'],
  block: C_BLOCK,
  quotes: ['"', "'"],
  keywords: set(
    'abstract auto bool boolean break byte case catch char chan class const continue default defer delete do double else enum extends false final finally float for func go goto if implements import int interface long map namespace new nil null nullptr override package private protected public range return select short signed sizeof static struct super switch template this throw throws true try type typedef union unsigned using var virtual void volatile while',
  ),
};
const shell: Grammar = {
  line: ['#'],
  block: [],
  quotes: ['"', "'"],
  keywords: set('case do done elif else esac export fi for function if in local return select then until while'),
};
const sql: Grammar = {
  line: ['--'],
  block: C_BLOCK,
  quotes: ["'", '"'],
  keywords: set(
    'add all alter and as asc begin between by case commit create cross delete desc distinct drop else end exists from full group having in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then union unique update using values view when where with',
  ),
};
const keyed: Grammar = {
  line: ['#'],
  block: [],
  quotes: ['"""', '"', "'"],
  keywords: set('true false null yes no on off'),
};
const json: Grammar = { line: [], block: [], quotes: ['"'], keywords: set('true false null') };

const GRAMMARS: Record<string, Grammar> = {
  python,
  py: python,
  javascript: script,
  js: script,
  jsx: script,
  typescript: script,
  ts: script,
  tsx: script,
  svelte: script,
  rust,
  rs: rust,
  c: curly,
  cpp: curly,
  'c++': curly,
  java: curly,
  go: curly,
  csharp: curly,
  cs: curly,
  kotlin: curly,
  swift: curly,
  php: curly,
  bash: shell,
  sh: shell,
  shell: shell,
  zsh: shell,
  console: shell,
  sql,
  yaml: keyed,
  yml: keyed,
  toml: keyed,
  ini: keyed,
  json,
  jsonc: script,
  graphql: keyed,
  css: curly,
};

/** The lines of a program, each as coloured runs; joined they are the text again. */
export function colouredLines(code: string, language: string): Run[][] {
  return grownLines(noLines, code, language).lines;
}

/** Coloured lines of a program that grows: finished ones are taken over, the same objects. */
export interface Lines {
  code: string;
  language: string;
  lines: readonly Run[][];
  /** The beginning of a line from which on everything is read again, and the number of lines before it. */
  from: number;
  kept: number;
}

export const noLines: Lines = { code: '', language: '', lines: [], from: 0, kept: 0 };

/** The coloured lines of `code`, taking over those of an earlier, shorter text that can no longer change. */
export function grownLines(before: Lines, code: string, language: string): Lines & { lines: Run[][] } {
  const grows = before.language === language && code.startsWith(before.code) && code.length <= COLOURED_CHARACTERS_MAX;
  const from = grows ? before.from : 0;
  const lines: Run[][] = [...before.lines.slice(0, grows ? before.kept : 0), []];
  // What begins a line is a token of its own unless it lies in a string or comment; the last ones may still grow.
  const starts = [{ from, kept: lines.length - 1 }];
  let at = from;
  for (const run of coloured(code.slice(from), language)) {
    run.text.split('\n').forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, colour: run.colour });
    });
    at += run.text.length;
    if (run.text.endsWith('\n') && at < code.length) starts.push({ from: at, kept: lines.length - 1 });
  }
  return { code, language, lines, ...(starts.at(-2) ?? { from, kept: lines.length - 1 }) };
}

export function coloured(code: string, language: string): Run[] {
  const name = language.toLowerCase();
  if (code.length > COLOURED_CHARACTERS_MAX) return [{ text: code, colour: 'plain' }];
  if (name === 'diff' || name === 'patch') return differences(code);
  const grammar = GRAMMARS[name];
  return grammar === undefined ? [{ text: code, colour: 'plain' }] : lex(code, grammar, name);
}

function lex(code: string, grammar: Grammar, name: string): Run[] {
  const runs: Run[] = [];
  const add = (text: string, colour: Colour) => {
    const last = runs.at(-1);
    // A run ends with its line, so that a growing text can be taken up there.
    if (last?.colour === colour && !last.text.endsWith('\n')) last.text += text;
    else runs.push({ text, colour });
  };
  let at = 0;
  while (at < code.length) {
    const [text, colour] = next(code, at, grammar, name);
    add(text, colour);
    at += text.length;
  }
  return runs;
}

/** The token that begins at `at`; never empty. */
function next(code: string, at: number, grammar: Grammar, name: string): [string, Colour] {
  const until = (end: number): string => code.slice(at, end < 0 ? code.length : end);
  if (grammar.line.some((mark) => code.startsWith(mark, at))) return [until(code.indexOf('\n', at)), 'comment'];
  for (const [open, close] of grammar.block) {
    if (!code.startsWith(open, at)) continue;
    const end = code.indexOf(close, at + open.length);
    return [until(end < 0 ? -1 : end + close.length), 'comment'];
  }
  const quote = grammar.quotes.find((mark) => code.startsWith(mark, at));
  if (quote !== undefined) return [until(endOfString(code, at, quote)), 'string'];
  const number = match(/\d[\w.]*/y, code, at);
  if (number !== null) return [number, 'number'];
  const word = match(/[\p{L}_$][\p{L}\p{N}_$]*!?/uy, code, at);
  if (word === null) return [match(/[^\p{L}\p{N}_$"'`#/*\n-]+|\n/uy, code, at) ?? code.charAt(at), 'plain'];
  const after = code.charAt(at + word.length);
  // Prefixes of Python's strings belong to the string: r"…", f"…".
  if (grammar === python && /^[rbfu]{1,2}$/i.test(word) && (after === '"' || after === "'")) return [word, 'string'];
  if (grammar.keywords.has(name === 'sql' ? word.toLowerCase() : word)) return [word, 'keyword'];
  return [word, after === '(' || word.endsWith('!') ? 'call' : 'plain'];
}

function endOfString(code: string, at: number, quote: string): number {
  const spansLines = quote.length === 3 || quote === '`';
  for (let i = at + quote.length; i < code.length; i += 1) {
    if (code.charAt(i) === '\\') i += 1;
    else if (code.startsWith(quote, i)) return i + quote.length;
    else if (!spansLines && code.charAt(i) === '\n') return i;
  }
  return -1;
}

function match(pattern: RegExp, code: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? null;
}

function differences(code: string): Run[] {
  return code.split(/(?<=\n)/).map((text): Run => {
    if (text.startsWith('@@')) return { text, colour: 'comment' };
    if (text.startsWith('+')) return { text, colour: 'added' };
    return { text, colour: text.startsWith('-') ? 'removed' : 'plain' };
  });
}
