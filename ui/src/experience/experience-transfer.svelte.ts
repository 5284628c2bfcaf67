/** Experiences as a file: writing all of them, and bringing some in, once it is said whose they are. Draws nothing. */
import type { Backend } from '../backend/backend';
import type { UserError } from '../bindings/UserError';
import type { Toasts } from '../shared/toasts.svelte';
import type { I18n } from '../i18n/i18n';

/** Name that a file of everything begins with. */
const FILE_NAME = 'shidi-experience.jsonl';

export class ExperienceTransfer {
  /** Files of which it is asked whose they are. */
  paths = $state.raw<readonly string[]>([]);
  moving = $state<'import' | 'export' | null>(null);
  trouble = $state.raw<UserError | null>(null);

  constructor(
    private readonly backend: Backend,
    private readonly toasts: Toasts,
    private readonly i18n: I18n,
    private readonly changed: () => void,
  ) {}

  async takeOut(): Promise<void> {
    const path = await this.backend.pickNewFile(FILE_NAME);
    if (path === null || this.moving !== null) return;
    this.moving = 'export';
    this.trouble = null;
    await this.backend.ask(
      { request: 'experience', action: { action: 'export', path } },
      (reply) => this.toasts.say(this.i18n.say('experience_exported', { n: reply.records, path: reply.path })),
      (error) => (this.trouble = error),
    ).closed;
    this.moving = null;
  }

  async pick(): Promise<void> {
    this.trouble = null;
    this.paths = await this.backend.pickFiles();
  }

  leave(): void {
    this.paths = [];
  }

  /** Each file is kept whole or not at all; the first that can't be read ends it. */
  async bringIn(whose: 'own' | 'foreign'): Promise<void> {
    if (this.moving !== null) return;
    this.moving = 'import';
    let kept = 0;
    let isProven = true;
    for (const path of this.paths) {
      await this.backend.ask(
        { request: 'experience', action: { action: 'import_file', path, reviewed: whose === 'own' } },
        (reply) => {
          kept += reply.records;
          isProven &&= reply.own;
        },
        (error) => (this.trouble = error),
      ).closed;
      if (this.trouble !== null) break;
    }
    this.moving = null;
    this.paths = [];
    const unproven = whose === 'own' ? 'experience_imported_reviewed' : 'experience_imported_foreign';
    if (this.trouble === null) this.toasts.say(this.i18n.say(isProven ? 'experience_imported' : unproven, { n: kept }));
    this.changed();
  }
}
