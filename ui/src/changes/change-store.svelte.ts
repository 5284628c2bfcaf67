/**
 * The files that a run changed: asked for when the run is at rest, looked at, and put back.
 *
 * Joins the backend with `changes.ts`; belongs to one run of the panel.
 */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { FileChange } from '../bindings/FileChange';
import type { UserError } from '../bindings/UserError';
import type { Turn } from '../conversation/view';
import { changesOf, gaveToAgents, withAgents } from './changes';

export class ChangeStore {
  changes = $state.raw<readonly FileChange[]>([]);
  /** How the file differs that somebody looks at. */
  shown = $state.raw<{ id: string; diff: string } | null>(null);
  /** Why something could not be put back: one file, or some of all. */
  troubles = $state.raw<readonly UserError[]>([]);
  private asked = '';

  constructor(private readonly backend: Backend) {}

  /** Asks for what the run and its sub-agents changed, where they may have. */
  read(turn: Turn): void {
    const ids = changesOf(turn);
    const wanted = [...ids, ...(gaveToAgents(turn) ? ['agents'] : [])].join(' ');
    if (wanted === this.asked) return;
    this.asked = wanted;
    if (wanted === '') return;
    const { run } = turn;
    this.backend.ask(
      { request: 'changes', action: { action: 'list', run } },
      (reply) => (this.changes = withAgents(ids, run, reply.changes)),
    );
  }

  look(id: string): void {
    if (this.shown?.id === id) this.shown = null;
    else this.send('show', id, (diff) => (this.shown = { id, diff }));
  }

  undo(id: string): void {
    this.send('undo', id, () => (this.shown = null));
  }

  /** Puts back what the run and its sub-agents changed, the newest first; what can't be stays, each with its reason. */
  undoAll(run: string): void {
    this.troubles = [];
    const done = (reply: ReplyNamed<'changes_undone'>) => {
      [...reply.undone, ...(reply.already ?? [])].forEach((change) => this.take(change));
      this.troubles = reply.left.map(({ error }) => error);
      this.shown = null;
    };
    const request = { request: 'changes', action: { action: 'undo_run', run } } as const;
    this.backend.ask(request, done, (error) => (this.troubles = [error]));
  }

  private send(action: 'show' | 'undo', change: string, then: (diff: string) => void): void {
    this.troubles = [];
    const done = (reply: ReplyNamed<'changed'>) => {
      this.take(reply.change);
      then(reply.diff);
    };
    this.backend.ask({ request: 'changes', action: { action, change } }, done, (error) => (this.troubles = [error]));
  }

  private take(change: FileChange): void {
    this.changes = this.changes.map((known) => (known.id === change.id ? change : known));
  }
}
