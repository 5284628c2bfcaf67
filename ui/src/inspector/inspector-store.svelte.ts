/**
 * What lives inside a session beside its conversation: variables and background jobs, read while somebody looks.
 *
 * Joins the backend with the inspector; knows nothing once that is closed.
 */
import type { Backend, Stream } from '../backend/backend';
import type { JobView } from '../bindings/JobView';
import type { Reply } from '../bindings/Reply';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { VariablePreview } from '../bindings/VariablePreview';
import type { VariableValue } from '../bindings/VariableValue';

/** Time between two looks at what jobs print, in milliseconds. */
const LOOK_MS = 1_000;

export class InspectorStore {
  /** `null` before the first answer. */
  variables = $state.raw<readonly VariablePreview[] | null>(null);
  jobs = $state.raw<readonly JobView[] | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** The variable that is open, by name, and its whole value once that is known. */
  opened = $state<string | null>(null);
  value = $state.raw<VariableValue | null>(null);
  /** The variable that is about to be deleted, by name. */
  asked = $state<string | null>(null);
  /** The job that is being stopped, by id. */
  stopping = $state<string | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly session: SessionId,
    private readonly isOurs: (run: RunId) => boolean,
  ) {}

  /** Reads, and again whenever something changes, until the returned function is called. */
  follow(): () => void {
    this.readVariables();
    this.readJobs();
    const stream: Stream = this.backend.send({ request: 'watch' }, (reply) => this.heard(reply));
    const timer = setInterval(() => {
      if (this.jobs?.some((job) => job.state === 'running') === true) this.readJobs();
    }, LOOK_MS);
    return () => {
      clearInterval(timer);
      stream.close();
    };
  }

  /** Opens a variable, or closes the one that is open. */
  open(name: string): void {
    this.opened = this.opened === name ? null : name;
    this.value = null;
    this.trouble = null;
    this.readValue();
  }

  remove(name: string): void {
    this.asked = null;
    this.trouble = null;
    this.backend.ask(
      { request: 'variables', session: this.session, action: { action: 'delete', name } },
      this.tookVariables,
      this.failed,
    );
  }

  stop(job: string): void {
    this.stopping = job;
    this.trouble = null;
    this.backend.ask(
      { request: 'jobs', session: this.session, action: { action: 'stop', job } },
      this.tookJobs,
      this.failed,
    );
  }

  private readValue(): void {
    const name = this.opened;
    if (name === null) return;
    const done = ({ variable }: { variable: VariableValue }) => {
      if (variable.name === this.opened) this.value = variable;
    };
    this.backend.ask(
      { request: 'variables', session: this.session, action: { action: 'show', name } },
      done,
      this.failed,
    );
  }

  private readVariables(): void {
    this.backend.ask(
      { request: 'variables', session: this.session, action: { action: 'list' } },
      this.tookVariables,
      this.failed,
    );
  }

  private readJobs(): void {
    this.backend.ask(
      { request: 'jobs', session: this.session, action: { action: 'list' } },
      this.tookJobs,
      this.failed,
    );
  }

  private heard(reply: Reply): void {
    if (reply.reply === 'job_changed' && reply.job.session === this.session) this.readJobs();
    if (reply.reply === 'event' && this.isOurs(reply.event.run)) this.happened(reply.event);
  }

  /** What a program leaves is told before it is stored: read at once, the store would give what was there before. */
  private happened(event: RunEvent): void {
    if (event.type === 'variables') this.variables = event.names;
    if (event.type !== 'run_ended') return;
    this.readVariables();
    this.readValue();
  }

  private readonly tookVariables = ({ variables }: { variables: VariablePreview[] }) => {
    this.variables = variables;
  };

  private readonly tookJobs = ({ jobs }: { jobs: JobView[] }) => {
    this.jobs = jobs;
    // A look that was under way may still show it at work.
    const stopped = jobs.find((job) => job.id === this.stopping);
    if (stopped?.state !== 'running') this.stopping = null;
  };

  private readonly failed = (error: UserError) => {
    this.trouble = error;
    this.stopping = null;
  };
}
