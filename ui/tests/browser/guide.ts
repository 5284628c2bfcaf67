/** Draws the pictures of the user guide into `assets/guide/pictures/`, in both languages, at a time that never moves. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { BENCH_STATES, WORKBENCH } from './bench-states';
import { drawSample } from './sample';
import { stageOf, still } from './stage';
import { GUIDE_STATES, SAMPLE_PICTURE, stateNamed } from './states';

const FOLDER = fileURLToPath(new URL('../../../assets/guide/pictures/', import.meta.url));

/** When the scenes play: the same picture is drawn whenever it is drawn. */
const AT = '2026-11-20T10:05:00+08:00';

const stage = stageOf();
mkdirSync(FOLDER, { recursive: true });

/** Pictures of the workbench, by the states that they show. */
const OF_WORKBENCH: Readonly<Record<string, string>> = {
  traces: 'traces',
  memory: 'memory-found',
  experience: 'experience',
  knowledge: 'knowledge-answer',
  tools: 'tools-off',
  skills: 'skills',
  connections: 'connections',
};

for (const name of GUIDE_STATES.filter((known) => !(known in OF_WORKBENCH))) {
  for (const lang of ['zh', 'en'] as const) {
    test(`${name}, ${lang}`, () => {
      const state = stateNamed(name);
      return stage().play({ scene: state.scene, lang, speed: state.speed ?? 0, scale: 1.5, at: AT }, async (page) => {
        await page.locator('textarea, .welcome').first().waitFor();
        await state.act?.(page);
        await still(page);
        await page.screenshot({ path: `${FOLDER}${name}-${lang}.png`, omitBackground: true });
      });
    });
  }
}

for (const [name, drawn] of Object.entries(OF_WORKBENCH)) {
  for (const lang of ['zh', 'en'] as const) {
    test(`${name}, ${lang}`, () => {
      const state = BENCH_STATES.find((known) => known.name === drawn);
      if (state === undefined) throw new Error(`there is no state ${drawn}`);
      return stage().play(
        { scene: state.scene, lang, speed: 0, at: '2026-11-20T18:05:00+08:00' },
        async (page) => {
          await page.setViewportSize(WORKBENCH);
          await page.locator('.runs, main .none').first().waitFor();
          await state.act?.(page);
          await still(page);
          await page.screenshot({ path: `${FOLDER}${name}-${lang}.png` });
        },
        'workbench.html',
      );
    });
  }
}

for (const lang of ['zh', 'en'] as const) {
  test(`${SAMPLE_PICTURE}, ${lang}`, () => drawSample(stage().browser, lang, `${FOLDER}${SAMPLE_PICTURE}-${lang}.png`));
}
