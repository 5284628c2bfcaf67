/**
 * Browsers and their pages, as a window knows them: followed live, and what the user decides about them.
 *
 * Joins the backend with `pages.ts`; both the panel and the workbench hold one.
 */
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { AskingBrowser } from '../bindings/AskingBrowser';
import type { PageRequest } from '../bindings/PageRequest';
import type { PageState } from '../bindings/PageState';
import type { UserError } from '../bindings/UserError';
import { noPages, withLearned, withSite } from './pages';

/** Actions that are answered with how things are then. */
type Action = Exclude<PageRequest, { action: 'install' | 'fill_in' }>;

export class PageStore {
  state = $state.raw<PageState>(noPages);
  /** Why the last action came to nothing. */
  trouble = $state.raw<UserError | null>(null);
  /** Whether an answer to a browser is on its way. */
  busy = $state(false);
  /** Sites whose tools were not wanted when they were offered, until this window is made anew. */
  declined = $state.raw<ReadonlySet<string>>(new Set());

  constructor(private readonly backend: Backend) {
    this.read();
  }

  read(): void {
    this.send({ action: 'list' });
  }

  /** Takes over what the program tells of itself. */
  take(state: PageState): void {
    this.state = state;
  }

  /** Lets a browser in; `then` once it is. */
  pair({ code }: AskingBrowser, then: () => void): void {
    this.answer({ action: 'pair', code }, then);
  }

  /** Turns a browser away; `then` once it is. */
  decline({ code }: AskingBrowser, then: () => void): void {
    this.answer({ action: 'decline', code }, then);
  }

  forget(browser: string): void {
    this.answer({ action: 'forget', browser }, () => undefined);
  }

  /** Lets programs call what a site's pages offer, or no longer. It shows at once, and is taken back if it fails. */
  allow(site: string, on: boolean, done: () => void = () => undefined): void {
    const before = this.state.sites.includes(site);
    this.state = withSite(this.state, site, on);
    this.send({ action: 'allow', site, on }, { done, failed: () => (this.state = withSite(this.state, site, before)) });
  }

  /** Has choices in forms of a site noticed, or no longer. It shows at once, and is taken back if it fails. */
  learn(site: string, on: boolean, done: () => void = () => undefined): void {
    const before = this.state.learned.includes(site);
    this.state = withLearned(this.state, site, on);
    const failed = () => (this.state = withLearned(this.state, site, before));
    this.send({ action: 'learn', site, on }, { done, failed });
  }

  /** Puts a text where the user was writing in the page in front; `done` once it stands there, `failed` with why not. */
  insert(text: string, done: () => void, failed: (error: UserError) => void): void {
    const page = this.state.front?.page;
    if (page === undefined) return;
    void this.backend.ask({ request: 'pages', action: { action: 'insert', page, text } }, done, failed).closed;
  }

  /** Offers the tools of that site no more. */
  declineOffer(site: string): void {
    this.declined = new Set([...this.declined, site]);
  }

  private answer(action: Action, done: () => void): void {
    if (this.busy) return;
    this.busy = true;
    void this.send(action, { done }).then(() => (this.busy = false));
  }

  private send(action: Action, then: { done?: () => void; failed?: () => void } = {}): Promise<void> {
    const done = ({ pages }: { pages: PageState }) => {
      this.trouble = null;
      this.take(pages);
      then.done?.();
    };
    const failed = (error: UserError) => {
      this.trouble = error;
      then.failed?.();
    };
    return this.backend.ask({ request: 'pages', action }, done, failed).closed;
  }
}

export const [usePages, providePages] = createContext<PageStore>();
