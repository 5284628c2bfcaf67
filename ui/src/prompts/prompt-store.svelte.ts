/** The section of prompts: which there are, and what is being written of each: nothing typed is lost by a look elsewhere. Draws nothing. */
import { createContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { SavedPrompt } from '../bindings/SavedPrompt';
import type { SavedPromptDraft } from '../bindings/SavedPromptDraft';
import type { UserError } from '../bindings/UserError';
import * as listing from './prompts';

export class PromptStore {
  view = $state.raw(listing.noPrompts);
  trouble = $state.raw<UserError | null>(null);
  /** Why the draft is not kept. */
  unkept = $state.raw<UserError | null>(null);
  /** What was brought in or taken out, in words of the program. */
  refused = $state.raw<readonly UserError[]>([]);
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether the list covers the form, where there is no room for both. */
  listShown = $state(true);

  readonly rows = $derived(listing.listed(this.view));
  readonly prompt = $derived(listing.chosenOf(this.view));
  readonly key = $derived(this.prompt?.name ?? listing.NEW);
  readonly draft: SavedPromptDraft = $derived.by(() => this.drafts.get(this.key) ?? listing.draftOf(this.prompt));
  readonly isChanged = $derived(!listing.isSame(this.draft, listing.draftOf(this.prompt)));

  private readonly drafts = new SvelteMap<string, SavedPromptDraft>();

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.backend.ask(
      { request: 'saved_prompts', action: { action: 'list' } },
      ({ prompts }: ReplyNamed<'saved_prompts'>) => this.take(prompts),
      (error) => (this.trouble = error),
    );
  }

  search(text: string): void {
    this.turnTo({ ...this.view, text });
  }

  choose({ name }: SavedPrompt): void {
    this.listShown = false;
    this.turnTo({ ...this.view, chosen: name });
  }

  move(steps: number): void {
    this.turnTo(listing.moved(this.view, steps));
  }

  /** Turns to the one that is being made. */
  add(): void {
    this.listShown = false;
    this.turnTo({ ...this.view, chosen: listing.NEW });
  }

  change(draft: SavedPromptDraft): void {
    this.unkept = null;
    this.drafts.set(this.key, draft);
  }

  /** Leaves the one that is looked at as it was. */
  discard(): void {
    this.unkept = null;
    this.drafts.delete(this.key);
    if (this.view.chosen === listing.NEW) this.turnTo({ ...this.view, chosen: null });
  }

  keep(): void {
    const { draft, key } = this;
    if (!listing.isKeepable(draft)) return;
    const name = draft.name.trim();
    this.backend.ask(
      {
        request: 'saved_prompts',
        action: {
          action: 'keep',
          draft: { ...draft, name },
          ...(key === listing.NEW ? {} : { replaces: key }),
        },
      },
      ({ prompts }: ReplyNamed<'saved_prompts'>) => {
        this.drafts.delete(key);
        this.view = { ...this.view, chosen: name, text: '' };
        this.take(prompts);
      },
      (error) => (this.unkept = error),
    );
  }

  /** Removes the one that is looked at; the first call only asks. */
  remove({ name }: SavedPrompt): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.backend.ask(
      { request: 'saved_prompts', action: { action: 'remove', name } },
      ({ prompts }: ReplyNamed<'saved_prompts'>) => {
        this.drafts.delete(name);
        this.removing = false;
        this.take(prompts);
      },
      (error) => (this.trouble = error),
    );
  }

  async pickFiles(): Promise<void> {
    this.bring(await this.backend.pickFiles());
  }

  async pickFolder(): Promise<void> {
    this.bring(await this.backend.pickFolder());
  }

  /** Copies the one that is looked at into a folder. */
  async takeOut({ name }: SavedPrompt, done: (path: string) => void): Promise<void> {
    const [folder] = await this.backend.pickFolder();
    if (folder === undefined) return;
    this.backend.ask(
      { request: 'saved_prompts', action: { action: 'export', names: [name], folder } },
      ({ paths: [path] }: ReplyNamed<'exported_prompts'>) => {
        this.trouble = null;
        if (path !== undefined) done(path);
      },
      (error) => (this.trouble = error),
    );
  }

  private bring(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.backend.ask(
      { request: 'saved_prompts', action: { action: 'import', paths: [...paths] } },
      ({ prompts, imported, refused }: ReplyNamed<'imported_prompts'>) => {
        this.take(prompts);
        this.turnTo({ ...this.view, chosen: imported[0] ?? null, text: '' });
        this.refused = refused;
      },
      (error) => (this.trouble = error),
    );
  }

  private turnTo(view: listing.Prompts): void {
    this.removing = false;
    this.unkept = null;
    this.refused = [];
    this.view = view;
  }

  private take(prompts: readonly SavedPrompt[]): void {
    this.trouble = null;
    this.view = listing.taken(this.view, prompts);
  }
}

export const [usePrompts, providePrompts] = createContext<PromptStore>();
