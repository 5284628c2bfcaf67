/**
 * The section of plugins: which there are, the one that is looked at, and what comes in: shown first, kept when the user says so.
 * Draws nothing.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedPlugin } from '../bindings/ListedPlugin';
import type { PluginChange } from '../bindings/PluginChange';
import type { PluginDetail } from '../bindings/PluginDetail';
import type { PluginRequest } from '../bindings/PluginRequest';
import type { UserError } from '../bindings/UserError';
import { listed } from './plugins';

/** What was fetched and waits for a decision. */
export interface Review {
  id: string;
  plugin: PluginDetail;
  /** What installing would change of one that is there. */
  change: PluginChange | null;
}

export class PluginStore {
  all = $state.raw<readonly ListedPlugin[]>([]);
  /** Whether an answer has come yet. */
  known = $state(false);
  text = $state('');
  detail = $state.raw<PluginDetail | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** Whether something that comes in is looked at, in place of what is kept. */
  adding = $state(false);
  /** Whether a source is being fetched. */
  fetching = $state(false);
  review = $state.raw<Review | null>(null);
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  private chosen = $state('');

  readonly rows = $derived(listed(this.all, this.text));
  /** The one that is looked at: of what is listed, else the first of that. */
  readonly plugin = $derived(this.rows.find(({ name }) => name === this.chosen) ?? this.rows[0] ?? null);

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.backend.ask(
      { request: 'plugins', action: { action: 'list' } },
      ({ plugins }: ReplyNamed<'plugins'>) => this.take(plugins),
      (error) => (this.trouble = error),
    );
  }

  search(text: string): void {
    this.text = text;
    this.look();
  }

  choose({ name }: ListedPlugin): void {
    this.listShown = false;
    this.adding = false;
    this.chosen = name;
    this.look();
  }

  move(steps: number): void {
    const at = this.rows.findIndex(({ name }) => name === this.plugin?.name);
    const next = this.rows[Math.min(this.rows.length - 1, Math.max(0, at + steps))];
    if (next === undefined) return;
    this.adding = false;
    this.chosen = next.name;
    this.look();
  }

  /** Removes a plugin; the first call only asks. */
  remove({ name }: ListedPlugin): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.backend.ask(
      { request: 'plugins', action: { action: 'remove', name } },
      ({ plugins }: ReplyNamed<'plugins'>) => this.take(plugins),
      (error) => (this.trouble = error),
    );
  }

  add(): void {
    this.adding = true;
    this.listShown = false;
    this.review = null;
    this.trouble = null;
  }

  /** Leaves what was fetched where it is: it goes with the next one. */
  leave(): void {
    this.adding = false;
    this.review = null;
    this.look();
  }

  async pickFolder(): Promise<void> {
    const [path] = await this.backend.pickFolder();
    if (path !== undefined) this.fetch(path);
  }

  async pickArchive(): Promise<void> {
    const [path] = await this.backend.pickFiles();
    if (path !== undefined) this.fetch(path);
  }

  /** Fetches a source, for a look; the name of one that comes along is its source. */
  fetch(source: string): void {
    if (source.trim() !== '') this.bring({ action: 'review', source: source.trim() });
  }

  /** Fetches again what one was installed from, for a look. */
  update({ name }: ListedPlugin): void {
    this.bring({ action: 'update', name });
  }

  private bring(action: Extract<PluginRequest, { action: 'review' | 'update' }>): void {
    if (this.fetching) return;
    this.add();
    this.fetching = true;
    const over = (error: UserError | null) => {
      this.fetching = false;
      this.trouble = error;
    };
    this.backend.ask(
      { request: 'plugins', action },
      ({ review, plugin, change }: ReplyNamed<'plugin_review'>) => {
        over(null);
        // It was left meanwhile, for good.
        if (!this.adding) return;
        this.review = { id: review, plugin, change };
      },
      over,
    );
  }

  /** Keeps what was shown, just as it was. */
  keep(): void {
    const { review } = this;
    if (review === null || review.plugin.faults.length > 0) return;
    this.backend.ask(
      { request: 'plugins', action: { action: 'install', review: review.id } },
      ({ plugin }: ReplyNamed<'plugin'>) => {
        this.adding = false;
        this.review = null;
        this.text = '';
        this.chosen = plugin.plugin.name;
        this.detail = plugin;
        this.read();
      },
      (error) => (this.trouble = error),
    );
  }

  private take(plugins: readonly ListedPlugin[]): void {
    const before = this.plugin;
    this.trouble = null;
    this.all = plugins;
    this.known = true;
    this.chosen = before?.name ?? this.chosen;
    this.look();
  }

  /** Reads the one that is chosen in full. What comes along is read by a review, once it is wanted. */
  private look(): void {
    this.removing = false;
    const { plugin } = this;
    if (plugin === null || plugin.standing === 'available') {
      this.detail = null;
      return;
    }
    this.backend.ask(
      { request: 'plugins', action: { action: 'show', name: plugin.name } },
      ({ plugin: detail }: ReplyNamed<'plugin'>) => {
        if (this.plugin?.name === plugin.name) this.detail = detail;
      },
      (error) => (this.trouble = error),
    );
  }
}

export const [usePlugins, providePlugins] = createContext<PluginStore>();
