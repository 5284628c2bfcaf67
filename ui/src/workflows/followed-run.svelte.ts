/** A run that is looked at: what becomes of its steps, and what a person decides in it. Draws nothing. */
import type { OnTheWay, ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { UserError } from '../bindings/UserError';
import type { WorkflowRequest } from '../bindings/WorkflowRequest';
import type { WorkflowRunView } from '../bindings/WorkflowRunView';
import type { WorkflowVerdict } from '../bindings/WorkflowVerdict';
import { begun, withStep } from './workflows';

type Beginning = Omit<Extract<WorkflowRequest, { action: 'run' }>, 'action' | 'approve'>;

export class FollowedRun {
  view = $state.raw<WorkflowRunView | null>(null);
  /** Whether all that is on record of it was read; until then only its beginning is known, or its line in a list. */
  isRead = $state(false);
  /** What was typed of steps whose end is unknown, by run and attempt: another step may be opened before that is said. */
  readonly typed = new Map<string, string>();

  constructor(
    private readonly backend: Backend,
    private readonly tell: (trouble: UserError | null) => void,
    /** The run has gone on, or is gone. */
    private readonly changed: () => void,
  ) {}

  begin(workflow: ListedWorkflow, beginning: Beginning): void {
    this.view = begun('', workflow, beginning.inputs);
    this.isRead = false;
    this.follow({ action: 'run', ...beginning, approve: [] });
  }

  /** Reads a run of which nothing but its name is known. */
  show(run: string, workflow: ListedWorkflow): void {
    this.view = begun(run, workflow, {});
    this.isRead = false;
    this.follow({ action: 'run_show', run });
  }

  lookAt(run: WorkflowRunView): void {
    this.view = run;
    this.isRead = false;
    if (run.status === 'running') {
      this.follow({ action: 'resume', run: run.run });
      this.readDrawn(run);
    } else this.follow({ action: 'run_show', run: run.run });
  }

  goOn({ run }: WorkflowRunView): void {
    this.follow({ action: 'resume', run });
  }

  cancel({ run }: WorkflowRunView): void {
    this.follow({ action: 'cancel', run });
  }

  settle({ run }: WorkflowRunView, attempt: number, verdict: WorkflowVerdict): void {
    this.follow({ action: 'settle', run, attempt, verdict });
  }

  forget({ run }: WorkflowRunView): void {
    this.backend.ask(
      { request: 'workflows', action: { action: 'run_delete', run } },
      () => {
        this.view = null;
        this.changed();
      },
      this.tell,
    );
  }

  /** A person's word for what a step's program waits for; then the run is watched again. */
  decide(run: WorkflowRunView, request: { approve: boolean } | { text: string }, program: string, call: number): void {
    const decision =
      'text' in request
        ? ({ request: 'answer', run: program, call, text: request.text } as const)
        : request.approve
          ? ({ request: 'approve', run: program, call, always: false } as const)
          : ({ request: 'refuse', run: program, call, reason: null } as const);
    this.backend.ask(decision, () => this.goOn(run), this.tell);
  }

  /** Asks for a run, and follows what becomes of its steps. */
  private follow(
    action: Extract<WorkflowRequest, { action: 'run' | 'run_show' | 'resume' | 'cancel' | 'settle' }>,
  ): void {
    this.tell(null);
    this.backend.ask(
      { request: 'workflows', action },
      ({ run }: ReplyNamed<'workflow_run'>) => {
        if (!this.isShown(run.run)) return;
        this.view = run;
        this.isRead = true;
        this.changed();
      },
      this.tell,
      (reply) => this.along(reply),
    );
  }

  /** Learns which steps one at work was begun with: watched, it says that only at its end, and the file may be another by now. */
  private readDrawn({ run }: WorkflowRunView): void {
    this.backend.ask(
      { request: 'workflows', action: { action: 'run_show', run } },
      ({ run: { drawn } }: ReplyNamed<'workflow_run'>) => {
        if (this.view?.run === run && drawn !== undefined) this.view = { ...this.view, drawn };
      },
    );
  }

  private along(reply: OnTheWay): void {
    if (reply.reply !== 'workflow_step' || this.view === null || !this.isShown(reply.run)) return;
    this.view = withStep({ ...this.view, run: reply.run }, reply.step);
  }

  /** Whether that run is looked at; a new one has no name yet. */
  private isShown(run: string): boolean {
    return this.view !== null && (this.view.run === '' || this.view.run === run);
  }
}
