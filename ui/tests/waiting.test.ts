/** What the steps of a workflow ask is decided where the workflow was called. */
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../src/bindings/RunEvent';
import type { RunEventKind } from '../src/bindings/RunEventKind';
import { apply, emptyConversation, waitingCards } from '../src/conversation/conversation';
import { ownCards, restsWithWorkflow, workflowCalls } from '../src/conversation/view';
import { showing, withCardsOfSteps } from '../src/conversation/waiting';

const USAGE = { input: 0, cached: 0, output: 0, model_calls: 0 };

function eventOf(run: string, seq: number, kind: RunEventKind): RunEvent {
  return { ...kind, run, seq, time: '2026-11-27T10:00:00Z' };
}

const CALLED: RunEventKind[] = [
  { type: 'run_started', session: 's', assistant: 'shidi', models: [], offline: false },
  { type: 'segment', kind: 'User', text: '/refund 7', exec: null },
  { type: 'code', exec: 1, program: 'result = await workflows.refund()' },
  { type: 'call', exec: 1, call: 1, toolkit: 'workflows', method: 'refund', args: {}, line: 1 },
  { type: 'run_ended', status: 'suspended', reason: 'A workflow waits for you', usage: USAGE, ms: 1 },
];
const RESTING = CALLED.map((kind, at) => eventOf('task', at + 1, kind)).reduce(apply, emptyConversation('s'));
/** The step's call has the number that the caller's has. */
const ASKED = eventOf('step', 4, { type: 'question', call: 1, text: 'Pay back 30?', fields: null });
const SHOWN = withCardsOfSteps(RESTING, 'task', [ASKED]);

describe('what a step of a workflow asks', () => {
  test('is a card of the turn that called, and none of its own', () => {
    const [turn] = SHOWN.turns;
    expect(waitingCards(SHOWN).map(({ run, call }) => [run, call])).toEqual([['step', 1]]);
    expect(turn && [ownCards(turn).length, restsWithWorkflow(turn), workflowCalls(turn)]).toEqual([0, true, [1]]);
  });

  test('is gone once it was decided, wherever that was', () => {
    expect(showing(SHOWN, 'step', 1)?.run).toBe('task');
    const decided = apply(SHOWN, eventOf('step', 5, { type: 'decided', call: 1, approved: true, reason: 'yes' }));
    expect(waitingCards(decided)).toEqual([]);
    expect(decided.turns[0]?.pieces).toEqual(SHOWN.turns[0]?.pieces);
  });

  test('stays when another call of that number is decided', () => {
    for (const run of ['task', 'another']) {
      const decided = apply(SHOWN, eventOf(run, 9, { type: 'decided', call: 1, approved: true, reason: null }));
      expect(waitingCards(decided).length).toBe(1);
    }
  });

  test('makes room for what is asked next', () => {
    const next = eventOf('step', 8, { type: 'question', call: 2, text: 'Tell the customer?', fields: null });
    const after = withCardsOfSteps(SHOWN, 'task', [next]);
    expect(waitingCards(after).map(({ call }) => call)).toEqual([2]);
  });
});

test('a card goes with its call where whoever asked waits no longer', () => {
  const call = 1 << 30;
  const asked: RunEventKind[] = [
    ...CALLED.slice(0, 3),
    { type: 'call', exec: 1, call, toolkit: 'user', method: 'elicit', args: {}, line: 1 },
    { type: 'question', call, text: 'How many come?', fields: null },
  ];
  const waiting = asked.map((kind, at) => eventOf('task', at + 1, kind)).reduce(apply, emptyConversation('s'));
  expect(waitingCards(waiting).length).toBe(1);
  const ended: RunEventKind = { type: 'call_done', call, ok: false, summary: 'The server waits no longer', ms: 9 };
  expect(waitingCards(apply(waiting, eventOf('task', 9, ended)))).toEqual([]);
});
