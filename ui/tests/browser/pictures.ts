/** Draws every scene in both languages and themes into `artefacts/ui/`, at twice the size. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { BENCH_STATES, WORKBENCH } from './bench-states';
import { stageOf, still } from './stage';
import { STATES } from './states';

const FOLDER = fileURLToPath(new URL('../../../artefacts/ui/', import.meta.url));

const stage = stageOf();
mkdirSync(FOLDER, { recursive: true });

const only = process.env['PICTURE'];
for (const picture of STATES.filter(({ name }) => only === undefined || name.startsWith(only))) {
  test(picture.name, async () => {
    for (const lang of ['zh', 'en'] as const) {
      for (const theme of ['light', 'dark'] as const) {
        await stage().play({ scene: picture.scene, lang, theme, speed: picture.speed ?? 0, scale: 2 }, async (page) => {
          await picture.act?.(page);
          await still(page);
          await page.screenshot({ path: `${FOLDER}${picture.name}-${lang}-${theme}.png`, omitBackground: true });
        });
      }
    }
  });
}

for (const picture of BENCH_STATES.filter(({ name }) => only === undefined || name.startsWith(only))) {
  test(picture.name, async () => {
    for (const [lang, theme] of [
      ['zh', 'light'],
      ['zh', 'dark'],
      ['en', 'light'],
      ['en', 'dark'],
    ] as const) {
      await stage().play(
        { scene: picture.scene, lang, theme, scale: 2, at: '2026-11-20T18:05:00+08:00' },
        async (page) => {
          await page.setViewportSize(WORKBENCH);
          await page.locator('.runs, main .none').first().waitFor();
          await picture.act?.(page);
          await still(page);
          await page.screenshot({ path: `${FOLDER}${picture.name}-${lang}-${theme}.png` });
        },
        'workbench.html',
      );
    }
  });
}

test.runIf(only === undefined || only === 'ball')('ball', () =>
  stage().play({ scene: 'summoned', scale: 2 }, drawMoods, 'ball.html'),
);

/** All moods beside one another, on a light and a dark ground. */
async function drawMoods(page: Page): Promise<void> {
  await page.setViewportSize({ width: 700, height: 150 });
  await page.evaluate(() => {
    const moods = ['idle', 'looking', 'thinking', 'needs', 'suggests', 'error', 'paused', 'dropping'];
    const ball = document.getElementById('ball');
    const row = document.createElement('div');
    row.style.cssText =
      'display:flex;gap:24px;padding:47px 30px;background:linear-gradient(90deg,#D3DDD6 50%,#172126 50%)';
    for (const mood of moods) {
      const copy = ball?.cloneNode(true);
      if (!(copy instanceof HTMLElement)) continue;
      copy.dataset['mood'] = mood;
      const number = copy.querySelector('.number');
      if (number !== null) number.textContent = '2';
      row.append(copy);
    }
    document.body.replaceChildren(row);
  });
  await page.screenshot({ path: `${FOLDER}ball.png` });
}
