/**
 * A finished run replayed with other inputs: what a person may change, what would differ, and what came of it beside
 * what came of it then.
 *
 * Pure.
 */
import type { Ask } from '../bindings/Ask';
import type { ReplayInput } from '../bindings/ReplayInput';
import type { ReplayProgram } from '../bindings/ReplayProgram';
import type { RunId } from '../bindings/RunId';
import type { Segment } from '../bindings/Segment';
import type { Language } from '../i18n/i18n';

/** What stands in the field of an input: a text as it is, anything else as JSON. */
export function fieldOf(input: ReplayInput): string {
  return typeof input.value === 'string' ? input.value : JSON.stringify(input.value);
}

export interface Given {
  /** Those that are not what they were, as the backend takes them. */
  inputs: Record<string, string>;
  /** Names of those that are no JSON though they must be. */
  wrong: readonly string[];
}

/** What was written into the fields. A text stays a text, whatever is in it. */
export function givenOf(known: readonly ReplayInput[], written: Readonly<Record<string, string>>): Given {
  const inputs: Record<string, string> = {};
  const wrong: string[] = [];
  for (const input of known) {
    const text = written[input.name];
    if (text === undefined || text === fieldOf(input)) continue;
    if (typeof input.value === 'string') inputs[input.name] = JSON.stringify(text);
    else if (isJson(text)) inputs[input.name] = text.trim();
    else wrong.push(input.name);
  }
  return { inputs, wrong };
}

/** One line of a program: as it stays, as it was, as it will be. */
export interface ReplayLine {
  what: 'same' | 'before' | 'after';
  /** Its number, from 1; of a line that goes none. */
  number: number | null;
  text: string;
}

/** The program that will run, with what its inputs were above what they will be. */
export function linesOf(program: ReplayProgram): ReplayLine[] {
  const before = program.before.trimEnd().split('\n');
  const after = program.after.trimEnd().split('\n');
  return after.flatMap((text, at): ReplayLine[] => {
    const line: ReplayLine = { what: 'same', number: at + 1, text };
    const was = before[at];
    return was === undefined || was === text
      ? [line]
      : [
          { what: 'before', number: null, text: was },
          { ...line, what: 'after' },
        ];
  });
}

/** One thing that a run brought: what a program printed, what it said, a card that it showed. */
export interface Brought {
  what: 'output' | 'words' | 'card';
  text: string;
  failed: boolean;
}

/**
 * What the programs of a run brought, in their order. What a model says at the end is its own words, and none of theirs; of
 * the run that was replayed only what came well to its end: nothing else runs again.
 */
export function broughtBy(segments: readonly Segment[], run: RunId, part: 'all' | 'replayed' = 'all'): Brought[] {
  const isFailed = (exec: number) =>
    segments.some((one) => one.run === run && one.kind === 'Output' && one.exec === exec && one.failed);
  return segments.flatMap((segment): Brought[] => {
    const { exec } = segment;
    if (segment.run !== run || exec === null || (part === 'replayed' && isFailed(exec))) return [];
    if (segment.kind === 'Output') return [{ what: 'output', text: segment.text.trimEnd(), failed: segment.failed }];
    if (segment.kind === 'Express') return [{ what: 'words', text: segment.text, failed: false }];
    // Of a card its line: what it shows is in the session.
    if (segment.kind === 'Card') return [{ what: 'card', text: segment.text, failed: false }];
    return [];
  });
}

/** What came of it then and now, one beside the other. */
export interface Pair {
  earlier: Brought | null;
  later: Brought | null;
  same: boolean;
}

export function pairsOf(earlier: readonly Brought[], later: readonly Brought[]): Pair[] {
  return Array.from({ length: Math.max(earlier.length, later.length) }, (_, at) => {
    const pair = { earlier: earlier[at] ?? null, later: later[at] ?? null };
    return {
      ...pair,
      same: pair.earlier !== null && pair.earlier.text === pair.later?.text && pair.earlier.what === pair.later.what,
    };
  });
}

/** The question that begins a replay: everything else of it is known from the run. */
export function askOf(run: RunId, inputs: Record<string, string>, language: Language): Ask {
  return {
    text: '',
    session: null,
    files: [],
    screens: [],
    parts: {},
    context: null,
    folders: [],
    mode: null,
    approve: [],
    max_rounds: null,
    max_tokens: null,
    timeout_s: null,
    overrides: {},
    language,
    again: null,
    replay: { run, inputs },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
