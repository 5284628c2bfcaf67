/**
 * A file that is brought in. One of ours is shown before it is kept; another program's is kept with the one request that
 * reads it. Draws nothing.
 */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { UserError } from '../bindings/UserError';
import type { WorkflowDetail } from '../bindings/WorkflowDetail';
import type { WorkflowFault } from '../bindings/WorkflowFault';
import type { WordKey } from '../i18n/i18n';
import { FILE_BYTES_MAX, isOurs, isTaken, textOf } from './files';

/** What came of a file, and what of it did not. */
export interface Arrival {
  /** The workflow's name. */
  name: string;
  file: string;
  source: string;
  became: 'new' | 'replaced' | 'same';
  leftOut: readonly WorkflowFault[];
}

export class Incoming {
  /** The name of the file that was chosen; empty while none is. */
  file = $state('');
  /** Why the file was not read. */
  unread = $state<WordKey | null>(null);
  /** One of ours as it would be kept, or with what is wrong in it. */
  seen = $state.raw<WorkflowDetail | null>(null);
  error = $state.raw<UserError | null>(null);
  busy = $state(false);
  /** The last one that came, until that was seen. */
  arrival = $state.raw<Arrival | null>(null);

  /** Whether another one has the name. */
  readonly taken = $derived(this.error !== null && isTaken(this.error));
  readonly keepable = $derived(!this.busy && !this.taken && this.seen !== null && this.seen.faults.length === 0);

  private text = '';

  constructor(
    private readonly backend: Backend,
    private readonly arrived: (detail: WorkflowDetail) => void,
  ) {}

  /** Begins anew, unless one is under way. */
  open(): void {
    if (this.busy) return;
    this.file = '';
    this.text = '';
    this.unread = null;
    this.seen = null;
    this.error = null;
  }

  async choose(file: File): Promise<void> {
    if (this.busy) return;
    this.open();
    this.file = file.name;
    if (file.size > FILE_BYTES_MAX) {
      this.unread = 'workflow_file_too_large';
      return;
    }
    this.busy = true;
    const bytes = await file.arrayBuffer().catch(() => null);
    const text = bytes === null ? null : textOf(bytes);
    if (text === null) {
      this.busy = false;
      this.unread = bytes === null ? 'workflow_file_unread' : 'workflow_file_no_text';
      return;
    }
    this.text = text;
    this.look();
  }

  keep(replace: boolean): void {
    const { file, text } = this;
    this.busy = true;
    this.error = null;
    this.backend.ask(
      { request: 'workflows', action: { action: 'import', file, text, replace } },
      (reply: ReplyNamed<'workflow_imported'>) => {
        const { workflow, source, left_out: leftOut } = reply;
        const became = !reply.new ? 'same' : replace ? 'replaced' : 'new';
        this.busy = false;
        this.arrival = { name: workflow.workflow.name, file, source, became, leftOut };
        this.arrived(workflow);
      },
      this.failed,
    );
  }

  /** What was told of it is gone with it. */
  forget(name: string): void {
    if (this.arrival?.name === name) this.arrival = null;
  }

  /** Looks at the text as one of ours. What is none, with no fault of ours to show, is for the import to say. */
  private look(): void {
    const { file: name, text } = this;
    this.backend.ask(
      { request: 'workflows', action: { action: 'check', name, text } },
      ({ workflow }: ReplyNamed<'workflow'>) => {
        if (workflow.faults.length > 0 && !isOurs(text)) {
          this.keep(false);
          return;
        }
        this.busy = false;
        this.seen = workflow;
      },
      this.failed,
    );
  }

  private readonly failed = (error: UserError): void => {
    this.busy = false;
    this.error = error;
  };
}
