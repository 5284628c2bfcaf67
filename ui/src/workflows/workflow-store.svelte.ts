/**
 * The section of workflows: which there are, the one that is looked at with its text as it is edited, and its runs. Draws nothing.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { RunId } from '../bindings/RunId';
import type { UserError } from '../bindings/UserError';
import type { WorkflowDetail } from '../bindings/WorkflowDetail';
import type { WorkflowFault } from '../bindings/WorkflowFault';
import type { WorkflowRequest } from '../bindings/WorkflowRequest';
import type { WorkflowRunView } from '../bindings/WorkflowRunView';
import * as drafting from './drafts';
import { DraftTrial } from './draft-trial.svelte';
import { figuresOf, isSameDrawing, NO_FIGURES } from './figures';
import { FollowedRun } from './followed-run.svelte';
import { Incoming } from './incoming.svelte';
import { RunForm } from './run-form.svelte';
import * as listing from './workflows';

/** Milliseconds of silence after which a text is checked. */
const CHECK_AFTER_MS = 300;
/** Past runs that are shown of one workflow. */
const RUNS_SHOWN = 50;

export type Pane = 'steps' | 'text' | 'runs';

/** What stands in the place of the one that is looked at: a new one is written, or a file is brought in. */
export type Sheet = 'new' | 'import';

