/**
 * Writes scenes: a run as the replies it would send, with its times and counts kept right.
 *
 * Used by the scripted backend alone.
 */
import type { Body } from '../../bindings/Body';
import type { Class } from '../../bindings/Class';
import type { Reply } from '../../bindings/Reply';
import type { Request } from '../../bindings/Request';
import type { RunEventKind } from '../../bindings/RunEventKind';
import type { RunStatus } from '../../bindings/RunStatus';
import type { RunSummary } from '../../bindings/RunSummary';
import type { Segment } from '../../bindings/Segment';
import type { SegmentKind } from '../../bindings/SegmentKind';
import type { SessionDetail } from '../../bindings/SessionDetail';
import type { SessionSummary } from '../../bindings/SessionSummary';
import type { UserError } from '../../bindings/UserError';

export interface Play {
  after_ms: number;
  reply: Reply;
}

export interface Scene {
  /** What the user asks in it. */
  question: string;
  answer(request: Request): Play[];
  /** What the file picker returns. */
  picked: string[];
}

/** Characters of one streamed delta: about a token. */
const DELTA_CHARACTERS = 4;

/** One run being written down. */
export class Script {
  readonly plays: Play[] = [];
  private seq = 0;
  private clock: number;
  private exec = 0;
  private call = 0;
  private offline = false;
  private status: RunStatus | null = null;

  constructor(
    private readonly session: string,
    private readonly run: string,
    started = '2026-11-20T09:41:07Z',
  ) {
    this.clock = Date.parse(started);
  }

  /** Goes on with a run whose first `seq` events are known. */
  after(seq: number): this {
    this.seq = seq;
    return this;
  }

  add(kind: RunEventKind, after_ms = 0): this {
    this.clock += after_ms;
    this.seq += 1;
    const time = new Date(this.clock).toISOString();
    this.plays.push({ after_ms, reply: { reply: 'event', event: { ...kind, run: this.run, seq: this.seq, time } } });
    return this;
  }

  start(question: string, from: 'model' | 'offline' = 'model'): this {
    this.offline = from === 'offline';
    const models = this.offline ? [] : ['qwen3-coder'];
    this.add({ type: 'run_started', session: this.session, assistant: 'shidi', models, offline: this.offline }, 8);
    return this.segment('User', question, null);
  }

  with(...files: [title: string, tokens: number][]): this {
    this.add({ type: 'context', items: files.map(([title, tokens]) => ({ source: 'file', title, tokens })) });
    for (const [title] of files)
      this.add({ type: 'segment', kind: 'Context', source: 'file', title, text: '…', untrusted: true, exec: null });
    return this;
  }

  segment(kind: PlainKind, text: string, exec: number | null, after_ms = 0): this {
    return this.add({ type: 'segment', ...plain(kind, text), exec }, after_ms);
  }

  thought(text: string, ms: number): this {
    return this.stream('Thought', text, ms).segment('Thought', text, null);
  }

  program(text: string, ms: number): this {
    this.exec += 1;
    this.stream('Python', text, ms);
    return this.segment('Python', text, this.exec).add({ type: 'code', exec: this.exec, program: text });
  }

  asksFor(tool: string, args: Record<string, unknown>, line: number, after_ms = 4): this {
    this.call += 1;
    const [toolkit = '', method = ''] = tool.split('.');
    return this.add({ type: 'call', exec: this.exec, call: this.call, toolkit, method, args, line }, after_ms);
  }

  calls(
    tool: string,
    args: Record<string, unknown>,
    line: number,
    summary: string,
    ms: number,
    ended: 'well' | 'badly' = 'well',
  ): this {
    this.asksFor(tool, args, line);
    return this.add({ type: 'call_done', call: this.call, ok: ended === 'well', summary, ms }, ms);
  }

  approval(
    tool: string,
    args: Record<string, unknown>,
    line: number,
    kind: Class,
    family: string,
    origin: [string, string][] = [],
  ): this {
    this.asksFor(tool, args, line);
    const marks = origin.map(([argument, source]) => ({ argument, source }));
    return this.add({ type: 'approval_needed', call: this.call, tool, args, class: kind, origin: marks, family }, 20);
  }

  question(text: string, fields?: unknown): this {
    return this.asks('user.ask', text, fields);
  }

  /** A card that asks, by the method that shows it. */
  asks(tool: string, text: string, fields?: unknown): this {
    this.asksFor(tool, { text }, 2);
    return this.add({ type: 'question', call: this.call, text, ...(fields === undefined ? {} : { fields }) }, 20);
  }

  prints(text: string, ms: number, ended: 'well' | 'badly' = 'well'): this {
    this.segment('Output', text, this.exec, 4);
    return this.add({
      type: 'output',
      exec: this.exec,
      stdout: text,
      ok: ended === 'well',
      error: null,
      ms,
      cpu_ms: 0,
      memory_bytes: 0,
    });
  }

  says(text: string, ms: number): this {
    return this.stream('Express', text, ms).segment('Express', text, null).add({ type: 'answer', text });
  }

  stream(kind: SegmentKind, text: string, ms: number): this {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${DELTA_CHARACTERS}}`, 'gu')) ?? [];
    for (const piece of pieces) this.add({ type: 'delta', kind, text: piece }, ms / pieces.length);
    return this;
  }

  /** The run as the store keeps it. */
  summary(): RunSummary {
    const usage = { input: 900, cached: 0, output: 40, model_calls: 1 };
    return {
      id: this.run,
      status: this.status,
      reason: null,
      usage,
      offline: this.offline,
      waiting: [],
      seq: this.seq,
    };
  }

  ends(status: RunStatus, more: { reason?: string; error?: UserError } = {}): this {
    const usage = this.offline
      ? { input: 0, cached: 0, output: 0, model_calls: 0 }
      : { input: 3120, cached: 2048, output: 214, cost: 0.002, model_calls: 2 };
    this.status = status;
    this.add({ type: 'run_ended', status, usage, ms: 6_200, ...more }, 10);
    this.plays.push({ after_ms: 0, reply: { reply: 'ended', run: this.run, status } });
    return this;
  }
}

/** Scenes that begin with nothing set up: nobody has used the program before. */
export function isFirst(scene: string): boolean {
  return scene === 'first' || scene === 'journey';
}

export function now(reply: Reply): Play[] {
  return [{ after_ms: 0, reply }];
}

export function summary(
  id: string,
  title: string,
  updated: string,
  questions: number,
  more: Partial<SessionSummary> = {},
): SessionSummary {
  return { id, title, created: updated, updated, questions, waiting: 0, ...more };
}

/** Kinds of segments that hold words and nothing else. */
export type PlainKind = Exclude<Extract<Body, { text: string }>['kind'], 'Context' | 'Summary' | 'Card' | 'Custom'>;

export function plain(kind: PlainKind, text: string): Body {
  return kind === 'Output' ? { kind, text, failed: false } : { kind, text };
}

/** A stored session: the runs as they were written down, and what the store keeps of them. */
export function sessionOf(found: SessionSummary, scripts: readonly Script[]): SessionDetail {
  const events = scripts
    .flatMap((script) => script.plays)
    .flatMap(({ reply }) => (reply.reply === 'event' ? [reply.event] : []));
  const written = events.flatMap((event) => (event.type === 'segment' ? [event] : []));
  const segments = written.map(({ type: _type, seq: _seq, ...body }, at): Segment => ({
    ...body,
    id: at + 1,
    round: 1,
    tainted: false,
  }));
  const runs = scripts.map((script) => script.summary());
  return { summary: found, segments, calls: [], runs, events, variables: {} };
}
