/**
 * One trace: its steps as rows, the axis of time, and where each step lies on it.
 *
 * Pure. Steps come in pages and again whenever they change; time for which people were waited for is cut out of the axis.
 */
import type { RunId } from '../bindings/RunId';
import type { Span } from '../bindings/Span';
import type { TraceSummary } from '../bindings/TraceSummary';

export interface Trace {
  summary: TraceSummary | null;
  spans: ReadonlyMap<number, Span>;
  /** The run that this one replayed. */
  replayOf: RunId | null;
  /** The change after which to ask on. */
  after: number;
}

export interface Row {
  span: Span;
  depth: number;
  /** Steps below it, folded away or not. */
  below: number;
  folded: boolean;
}

/** A stretch of time that is not drawn. */
interface Cut {
  from: number;
  to: number;
}

export interface Axis {
  /** The first moment, in milliseconds. */
  from: number;
  /** Milliseconds that are drawn. */
  total: number;
  cuts: readonly Cut[];
}

export interface Tick {
  /** Share of the width, 0 to 1. */
  at: number;
  seconds: number;
}

/** Levels that are drawn; the program makes four. */
const DEPTH_MAX = 12;

/** Marks on the axis at most. */
const TICKS_MAX = 6;

/** Share of the width behind which a mark's figure has no room. */
const TICK_LAST = 0.93;

export function noTrace(): Trace {
  return { summary: null, spans: new Map(), replayOf: null, after: 0 };
}

/** Takes a page of steps. */
export function taken(
  trace: Trace,
  page: { summary: TraceSummary; replay_of: RunId | null; spans: readonly Span[]; after: number },
): Trace {
  if (trace.summary !== null && trace.summary.run !== page.summary.run) return trace;
  const spans = page.spans.length === 0 ? trace.spans : new Map(trace.spans);
  if (spans !== trace.spans) for (const span of page.spans) (spans as Map<number, Span>).set(span.id, span);
  return { summary: page.summary, spans, replayOf: page.replay_of, after: page.after };
}

export function text(span: Span, name: string): string | null {
  const value = span.attributes[name];
  return typeof value === 'string' ? value : null;
}

export function number(span: Span, name: string): number | null {
  const value = span.attributes[name];
  return typeof value === 'number' ? value : null;
}

export function rootOf(trace: Trace): Span | null {
  for (const span of trace.spans.values()) if (span.operation === 'invoke_agent') return span;
  return null;
}

export function startOf(span: Span): number {
  return Date.parse(span.started);
}

/** When a step ended; one that is under way ends now, as long as somebody works on it. */
export function endOf(span: Span, now: number | null): number {
  const written = startOf(span) + span.ms;
  return span.open === true && now !== null ? Math.max(written, now) : written;
}

/** The steps below the root as rows, in the order in which they began. What fits `query` is shown with what it is in. */
export function rowsOf(trace: Trace, folded: ReadonlySet<number>, query: string): Row[] {
  const children = new Map<number | null, Span[]>();
  for (const span of trace.spans.values()) {
    const parent = span.parent !== null && trace.spans.has(span.parent) ? span.parent : null;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [span]);
    else siblings.push(span);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);
  const wanted = query.trim().toLowerCase();
  const rows: Row[] = [];
  const add = (span: Span, depth: number): boolean => {
    const below = children.get(span.id) ?? [];
    const at = rows.length;
    const isFolded = wanted === '' && folded.has(span.id);
    rows.push({ span, depth, below: below.length, folded: isFolded });
    let found = fits(span, wanted);
    if (!isFolded && depth < DEPTH_MAX) for (const child of below) found = add(child, depth + 1) || found;
    if (!found) rows.length = at;
    return found;
  };
  for (const top of children.get(null) ?? []) {
    // The root is the whole trace; its head says all of it.
    if (top.operation === 'invoke_agent') for (const child of children.get(top.id) ?? []) add(child, 0);
    else add(top, 0);
  }
  return rows;
}

function fits(span: Span, wanted: string): boolean {
  if (wanted === '') return true;
  const words = [
    span.name,
    span.operation,
    text(span, 'shidi.summary'),
    text(span, 'shidi.goal'),
    text(span, 'error.type'),
  ];
  return words.some((word) => word?.toLowerCase().includes(wanted) === true);
}

