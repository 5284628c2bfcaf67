/**
 * A text that is kept nowhere yet, run with values of one's own: the form for them and the run. What it does is real, and
 * it asks as every run does. Draws nothing.
 */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { UserError } from '../bindings/UserError';
import { FollowedRun } from './followed-run.svelte';
import { RunForm } from './run-form.svelte';

export class DraftTrial {
  /** What the text is as a workflow; `null` while it is not tried. */
  workflow = $state.raw<ListedWorkflow | null>(null);
  /** What the run is to be given; `null` while none is asked for. */
  form = $state.raw<RunForm | null>(null);
  readonly followed: FollowedRun;

  constructor(
    private readonly backend: Backend,
    private readonly tell: (trouble: UserError | null) => void,
  ) {
    this.followed = new FollowedRun(backend, tell, () => {});
  }

  /** Opens the form for the values of that text. What was typed for an earlier text is asked for anew. */
  prepare(name: string, text: string): void {
    this.backend.ask(
      { request: 'workflows', action: { action: 'check', name, text } },
      ({ workflow: { workflow } }: ReplyNamed<'workflow'>) => {
        this.workflow = workflow;
        this.form = new RunForm(
          this.backend,
          (_, inputs, folders) => {
            this.form = null;
            this.followed.begin(workflow, { name, inputs, text, folders: [...folders] });
          },
          this.tell,
        );
      },
      this.tell,
    );
  }

  /** The text is another one, or kept: its runs stay among those of its name. */
  end(): void {
    this.form = null;
    this.workflow = null;
    this.followed.view = null;
  }
}
