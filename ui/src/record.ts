/**
 * Reads a stored session back: the record as the events that wrote it, folded by `conversation.ts`.
 *
 * Invents nothing: what the record does not keep (streamed deltas) is absent.
 */
import { ASKING } from './asking';
import type { CallRecord } from './bindings/CallRecord';
import type { RunEvent } from './bindings/RunEvent';
import type { RunEventKind } from './bindings/RunEventKind';
import type { RunId } from './bindings/RunId';
import type { RunSummary } from './bindings/RunSummary';
import type { Segment } from './bindings/Segment';
import type { SessionDetail } from './bindings/SessionDetail';
import { progressOf } from './cards';
import { apply, emptyConversation } from './conversation';
import type { Conversation } from './view';

/** What the interpreter asks of its host is recorded for the replay and shown to nobody. */
const HOST = 'host';

/**
 * The view of a stored session; events newer than the record may be applied to it.
 *
 * A run without a status is at work if it is among `alive`; else the program ended under it, and it can go on.
 */
export function conversationOf(detail: SessionDetail, alive: ReadonlySet<RunId>): Conversation {
  const view = eventsOf(detail, alive).reduce(apply, emptyConversation(detail.summary.id));
  const runs = new Map(detail.runs.map((run) => [run.id, run]));
  return { ...view, turns: view.turns.map((turn) => ({ ...turn, seq: runs.get(turn.run)?.seq ?? turn.seq, versions: runs.get(turn.run)?.versions ?? [] })) };
}

function eventsOf(detail: SessionDetail, alive: ReadonlySet<RunId>): RunEvent[] {
  return detail.runs.map((run) => restingUnless(alive, run)).flatMap((run) => {
    const segments = detail.segments.filter((segment) => segment.run === run.id);
    const calls = detail.calls.filter((record) => record.run === run.id);
    return eventsOfRun(detail, run, segments, calls);
  });
}

function restingUnless(alive: ReadonlySet<RunId>, run: RunSummary): RunSummary {
  return run.status === null && run.awaiting === undefined && !alive.has(run.id) ? { ...run, status: 'suspended' } : run;
}

function eventsOfRun(detail: SessionDetail, run: RunSummary, segments: Segment[], calls: CallRecord[]): RunEvent[] {
  const events: RunEvent[] = [];
  const started = segments[0]?.time ?? detail.summary.created;
  const add = (kind: RunEventKind, time: string) => events.push({ ...kind, run: run.id, seq: events.length + 1, time });
  add({ type: 'run_started', session: detail.summary.id, assistant: '', models: [], offline: run.offline }, started);
  let latest = started;
  let told: { kind: RunEventKind; time: string }[] = [];
  /** What was answered, and how far a program was, comes in between what it showed. */
  const tell = (until: string | null) => {
    const due = told.filter(({ time }) => until === null || Date.parse(time) <= Date.parse(until));
    told = told.filter((one) => !due.includes(one));
    for (const { kind, time } of due) add(kind, time);
  };
  for (const segment of segments) {
    latest = segment.time;
    tell(segment.time);
    if (segment.kind === 'Output' && segment.exec !== null) {
      add(outputOf(segment, segments), segment.time);
    }
    add({ type: 'segment', kind: segment.kind, text: segment.text, exec: segment.exec }, segment.time);
    if (detail.withdrawn?.includes(segment.id) === true) add({ type: 'standing', stands: false }, segment.time);
    if (segment.kind !== 'Python') continue;
    for (const call of calls.filter((record) => record.call.exec === segment.exec && record.call.toolkit !== HOST)) {
      for (const kind of eventsOfCall(call)) add(kind, call.started);
      told.push(...toldByCall(call));
    }
  }
  tell(null);
  for (const card of run.waiting) add(card.event, card.event.time);
  if (run.awaiting !== undefined) add({ type: 'awaiting', wait: run.awaiting }, latest);
  if (run.status !== null) {
    const reason = run.reason === null ? {} : { reason: run.reason };
    const error = run.error === undefined ? {} : { error: run.error };
    add({ type: 'run_ended', status: run.status, usage: run.usage, ms: 0, ...reason, ...error }, latest);
  }
  return events;
}

function outputOf(segment: Segment, segments: Segment[]): RunEventKind {
  const program = segments.find((other) => other.kind === 'Python' && other.exec === segment.exec);
  const ms = program === undefined ? 0 : Date.parse(segment.time) - Date.parse(program.time);
  return { type: 'output', exec: segment.exec ?? 0, stdout: '', ok: !segment.failed, error: null, ms: Math.max(0, ms), cpu_ms: 0, memory_bytes: 0 };
}

function eventsOfCall(record: CallRecord): RunEventKind[] {
  const { id: call, exec, toolkit, method, args, line } = record.call;
  const made: RunEventKind = { type: 'call', exec, call, toolkit, method, args, line };
  const ms = record.ended === null ? 0 : Math.max(0, Date.parse(record.ended) - Date.parse(record.started));
  switch (record.state) {
    case 'approval':
    case 'question':
    case 'intended':
      return [made];
    case 'refused':
      return refusalOf(record, made, ms);
    case 'done': {
      const outcome = record.outcome;
      const done: RunEventKind = { type: 'call_done', call, ok: outcome?.error === null, summary: outcome?.summary ?? '', ms, grounds: record.grounds };
      return [made, done];
    }
  }
}

/** What a call shows at a time of its own: the answer to its card, how far a program is. */
function toldByCall(record: CallRecord): { kind: RunEventKind; time: string }[] {
  const { id: call, toolkit, method, args } = record.call;
  const { outcome, ended, started } = record;
  if (toolkit === 'user' && method === 'progress') return [{ kind: { type: 'card', ...progressOf(args) }, time: started }];
  // What a program could not have meant was never asked.
  if (!isAsking(record) || record.state !== 'done' || ended === null || outcome === null || outcome.error !== null) return [];
  const data = typeof outcome.data === 'string' ? outcome.data : JSON.stringify(outcome.data ?? null);
  const answer = method === 'ask' ? data : outcome.summary;
  return [{ kind: { type: 'question', call, text: questionOf(args) }, time: ended }, { kind: { type: 'decided', call, approved: true, reason: answer }, time: ended }];
}

/** A call that the user refused, with the reason that the program was given; or one that a rule forbids. */
function refusalOf(record: CallRecord, made: RunEventKind, ms: number): RunEventKind[] {
  const { id: call, toolkit, method, args } = record.call;
  const tool = `${toolkit}.${method}`;
  const message = record.outcome?.error?.message ?? '';
  const done: RunEventKind = { type: 'call_done', call, ok: false, summary: record.outcome?.summary ?? '', ms, grounds: record.grounds };
  const byUser = /^The user refused this call(?:: ([\s\S]*))?$/.exec(message);
  if (byUser === null) return [made, done];
  const card: RunEventKind =
    isAsking(record)
      ? { type: 'question', call, text: questionOf(args) }
      : { type: 'approval_needed', call, tool, args, class: record.class, origin: [], family: '' };
  return [made, card, { type: 'decided', call, approved: false, reason: byUser[1] ?? null }, done];
}

/** The text of a question as the program asked it. */
function questionOf(args: Record<string, unknown>): string {
  const card = args['card'];
  const text = typeof card === 'object' && card !== null ? (card as Record<string, unknown>)['text'] : args['text'];
  return typeof text === 'string' ? text : '';
}

function isAsking({ call }: CallRecord): boolean {
  return call.toolkit === 'user' && ASKING.includes(call.method);
}