/** The axis of all steps, without the time for which people were waited for. */
export function axisOf(trace: Trace, now: number | null): Axis {
  let from = Infinity;
  let to = -Infinity;
  for (const span of trace.spans.values()) {
    from = Math.min(from, startOf(span));
    to = Math.max(to, endOf(span, now));
  }
  if (to < from) return { from: 0, total: 1, cuts: [] };
  const cuts = restsOf(trace, to);
  const cut = cuts.reduce((sum, rest) => sum + rest.to - rest.from, 0);
  return { from, total: Math.max(1, to - from - cut), cuts };
}

function restsOf(trace: Trace, to: number): Cut[] {
  const root = rootOf(trace);
  const written = root?.attributes['shidi.rests'];
  const rests = Array.isArray(written)
    ? written.filter((rest): rest is [string, string] => Array.isArray(rest) && rest.length === 2)
    : [];
  const cuts = rests.map(([from, until]) => ({ from: Date.parse(from), to: Date.parse(until) }));
  const since = root === null ? null : text(root, 'shidi.resting_since');
  if (since !== null) cuts.push({ from: Date.parse(since), to });
  return cuts.filter((rest) => rest.to > rest.from);
}

/** Milliseconds on the axis at which a moment lies. */
export function drawnAt(axis: Axis, moment: number): number {
  const before = axis.cuts.reduce((sum, cut) => sum + Math.max(0, Math.min(moment, cut.to) - cut.from), 0);
  return Math.max(0, moment - axis.from - before);
}

/** Where a step lies, as shares of the width. */
export function placeOf(axis: Axis, span: Span, now: number | null): { left: number; width: number } {
  const left = drawnAt(axis, startOf(span)) / axis.total;
  const right = drawnAt(axis, endOf(span, now)) / axis.total;
  return { left: Math.min(1, left), width: Math.max(0, Math.min(1, right) - left) };
}

/** Milliseconds that a step took, without the time for which people were waited for. */
export function workedMs(axis: Axis, span: Span, now: number | null): number {
  return drawnAt(axis, endOf(span, now)) - drawnAt(axis, startOf(span));
}

/** Marks in whole steps of 1, 2 or 5. */
export function ticksOf(axis: Axis): Tick[] {
  const seconds = axis.total / 1000;
  const rough = seconds / TICKS_MAX;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? rough;
  const ticks: Tick[] = [];
  for (let index = 0; index <= TICKS_MAX && index * step < seconds * TICK_LAST; index += 1) {
    ticks.push({ at: (index * step) / seconds, seconds: Number((index * step).toPrecision(6)) });
  }
  return ticks;
}

/** Shares at which time was cut out. */
export function cutsOf(axis: Axis): number[] {
  return axis.cuts.map((cut) => drawnAt(axis, cut.from) / axis.total).filter((at) => at > 0 && at < 1);
}

/** What kind of work a step is: how its bar is drawn. */
export type Kind = 'area' | 'model' | 'python' | 'tool';

export function kindOf(span: Span): Kind {
  switch (span.operation) {
    case 'area':
      return 'area';
    case 'chat':
    case 'text_completion':
      return 'model';
    case 'run_program':
      return 'python';
    default:
      return 'tool';
  }
}

/** Share of a model's time before its first word. */
export function waitOf(span: Span): number {
  const first = number(span, 'gen_ai.response.time_to_first_chunk');
  if (first === null) return span.open === true ? 1 : 0;
  return span.ms === 0 ? 0 : Math.min(1, (first * 1000) / span.ms);
}

/** Tokens and cost of a step and all below it. */
export interface Spent {
  input: number;
  output: number;
  cost: number | null;
  /** Whether it asked a model itself. */
  own: boolean;
}

/** What steps have spent, by their ids: areas have the sums of what is below them. */
export function spentOf(trace: Trace): Map<number, Spent> {
  const spent = new Map<number, Spent>();
  for (const span of trace.spans.values()) {
    if (kindOf(span) !== 'model') continue;
    const own = {
      input: number(span, 'gen_ai.usage.input_tokens') ?? 0,
      output: number(span, 'gen_ai.usage.output_tokens') ?? 0,
      cost: number(span, 'shidi.cost_usd'),
      own: true,
    };
    spent.set(span.id, own);
    const area = span.parent;
    if (area === null) continue;
    const sum = spent.get(area);
    if (sum === undefined) spent.set(area, { ...own, own: false });
    else
      spent.set(area, {
        input: sum.input + own.input,
        output: sum.output + own.output,
        cost: sum.cost === null || own.cost === null ? null : sum.cost + own.cost,
        own: false,
      });
  }
  return spent;
}
