/** How a browser is let in, turned away and let in again. */
import { expect, test } from 'vitest';
import { pauseMs, PAUSE_MAX_MS, restored, step, type Event, type State } from '../../companion/pairing.js';

function play(state: State, ...events: Event[]) {
  let actions: ReturnType<typeof step>['actions'] = [];
  for (const event of events) ({ state, actions } = step(state, event));
  return { state, actions };
}

const opened: Event = { event: 'opened' };
const closed: Event = { event: 'closed' };
const connect: Event = { event: 'connect' };
const asks: Event = { event: 'said', message: { type: 'pair', code: '482913' } };
const paired: Event = { event: 'said', message: { type: 'paired', token: 't' } };
const welcome: Event = { event: 'said', message: { type: 'welcome' } };
const refused = (reason: 'version' | 'declined' | 'forgotten'): Event => ({
  event: 'said',
  message: { type: 'refused', reason },
});

test('a browser says hello first, with its token where it has one', () => {
  expect(play(restored({}), opened).actions).toEqual([{ action: 'hello', token: null }]);
  expect(play(restored({ token: 't' }), opened).actions).toEqual([{ action: 'hello', token: 't' }]);
});

test('the code waits until the token comes, and the token is kept before anything is told', () => {
  expect(play(restored({}), opened, asks).state).toMatchObject({ phase: 'asking', code: '482913' });
  expect(play(restored({}), opened, asks, paired).actions).toEqual([{ action: 'keep', token: 't', refused: null }]);
  expect(play(restored({}), opened, asks, paired).state.phase).toBe('calling');
  expect(play(restored({}), opened, asks, paired, welcome)).toMatchObject({
    state: { phase: 'in', token: 't' },
    actions: [{ action: 'enter' }],
  });
});

test('a browser that was turned away stays silent, also after a restart, until a person presses Connect', () => {
  for (const reason of ['version', 'declined', 'forgotten'] as const) {
    const { state, actions } = play(restored({ token: 't' }), opened, refused(reason));
    const token = reason === 'forgotten' ? null : 't';
    expect(actions).toEqual([{ action: 'keep', token, refused: reason }, { action: 'close' }]);
    expect(play(state, closed).state.phase).toBe('refused');
    expect(restored({ token, refused: reason })).toMatchObject({ phase: 'refused', reason });
    expect(play(state, connect)).toMatchObject({
      state: { phase: 'calling' },
      actions: [{ action: 'keep', refused: null }],
    });
  }
});

test('a person can forget the pairing, and it is forgotten here at once', () => {
  const { state, actions } = play(restored({ token: 't' }), opened, welcome, { event: 'forget' });
  expect(state).toMatchObject({ phase: 'refused', reason: 'forgotten', token: null });
  expect(actions).toEqual([{ action: 'keep', token: null, refused: 'forgotten' }, { action: 'close' }]);
});

test('pauses between attempts grow from one second to half a minute, and start anew after an answer', () => {
  let state = restored({});
  const pauses = Array.from({ length: 8 }, () => {
    ({ state } = play(state, opened, closed));
    return pauseMs(state);
  });
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, PAUSE_MAX_MS, PAUSE_MAX_MS, PAUSE_MAX_MS]);
  expect(pauseMs(play(state, opened, asks, closed).state)).toBe(1_000);
});

test('while nobody answers, a new attempt does not change what the person reads', () => {
  expect(play(restored({}), opened, closed, opened).state.phase).toBe('away');
});

test('a host program that waits for Shidi in silence counts as away, and only until Shidi speaks', () => {
  const silent: Event = { event: 'silent' };
  const { state } = play(restored({ token: 't' }), opened, silent);
  expect(state).toEqual({ phase: 'away', token: 't', failures: 0 });
  expect(play(state, welcome).state.phase).toBe('in');
  expect(play(state, welcome, silent).state.phase).toBe('in');
});

test('what is kept wrongly counts as nothing', () => {
  expect(restored({ token: 5, refused: 'x' })).toEqual({ phase: 'calling', token: null, failures: 0 });
});
