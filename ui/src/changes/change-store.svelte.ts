/**
 * The files that a run changed: asked for when the run is at rest, looked at, and put back.
 *
 * Joins the backend with `changes.ts`; belongs to one run of the panel.
 */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { FileChange } from '../bindings/FileChange';
import type { UserError } from '../bindings/UserError';
import { knownOf } from './changes';

export class ChangeStore {
  changes = $state.raw<readonly FileChange[]>([]);
  /** How the file differs that somebody looks at. */
  shown = $state.raw<{ id: string; diff: string } | null>(null);
  trouble = $state.raw<UserError | null>(null);
  private asked = '';

  constructor(private readonly backend: Backend) {}

  read(ids: readonly string[], session: string): void {
    const wanted = ids.join(' ');
    if (wanted === this.asked) return;
    this.asked = wanted;
    if (ids.length === 0) return;
    this.backend.ask(
      { request: 'changes', action: { action: 'list', session } },
      (reply) => (this.changes = knownOf(ids, reply.changes)),
    );
  }

  look(id: string): void {
    if (this.shown?.id === id) this.shown = null;
    else this.send('show', id, (diff) => (this.shown = { id, diff }));
  }

  undo(id: string): void {
    this.send('undo', id, () => (this.shown = null));
  }

  private send(action: 'show' | 'undo', change: string, then: (diff: string) => void): void {
    this.trouble = null;
    const done = (reply: ReplyNamed<'changed'>) => {
      this.changes = this.changes.map((known) => (known.id === reply.change.id ? reply.change : known));
      then(reply.diff);
    };
    this.backend.ask({ request: 'changes', action: { action, change } }, done, (error) => (this.trouble = error));
  }
}
