/**
 * Writes a call out for approval: exactly what will run, argument by argument.
 *
 * Shortens nothing and decides nothing. Text stays bare only where it can't be taken for anything else, and what the eye
 * can't see is written out.
 */
import type { Class } from '../bindings/Class';
import type { Origin } from '../bindings/Origin';
import { AMBIGUOUS, UNSEEN } from '../bindings/unseen';

export interface WrittenArgument {
  name: string;
  /** One text for each value of a list, else one. */
  values: string[];
  /** Whether it needs lines of its own. */
  long: boolean;
  /** Where it came from, when that was not the user. */
  origin: string | null;
}

/** Time after which a new approval's keys work, in milliseconds: a key under way must not approve it. */
export const KEYS_AFTER_MS = 400;

/** Ends of line at the end of a text, which nobody would see. */
const LAST_LINES = '↵';

/** What takes no room, or turns what follows around, so that a text reads as another one. */
const HIDDEN = anyOf(UNSEEN);

/** What could stand in a call unnoticed: also what emoji and some languages are made with, and spaces like the usual one. */
const UNNOTICED = anyOf([...UNSEEN, ...AMBIGUOUS]);

/** Characters that fit a chip on one line of the panel. */
const CHIP_CHARACTERS_MAX = 44;

export function writtenArguments(args: Record<string, unknown>, origins: readonly Origin[]): WrittenArgument[] {
  return Object.entries(args).map(([name, value]) => {
    const values = Array.isArray(value) && value.length > 0 ? value.map(written) : [written(value)];
    const long = values.some((text) => text.length > CHIP_CHARACTERS_MAX || text.includes('\n'));
    return {
      name: exact(name),
      values,
      long,
      origin: origins.find((origin) => origin.argument === name)?.source ?? null,
    };
  });
}

/** The whole call as one line of Python, for copying. */
export function writtenCall(tool: string, args: Record<string, unknown>): string {
  return `${tool}(${Object.entries(args)
    .map(([name, value]) => `${exact(name)}=${literal(value)}`)
    .join(', ')})`;
}

/** Where the marked arguments came from, each source once. */
export function sourcesOf(origins: readonly Origin[]): string[] {
  return [...new Set(origins.map((origin) => origin.source))];
}

/** Whether a call of this class runs a program, which is worded apart. */
export function runsSomething(kind: Class): boolean {
  return kind === 'execute' || kind === 'execute_open';
}

/** A text in which what the eye can't see is written out, so that it reads as nothing but itself. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, writtenOut);
}

/** The same for what is decided on. */
export function exact(text: string): string {
  return text.replaceAll(UNNOTICED, writtenOut);
}

/** The same for a text of lines, such as an answer or a question: an end of line as other systems write it is one. */
export function shown(text: string): string {
  return visible(text.replaceAll('\r\n', '\n'));
}

function anyOf(ranges: readonly (readonly [number, number])[]): RegExp {
  const sign = (code: number): string => `\\u{${code.toString(16)}}`;
  return new RegExp(`[${ranges.map(([first, last]) => `${sign(first)}-${sign(last)}`).join('')}]`, 'gu');
}

function writtenOut(unseen: string): string {
  const code = (unseen.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

function written(value: unknown): string {
  if (typeof value !== 'string') return literal(value);
  if (isPlain(value)) return value;
  const lines = value.trimEnd();
  const last = value.slice(lines.length);
  const isLines = lines.includes('\n') && isPlain(lines) && /^\n+$/.test(last) && !lines.includes(LAST_LINES);
  return isLines ? lines + LAST_LINES.repeat(last.length) : literal(value);
}

/** Whether a bare text can only be read as that text. */
function isPlain(text: string): boolean {
  return (
    text !== '' &&
    text === text.trim() &&
    text.search(UNNOTICED) < 0 &&
    !/^(["'[{]|-?\d[\d.]*$|(True|False|None)$)/.test(text)
  );
}

/** A value as Python writes it. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([name, inner]) => `${literal(name)}: ${literal(inner)}`)
      .join(', ')}}`;
  }
  return exact(JSON.stringify(value));
}
