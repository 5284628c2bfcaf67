/** Keeps a run's events as the runtime does, so that tests can read the session back. What it tells of them is tested there. */
import type { RunEvent } from '../src/bindings/RunEvent';
import type { RunSummary } from '../src/bindings/RunSummary';
import type { SessionDetail } from '../src/bindings/SessionDetail';
import { summary, type Play } from '../src/backend/scenes/play';

/** What no record keeps, or keeps as a segment. */
const LIVE_ONLY: readonly RunEvent['type'][] = [
  'delta',
  'retracted',
  'code',
  'answer',
  'notification',
  'context',
  'recalled',
  'variables',
];

export function eventsIn(plays: Play[]): RunEvent[] {
  return plays.flatMap(({ reply }) => (reply.reply === 'event' ? [reply.event] : []));
}

/** The session of one run; a run without an end is at work, or the program ended under it. */
export function recorded(session: string, events: RunEvent[], unended: 'works' | 'rests' = 'rests'): SessionDetail {
  const usage = { input: 0, cached: 0, output: 0, model_calls: 0 };
  const run: RunSummary = {
    id: events[0]?.run ?? '',
    status: null,
    reason: null,
    usage,
    offline: false,
    waiting: [],
    seq: events.at(-1)?.seq ?? 0,
  };
  const kept = events
    .filter((event) => !LIVE_ONLY.includes(event.type))
    .map((event): RunEvent => (event.type === 'output' ? { ...event, stdout: '' } : event));
  const last = events.at(-1);
  const isOpen = last !== undefined && !events.some((event) => event.type === 'run_ended' || event.type === 'awaiting');
  if (isOpen && unended === 'rests')
    kept.push({
      type: 'run_ended',
      status: 'suspended',
      usage,
      ms: 0,
      run: run.id,
      seq: last.seq + 1,
      time: last.time,
    });
  return {
    summary: summary(session, '', events[0]?.time ?? '', 1),
    segments: [],
    calls: [],
    runs: [run],
    events: kept,
    variables: {},
  };
}
