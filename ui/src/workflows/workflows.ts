/**
 * Workflows: which are listed, what a run is given, how a run stands while it goes on. Pure.
 */
import type { DrawnStep } from '../bindings/DrawnStep';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { PlannedStep } from '../bindings/PlannedStep';
import type { UnknownCall } from '../bindings/UnknownCall';
import type { WaitingCard } from '../bindings/WaitingCard';
import type { WorkflowParameter } from '../bindings/WorkflowParameter';
import type { WorkflowRunView } from '../bindings/WorkflowRunView';
import type { WorkflowStatus } from '../bindings/WorkflowStatus';
import type { WorkflowStepView } from '../bindings/WorkflowStepView';

export interface Workflows {
  all: readonly ListedWorkflow[];
  /** Whether an answer has come yet. */
  known: boolean;
  /** The name of the one that is looked at. */
  chosen: string | null;
  text: string;
}

export const noWorkflows: Workflows = { all: [], known: false, chosen: null, text: '' };

/** The workflows that fit what was typed. */
export function listed(view: Workflows): readonly ListedWorkflow[] {
  const words = view.text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return view.all.filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The one that is looked at: of what is listed, else the first of that. */
export function chosenOf(view: Workflows): ListedWorkflow | null {
  const rows = listed(view);
  return rows.find(({ name }) => name === view.chosen) ?? rows[0] ?? null;
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Workflows, steps: number): Workflows {
  const rows = listed(view);
  const now = chosenOf(view);
  const at = rows.findIndex(({ name }) => name === now?.name);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.name };
}

/** The word for how a run stands. */
export function runStands({
  status,
  decided,
}: Pick<WorkflowRunView, 'status' | 'decided'>): 'run_is_decided' | `run_is_${WorkflowStatus}` {
  return decided === true ? 'run_is_decided' : `run_is_${status}`;
}

/** How many runs stand until a person does something, of one workflow or of all. */
export function openOf(...all: readonly Pick<ListedWorkflow, 'open'>[]): number {
  return all.reduce((sum, { open }) => sum + open.waiting + open.resting, 0);
}

/** The list with one that was just kept, in its place by its name. */
export function withOne(all: readonly ListedWorkflow[], one: ListedWorkflow): readonly ListedWorkflow[] {
  const rest = all.filter(({ name }) => name !== one.name);
  const at = rest.findIndex(({ name }) => name > one.name);
  return at < 0 ? [...rest, one] : [...rest.slice(0, at), one, ...rest.slice(at)];
}

/** What a form is filled with at first: defaults, as they are typed. */
export function formOf(parameters: readonly WorkflowParameter[]): Record<string, string> {
  return Object.fromEntries(
    parameters.map(({ name, default: value }) => [name, value === null || value === undefined ? '' : written(value)]),
  );
}

/** A value as it is typed into a field. */
export function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface Filled {
  inputs: Record<string, unknown>;
  /** Names of values that a run wants and that are not there. */
  missing: readonly string[];
  /** Names of values of another type. */
  unfit: readonly string[];
}

/** Reads a form: a text stays a text, everything else is JSON. */
export function filled(parameters: readonly WorkflowParameter[], form: Readonly<Record<string, string>>): Filled {
  const inputs: Record<string, unknown> = {};
  const missing: string[] = [];
  const unfit: string[] = [];
  for (const { name, kind, required } of parameters) {
    const typed = form[name] ?? '';
    if (typed.trim() === '' && !(kind === 'str' && !required)) {
      if (required) missing.push(name);
      continue;
    }
    const value = kind === 'str' ? typed : read(typed, kind);
    if (value === undefined) unfit.push(name);
    else inputs[name] = value;
  }
  return { inputs, missing, unfit };
}

function read(typed: string, kind: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch {
    return kind === 'any' ? typed : undefined;
  }
  const fits: Record<string, boolean> = {
    int: Number.isInteger(value),
    float: typeof value === 'number',
    bool: typeof value === 'boolean',
    list: Array.isArray(value),
    dict: typeof value === 'object' && value !== null && !Array.isArray(value),
  };
  return (fits[kind] ?? true) ? value : undefined;
}

/** What a person says that a step gave, as the command line reads it: JSON, else a text; nothing where nothing is said. */
export function given(typed: string): unknown {
  const text = typed.trim();
  if (text === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    // The engine reads a number of a text; one that we can't hold exactly would become another.
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return typed;
  }
}

/** Tells the steps of one run apart. */
export function keyOf({ id, rounds }: WorkflowStepView): string {
  return `${id} ${rounds.join('.')}`;
}

/** Tells waiting cards apart: they were foreseen, and those of one program may all have the same `seq`. */
export function cardKeyOf({ event }: WaitingCard): string {
  return `${event.run} ${'call' in event ? event.call : event.seq}`;
}

/** Tells the steps of a plan apart: one may stand there twice, with what it does and with its failure. */
export function plannedKeyOf({ id, rounds }: PlannedStep, at: number): string {
  return `${at} ${id} ${rounds.join('.')}`;
}

/** A run with what is new of one of its steps. */
export function withStep(run: WorkflowRunView, step: WorkflowStepView): WorkflowRunView {
  const key = keyOf(step);
  const known = run.steps.find((one) => keyOf(one) === key);
  if (known === undefined) return { ...run, steps: [...run.steps, step] };
  const next = {
    ...step,
    started: known.started,
    attempt: step.attempt ?? known.attempt,
    program: step.program ?? known.program,
    unknown: step.unknown.length > 0 ? step.unknown : known.unknown,
  };
  return { ...run, steps: run.steps.map((one) => (one === known ? next : one)) };
}

/** A run of which nothing but its beginning is known yet. */
export function begun(run: string, { name, title }: ListedWorkflow, inputs: Record<string, unknown>): WorkflowRunView {
  return {
    run,
    name,
    title,
    status: 'running',
    started: new Date(0).toISOString(),
    ended: null,
    inputs,
    result: {},
    error: null,
    usage: { input: 0, cached: 0, output: 0, model_calls: 0 },
    tainted: false,
    steps: [],
    waiting: [],
  };
}

/** The calls that may have happened in a step whose end is unknown; where none is on record, the tool that it uses. */
export function unknownOf(step: WorkflowStepView, drawn: readonly DrawnStep[]): readonly UnknownCall[] {
  if (step.unknown.length > 0) return step.unknown;
  const what = drawn.find(({ id }) => id === step.id)?.what ?? '';
  return what === '' ? [] : [{ tool: what, args: {} }];
}
