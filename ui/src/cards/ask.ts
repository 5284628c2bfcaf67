/**
 * Cards that ask: what is to be chosen, filled in or decided, read from what the run tells, and the answer as it is sent.
 *
 * Pure. Whatever is not as expected is left out; a card that nothing is known of is answered by one text.
 */

export interface Option {
  label: string;
  note: string;
  danger: boolean;
  /** Whether nothing has to be filled in for it. */
  bare: boolean;
}

export type FieldKind =
  | 'text'
  | 'long_text'
  | 'number'
  | 'whole'
  | 'date'
  | 'date_time'
  | 'email'
  | 'address'
  | 'yes_no'
  | 'choice'
  | 'choices';

export interface AskField {
  name: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  options: readonly Option[];
  /** What stands there at first; of several choices the list of their labels, as JSON. */
  value: string;
  note: string;
}

export interface Hunk {
  /** The first line that it changes, from 1. */
  line: number;
  above: readonly string[];
  before: readonly string[];
  after: readonly string[];
  below: readonly string[];
}

export type Fact = readonly [name: string, value: string];

export type Spec =
  | { card: 'text' }
  | { card: 'names'; fields: readonly AskField[] }
  | { card: 'choice'; options: readonly Option[]; many: boolean }
  | { card: 'confirm'; yes: string; no: string }
  | { card: 'form'; fields: readonly AskField[] }
  | { card: 'diff'; title: string; hunks: readonly Hunk[] }
  | { card: 'hand_over'; to: string; facts: readonly Fact[] }
  | { card: 'operations'; facts: readonly Fact[]; options: readonly Option[] }
  | { card: 'custom'; title: string; facts: readonly Fact[]; fields: readonly AskField[]; options: readonly Option[] }
  | { card: 'server'; title: string; facts: readonly Fact[]; fields: readonly AskField[]; options: readonly Option[] };

/** What a person has done with a card so far. */
export interface Draft {
  text: string;
  chosen: readonly number[];
  values: Readonly<Record<string, string>>;
  hunks: Readonly<Record<number, 'accept' | 'reject'>>;
}

const KINDS: readonly FieldKind[] = [
  'text',
  'long_text',
  'number',
  'whole',
  'date',
  'date_time',
  'email',
  'address',
  'yes_no',
  'choice',
  'choices',
];

export function specOf(fields: unknown): Spec {
  if (Array.isArray(fields)) {
    const named = fields.flatMap((name) =>
      typeof name === 'string'
        ? [{ name, label: name, kind: 'text' as const, required: true, options: [], value: '', note: '' }]
        : [],
    );
    return named.length === 0 ? { card: 'text' } : { card: 'names', fields: named };
  }
  const given = object(fields);
  const options = list(given['options']).map(optionOf);
  const facts = list(given['facts']).map((fact): Fact => [text(list(fact)[0]), text(list(fact)[1])]);
  switch (given['card']) {
    case 'choice':
      return { card: 'choice', options, many: given['many'] === true };
    case 'confirm':
      return { card: 'confirm', yes: text(given['yes']), no: text(given['no']) };
    case 'form':
      return { card: 'form', fields: list(given['fields']).map(fieldOf) };
    case 'diff':
      return { card: 'diff', title: text(given['title']), hunks: list(given['hunks']).map(hunkOf) };
    case 'hand_over':
      return { card: 'hand_over', to: text(given['to']), facts };
    case 'operations':
      return { card: 'operations', facts, options };
    case 'custom':
    case 'server':
      return {
        card: given['card'],
        title: text(given['title']),
        facts,
        fields: list(given['fields']).map(fieldOf),
        options,
      };
    default:
      return { card: 'text' };
  }
}

export function emptyDraft(spec: Spec): Draft {
  const fields = fieldsOf(spec);
  return {
    text: '',
    chosen: [],
    values: Object.fromEntries(fields.map((field) => [field.name, field.value])),
    hunks: {},
  };
}

export function fieldsOf(spec: Spec): readonly AskField[] {
  return 'fields' in spec ? spec.fields : [];
}

