/** What is said while a model is waited for, live and in a session that is opened meanwhile. */
import { expect, test } from 'vitest';
import { awaited } from '../src/conversation/wait';
import { limited, reads } from '../src/backend/scenes/waiting';
import { apply, conversationOf, emptyConversation, isWorking, sent } from '../src/conversation/conversation';
import { eventsIn, recorded } from './recorded';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const limit = {
  on: 'provider',
  reason: 'rate_limited',
  provider: 'DashScope',
  detail: '429 slow down',
  until: '2026-11-23T10:00:17Z',
} as const;

const live = (plays: ReturnType<typeof limited>) =>
  eventsIn(plays).reduce(apply, sent(emptyConversation(null), { text: '', files: [], along: [] }));

test('a provider that lets wait is named with its reason and what is left of the time', () => {
  expect(awaited('en', limit, 0, NOW)).toBe('DashScope limits how often it is asked. Asking again in 17 s');
  expect(awaited('zh', limit, 9, NOW + 10_000)).toBe('DashScope 限制提问次数，7 秒后再问');
});

test('what is over at once is not told, and nothing is told before two seconds but a longer wait', () => {
  expect(awaited('en', { ...limit, until: '2026-11-23T10:00:00.300Z' }, 0, NOW)).toBeNull();
  expect(awaited('en', null, 1, NOW)).toBeNull();
  expect(awaited('en', null, 2, NOW)).toBe('Waiting for the model to read the prompt');
  expect(awaited('zh', { on: 'prompt', read: 2048, total: 4096 }, 0, NOW)).toBe('模型在读问题：50%，共 4.1k tokens');
});

test('a wait is over with the next word of it, and with the run', () => {
  const view = live(limited('en', 's'));
  expect(view.turns[0]?.awaits).toMatchObject({ on: 'provider', reason: 'rate_limited' });
  const next = { run: 'run-1', seq: 99, time: '2026-11-23T10:00:17Z' };
  expect(apply(view, { type: 'awaiting', wait: null, ...next }).turns[0]?.awaits).toBeNull();
  const usage = { input: 0, cached: 0, output: 0, model_calls: 0 };
  expect(apply(view, { type: 'run_ended', status: 'cancelled', usage, ms: 1, ...next }).turns[0]?.awaits).toBeNull();
});

test('a session that is opened while its model is waited for is at work and shows for what', () => {
  const events = eventsIn(reads('en', 's'));
  const view = conversationOf(recorded('s', events));
  expect(isWorking(view)).toBe(true);
  expect(view.turns[0]?.awaits).toEqual({ on: 'prompt', read: 2048, total: 4870 });
});
