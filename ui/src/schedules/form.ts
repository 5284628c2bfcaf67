/**
 * A schedule as it is written down: what is to happen, when, and what it may do by itself. Pure.
 */
import { linesOf } from '../assistants/form';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { MissedPolicy } from '../bindings/MissedPolicy';
import type { ScheduleDraft } from '../bindings/ScheduleDraft';
import type { ScheduleTask } from '../bindings/ScheduleTask';
import type { ScheduleWords } from '../bindings/ScheduleWords';
import { filled, formOf } from '../workflows/workflows';

export type Kind = ScheduleTask['kind'];
export type By = ScheduleWords['kind'];

export const KINDS: readonly Kind[] = ['reminder', 'question', 'workflow'];
export const WAYS: readonly By[] = ['plain', 'cron'];
export const POLICIES: readonly MissedPolicy[] = ['once', 'skip'];

export interface Form {
  kind: Kind;
  /** Of a reminder or a question. */
  text: string;
  /** The name of the workflow, and its values as they were typed. */
  workflow: string;
  values: Readonly<Record<string, string>>;
  /** The assistant that a question is for; none is the usual one. */
  assistant: string;
  by: By;
  words: string;
  missed: MissedPolicy;
  /** One family of calls in each line. */
  approve: string;
}

export const emptyForm: Form = {
  kind: 'reminder',
  text: '',
  workflow: '',
  values: {},
  assistant: '',
  by: 'plain',
  words: '',
  missed: 'once',
  approve: '',
};

/** Whether something stands in it that would be lost. */
export function isBegun({ text, workflow, words, approve }: Form): boolean {
  return [text, workflow, words, approve].some((typed) => typed.trim() !== '');
}

/** The time as it is asked about; `null` while nothing is typed. */
export function wordsOf({ by, words }: Form): ScheduleWords | null {
  const text = words.trim();
  return text === '' ? null : { kind: by, text };
}

/** The values of the workflow: its defaults where nothing was typed. */
export function valuesOf({ values }: Form, { parameters }: ListedWorkflow): Readonly<Record<string, string>> {
  return { ...formOf(parameters), ...values };
}

/** The workflow that is meant, of those that can run. */
export function workflowOf({ workflow }: Form, all: readonly ListedWorkflow[]): ListedWorkflow | null {
  return all.find(({ name, problem }) => name === workflow && problem === null) ?? null;
}

export interface Made {
  /** `null` while something is missing or of another type. */
  task: ScheduleTask | null;
  /** Names of values that are missing or of another type. */
  wrong: readonly string[];
}

/** What is to happen, once all of it is there. */
export function taskOf(form: Form, workflow: ListedWorkflow | null): Made {
  if (form.kind !== 'workflow') {
    const text = form.text.trim();
    return { task: text === '' ? null : { kind: form.kind, text }, wrong: [] };
  }
  if (workflow === null) return { task: null, wrong: [] };
  const { inputs, missing, unfit } = filled(workflow.parameters, valuesOf(form, workflow));
  const wrong = [...missing, ...unfit];
  return { task: wrong.length > 0 ? null : { kind: 'workflow', name: workflow.name, inputs }, wrong };
}

/** The schedule as it is to be kept. A reminder does nothing, and so it may do nothing. */
export function draftOf(
  form: Form,
  task: ScheduleTask,
  words: ScheduleWords,
  folders: readonly string[],
): ScheduleDraft {
  const acts = task.kind !== 'reminder';
  return {
    task,
    words,
    missed: form.missed,
    ...(task.kind === 'question' && form.assistant !== '' ? { assistant: form.assistant } : {}),
    folders: acts ? [...folders] : [],
    approve: acts ? linesOf(form.approve) : [],
  };
}
