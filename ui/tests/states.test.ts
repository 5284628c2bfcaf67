/** Composer, sessions, settings and the ball's mood: what their pure states promise. */
import { describe, expect, test } from 'vitest';
import { Script } from '../src/backend/scenes/play';
import * as balls from '../src/ball/mood';
import { CHIPS_MAX, viewChip } from '../src/composer/chips';
import * as composing from '../src/composer/composer';
import * as listing from '../src/sessions/sessions';
import { summary } from '../src/backend/scenes/play';
import { configured, initialSettings, themeShown } from '../src/settings/settings';
import { eventsIn } from './recorded';

describe('composer', () => {
  const draft = composing.typed(composing.emptyComposer('risky'), 'hello');
  const key = { key: 'Enter', shift: false, control: false, alt: false, composing: false };

  test('Enter sends, Shift+Enter does not', () => {
    expect(composing.meaningOf(key, draft)).toBe('send');
    expect(composing.meaningOf({ ...key, shift: true }, draft)).toBe('none');
  });
  test('no key means anything while an input method composes', () => {
    expect(composing.meaningOf({ ...key, composing: true }, draft)).toBe('none');
  });
  test('Backspace in an empty input removes the last file and in a full one removes text', () => {
    const withFile = composing.attached(composing.emptyComposer('risky'), ['/a']);
    expect(composing.meaningOf({ ...key, key: 'Backspace' }, withFile)).toBe('remove-last');
    expect(composing.meaningOf({ ...key, key: 'Backspace' }, composing.typed(withFile, 'x'))).toBe('none');
  });
  test('a file is attached once and files are bounded', () => {
    const many = Array.from({ length: 50 }, (_, index) => `/f${index}`);
    expect(composing.attached(composing.attached(draft, ['/a']), ['/a']).chips.map((chip) => chip.id)).toEqual(['/a']);
    expect(composing.attached(draft, many).chips).toHaveLength(CHIPS_MAX);
  });
  test('a blank draft can not be sent', () => {
    expect(composing.sendable(composing.typed(draft, ' \n '))).toBe(false);
  });
  test('what is sent during a run waits, and a second one joins it', () => {
    const once = composing.queued(draft);
    const twice = composing.queued(composing.typed(once, 'and this'));
    expect(twice.queued?.text).toBe('hello\nand this');
    expect(twice.text).toBe('');
  });
  test('a returned question never overwrites a new draft', () => {
    expect(composing.kept(draft, composing.draftOf('old')).text).toBe('hello');
    expect(composing.kept(composing.emptyComposer('risky'), composing.draftOf('old')).text).toBe('old');
  });
  test('what waited for a run that failed comes back before what was typed since', () => {
    const back = composing.givenBack(draft, { text: 'and then?', chips: [] });
    expect(back.text).toBe('and then?\nhello');
    const waited = composing.typed(composing.queued(draft), 'new');
    expect(composing.resumed(waited, false)).toMatchObject({ text: 'hello\nnew', queued: null });
  });
  test('what was seen of the window is of the moment: it goes from draft to draft, and no draft keeps an older one', () => {
    const view = {
      id: 'v',
      app: 'Zed',
      title: 'error: E0502',
      width: 0,
      height: 0,
      may_be_private: false,
      blacked_out: 0,
      sent_as: 'words' as const,
      preview: '',
      tokens: 1,
      recognising: false,
      stale: false,
      pinned: false,
    };
    const front = (id: string) => viewChip({ ...view, id }, 'front', 'Zed');
    const here = composing.chipped(composing.emptyComposer('risky'), [front('new')]);
    const there = composing.chipped(draft, [front('old'), ...composing.attached(draft, ['/a']).chips]);
    const ids = (one: composing.Composer) => one.chips.map((chip) => chip.id);
    expect(composing.turned(here, composing.emptyComposer('risky'))).toMatchObject({
      chips: here.chips,
      ghosts: here.ghosts,
    });
    expect(ids(composing.turned(here, there))).toEqual([front('new').id, '/a']);
    expect(ids(composing.turned(composing.emptyComposer('risky'), there))).toEqual(['/a']);
    expect(composing.turned(composing.ghostDropped(here), composing.emptyComposer('risky')).ghosts).toBe('dropped');
  });
  test('it rests while a card has the focus, whatever runs', () => {
    expect(composing.formOf(true, true)).toBe('resting');
    expect(composing.formOf(true, false)).toBe('running');
    expect(composing.formOf(false, false)).toBe('full');
  });
});

