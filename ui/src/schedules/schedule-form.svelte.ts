/** The form of a new schedule: what stands in it, and which dates its time means, asked while it is typed. Draws nothing. */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import { usable, USUAL } from '../assistants/assistants';
import type { ListedAssistant } from '../bindings/ListedAssistant';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { ScheduleDates } from '../bindings/ScheduleDates';
import type { ScheduleView } from '../bindings/ScheduleView';
import type { UserError } from '../bindings/UserError';
import { FolderStore } from '../folders/folder-store.svelte';
import * as forms from './form';

/** Milliseconds of silence after which the time is read. */
const READ_AFTER_MS = 300;

export class ScheduleForm {
  values = $state.raw<forms.Form>(forms.emptyForm);
  /** The dates that the time means as it stands now; `null` until that is known. */
  dates = $state.raw<ScheduleDates | null>(null);
  /** Why the time means none. */
  unread = $state.raw<UserError | null>(null);
  /** Why it was not kept. */
  unkept = $state.raw<UserError | null>(null);
  /** Names of values that were missing or of another type when it was to be kept. */
  wrong = $state.raw<readonly string[]>([]);
  isKeeping = $state(false);
  /** Those that a question may be for. */
  assistants = $state.raw<readonly ListedAssistant[]>([]);
  readonly folders: FolderStore;

  /** Whether a date is shown that it would happen at. */
  readonly hasDates = $derived(this.dates !== null && this.dates.next.length > 0);

  private reading: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Backend,
    private readonly kept: (schedule: ScheduleView) => void,
  ) {
    this.folders = new FolderStore(backend);
    backend.ask(
      { request: 'assistants', action: { action: 'list' } },
      ({ assistants }: ReplyNamed<'assistants'>) =>
        (this.assistants = usable(assistants).filter(({ name }) => name !== USUAL)),
    );
  }

  get isBegun(): boolean {
    return forms.isBegun(this.values) || this.folders.paths.length > 0;
  }

  change(change: Partial<forms.Form>): void {
    this.unkept = null;
    this.wrong = [];
    this.values = { ...this.values, ...change };
    if ('words' in change || 'by' in change) this.readSoon();
  }

  /** Another workflow wants other values. */
  choose(workflow: string): void {
    this.change({ workflow, values: {} });
  }

  fill(name: string, text: string): void {
    this.change({ values: { ...this.values.values, [name]: text } });
  }

  /** Whether all that it needs stands in it, as far as that shows without looking at each value. */
  canKeep(workflow: ListedWorkflow | null): boolean {
    const { kind, text } = this.values;
    const isSaid = kind === 'workflow' ? workflow !== null : text.trim() !== '';
    return isSaid && this.hasDates && !this.isKeeping;
  }

  keep(workflow: ListedWorkflow | null): void {
    const words = forms.wordsOf(this.values);
    if (words === null || !this.canKeep(workflow)) return;
    const { task, wrong } = forms.taskOf(this.values, workflow);
    this.wrong = wrong;
    if (task === null) return;
    this.isKeeping = true;
    this.unkept = null;
    const draft = forms.draftOf(this.values, task, words, this.folders.paths);
    this.backend.ask(
      { request: 'schedules', action: { action: 'add', draft } },
      ({ schedule }: ReplyNamed<'schedule'>) => {
        this.isKeeping = false;
        this.kept(schedule);
      },
      (error) => {
        this.isKeeping = false;
        this.unkept = error;
      },
    );
  }

  /** What it meant a moment ago is none of what stands there now. */
  private readSoon(): void {
    clearTimeout(this.reading);
    this.dates = null;
    this.unread = null;
    if (forms.wordsOf(this.values) !== null) this.reading = setTimeout(() => this.read(), READ_AFTER_MS);
  }

  private read(): void {
    const words = forms.wordsOf(this.values);
    if (words === null) return;
    const isStill = () => {
      const now = forms.wordsOf(this.values);
      return now?.kind === words.kind && now.text === words.text;
    };
    this.backend.ask(
      { request: 'schedules', action: { action: 'read', words } },
      ({ dates }: ReplyNamed<'schedule_times'>) => {
        if (isStill()) this.dates = dates;
      },
      (error) => {
        if (isStill()) this.unread = error;
      },
    );
  }
}