/** The labels that are chosen in a field of several choices. */
export function chosenIn(value: string): readonly string[] {
  try {
    return list(JSON.parse(value) as unknown).map(text);
  } catch {
    return [];
  }
}

/** What is wrong with a value: nothing is written where something must be, or it is no number, or no day. */
export function faultOf(field: AskField, value: string): 'missing' | 'no_number' | 'no_whole' | 'no_date' | null {
  const written = value.trim();
  if (written === '') return field.required && field.kind !== 'yes_no' ? 'missing' : null;
  if (field.kind === 'number' && !Number.isFinite(Number(written))) return 'no_number';
  if (field.kind === 'whole' && !/^-?\d{1,18}$/.test(written)) return 'no_whole';
  return field.kind === 'date' && !/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(written) ? 'no_date' : null;
}

/** The answer as it is sent; `null` while something is missing. An action is given where the card has some. */
export function answerOf(spec: Spec, draft: Draft, action: number | null = null): string | null {
  if (spec.card === 'server' && action !== null && spec.options[action]?.bare === true)
    return JSON.stringify({ chosen: [action] });
  if (fieldsOf(spec).some((field) => faultOf(field, draft.values[field.name] ?? '') !== null)) return null;
  switch (spec.card) {
    case 'text':
    case 'hand_over':
      return draft.text.trim() === '' ? null : draft.text.trim();
    case 'names':
      return JSON.stringify(
        Object.fromEntries(spec.fields.map(({ name }) => [name, (draft.values[name] ?? '').trim()])),
      );
    case 'choice':
      return draft.chosen.length === 0 && !spec.many ? null : JSON.stringify({ chosen: draft.chosen });
    case 'confirm':
      return action === null ? null : action === 0 ? 'yes' : 'no';
    case 'form':
      return JSON.stringify({ values: draft.values });
    case 'diff': {
      const all = spec.hunks.map((_, at) => draft.hunks[at]);
      return all.includes(undefined)
        ? null
        : JSON.stringify({ accept: all.flatMap((decided, at) => (decided === 'accept' ? [at] : [])) });
    }
    case 'operations':
      return action === null ? null : JSON.stringify({ chosen: [action] });
    case 'custom':
    case 'server':
      if (spec.options.length > 0 && action === null) return null;
      return JSON.stringify({ ...(action === null ? {} : { chosen: [action] }), values: draft.values });
  }
}

/** Chooses one, or in a list of many adds or takes away. */
export function chose(draft: Draft, at: number, many: boolean): Draft {
  if (!many) return { ...draft, chosen: [at] };
  return {
    ...draft,
    chosen: draft.chosen.includes(at)
      ? draft.chosen.filter((known) => known !== at)
      : [...draft.chosen, at].sort((a, b) => a - b),
  };
}

export function decidedHunk(draft: Draft, at: number, verdict: 'accept' | 'reject' | null): Draft {
  const hunks = { ...draft.hunks };
  if (verdict === null) delete hunks[at];
  else hunks[at] = verdict;
  return { ...draft, hunks };
}

function optionOf(value: unknown): Option {
  const given = object(value);
  const { danger, bare } = given;
  return { label: text(given['label']), note: text(given['note']), danger: danger === true, bare: bare === true };
}

function fieldOf(value: unknown): AskField {
  const given = object(value);
  const kind = KINDS.find((known) => known === given['kind']) ?? 'text';
  const name = text(given['name']);
  const first = given['value'];
  const shown = first === null || first === undefined ? '' : typeof first === 'string' ? first : JSON.stringify(first);
  return {
    name,
    label: text(given['label']) || name,
    kind,
    required: given['required'] !== false,
    options: list(given['options']).map(optionOf),
    value: kind === 'yes_no' && shown !== 'true' ? 'false' : kind === 'choices' && shown === '' ? '[]' : shown,
    note: text(given['note']),
  };
}

function hunkOf(value: unknown): Hunk {
  const given = object(value);
  const lines = (name: string) => list(given[name]).map(text);
  return {
    line: typeof given['line'] === 'number' ? given['line'] : 1,
    above: lines('above'),
    before: lines('before'),
    after: lines('after'),
    below: lines('below'),
  };
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
