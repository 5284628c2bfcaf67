/** Browsers and their pages: what goes along, what is offered, and how a task that waits for a page is told of. */
import { describe, expect, test } from 'vitest';
import { activityOf, apply as active, noActivities } from '../src/sessions/activity';
import { Script } from '../src/backend/scenes/play';
import type { ContentView } from '../src/bindings/ContentView';
import type { PageState } from '../src/bindings/PageState';
import type { PageView } from '../src/bindings/PageView';
import type { ScreenView } from '../src/bindings/ScreenView';
import { fileChip, isStale, pagesOf, viewChip } from '../src/composer/chips';
import * as composing from '../src/composer/composer';
import { guessText, ruleOf, type Guess } from '../src/composer/guess';
import { i18nOf } from '../src/i18n/i18n';
import { insertTarget } from '../src/conversation/insert-target';
import { apply, conversationOf, emptyConversation, sent } from '../src/conversation/conversation';
import {
  askingOf,
  frontName,
  nameOf,
  noPages,
  offerOf,
  pageNow,
  shownSite,
  siteIn,
  spacedCode,
  titleOf,
  withSite,
} from '../src/pages/pages';
import { doing } from '../src/conversation/status';
import { restsWithAgents, restsWithPage } from '../src/conversation/view';
import { eventsIn, recorded } from './recorded';

const SITE = 'https://query.lanting.dev';
const EN = i18nOf(() => 'en');
const PAGE: PageView = {
  page: { browser: 'b', tab: 3, document: 'd1', site: SITE },
  title: 'Refunds',
  url: `${SITE}/edit/4127`,
  tools: [{ name: 'edit_script', doc: '', reads_only: false }],
  allowed: false,
  acts: 0,
};
const VIEW: ScreenView = {
  id: 'v1',
  app: 'Chromium',
  title: 'Refunds - Chromium',
  page: PAGE,
  width: 0,
  height: 0,
  may_be_private: false,
  blacked_out: 0,
  sent_as: 'words',
  preview: '',
  tokens: 9,
  recognising: false,
  stale: false,
  pinned: false,
};
const READ: ContentView = {
  source: 'companion',
  kind: 'article',
  language: 'en',
  part: 'whole',
  parts: [{ part: 'whole', tokens: 3, preview: 'Refunds', preview_cut: false, searched: false }],
  problems: 0,
  context: [],
};
const CHIP = viewChip(VIEW, 'front', frontName(VIEW));
const none = new Set<string>();
const state = (more: Partial<PageState>): PageState => ({ ...noPages, ...more });