export class WorkflowStore {
  view = $state.raw(listing.noWorkflows);
  detail = $state.raw<WorkflowDetail | null>(null);
  trouble = $state.raw<UserError | null>(null);
  pane = $state<Pane>('steps');
  /** What a run is to be given; `null` while none is asked for. */
  form = $state.raw<RunForm | null>(null);
  runs = $state.raw<readonly WorkflowRunView[]>([]);
  /** The run that is looked at. */
  readonly followed: FollowedRun;
  /** The new one, run before it is kept. */
  readonly trial: DraftTrial;
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);
  sheet = $state<Sheet | null>(null);
  /** The name that is typed for a new one. */
  newName = $state('');
  /** Why the new one was not kept. */
  unkept = $state.raw<UserError | null>(null);
  readonly incoming: Incoming;

  /** The run that the new one is made of. */
  origin = $state.raw<drafting.Origin | null>(null);

  /** Texts that were edited stay with their workflows until they are saved or discarded. */
  private drafts = $state.raw(drafting.noDrafts);

  readonly rows = $derived(listing.listed(this.view));
  /** Runs that stand until a person does something. */
  readonly waiting = $derived(listing.openOf(...this.view.all));
  readonly workflow = $derived(listing.chosenOf(this.view));
  /** How the steps stand in the run that is looked at, where it ran them as they are now. */
  readonly figures = $derived.by(() => {
    const [run, steps] = [this.followed.view, this.detail?.steps ?? []];
    const isOfThese = run !== null && isSameDrawing(run.drawn ?? steps, steps);
    return isOfThese ? figuresOf(run, steps) : NO_FIGURES;
  });
  /** The text of the one that is looked at as it is edited; `null` while it is as it is kept. */
  readonly draft = $derived(this.draftOf(this.workflow)?.text ?? null);
  readonly faults = $derived<readonly WorkflowFault[]>(
    (this.draftOf(this.workflow) ?? this.kept(this.workflow))?.faults ?? [],
  );
  readonly warnings = $derived<readonly WorkflowFault[]>(
    (this.draftOf(this.workflow) ?? this.kept(this.workflow))?.warnings ?? [],
  );
  /** The new one as it is written; no text while it is as it began. */
  readonly begun = $derived(this.drafts.get(drafting.NEW) ?? null);
  readonly isBegun = $derived(this.begun !== null || this.newName !== '');

  private checking: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Backend) {
    const tell = (trouble: UserError | null) => (this.trouble = trouble);
    this.followed = new FollowedRun(backend, tell, () => this.readRuns());
    this.trial = new DraftTrial(backend, tell);
    this.incoming = new Incoming(backend, (detail) => this.arrived(detail, 'import'));
  }

  /** Learns which runs wait or were interrupted, while the section is not looked at. */
  count(): void {
    this.ask({ action: 'list' }, ({ workflows }: ReplyNamed<'workflows'>) => {
      this.view = { ...this.view, all: workflows, known: true };
    });
  }

  isEdited({ name }: ListedWorkflow): boolean {
    return this.drafts.has(name);
  }

  read(): void {
    this.ask({ action: 'list' }, ({ workflows }: ReplyNamed<'workflows'>) => this.take(workflows));
  }

  /** Somebody changed them, or a run has gone on. */
  changed(): void {
    this.read();
    if (this.pane === 'runs') this.readRuns();
  }

  search(text: string): void {
    this.view = { ...this.view, text };
    this.look();
  }

  choose({ name }: ListedWorkflow): void {
    this.sheet = null;
    this.listShown = false;
    this.view = { ...this.view, chosen: name };
    this.pane = 'steps';
    this.look();
  }

  move(steps: number): void {
    this.sheet = null;
    this.view = listing.moved(this.view, steps);
    this.look();
  }

  show(pane: Pane): void {
    this.pane = pane;
    if (pane === 'runs') this.readRuns();
  }

  switch({ name }: ListedWorkflow, on: boolean): void {
    this.ask({ action: 'switch', name, on }, ({ workflows }: ReplyNamed<'workflows'>) => this.take(workflows));
  }

  /** Removes a workflow; the first call only asks. */
  remove({ name }: ListedWorkflow): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.ask({ action: 'remove', name }, ({ workflows }: ReplyNamed<'workflows'>) => {
      this.drafts = drafting.without(this.drafts, name);
      this.incoming.forget(name);
      this.take(workflows);
    });
  }

  /** Follows the text as it is typed; what is wrong in it is told a moment later. */
  type(text: string): void {
    const { workflow } = this;
    if (workflow === null) return;
    this.drafts = drafting.typed(this.drafts, workflow.name, text, this.kept(workflow));
    this.checkSoon(workflow.name);
  }

  discard(): void {
    clearTimeout(this.checking);
    if (this.workflow !== null) this.drafts = drafting.without(this.drafts, this.workflow.name);
  }

  /** Keeps the text as it stands; one that comes with the program becomes a copy of the user's own. */
  save(): void {
    const { workflow } = this;
    const text = this.draft ?? this.kept(workflow)?.text;
    if (workflow === null || text === undefined) return;
    const { name } = workflow;
    this.ask({ action: 'save', name, text, replace: true }, ({ workflow: kept }: ReplyNamed<'workflow'>) => {
      this.drafts = drafting.saved(this.drafts, name, text);
      this.shown(kept);
      this.read();
    });
  }

  /** Opens a sheet; a new one that was begun stands there as it was left. */
  open(sheet: Sheet): void {
    this.sheet = sheet;
    this.listShown = false;
    if (sheet === 'import') this.incoming.open();
    else this.check(drafting.NEW);
  }

  /** Follows the text of a new one as it is typed; `template` is how it began. */
  typeNew(text: string, template: string): void {
    this.unkept = null;
    this.drafts = drafting.typed(this.drafts, drafting.NEW, text, { text: template, faults: [] });
    this.checkSoon(drafting.NEW);
  }

  /** Asks what the new one is to be tried with, as it is written now. */
  tryNew(text: string): void {
    this.trial.prepare(this.newName.trim(), text);
  }

  /** Begins a new one that does what a run did; nothing is kept. */
  beginFrom(run: RunId): void {
    this.ask({ action: 'from_run', run }, (draft: ReplyNamed<'workflow_draft'>) => {
      this.origin = { ...draft, run };
      this.trial.end();
      this.newName = draft.name;
      this.typeNew(draft.text, '');
      this.open('new');
    });
  }

  /** Gives the first case of the new one, which calls it as it is to be kept. */
  readCase(done: (suite: string) => void): void {
    const { origin } = this;
    if (origin === null) return;
    const name = this.newName.trim();
    if (name === '' || name === origin.name) return done(origin.evaluation);
    this.ask({ action: 'from_run', run: origin.run, name }, (draft: ReplyNamed<'workflow_draft'>) =>
      done(draft.evaluation),
    );
  }

  discardNew(): void {
    clearTimeout(this.checking);
    this.origin = null;
    this.trial.end();
    this.drafts = drafting.without(this.drafts, drafting.NEW);
    this.newName = '';
    this.unkept = null;
  }

  /** Keeps the new one under its name, unless another one has it. */
  saveNew(text: string): void {
    const name = this.newName.trim();
    if (name === '' || (this.begun?.faults.length ?? 0) > 0) return;
    this.unkept = null;
    this.backend.ask(
      { request: 'workflows', action: { action: 'save', name, text, replace: false } },
      ({ workflow: kept }: ReplyNamed<'workflow'>) => {
        this.drafts = drafting.named(this.drafts, text, kept.workflow.name);
        this.newName = '';
        this.origin = null;
        this.trial.end();
        this.arrived(kept, 'new');
      },
      (error) => (this.unkept = error),
    );
  }

  /** Opens the form of what a run is given. */
  prepare(): void {
    this.form = new RunForm(
      this.backend,
      (workflow, inputs, folders) => this.start(workflow, inputs, folders),
      (trouble) => (this.trouble = trouble),
    );
  }

  /** Shows a run that another section knows of, among those of its workflow. */
  showRun(name: string, run: string): void {
    const workflow = this.view.all.find((one) => one.name === name);
    if (workflow === undefined) return;
    this.view = { ...this.view, text: '' };
    this.choose(workflow);
    this.show('runs');
    this.followed.show(run, workflow);
  }

  private start(workflow: ListedWorkflow, inputs: Record<string, unknown>, folders: readonly string[]): void {
    this.form = null;
    this.pane = 'runs';
    this.followed.begin(workflow, { name: workflow.name, inputs, text: null, folders: [...folders] });
  }

  private readRuns(): void {
    const name = this.workflow?.name ?? null;
    this.ask({ action: 'runs', name, limit: RUNS_SHOWN }, ({ runs }: ReplyNamed<'workflow_runs'>) => {
      if (this.workflow?.name === name) this.runs = runs;
    });
  }

  private checkSoon(name: string): void {
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(name), CHECK_AFTER_MS);
  }

  private check(name: string): void {
    const text = this.drafts.get(name)?.text;
    if (text === undefined) return;
    this.ask({ action: 'check', name, text }, ({ workflow: seen }: ReplyNamed<'workflow'>) => {
      this.drafts = drafting.checked(this.drafts, name, text, seen.faults, seen.warnings);
    });
  }

  private draftOf(workflow: ListedWorkflow | null): drafting.Draft | undefined {
    return workflow === null ? undefined : this.drafts.get(workflow.name);
  }

  /** A workflow as it is kept, once that is known. */
  private kept(workflow: ListedWorkflow | null): WorkflowDetail | null {
    return this.detail?.workflow.name === workflow?.name ? this.detail : null;
  }

  /** One was kept: it is looked at, unless the user has gone on to something else. */
  private arrived(detail: WorkflowDetail, from: Sheet): void {
    const { workflow } = detail;
    const all = listing.withOne(this.view.all, workflow);
    if (this.sheet === from) {
      this.view = { ...this.view, all, text: '' };
      this.choose(workflow);
      this.detail = detail;
    } else this.view = { ...this.view, all, chosen: this.workflow?.name ?? null };
    this.read();
  }

  private take(all: readonly ListedWorkflow[]): void {
    const before = this.workflow;
    this.trouble = null;
    this.view = { ...this.view, all, known: true, chosen: before?.name ?? this.view.chosen };
    this.look();
  }

  /** Shows one in full, unless another was chosen meanwhile. */
  private shown(detail: WorkflowDetail): void {
    const { name } = detail.workflow;
    // Another program may have kept the same text meanwhile.
    this.drafts = drafting.saved(this.drafts, name, detail.text);
    if (this.workflow?.name === name) this.detail = detail;
  }

  /** Reads the one that is chosen in full. */
  private look(): void {
    const { workflow } = this;
    this.removing = false;
    if (workflow?.name !== this.detail?.workflow.name) {
      this.form = null;
      this.followed.view = null;
      this.runs = [];
    }
    if (workflow === null) {
      this.detail = null;
      return;
    }
    this.ask({ action: 'show', name: workflow.name }, ({ workflow: detail }: ReplyNamed<'workflow'>) =>
      this.shown(detail),
    );
    // A draft may have been left before it was checked.
    this.check(workflow.name);
    if (this.pane === 'runs') this.readRuns();
  }

  private ask<A extends WorkflowRequest>(action: A, done: (reply: never) => void): void {
    this.backend.ask({ request: 'workflows', action }, done as (reply: unknown) => void, (error) => {
      this.trouble = error;
    });
  }
}

export const [useWorkflows, provideWorkflows] = createContext<WorkflowStore>();
