/**
 * Measures how long answers stream in a real browser: what the page works for each frame.
 *
 * 20,000 characters each: code, tables and formulas mixed; one list; one table; one program. The peer reads and draws
 * the whole answer anew with every frame, in the same browser and the same run.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { LONG_ANSWERS } from '../../src/backend/scenes/rich';
import { ask, stageOf } from './stage';
import { workOf, type Work } from './work';

/** A frame at 60 Hz, in milliseconds: script, style, layout and paint must fit into it. */
const FRAME_MS = 16.7;

const stage = stageOf();

function told(name: string, { frames, p50, p95, worst, gap95 }: Work): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(9);
  return `${name.padEnd(34)} ${String(frames).padStart(5)} frames  work p50 ${ms(p50)}  p95 ${ms(p95)}  worst ${ms(worst)}   between frames p95 ${ms(gap95)}\n`;
}

/** The panel, as it is. */
async function streamed(scene: string): Promise<Work> {
  let work: Work | null = null;
  await stage().play({ scene, lang: 'en', speed: 1 }, async (page) => {
    work = await workOf(stage().browser, async () => {
      await ask(page);
      await page.locator('.after').waitFor({ timeout: 120_000 });
    });
  });
  return measured(work);
}

/** The peer. */
async function redrawn(scene: string): Promise<Work> {
  let work: Work | null = null;
  const play = (page: Page) =>
    workOf(stage().browser, () => page.evaluate(() => (window as unknown as { play: () => Promise<void> }).play()));
  await stage().play({ scene, lang: 'en' }, async (page) => void (work = await play(page)), 'tests/browser/peer.html');
  return measured(work);
}

function measured(work: Work | null): Work {
  if (work === null) throw new Error('Nothing was measured');
  return work;
}

for (const scene of LONG_ANSWERS) {
  test(`a long answer (${scene}) streams at the pace of the screen`, async () => {
    const [ours, theirs] = [await streamed(scene), await redrawn(scene)];
    process.stdout.write(
      `\n${told(`${scene}: panel`, ours)}${told(`${scene}: whole answer each frame`, theirs)}limit: work p95 ≤ ${FRAME_MS} ms per frame\n`,
    );
    expect(ours.p95).toBeLessThanOrEqual(FRAME_MS);
    expect(ours.p95).toBeLessThanOrEqual(theirs.p95);
  });
}
