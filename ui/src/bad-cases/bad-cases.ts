/** Bad cases: which are listed, the one that is looked at, and one that is being made of a run. Pure. */
import type { BadCase } from '../bindings/BadCase';
import type { CaseChange } from '../bindings/CaseChange';
import type { CaseMeasured } from '../bindings/CaseMeasured';
import type { CaseVerdict } from '../bindings/CaseVerdict';
import type { RunId } from '../bindings/RunId';
import type { WordKey } from '../i18n/i18n';

export interface Cases {
  all: readonly BadCase[];
  /** Whether an answer has come yet. */
  known: boolean;
  /** The name of the one that is looked at. */
  chosen: string | null;
  text: string;
}

export const noCases: Cases = { all: [], known: false, chosen: null, text: '' };

/** One that is being made of a run that is over. */
export interface CaseDraft {
  run: RunId;
  /** What was wrong, in the user's words. */
  wrong: string;
  /** What a right answer holds, one for each line. */
  wanted: string;
  name: string;
  /** The case as it would be kept; `null` while it has not been looked at. */
  text: string | null;
  redacted: number;
  leftOut: readonly string[];
}

export function draftOf(run: RunId): CaseDraft {
  return { run, wrong: '', wanted: '', name: '', text: null, redacted: 0, leftOut: [] };
}

/** Whether enough is said to make a case of it. */
export function isSaid({ wrong, wanted }: CaseDraft): boolean {
  return wrong.trim() !== '' || wanted.trim() !== '';
}

export function wantedOf({ wanted }: CaseDraft): string[] {
  const lines = wanted.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** The cases that fit what was typed. */
export function listed({ all, text }: Cases): readonly BadCase[] {
  const words = text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all.filter(({ name, question, wrong }) => {
    const told = `${name} ${question} ${wrong}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

/** The one that is looked at: of what is listed, else the first of that. */
export function chosenOf(view: Cases): BadCase | null {
  const rows = listed(view);
  return rows.find(({ name }) => name === view.chosen) ?? rows[0] ?? null;
}

export function taken(view: Cases, all: readonly BadCase[]): Cases {
  return { ...view, all, known: true };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Cases, steps: number): Cases {
  const rows = listed(view);
  const at = rows.findIndex(({ name }) => name === chosenOf(view)?.name);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.name };
}

/** The texts of a change, each with what it is. */
export function partsOf(change: CaseChange): readonly (readonly [word: WordKey, text: string, isCode: boolean])[] {
  switch (change.kind) {
    case 'experience':
      return [
        ['case_goal', change.goal, false],
        ['case_lesson', change.lesson, false],
        ...(change.code === '' ? [] : ([['case_code', change.code, true]] as const)),
      ];
    case 'knowledge':
      return [['case_fact', change.text, false]];
    case 'prompt':
      return [['case_module', change.text, true]];
    case 'skill':
      return [
        ['case_when', change.description, false],
        ['case_steps', change.text, true],
      ];
  }
}

/** Whether that very change was tried. */
export function isMeasured(measured: CaseMeasured | null, change: CaseChange): measured is CaseMeasured {
  return measured !== null && JSON.stringify(measured.change) === JSON.stringify(change);
}

export const TONES: Readonly<Record<CaseVerdict, string>> = {
  better: 'good',
  not_better: '',
  worse: 'wrong',
  unmeasured: 'warned',
};
