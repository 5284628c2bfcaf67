/**
 * A schedule as it is written down: what is to happen, when, and what it may do by itself. Pure.
 */
import { linesOf } from '../assistants/form';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { MissedPolicy } from '../bindings/MissedPolicy';
import type { ScheduleDates } from '../bindings/ScheduleDates';
import type { ScheduleDraft } from '../bindings/ScheduleDraft';
import type { ScheduleRequest } from '../bindings/ScheduleRequest';
import type { ScheduleTask } from '../bindings/ScheduleTask';
import type { ScheduleView } from '../bindings/ScheduleView';
import type { ScheduleWords } from '../bindings/ScheduleWords';
import { filled, formOf, written } from '../workflows/workflows';
import { bringing, putBack, recognised, takenOut, type Approved } from './approved';
import { sameWords, typedIn } from './schedules';

export type Kind = ScheduleTask['kind'];
export type By = ScheduleWords['kind'];

export const KINDS: readonly Kind[] = ['reminder', 'question', 'workflow'];
export const WAYS: readonly By[] = ['plain', 'cron', 'change', 'job'];
export const POLICIES: readonly MissedPolicy[] = ['once', 'skip'];

export interface Form extends Approved {
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
  /** The file or folder that changes. */
  path: string;
  /** A part of the command of a background job; none is any job. */
  job: string;
  /** Whose clock it is by; none is the computer's. */
  zone: string;
  missed: MissedPolicy;
  /** Most that each time of a question may spend; none is what the settings say. */
  maxTokens: string;
  maxUsd: string;
}

export const emptyForm: Form = {
  kind: 'reminder',
  text: '',
  workflow: '',
  values: {},
  assistant: '',
  by: 'plain',
  words: '',
  path: '',
  job: '',
  zone: '',
  missed: 'once',
  maxTokens: '',
  maxUsd: '',
  approve: '',
  brought: [],
};

/** Where each way is typed. Words and a crontab share a field: one can be tried as the other. */
export const FIELDS = { plain: 'words', cron: 'words', change: 'path', job: 'job' } as const satisfies Record<
  By,
  keyof Form
>;

/** The form of a schedule that is kept. */
export function formFor(draft: ScheduleDraft): Form {
  const { task, words, zone = '', missed, assistant = '', approve, max_tokens: tokens, max_usd: usd } = draft;
  const what =
    task.kind === 'workflow'
      ? {
          workflow: task.name,
          values: Object.fromEntries(Object.entries(task.inputs).map(([name, value]) => [name, written(value)])),
        }
      : { text: task.text };
  const when = { by: words.kind, [FIELDS[words.kind]]: typedIn(words) };
  const bounds = { maxTokens: tokens?.toString() ?? '', maxUsd: usd?.toString() ?? '' };
  return {
    ...emptyForm,
    kind: task.kind,
    ...what,
    ...when,
    zone,
    missed,
    assistant,
    ...bounds,
    approve: approve.join('\n'),
  };
}

/** Whether something stands in a new one that would be lost. */
export function isBegun({ text, workflow, words, path, job, zone, maxTokens, maxUsd, approve }: Form): boolean {
  return [text, workflow, words, path, job, zone, maxTokens, maxUsd, approve].some((typed) => typed.trim() !== '');
}

/** Whether something stands in it that is not kept. */
export function isChanged(form: Form, draft: ScheduleDraft): boolean {
  // Which lines a workflow brought is no matter of what is kept.
  const said = (one: Form) => JSON.stringify({ ...one, brought: [] });
  return said(form) !== said(formFor(draft));
}

/** The time as it is asked about; `null` while nothing is typed that could be one. */
export function wordsOf(form: Form): ScheduleWords | null {
  const { by } = form;
  const text = form[FIELDS[by]].trim();
  if (by === 'job') return { kind: by, name: text };
  if (text === '') return null;
  return by === 'change' ? { kind: by, path: text } : { kind: by, text };
}

/** The zone in which the time is meant; `null` where that is the computer's, and of an event, which has no clock. */
export function zoneOf({ by, zone }: Form): string | null {
  const isByClock = by === 'plain' || by === 'cron';
  return isByClock && zone.trim() !== '' ? zone.trim() : null;
}

/** Most tokens that a schedule can hold. */
const TOKENS_MOST = 2 ** 32 - 1;

