/** What becomes of calls: run once, no result lost, whatever the order of events. */
import { expect, test } from 'vitest';
import { CLOSED, CLOSED_MEANWHILE, KEPT_MAX_BYTES, OPEN_MAX, OVER_MAX, step } from '../../companion/calls.js';

type Ledger = Parameters<typeof step>[0];
type Event = Parameters<typeof step>[1];
type Action = ReturnType<typeof step>['actions'][number];

const PLACE = { tab: 7, document: 'd1', site: 'https://a.example' };

const call = (id: string, open: typeof PLACE | null = PLACE): Event => ({
  event: 'call',
  message: { type: 'call', call: id, ...PLACE, tool: 'edit_script', arguments: {} },
  open,
});
const returned = (id: string, value: unknown = 'done', document = 'd1'): Event => ({
  event: 'returned',
  call: id,
  tab: 7,
  document,
  value,
});
const about = (type: 'again' | 'cancel' | 'settled', id: string): Event => ({
  event: 'about',
  message: type === 'again' ? { type, call: id, place: null } : { type, call: id },
  open: null,
});

/** Plays events in order; returns the actions of the last one. */
function after(...events: Event[]): Action[] {
  let ledger: Ledger = new Map();
  let actions: Action[] = [];
  for (const event of events) ({ ledger, actions } = step(ledger, event));
  return actions;
}

/** What Shidi is sent. */
const sent = (actions: Action[]) => actions.flatMap((action) => (action.action === 'send' ? [action.message] : []));
const names = (actions: Action[]) => actions.map(({ action }) => action);

test('a call is written down before it runs', () => {
  expect(names(after(call('c')))).toEqual(['keep', 'run']);
});

test('a call that is known does not run again', () => {
  expect(after(call('c'), call('c'))).toEqual([]);
  expect(sent(after(call('c'), returned('c'), call('c')))).toEqual([{ type: 'returned', call: 'c', value: 'done' }]);
  expect(names(after(call('c'), returned('c'), about('settled', 'c'), call('c')))).toEqual(['send']);
  expect(names(after(call('c'), about('cancel', 'c'), call('c')))).toEqual(['send']);
});

test('a call of a page that is not open any more fails and does not run', () => {
  for (const open of [null, { ...PLACE, document: 'd2' }, { ...PLACE, site: 'https://b.example' }]) {
    const actions = after(call('c', open));
    expect(names(actions)).toEqual(['keep', 'send']);
    expect(sent(actions)).toEqual([{ type: 'failed', call: 'c', message: CLOSED }]);
  }
});

test('a result stays known until it was settled', () => {
  const events = [call('c'), returned('c')];
  const answer = { type: 'returned', call: 'c', value: 'done' };
  expect(sent(after(...events, about('again', 'c')))).toEqual([answer]);
  expect(sent(after(...events, { event: 'welcome' }))).toEqual([answer]);
  expect(sent(after(...events, about('settled', 'c'), about('again', 'c')))).toEqual([{ type: 'unknown', call: 'c' }]);
  expect(sent(after(...events, about('settled', 'c'), { event: 'welcome' }))).toEqual([]);
});

test('nothing is said of a call that still runs', () => {
  expect(after(call('c'), about('again', 'c'))).toEqual([]);
  expect(after(call('c'), about('settled', 'c'))).toEqual([]);
});

test('Shidi is told what still runs when it is back: it may not wait for it any more', () => {
  expect(sent(after(call('c'), call('d'), about('cancel', 'd'), { event: 'welcome' }))).toEqual([
    { type: 'running', call: 'c' },
  ]);
});

test('a call that nobody knows is unknown', () => {
  expect(sent(after(about('again', 'c')))).toEqual([{ type: 'unknown', call: 'c' }]);
});

test('a call that nobody knows has failed where its page is gone too: it may have run before', () => {
  const again = (open: typeof PLACE | null): Event => ({
    event: 'about',
    message: { type: 'again', call: 'c', place: PLACE },
    open,
  });
  expect(sent(after(again(PLACE)))).toEqual([{ type: 'unknown', call: 'c' }]);
  expect(sent(after(again(null)))).toEqual([{ type: 'failed', call: 'c', message: CLOSED_MEANWHILE }]);
  expect(sent(after(again({ ...PLACE, document: 'd2' })))).toEqual([
    { type: 'failed', call: 'c', message: CLOSED_MEANWHILE },
  ]);
  expect(sent(after(call('c'), again(null)))).toEqual([]);
  expect(sent(after(call('c'), returned('c'), again(null)))).toEqual([{ type: 'returned', call: 'c', value: 'done' }]);
});

test('a document that goes fails what ran in it, and keeps what it had answered', () => {
  const gone: Event = { event: 'gone', tab: 7, document: 'd1' };
  expect(sent(after(call('c'), gone))).toEqual([{ type: 'failed', call: 'c', message: CLOSED_MEANWHILE }]);
  expect(sent(after(call('c'), { ...gone, document: 'd2' }))).toEqual([]);
  expect(sent(after(call('c'), returned('c'), gone, about('again', 'c')))).toEqual([
    { type: 'returned', call: 'c', value: 'done' },
  ]);
});

