/**
 * The form of a schedule, new or changed: what stands in it, and when that would happen. The time is read while it is typed.
 * Draws nothing.
 */
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
import { isEvent, sameWords } from './schedules';

/** Milliseconds of silence after which the time is read. */
const READ_AFTER_MS = 300;

export class ScheduleForm {
  values = $state.raw<forms.Form>(forms.emptyForm);
  /** The one that is changed, as it is kept by now; `null` of a new one. */
  of = $state.raw<ScheduleView | null>(null);
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

  private readonly words = $derived(forms.wordsOf(this.values));
  private readonly zone = $derived(forms.zoneOf(this.values));
  /** Whether its time is the one that is kept, of which nothing is to be read. */
  readonly isTimeKept = $derived(
    this.of !== null &&
      this.words !== null &&
      sameWords(this.words, this.of.draft.words) &&
      this.zone === (this.of.draft.zone ?? null),
  );
  /** Whether it is shown when it would happen: at dates, or whenever something else does. */
  readonly isTimeKnown = $derived(
    this.isTimeKept || (this.dates !== null && (isEvent(this.dates.time) || this.dates.next.length > 0)),
  );

  private reading: ReturnType<typeof setTimeout> | undefined;
  /** The workflow whose permissions are on their way. */
  private asked = $state.raw<string | null>(null);

  constructor(
    private readonly backend: Backend,
    of: ScheduleView | null,
    private readonly kept: (schedule: ScheduleView) => void,
  ) {
    this.folders = new FolderStore(backend, of?.draft.folders);
    this.of = of;
    if (of !== null) {
      this.values = forms.formFor(of.draft);
      this.askPermissions(forms.withKnownPermissions);
    }
    backend.ask(
      { request: 'assistants', action: { action: 'list' } },
      ({ assistants }: ReplyNamed<'assistants'>) =>
        (this.assistants = usable(assistants).filter(({ name }) => name !== USUAL)),
    );
  }

  /** Whether something stands in it that would be lost. */
  get isBegun(): boolean {
    const { of, values } = this;
    const { paths } = this.folders;
    if (of === null) return forms.isBegun(values) || paths.length > 0;
    return forms.isChanged(values, of.draft) || paths.join('\n') !== of.draft.folders.join('\n');
  }

  change({ kind = this.values.kind, ...change }: Partial<forms.Form>): void {
    const { words, zone } = this;
    this.unkept = null;
    this.wrong = [];
    this.values = { ...forms.ofKind(this.values, kind), ...change };
    const isSame = words !== null && this.words !== null && sameWords(this.words, words);
    if (!isSame || zone !== this.zone) this.readSoon();
  }

  /** Another workflow wants other values, and to do other things without asking. */
  choose(workflow: string): void {
    this.unkept = null;
    this.wrong = [];
    this.values = forms.withWorkflow(this.values, workflow);
    this.askPermissions(forms.withPermissions);
  }

  fill(name: string, text: string): void {
    this.change({ values: { ...this.values.values, [name]: text } });
  }

  /** Lets the user pick what is to be looked at for changes. */
  async pick(what: 'file' | 'folder'): Promise<void> {
    const [path] = await (what === 'file' ? this.backend.pickFiles() : this.backend.pickFolder());
    if (path !== undefined) this.change({ path });
  }

  /** Its schedule has gone on, or was changed elsewhere. */
  follow(schedule: ScheduleView): void {
    this.of = schedule;
    if (!this.isTimeKept && this.dates === null && this.unread === null) this.readSoon();
  }

  /** Whether all that it needs stands in it, as far as that shows without looking at each value. */
  canKeep(workflow: ListedWorkflow | null): boolean {
    const { kind, text } = this.values;
    const isSaid = kind === 'workflow' ? workflow !== null && this.asked === null : text.trim() !== '';
    return isSaid && this.isTimeKnown && !this.isKeeping;
  }

  keep(workflow: ListedWorkflow | null): void {
    const { words, of } = this;
    if (words === null || !this.canKeep(workflow)) return;
    const { task, wrong } = forms.taskOf(this.values, workflow, of?.draft.task ?? null);
    this.wrong = wrong;
    if (task === null) return;
    this.isKeeping = true;
    this.unkept = null;
    const draft = forms.draftOf(this.values, task, words, this.folders.paths);
    this.backend.ask(
      { request: 'schedules', action: forms.keepingOf(of, draft, this.dates) },
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

  /** Asks what the workflow does without asking; `known` puts that into the form. */
  private askPermissions(known: typeof forms.withPermissions): void {
    const { workflow: name } = this.values;
    this.asked = name === '' ? null : name;
    if (name === '') return;
    const isKnown = () => {
      if (this.asked === name) this.asked = null;
    };
    this.backend.ask(
      { request: 'workflows', action: { action: 'show', name } },
      ({ workflow }: ReplyNamed<'workflow'>) => {
        this.values = known(this.values, name, workflow.permissions);
        isKnown();
      },
      // Without them it asks before all it does.
      isKnown,
    );
  }

  /** What it meant a moment ago is none of what stands there now. */
  private readSoon(): void {
    clearTimeout(this.reading);
    this.dates = null;
    this.unread = null;
    if (this.words !== null && !this.isTimeKept) this.reading = setTimeout(() => this.read(), READ_AFTER_MS);
  }

  private read(): void {
    const { words, zone } = this;
    if (words === null) return;
    const isStill = () => this.words !== null && sameWords(this.words, words) && this.zone === zone && !this.isTimeKept;
    this.backend.ask(
      { request: 'schedules', action: { action: 'read', words, ...(zone === null ? {} : { zone }) } },
      ({ dates }: ReplyNamed<'schedule_times'>) => {
        if (isStill()) this.dates = dates;
      },
      (error) => {
        if (isStill()) this.unread = error;
      },
    );
  }
}
