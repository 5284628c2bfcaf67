/**
 * Measures how a long answer streams in a real browser: the time between frames, and the work within one.
 *
 * 20,000 characters of code, tables and formulas come in 20 s. The peer reads and draws the whole answer anew with
 * every frame, in the same browser and the same run.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, Stage } from './stage';

/** A frame at 60 Hz, in milliseconds. */
const FRAME_MS = 16.7;

interface Figures {
  frames: number;
  p50: number;
  p95: number;
  worst: number;
  /** Share of the time in which the page was at work. */
  busy: number;
}

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Watches the frames from now on. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const times: number[] = [];
    const next = (now: number) => {
      times.push(now);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    Object.assign(window, { times });
  });
}

async function figures(page: Page, work: () => Promise<void>): Promise<Figures> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const taskTime = async () => (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  await watchFrames(page);
  const [before, began] = [await taskTime(), performance.now()];
  await work();
  const busy = ((await taskTime()) - before) / ((performance.now() - began) / 1000);
  const times = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time)).sort((a, b) => a - b);
  const at = (part: number) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))] ?? 0;
  return { frames: gaps.length, p50: at(0.5), p95: at(0.95), worst: gaps.at(-1) ?? 0, busy };
}

function told(name: string, { frames, p50, p95, worst, busy }: Figures): string {
  return `${name.padEnd(22)} ${String(frames).padStart(5)} frames   p50 ${p50.toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   worst ${worst.toFixed(0)} ms   busy ${(busy * 100).toFixed(0)} %`;
}

test('a long answer streams at the pace of the screen', async () => {
  const page = await stage.page({ scene: 'document', lang: 'en', speed: 1 });
  const ours = await figures(page, async () => {
    await ask(page);
    await page.locator('.after').waitFor({ timeout: 120_000 });
  });
  process.stdout.write(`\n${told('panel', ours)}\n`);
  await page.context().close();
  const naive = await stage.page({ scene: 'document', lang: 'en' }, 'tests/browser/peer.html');
  const theirs = await figures(naive, () => naive.evaluate(() => (window as unknown as { play: () => Promise<void> }).play()));
  process.stdout.write(`${told('whole answer each frame', theirs)}\nbudget: p95 ≤ ${FRAME_MS} ms\n`);
  expect(ours.p95).toBeLessThanOrEqual(theirs.p95);
});