describe('a page in front', () => {
  test('is named by its title, else by its address, and another window by its program too', () => {
    expect(frontName(VIEW)).toBe('Refunds');
    expect(titleOf({ ...PAGE, title: ' ' })).toBe('query.lanting.dev/edit/4127');
    expect(titleOf({ ...PAGE, title: '', url: 'nowhere' })).toBe('nowhere');
    const { page: _, ...plain } = VIEW;
    expect(frontName({ ...plain, title: 'cart.rs' })).toBe('Chromium · cart.rs');
  });

  test('can not make its name, or its browser’s, read as another one', () => {
    expect(titleOf({ ...PAGE, title: '\u202eknab ruoy' })).toBe('\\u202eknab ruoy');
    expect(nameOf({ name: 'Chro\u200bmium' })).toBe('Chro\\u200bmium');
  });

  test('goes along with a question, and only while its chip does', () => {
    const ask = (chips: readonly (typeof CHIP)[]) => composing.askOf({ text: 'q', chips }, null, 'risky', 'en');
    expect(ask([fileChip('/a'), CHIP])).toMatchObject({ page: PAGE.page, screens: ['v1'] });
    expect(ask([fileChip('/a')])).not.toHaveProperty('page');
  });

  test('is not asked by a question that was dropped there, and asking it all the same counts as taking it', () => {
    const words = 'Words of a page that somebody reads to its end. '.repeat(8);
    const content = { ...READ, parts: READ.parts.map((part) => ({ ...part, preview: words })) };
    const on = (dropped: string[]) => viewChip({ ...VIEW, content, dropped }, 'front', 'Refunds');
    const view = composing.chipped(composing.emptyComposer('risky'), [on([])]);
    const shown = composing.ghostOf(view);
    expect(shown === null ? null : ruleOf(shown)).toBe('ask_summarise_article');
    const now = composing.chipped(composing.emptyComposer('risky'), [on(['ask_summarise_article'])]);
    expect(composing.ghostOf(now)).toBe('guess_todos');
    const say = (guess: Guess) => guessText(EN, guess);
    const offered = (of: composing.Composer, text: string) =>
      composing.offeredOf(composing.typed(of, text), composing.ghostOf(of), say);
    const told = { guess: 'ask_summarise_article', words: 'Summarise this page' };
    expect(offered(view, 'Who wrote it?')).toEqual({ ...told, taken: false });
    expect(offered(view, ' Summarise this page ')).toEqual({ ...told, taken: true });
    expect(offered(now, 'Summarise this page')).toEqual({ ...told, taken: true });
    const alone = composing.chipped(view, [fileChip('/a'), on([])]);
    expect(offered(alone, 'Who wrote it?'), 'something else goes along').toBeNull();
  });

  test('tells with its question what became of the one that was offered, and of no page nothing', () => {
    const offered = { guess: 'ask_translate', words: 'Translate it', taken: false };
    const ask = (chips: readonly (typeof CHIP)[]) =>
      composing.askOf({ text: 'q', chips, offered }, null, 'risky', 'en');
    expect(ask([CHIP])).toMatchObject({ offered });
    expect(ask([fileChip('/a')])).not.toHaveProperty('offered');
  });

  test('is stale once somebody acted in it, or another one stands in its tab, and not by a look at another tab', () => {
    const read = viewChip({ ...VIEW, content: READ }, 'front', 'Refunds');
    const now = (front: PageView) => isStale(read, state({ front }));
    expect(now(PAGE)).toBe(false);
    expect(now({ ...PAGE, acts: 1 })).toBe(true);
    expect(now({ ...PAGE, page: { ...PAGE.page, document: 'd2' } })).toBe(true);
    expect(now({ ...PAGE, page: { ...PAGE.page, tab: 4, document: 'd9' } })).toBe(false);
    expect(isStale(read, noPages)).toBe(false);
    expect(isStale(CHIP, state({ front: { ...PAGE, acts: 1 } })), 'nothing of it was read').toBe(false);
  });

  test('has an address that earlier questions are looked for by', () => {
    expect(pagesOf([fileChip('/a'), CHIP])).toEqual([PAGE.url]);
  });

  test('is shown as it is now, as long as it was not loaded anew; what is allowed is always that of now', () => {
    const grown = { ...PAGE, tools: [...PAGE.tools, { name: 'run_script', doc: '', reads_only: false }] };
    expect(pageNow(state({ front: grown }), PAGE).tools).toHaveLength(2);
    const anew = { ...grown, page: { ...PAGE.page, document: 'd2' } };
    expect(pageNow(state({ front: anew, sites: [SITE] }), PAGE)).toEqual({ ...PAGE, allowed: true });
    expect(pageNow(noPages, { ...PAGE, allowed: true }).allowed).toBe(false);
  });
});

describe('an offer of tools', () => {
  test('is made where there are some, the site is not allowed, and it was not declined', () => {
    expect(offerOf(noPages, [CHIP], none)?.url).toBe(PAGE.url);
    expect(offerOf(noPages, [fileChip('/a')], none)).toBeNull();
    expect(offerOf(state({ sites: [SITE] }), [CHIP], none)).toBeNull();
    expect(offerOf(noPages, [CHIP], new Set([SITE]))).toBeNull();
    expect(offerOf(state({ front: { ...PAGE, tools: [] } }), [CHIP], none)).toBeNull();
  });

  test('holds at once when it is taken, for the whole site and for no other', () => {
    const other = { ...PAGE, page: { ...PAGE.page, site: 'https://other.dev' } };
    const allowed = withSite(state({ front: PAGE, sites: ['https://other.dev'] }), SITE, true);
    expect(allowed).toMatchObject({ sites: ['https://other.dev', SITE], front: { allowed: true } });
    expect(withSite(allowed, SITE, false)).toMatchObject({ sites: ['https://other.dev'], front: { allowed: false } });
    expect(withSite(state({ front: other }), SITE, true).front?.allowed).toBe(false);
    expect(withSite(allowed, SITE, true).sites).toHaveLength(2);
  });
});

