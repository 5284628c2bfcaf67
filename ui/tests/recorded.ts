/** Keeps a run's events as the store would, so that tests can read the session back. */
import type { CallRecord } from '../src/bindings/CallRecord';
import type { RunEvent } from '../src/bindings/RunEvent';
import type { RunSummary } from '../src/bindings/RunSummary';
import type { Segment } from '../src/bindings/Segment';
import type { SessionDetail } from '../src/bindings/SessionDetail';
import { summary, type Play } from '../src/backend/scenes/play';

export function eventsIn(plays: Play[]): RunEvent[] {
  return plays.flatMap(({ reply }) => (reply.reply === 'event' ? [reply.event] : []));
}

export function recorded(session: string, events: RunEvent[]): SessionDetail {
  const segments: Segment[] = [];
  const calls: CallRecord[] = [];
  const withdrawn = new Set<number>();
  const run: RunSummary = { id: '', status: null, reason: null, usage: { input: 0, cached: 0, output: 0, model_calls: 0 }, offline: false, waiting: [], seq: 0 };
  for (const event of events) {
    run.seq = event.seq;
    if (event.type === 'run_started') Object.assign(run, { id: event.run, offline: event.offline });
    if (event.type === 'segment') {
      segments.push({ id: segments.length + 1, run: event.run, kind: event.kind, text: event.text, exec: event.exec, round: 1, tainted: false, failed: false, time: event.time });
    }
    if (event.type === 'standing') {
      const { id } = segments.findLast((segment) => segment.kind === 'Express' && segment.exec === null) ?? { id: 0 };
      if (event.stands) withdrawn.delete(id);
      else withdrawn.add(id);
    }
    if (event.type === 'awaiting' && event.wait !== null) run.awaiting = event.wait;
    if (event.type === 'approval_needed' || event.type === 'question') run.waiting.push({ event });
    if (event.type === 'output') Object.assign(segments.findLast((segment) => segment.kind === 'Output' && segment.exec === event.exec) ?? {}, { failed: !event.ok });
    if (event.type === 'run_ended') {
      const error = event.error === undefined ? {} : { error: event.error };
      Object.assign(run, { status: event.status, reason: event.reason ?? null, usage: event.usage, ...error });
    }
    keepCall(calls, event);
    if (event.type === 'decided') run.waiting = run.waiting.filter((card) => 'call' in card.event && card.event.call !== event.call);
  }
  return { summary: summary(session, '', events[0]?.time ?? '', 1), segments, withdrawn: [...withdrawn], calls, runs: [run], variables: {} };
}

function keepCall(calls: CallRecord[], event: RunEvent): void {
  if (event.type === 'call') {
    const { call: id, exec, toolkit, method, args, line } = event;
    const state = toolkit === 'user' && method === 'ask' ? 'question' : 'intended';
    calls.push({ run: event.run, call: { id, exec, toolkit, method, args, line }, class: 'read', state, grounds: [], outcome: null, answered: null, started: event.time, ended: null });
  }
  const known = calls.find((call) => 'call' in event && call.call.id === event.call);
  if (known === undefined) return;
  if (event.type === 'approval_needed') known.state = 'approval';
  if (event.type === 'call_done' && known.state !== 'refused') {
    const error = event.ok ? null : { kind: 'ValueError', message: event.summary };
    Object.assign(known, { state: 'done', grounds: event.grounds ?? [], ended: event.time, outcome: { data: known.outcome?.data ?? null, error, summary: event.summary, untrusted: false } });
  }
  if (event.type !== 'decided') return;
  if (event.approved) known.outcome = { data: event.reason, error: null, summary: '', untrusted: false };
  else {
    const message = event.reason === null ? 'The user refused this call' : `The user refused this call: ${event.reason}`;
    Object.assign(known, { state: 'refused', ended: event.time, outcome: { data: null, error: { kind: 'PermissionError', message }, summary: message, untrusted: false } });
  }
}
