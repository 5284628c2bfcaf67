/**
 * Browsers and their pages, as their companion tells of them: who asks to be let in, the page in front, whose tools
 * programs may call, and where choices are noticed.
 *
 * Pure. What a browser or a page says of itself is shown as its own words and decides nothing here.
 */
import type { AskingBrowser } from '../bindings/AskingBrowser';
import type { PageRef } from '../bindings/PageRef';
import type { PageState } from '../bindings/PageState';
import type { PageView } from '../bindings/PageView';
import type { ScreenView } from '../bindings/ScreenView';
import { visible } from '../approval/approval';
import { shortAddress, type Chip } from '../composer/chips';

/** The toolkit that holds what the page in front offers. */
const TOOLKIT = 'page';

export const noPages: PageState = { browsers: [], asking: [], sites: [], learned: [] };

/** The browser that is asked about: one at a time, in the order in which they came. */
export function askingOf({ asking }: PageState): AskingBrowser | null {
  return asking[0] ?? null;
}

/** Six digits in two halves, as they are compared: `482 913`. */
export function spacedCode(code: string): string {
  return code.replace(/^(\d{3})(\d{3})$/, '$1 $2');
}

/** A browser as it names itself. */
export function nameOf({ name }: { name: string }): string {
  return visible(name);
}

/** A site as it is told: its scheme only where it is not the usual one. */
export function shownSite(site: string): string {
  return site.replace(/^https:\/\//, '');
}

/** The page by its own title, else by its address. */
export function titleOf({ title, url }: PageView): string {
  return visible(title.trim() !== '' ? title : URL.canParse(url) ? shortAddress(url) : url);
}

/** What was in front, as its chip names it: a page by its title, another window by its program too. */
export function frontName(view: ScreenView): string {
  return view.page === undefined
    ? [view.app, view.title].filter((part) => part !== '').join(' · ')
    : titleOf(view.page);
}

/** The page as it is now, where it is still the one in front and was not loaded anew; else as it was seen, with what is allowed now. */
export function pageNow(state: PageState, seen: PageView): PageView {
  if (state.front !== undefined && isSame(state.front.page, seen.page)) return state.front;
  return { ...seen, allowed: state.sites.includes(seen.page.site) };
}

/** The page that goes along with a question: the first that one of its chips shows. */
export function pageOf(chips: readonly Chip[]): PageView | null {
  return chips.find((chip) => chip.view?.page !== undefined)?.view?.page ?? null;
}

/** The page that goes along and offers tools which programs may not call yet, unless that was declined. */
export function offerOf(state: PageState, chips: readonly Chip[], declined: ReadonlySet<string>): PageView | null {
  const seen = pageOf(chips);
  if (seen === null || declined.has(seen.page.site)) return null;
  const page = pageNow(state, seen);
  return page.allowed || page.tools.length === 0 ? null : page;
}

/** The state with a site allowed or not, as it will be once the program has taken it over. */
export function withSite(state: PageState, site: string, on: boolean): PageState {
  const others = state.sites.filter((known) => known !== site);
  const front = state.front?.page.site === site ? { front: { ...state.front, allowed: on } } : {};
  return { ...state, ...front, sites: on ? [...others, site] : others };
}

/** The same with a site on which choices are noticed, or not. */
export function withLearned(state: PageState, site: string, on: boolean): PageState {
  const others = state.learned.filter((known) => known !== site);
  return { ...state, learned: on ? [...others, site] : others };
}

/** The sites with a switch: that of the page in front, so that it can be switched on, and all that are; those of `before` keep their place. */
export function sitesOf({ front, sites, learned }: PageState, before: readonly string[]): string[] {
  const own = front !== undefined && /^https?:/.test(front.page.site) ? [front.page.site] : [];
  return [...new Set([...before, ...own, ...sites, ...learned])];
}

/** The site that a call for approval names; `null` where it names none. */
export function siteIn(args: Record<string, unknown>): string | null {
  const site = args['site'];
  return typeof site === 'string' && site !== '' ? shownSite(site) : null;
}

/** Whether a tool is one of the page's, by its whole name. */
export function isOfPage(tool: string): boolean {
  return tool.startsWith(`${TOOLKIT}.`);
}

function isSame(one: PageRef, other: PageRef): boolean {
  return one.browser === other.browser && one.tab === other.tab && one.document === other.document;
}
