/**
 * What lives inside a session beside its conversation: variables and background jobs, read while somebody looks.
 *
 * Joins the door with the inspector; knows nothing once that is closed.
 */
import type { Backend, Stream } from '../backend/backend';
import type { JobView } from '../bindings/JobView';
import type { Reply } from '../bindings/Reply';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { VariablePreview } from '../bindings/VariablePreview';

/** Time between two looks at what jobs print, in milliseconds. */
const LOOK_MS = 1_000;

export class Inside {
  /** `null` before the first answer. */
  variables = $state.raw<readonly VariablePreview[] | null>(null);
  jobs = $state.raw<readonly JobView[] | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** The variable that is about to be deleted, by name. */
  asked = $state<string | null>(null);
  /** The job that is being stopped, by id. */
  stopping = $state<string | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly session: SessionId,
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

  remove(name: string): void {
    this.asked = null;
    this.trouble = null;
    this.backend.send({ request: 'variables', session: this.session, deed: { deed: 'delete', name } }, (reply) => this.take(reply));
  }

  stop(job: string): void {
    this.stopping = job;
    this.trouble = null;
    this.backend.send({ request: 'jobs', session: this.session, deed: { deed: 'stop', job } }, (reply) => this.take(reply));
  }

  private readVariables(): void {
    this.backend.send({ request: 'variables', session: this.session, deed: { deed: 'list' } }, (reply) => this.take(reply));
  }

  private readJobs(): void {
    this.backend.send({ request: 'jobs', session: this.session, deed: { deed: 'list' } }, (reply) => this.take(reply));
  }

  private heard(reply: Reply): void {
    if (reply.reply === 'job_changed' && reply.job.session === this.session) this.readJobs();
    if (reply.reply === 'event' && reply.event.type === 'variables') this.readVariables();
  }

  private take(reply: Reply): void {
    if (reply.reply === 'variables') this.variables = reply.variables;
    if (reply.reply === 'jobs') {
      this.jobs = reply.jobs;
      this.stopping = null;
    }
    if (reply.reply === 'failed') {
      this.trouble = reply.error;
      this.stopping = null;
    }
  }
}
