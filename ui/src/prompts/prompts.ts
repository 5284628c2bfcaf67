/** Prompts of one's own: which are listed, the one that is looked at, and how it is changed. Pure. */
import type { PromptField } from '../bindings/PromptField';
import type { SavedPrompt } from '../bindings/SavedPrompt';
import type { SavedPromptDraft } from '../bindings/SavedPromptDraft';

export interface Prompts {
  all: readonly SavedPrompt[];
  /** Whether an answer has come yet. */
  known: boolean;
  /** The name of the one that is looked at; empty for one that is being made. */
  chosen: string | null;
  text: string;
}

export const noPrompts: Prompts = { all: [], known: false, chosen: null, text: '' };

/** The key under which a prompt that is being made keeps what was written. */
export const NEW = '';

/** What a file calls a field, as in `file` and `template.rs` of the program. */
const FIELD = /\\[{}]|\{\{\s*([\p{L}_][\p{L}\p{N}_-]{0,39})\s*\}\}|\{\s*([\p{L}_][\p{L}\p{N}_-]{0,39})\s*\}/gu;
const KINDS: Readonly<Record<string, PromptField['kind']>> = { selection: 'selection', page: 'page', file: 'file' };

/** The prompts that fit what was typed. */
export function listed({ all, text }: Prompts): readonly SavedPrompt[] {
  const words = text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all.filter((prompt) => {
    const told = `${prompt.name} ${prompt.description} ${prompt.text}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

/** The one that is looked at: of what is listed, else the first of that; `null` while one is being made. */
export function chosenOf(view: Prompts): SavedPrompt | null {
  if (view.chosen === NEW) return null;
  const rows = listed(view);
  return rows.find(({ name }) => name === view.chosen) ?? rows[0] ?? null;
}

export function taken(view: Prompts, all: readonly SavedPrompt[]): Prompts {
  return { ...view, all, known: true };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Prompts, steps: number): Prompts {
  const rows = listed(view);
  const at = rows.findIndex(({ name }) => name === chosenOf(view)?.name);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.name };
}

/** A prompt as it stands in its form. */
export function draftOf(prompt: SavedPrompt | null): SavedPromptDraft {
  if (prompt === null) return { name: '', description: '', text: '', fields: [] };
  const { name, description, text, fields } = prompt;
  return { name, description, text, fields };
}

/** A draft with another text: fields that stay keep what is said of them. */
export function withText(draft: SavedPromptDraft, text: string): SavedPromptDraft {
  const known = new Map(draft.fields.map((field) => [field.name, field]));
  const names = [...text.matchAll(FIELD)].flatMap(([, wide, narrow]) => wide ?? narrow ?? []);
  const fields = [...new Set(names)].map(
    (name): PromptField =>
      known.get(name) ?? { name, kind: KINDS[name] ?? 'free', label: name, choices: [], optional: false },
  );
  return { ...draft, text, fields };
}

export function withField(draft: SavedPromptDraft, name: string, change: Partial<PromptField>): SavedPromptDraft {
  return { ...draft, fields: draft.fields.map((field) => (field.name === name ? { ...field, ...change } : field)) };
}

/** Choices as they are written in one line. */
export function choicesIn(text: string): string[] {
  const choices = text.split(/[,，、]/u).map((choice) => choice.trim());
  return [...new Set(choices.filter((choice) => choice !== ''))];
}

export function isKeepable({ name, text }: SavedPromptDraft): boolean {
  return name.trim() !== '' && text.trim() !== '';
}

export function isSame(one: SavedPromptDraft, other: SavedPromptDraft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