describe('sessions', () => {
  const rows = ['a', 'b', 'c'].map((id) => summary(id, id, '2026-11-20T00:00:00Z', 1));
  const list = listing.listed(listing.noSessions(), rows);

  test('nobody is selected unasked but what was searched for, and the selection stops at the ends', () => {
    expect(list.selected).toBeNull();
    expect(listing.moved(list, 1).selected).toBe('a');
    expect(listing.moved(list, -1).selected).toBe('a');
    expect(listing.moved(list, 9).selected).toBe('c');
    expect(listing.listed(listing.queried(listing.noSessions(), 'a'), rows).selected).toBe('a');
    expect(listing.listed(listing.selected(list, 'gone'), rows).selected).toBeNull();
  });
  test('a deleted session is out of sight at once and comes back when undone', () => {
    const gone = listing.deleted(list, 'b');
    expect(listing.shown(gone).map((session) => session.id)).toEqual(['a', 'c']);
    expect(gone.selected).toBe('c');
    expect(listing.shown(listing.undone(gone))).toHaveLength(3);
    expect(listing.left(gone).all.map((session) => session.id)).toEqual(['a', 'c']);
  });
  test('a new title is one line, shown at once, and nothing typed leaves the old one', () => {
    const writing = listing.renaming(list, 'b');
    expect(writing).toMatchObject({ renaming: 'b', selected: 'b' });
    expect(listing.titled(writing, ' The  move\n to Munich ')).toEqual({ session: 'b', title: 'The move to Munich' });
    const given = listing.renamed(writing, ' The  move\n to Munich ');
    expect(given.renaming).toBeNull();
    expect(listing.shown(given).map((session) => session.title)).toEqual(['a', 'The move to Munich', 'c']);
    for (const typed of [null, '  ', 'b']) {
      expect(listing.titled(writing, typed).title).toBeNull();
      expect(listing.renamed(writing, typed).all).toBe(list.all);
    }
    expect(listing.renaming(list, 'gone').renaming).toBeNull();
  });
  test('a list that arrives while one leaves does not bring it back', () => {
    expect(listing.shown(listing.listed(listing.deleted(list, 'b'), rows)).map((session) => session.id)).toEqual([
      'a',
      'c',
    ]);
  });
});

describe('settings', () => {
  const none = { zh: '', en: '' };
  const entry = (key: string, value: string) => ({
    key,
    value,
    default: false,
    doc: '',
    kind: { is: 'text' } as const,
    group: 'general' as const,
    title: none,
    about: none,
  });

  test('the language follows the system', () => {
    expect(initialSettings(['zh-TW', 'en']).language).toBe('zh');
    expect(initialSettings(['fr', 'en-GB']).language).toBe('en');
    expect(initialSettings([]).language).toBe('en');
  });
  test('what is configured wins, and "system" keeps what the system said', () => {
    const settings = configured(initialSettings(['zh']), [
      entry('language', 'system'),
      entry('theme', 'dark'),
      entry('mode', 'trust'),
    ]);
    expect(settings).toMatchObject({ language: 'zh', theme: 'dark', mode: 'trust' });
  });
  test('without a provider or an address the offline planner answers', () => {
    expect(configured(initialSettings([]), [entry('model', 'qwen3')]).model).toBeNull();
    expect(configured(initialSettings([]), [entry('provider', 'ollama')]).model).toBe('ollama');
    expect(configured(initialSettings([]), [entry('provider', 'ollama'), entry('model', 'qwen3')]).model).toBe('qwen3');
  });
  test('a picked theme wins over the system', () => {
    expect(themeShown('system', true)).toBe('dark');
    expect(themeShown('light', true)).toBe('light');
  });
});

describe('ball', () => {
  const after = (script: Script) => eventsIn(script.plays).reduce(balls.apply, balls.idleBall());
  const working = () => new Script('s', 'r').start('q');
  const waiting = () => working().approval('shell.run', {}, 1, 'execute', '').ends('suspended');

  test('it thinks while a run works and rests after it', () => {
    expect(balls.moodOf(after(working()))).toBe('thinking');
    expect(balls.moodOf(after(working().ends('completed')))).toBe('idle');
  });
  test('it needs you while a card waits, and counts them', () => {
    const view = after(waiting());
    expect(balls.moodOf(view)).toBe('needs');
    expect(balls.waitingCount(view)).toBe(1);
  });
  test('moods win in their order', () => {
    const failed = eventsIn(new Script('s', 'other').start('q').ends('failed').plays);
    const all = {
      ...failed.reduce(balls.apply, after(waiting())),
      dropping: true,
      looking: true,
      suggests: true,
      paused: true,
    };
    expect(balls.moodOf(all)).toBe('dropping');
    expect(balls.moodOf({ ...all, dropping: false })).toBe('needs');
    const cards = { ...failed.reduce(balls.apply, after(working())), looking: true };
    expect(balls.moodOf(cards)).toBe('error');
    expect(balls.moodOf(balls.seen(cards))).toBe('thinking');
    expect(balls.moodOf({ ...balls.idleBall(), looking: true, suggests: true, paused: true })).toBe('looking');
    expect(balls.moodOf({ ...balls.idleBall(), suggests: true, paused: true })).toBe('suggests');
    expect(balls.moodOf({ ...balls.idleBall(), paused: true })).toBe('paused');
  });
  test('known progress never runs backwards', () => {
    const items = (done: number, all: number) =>
      Array.from({ length: all }, (_, index) => ({
        text: '',
        state: index < done ? ('completed' as const) : ('pending' as const),
      }));
    const view = after(
      working()
        .add({ type: 'todo', items: items(2, 4) })
        .add({ type: 'todo', items: items(2, 8) }),
    );
    expect(balls.progressOf(view)).toBe(0.5);
    expect(balls.progressOf(after(working()))).toBeNull();
  });
});