/** What each time of a question may spend, as it was typed. */
function boundsOf({ kind, maxTokens, maxUsd }: Form): Pick<ScheduleDraft, 'max_tokens' | 'max_usd'> {
  if (kind !== 'question') return {};
  return {
    ...(maxTokens.trim() === '' ? {} : { max_tokens: Math.min(TOKENS_MOST, Math.trunc(boundOf(maxTokens))) }),
    ...(maxUsd.trim() === '' ? {} : { max_usd: boundOf(maxUsd) }),
  };
}

/** What is no bound is 0, which is refused with its reason: left out, it would bound nothing. */
function boundOf(typed: string): number {
  const bound = Number(typed);
  return Number.isFinite(bound) ? Math.max(0, bound) : 0;
}

/** Another thing is to happen: what a workflow brought is for that workflow alone. */
export function ofKind(form: Form, kind: Kind): Form {
  if (kind === form.kind) return form;
  const isLeft = form.kind === 'workflow';
  return { ...form, kind, ...(isLeft ? takenOut(form) : kind === 'workflow' ? putBack(form) : {}) };
}

/** Another workflow wants other values, and may do nothing until its permissions are known. */
export function withWorkflow(form: Form, workflow: string): Form {
  return { ...form, ...bringing(form, []), workflow, values: {} };
}

/** What a workflow wants to do without asking, once that is known; nothing where another one is chosen by then. */
export function withPermissions(form: Form, workflow: string, permissions: readonly string[]): Form {
  if (form.workflow !== workflow) return form;
  const brought = bringing(form, permissions);
  return { ...form, ...(form.kind === 'workflow' ? brought : takenOut(brought)) };
}

/** The same where the schedule is kept already: nothing is added to what it may do. */
export function withKnownPermissions(form: Form, workflow: string, permissions: readonly string[]): Form {
  const isMeant = form.kind === 'workflow' && form.workflow === workflow;
  return isMeant ? { ...form, ...recognised(form, permissions) } : form;
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
export function taskOf(form: Form, workflow: ListedWorkflow | null, kept: ScheduleTask | null = null): Made {
  if (form.kind !== 'workflow') {
    const text = form.text.trim();
    return { task: text === '' ? null : { kind: form.kind, text }, wrong: [] };
  }
  if (workflow === null) return { task: null, wrong: [] };
  const { name } = workflow;
  const values = valuesOf(form, workflow);
  const { inputs, missing, unfit } = filled(workflow.parameters, values);
  const wrong = [...missing, ...unfit];
  if (wrong.length > 0) return { task: null, wrong };
  const before = kept?.kind === 'workflow' && kept.name === name ? kept.inputs : {};
  // A value of any type may be read as another one than it was: what nobody touched stays.
  const untouched = Object.entries(before).filter(([of, value]) => of in inputs && values[of] === written(value));
  return { task: { kind: 'workflow', name, inputs: { ...inputs, ...Object.fromEntries(untouched) } }, wrong };
}

/** The schedule as it is to be kept. A reminder does nothing, and so it may do nothing. */
export function draftOf(
  form: Form,
  task: ScheduleTask,
  words: ScheduleWords,
  folders: readonly string[],
): ScheduleDraft {
  const acts = task.kind !== 'reminder';
  const zone = zoneOf(form);
  return {
    task,
    words,
    ...(zone === null ? {} : { zone }),
    missed: form.missed,
    ...(task.kind === 'question' && form.assistant !== '' ? { assistant: form.assistant } : {}),
    folders: acts ? [...folders] : [],
    approve: acts ? linesOf(form.approve) : [],
    ...boundsOf(form),
  };
}

type Keeping = Extract<ScheduleRequest, { action: 'add' | 'change' }>;

/** What keeps it: with the time that was shown, and with none where the words are those that are kept. */
export function keepingOf(of: ScheduleView | null, draft: ScheduleDraft, dates: ScheduleDates | null): Keeping {
  const shown = dates === null ? {} : { time: dates.time };
  if (of === null) return { action: 'add', draft, ...shown };
  const { id } = of;
  const { words } = of.draft;
  // To the letter as they are kept: others would be read once more.
  if (sameWords(words, draft.words) && of.draft.zone === draft.zone)
    return { action: 'change', id, draft: { ...draft, words } };
  return { action: 'change', id, draft, ...shown };
}