describe('a browser that asks', () => {
  test('is asked about one at a time, with a code that is easy to compare', () => {
    const asking = [
      { name: 'Chromium 156', code: '482913' },
      { name: 'Firefox 153', code: '070614' },
    ];
    expect(askingOf(state({ asking }))?.name).toBe('Chromium 156');
    expect(askingOf(noPages)).toBeNull();
    expect([spacedCode('070614'), spacedCode('short'), spacedCode('4829135')]).toEqual(['070 614', 'short', '4829135']);
  });
});

describe('a task that calls a page', () => {
  const called = (tool = 'page.edit_script') =>
    new Script('s', 'r').start('q').program(`await ${tool}()`, 1).asksFor(tool, {}, 1);
  const rested = (reason?: string) =>
    eventsIn(called().ends('suspended', reason === undefined ? {} : { reason }).plays);
  const turnOf = (events: ReturnType<typeof rested>) =>
    events.reduce(apply, sent(emptyConversation(null), { text: 'q', files: [], along: [] })).turns[0];

  test('says so while nobody has answered there', () => {
    expect(doing(turnOf(eventsIn(called().plays)))).toBe('waits_for_page');
    expect(doing(turnOf(eventsIn(called('files.read').plays)))).toBe('running');
  });

  test('rests with the page, and an interrupted one does not', () => {
    const [waits, cut] = [turnOf(rested('Waits for the page')), turnOf(rested())];
    expect(waits && [restsWithPage(waits), restsWithAgents(waits)]).toEqual([true, false]);
    expect(cut && restsWithPage(cut)).toBe(false);
  });

  test('still rests with it when the session is opened again, after the program was gone', () => {
    const turn = conversationOf(recorded('s', rested('Waits for the page'))).turns[0];
    expect(turn && [restsWithPage(turn), turn.reason]).toEqual([true, 'Waits for the page']);
  });

  test('waits for a card first, where it has one', () => {
    const events = eventsIn(
      called().approval('page.run_script', {}, 1, 'page', '').ends('suspended', { reason: 'Waits for you' }).plays,
    );
    const turn = turnOf(events);
    expect(turn && restsWithPage(turn)).toBe(false);
  });

  test('is told of elsewhere as one that needs the user, until the page has answered', () => {
    const waiting = rested('Waits for the page').reduce(active, noActivities);
    expect(activityOf(waiting, 's')).toBe('waiting');
    const answered = active(waiting, {
      type: 'call_done',
      call: 1,
      ok: true,
      summary: '',
      ms: 9,
      grounds: [],
      run: 'r',
      seq: 90,
      time: '2026-11-22T10:00:00Z',
    });
    expect(activityOf(answered, 's')).toBe('working');
    const over = active(answered, {
      type: 'run_ended',
      status: 'suspended',
      usage: { input: 0, cached: 0, output: 0, model_calls: 0 },
      ms: 1,
      run: 'r',
      seq: 91,
      time: '2026-11-22T10:00:01Z',
    });
    expect(activityOf(over, 's')).toBe('answered');
  });
});

test('the site of a call is told without its usual scheme, and nothing else is taken for one', () => {
  expect([
    siteIn({ site: SITE }),
    siteIn({ site: 'http://10.0.0.2:8080' }),
    siteIn({ site: '' }),
    siteIn({ site: 4 }),
    siteIn({}),
  ]).toEqual(['query.lanting.dev', 'http://10.0.0.2:8080', null, null, null]);
  expect(shownSite('https://a.dev')).toBe('a.dev');
});

describe('An answer', () => {
  const window: ScreenView = { ...VIEW, app: 'Zed', title: 'cart.rs', page: undefined, window: 7 };

  test('goes into the page that the user came from, by its companion', () => {
    expect(insertTarget({ ...VIEW, page: PAGE, window: 7 }, PAGE)).toEqual({ to: 'page' });
    expect(insertTarget(null, PAGE)).toEqual({ to: 'page' });
  });

  test('goes into the window that the user came from, whatever page a browser elsewhere shows', () => {
    expect(insertTarget(window, PAGE)).toEqual({ to: 'window', window: 7, name: 'cart.rs' });
    expect(insertTarget({ ...window, title: '' }, undefined)).toEqual({ to: 'window', window: 7, name: 'Zed' });
  });

  test('goes nowhere where nothing was in front, and the program says why where no window is told of', () => {
    expect(insertTarget(null, undefined)).toBeNull();
    expect(insertTarget('unseen', undefined)).toEqual({ to: 'window', window: 0, name: '' });
    expect(insertTarget('unseen', PAGE)).toEqual({ to: 'page' });
  });
});
