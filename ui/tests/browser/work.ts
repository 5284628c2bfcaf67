/**
 * What the main thread of a page works for each frame: script, style, layout and paint, from the browser's own trace.
 *
 * In processor time, so that what else runs on the machine does not count; knows nothing of what is shown.
 */
import type { Browser } from 'playwright-core';

export interface Work {
  frames: number;
  p50: number;
  p95: number;
  worst: number;
  /** Time between frames at the 95th percentile: that counts the machine too. */
  gap95: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Both in microseconds. */
  ts: number;
  tdur?: number;
  dur?: number;
  args?: { name?: string };
}

/** Tasks of a thread, and the beginnings of its frames. */
const CATEGORIES = ['__metadata', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** What the page works, frame by frame, while `act` runs. */
export async function workOf(browser: Browser, act: () => Promise<void>): Promise<Work> {
  const client = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, recordMode: 'recordUntilFull' },
  });
  await act();
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const figures = figuresOf(events);
  if (figures.frames === 0) throw new Error('The browser has traced no frame');
  return figures;
}

function figuresOf(events: readonly TraceEvent[]): Work {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const frames = mains.map(({ pid, tid }) =>
    perFrame(events.filter((event) => event.pid === pid && event.tid === tid)),
  );
  // Other pages of the browser are at rest: the one that was at work is meant.
  const { work, gaps } = frames.reduce((most, one) => (total(one.work) > total(most.work) ? one : most), {
    work: [],
    gaps: [],
  });
  return { frames: work.length, p50: at(work, 0.5), p95: at(work, 0.95), worst: at(work, 1), gap95: at(gaps, 0.95) };
}

/** Milliseconds of work in each frame, and between the beginnings of two. */
function perFrame(events: readonly TraceEvent[]): { work: number[]; gaps: number[] } {
  const begins = events
    .filter(({ name, ph }) => name === 'AnimationFrame::Render' && ph === 'b')
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const tasks = events.filter(({ name, ph }) => ph === 'X' && name === 'RunTask').sort((a, b) => a.ts - b.ts);
  const work = begins.map(() => 0);
  let frame = -1;
  let until = 0;
  for (const { ts, tdur, dur } of tasks) {
    // A task within a task is counted with it.
    if (ts < until) continue;
    until = ts + (dur ?? 0);
    // What comes between two frames is counted with the earlier: only its end is known to be in time or not.
    while ((begins[frame + 1] ?? Infinity) < until) frame += 1;
    if (frame >= 0) work[frame] = (work[frame] ?? 0) + (tdur ?? dur ?? 0) / 1000;
  }
  return { work, gaps: begins.slice(1).map((begin, index) => (begin - (begins[index] ?? begin)) / 1000) };
}

function at(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
