/** What a run is to be given: its values, the folders that it may work in; and what it would do with them. Draws nothing. */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { UserError } from '../bindings/UserError';
import type { WorkflowPlan } from '../bindings/WorkflowPlan';
import { FolderStore } from '../folders/folder-store.svelte';
import { filled, formOf } from './workflows';

type Start = (workflow: ListedWorkflow, inputs: Record<string, unknown>, folders: readonly string[]) => void;

export class RunForm {
  /** Values as they were typed; what is not here stands as the workflow has it. */
  private typed = $state.raw<Readonly<Record<string, string>>>({});
  /** Names whose values were missing or of another type when they were wanted. */
  wrong = $state.raw<readonly string[]>([]);
  /** What a run of these values would do; `null` while nobody asked, and once a value is another one. */
  plan = $state.raw<WorkflowPlan | null>(null);
  /** Granted for this run alone. */
  readonly folders: FolderStore;

  constructor(
    private readonly backend: Backend,
    private readonly start: Start,
    private readonly told: (trouble: UserError | null) => void,
  ) {
    this.folders = new FolderStore(backend);
  }

  valuesOf({ parameters }: ListedWorkflow): Readonly<Record<string, string>> {
    return { ...formOf(parameters), ...this.typed };
  }

  fill(name: string, text: string): void {
    this.typed = { ...this.typed, [name]: text };
    this.plan = null;
  }

  run(workflow: ListedWorkflow): void {
    const { inputs, missing, unfit } = filled(workflow.parameters, this.valuesOf(workflow));
    this.wrong = [...missing, ...unfit];
    if (this.wrong.length === 0) this.start(workflow, inputs, this.folders.paths);
  }

  /** Learns what a run would do. Examples stand for what is missing, so that a form need not be filled for it. */
  try(workflow: ListedWorkflow): void {
    const { inputs, unfit } = filled(workflow.parameters, this.valuesOf(workflow));
    const { typed } = this;
    this.wrong = unfit;
    this.plan = null;
    if (unfit.length > 0) return;
    this.backend.ask(
      { request: 'workflows', action: { action: 'plan', name: workflow.name, inputs } },
      ({ plan }: ReplyNamed<'workflow_plan'>) => {
        this.told(null);
        if (this.typed === typed) this.plan = plan;
      },
      this.told,
    );
  }
}
