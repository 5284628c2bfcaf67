/** Sub-agents in the panel: their wait is told where the task is, their answers are no news. */
import { describe, expect, test } from 'vitest';
import { activityOf, apply as active, noActivities, waitingFor } from '../src/sessions/activity';
import type { RunEvent } from '../src/bindings/RunEvent';
import type { RunEventKind } from '../src/bindings/RunEventKind';
import { apply, emptyConversation } from '../src/conversation/conversation';
import { restsWithAgents } from '../src/conversation/view';

const USAGE = { input: 0, cached: 0, output: 0, model_calls: 0 };

function events(run: string, kinds: RunEventKind[]): RunEvent[] {
  return kinds.map((kind, index) => ({ ...kind, run, seq: index + 1, time: '2026-11-22T10:00:00Z' }));
}

const TASK = events('task', [
  { type: 'run_started', session: 's', assistant: 'shidi', models: [], offline: false },
  { type: 'segment', kind: 'User', text: 'how long is it?', exec: null },
  { type: 'code', exec: 1, program: 'await agents.run("measure")' },
  { type: 'call', exec: 1, call: 1, toolkit: 'agents', method: 'run', args: { task: 'measure' }, line: 1 },
]);
const RESTS: RunEventKind = {
  type: 'run_ended',
  status: 'suspended',
  reason: 'A sub-agent waits for you to decide',
  usage: USAGE,
  ms: 1,
};
const AGENT = events('agent', [
  { type: 'run_started', session: 'of-agent', assistant: 'shidi', models: [], offline: false, under: 'task' },
  {
    type: 'approval_needed',
    call: 1,
    tool: 'files.read',
    args: {},
    class: 'read_outside',
    origin: [],
    family: 'files.read',
  },
]);

describe('a sub-agent', () => {
  test('that waits is told as such where the task is, and an interruption is not', () => {
    const turn = (reason: string | undefined) => {
      const ended: RunEvent = {
        ...RESTS,
        ...(reason === undefined ? { reason: undefined } : {}),
        run: 'task',
        seq: 9,
        time: '2026-11-22T10:00:01Z',
      } as RunEvent;
      return [...TASK, ended].reduce(apply, emptyConversation('s')).turns[0];
    };
    const [resting, interrupted] = [turn('waits'), turn(undefined)];
    expect(resting !== undefined && restsWithAgents(resting)).toBe(true);
    expect(interrupted !== undefined && restsWithAgents(interrupted)).toBe(false);
  });

  test('is found by the task that it works for, as long as it waits', () => {
    const waiting = AGENT.reduce(active, noActivities);
    expect(waitingFor(waiting, 'task')).toBe('of-agent');
    expect(waitingFor(waiting, 'another')).toBeNull();
    const [decided] = events('agent', [{ type: 'decided', call: 1, approved: true, reason: null }]);
    expect(decided && waitingFor(active(waiting, decided), 'task')).toBeNull();
  });

  test('that answered is no news of its own', () => {
    const [ended] = events('agent', [{ type: 'run_ended', status: 'completed', usage: USAGE, ms: 1 }]);
    const after = ended === undefined ? noActivities : active(AGENT.reduce(active, noActivities), ended);
    expect(activityOf(after, 'of-agent')).toBeNull();
  });
});