test('only the document that was asked can answer, and once', () => {
  expect(after(call('c'), returned('c', 'forged', 'd2'))).toEqual([]);
  expect(after(call('c'), returned('c', 'first'), returned('c', 'second'))).toEqual([]);
  expect(after(returned('c'))).toEqual([]);
});

test('a call that was cancelled is aborted, and its answer is dropped', () => {
  expect(names(after(call('c'), about('cancel', 'c')))).toEqual(['keep', 'abort']);
  expect(after(call('c'), about('cancel', 'c'), returned('c'))).toEqual([]);
});

test('what never reached its page has failed, and says that nothing was done', () => {
  const known = (calls: string[], asked = ['c']): Event => ({ event: 'known', tab: 7, document: 'd1', asked, calls });
  expect(after(call('c'), known(['c']))).toEqual([]);
  // One that was given while the page had not answered comes to it afterwards.
  expect(after(call('c'), known([], []))).toEqual([]);
  expect(sent(after(call('c'), known([])))).toEqual([
    expect.objectContaining({ type: 'failed', message: expect.stringContaining('nothing was done') }),
  ]);
});

test('a result that is too long or too deep has failed', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200; level += 1) deep = [deep];
  for (const value of ['x'.repeat(1_000_001), deep]) {
    expect(sent(after(call('c'), returned('c', value)))).toEqual([
      expect.objectContaining({ type: 'failed', message: expect.stringMatching(/too (long|deep)/) }),
    ]);
  }
});

test('calls, results and what is remembered of them are bounded', () => {
  let ledger: Ledger = new Map();
  const play = (event: Event) => {
    const next = step(ledger, event);
    ({ ledger } = next);
    return next.actions;
  };
  for (let i = 0; i < OPEN_MAX; i += 1) play(call(`open ${i}`));
  expect(sent(play(call('one more')))).toEqual([expect.objectContaining({ type: 'failed' })]);
  for (let i = 0; i < OPEN_MAX; i += 1) play(returned(`open ${i}`, 'x'.repeat(900_000)));
  const bytes = [...ledger.values()].reduce(
    (sum, entry) => sum + (entry.state === 'answered' ? JSON.stringify(entry.answer).length : 0),
    0,
  );
  expect(bytes).toBeLessThan(KEPT_MAX_BYTES + 20_000);
  for (let i = 0; i < OPEN_MAX; i += 1) play(about('settled', `open ${i}`));
  for (let i = 0; i < 2 * OVER_MAX; i += 1) {
    play(call(`over ${i}`));
    play(about('cancel', `over ${i}`));
  }
  expect(ledger.size).toBe(OVER_MAX);
});

/** A small generator that starts anew from a seed, so that a failure can be seen again. */
function dice(seed: number): (sides: number) => number {
  let state = seed + 1;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Plays one random life: Shidi, the worker and the page may each end at any time, and each message may come twice. */
function live(seed: number): void {
  const roll = dice(seed);
  let ledger: Ledger = new Map();
  let kept = new Map<string, string>();
  let document = 1;
  const ran = new Map<string, number>();
  const answered = new Map<string, unknown>();
  const ended = new Set<string>();
  const ids = ['a', 'b', 'c', 'd'];

  const play = (event: Event): Action[] => {
    const next = step(ledger, event);
    ({ ledger } = next);
    for (const action of next.actions) {
      if (action.action === 'keep') kept.set(action.call, JSON.stringify(action.entry));
      if (action.action === 'drop') kept.delete(action.call);
      if (action.action === 'run') {
        expect(kept.get(action.message.call), `seed ${seed}`).toContain('running');
        ran.set(action.message.call, (ran.get(action.message.call) ?? 0) + 1);
      }
      if (action.action === 'send' && action.message.type === 'returned')
        answered.set(action.message.call, action.message.value);
    }
    return next.actions;
  };

  for (let i = 0; i < 60; i += 1) {
    const id = ids[roll(ids.length)] ?? 'a';
    const here = { ...PLACE, document: `d${document}` };
    const kind = roll(9);
    if (kind <= 1)
      play({ event: 'call', message: { type: 'call', call: id, ...here, tool: 't', arguments: {} }, open: here });
    else if (kind === 2) play(returned(id, `value ${i}`, here.document));
    else if (kind === 3) play({ event: 'failed', call: id, tab: 7, document: here.document, message: 'no' });
    else if (kind === 4) play({ event: 'gone', tab: 7, document: `d${document++}` });
    else if (kind === 5) ledger = new Map([...kept].map(([key, entry]) => [key, JSON.parse(entry)]));
    else if (kind === 6) play({ event: 'welcome' });
    else if (kind === 7) {
      const again = sent(play(about('again', id)));
      if (answered.has(id) && !ended.has(id))
        expect(again, `seed ${seed}`).toEqual([{ type: 'returned', call: id, value: answered.get(id) }]);
    } else if (roll(3) === 0) {
      const isKnown = ledger.has(id);
      const type = roll(2) === 0 ? 'settled' : 'cancel';
      const isRunning = ledger.get(id)?.state === 'running';
      play(about(type, id));
      if (isKnown && !(type === 'settled' && isRunning)) ended.add(id);
    }
  }
  for (const [id, times] of ran) expect(times, `call ${id}, seed ${seed}`).toBe(1);
}

test('in any order of events no call runs twice, and no result is lost before it was settled', () => {
  for (let seed = 0; seed < 3_000; seed += 1) live(seed);
});
