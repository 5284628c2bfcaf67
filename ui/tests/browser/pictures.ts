/** Draws every scene in both languages and themes into `artefacts/ui/`, at twice the size. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { ask, Stage } from './stage';
import { STATES, type State } from './states';

const FOLDER = fileURLToPath(new URL('../../../artefacts/ui/', import.meta.url));

const asked = (ready: string, then: (page: Page) => Promise<void> = async () => undefined) => async (page: Page) => {
  await ask(page);
  await page.locator(ready).last().waitFor();
  await then(page);
};

const PICTURES: State[] = [
  ...STATES,
  { name: 'summoned', scene: 'summoned', act: (page) => page.locator('li button').first().waitFor() },
  { name: 'offline-empty', scene: 'offline', act: (page) => page.locator('.no-model').waitFor() },
  {
    name: 'draft',
    scene: 'summoned',
    async act(page) {
      await page.evaluate(() => window.scripted.drop(['/home/lin/work/builds.csv', '/home/lin/下载/第三季度销售汇总-终稿-财务复核后.xlsx', '/home/lin/notes.md']));
      await page.locator('textarea').fill('把这三个文件里的数字对一遍\n不一致的列出来\n写明出自哪个文件、哪一行');
    },
  },
  {
    name: 'streaming',
    scene: 'streaming',
    speed: 4,
    act: asked('.answer', async (page) => {
      await page.locator('.step button.line').nth(2).click();
      await page.waitForTimeout(700);
    }),
  },
  { name: 'approval', scene: 'approval', act: asked('.approval') },
  { name: 'approval-long', scene: 'tainted', act: asked('.approval') },
  { name: 'question', scene: 'question', act: asked('.ask') },
  { name: 'form', scene: 'form', act: asked('.ask') },
  { name: 'error', scene: 'error', act: asked('.error') },
  { name: 'error-key', scene: 'error', act: asked('.error', async (page) => page.locator('.error .primary').click()) },
  { name: 'offline', scene: 'offline', act: asked('.offline .answer') },
  { name: 'long-end', scene: 'long', act: asked('.after') },
  { name: 'long-start', scene: 'long', act: asked('.after', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0))) },
  { name: 'long-middle', scene: 'long', act: asked('.after', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 420))) },
  { name: 'rich-start', scene: 'rich', act: asked('figure img', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0))) },
  { name: 'rich-end', scene: 'rich', act: asked('figure img') },
  { name: 'diagram-broken', scene: 'diagram', act: asked('.note') },
  { name: 'hostile', scene: 'hostile', act: asked('.after', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0))) },
  { name: 'working', scene: 'working', act: asked('.todo') },
  {
    name: 'elsewhere',
    scene: 'elsewhere',
    act: async (page) => page.locator('.toast').waitFor(),
  },
  {
    name: 'find',
    scene: 'gaveup',
    act: asked('.gave-up', async (page) => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('contract');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(200);
    }),
  },
  {
    name: 'edit',
    scene: 'long',
    act: asked('.after', async (page) => {
      await page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0));
      await page.locator('.mine').hover();
      await page.locator('.mine .tool').first().click();
    }),
  },
  { name: 'gave-up', scene: 'gaveup', act: asked('.gave-up') },
  { name: 'suspended', scene: 'suspended', act: (page) => page.locator('.note').waitFor() },
  {
    name: 'continued',
    scene: 'suspended',
    async act(page) {
      await page.locator('.note .button').click();
      await page.locator('.answer').waitFor();
    },
  },
  { name: 'sessions', scene: 'sessions', act: (page) => page.locator('header .tool').first().click() },
  {
    name: 'sessions-deleted',
    scene: 'sessions',
    async act(page) {
      await page.locator('header .tool').first().click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Delete');
      await page.locator('.toast').waitFor();
    },
  },
  { name: 'menu', scene: 'summoned', act: (page) => page.locator('header .menu button').click() },
  { name: 'drop', scene: 'summoned', act: (page) => page.evaluate(() => window.scripted.hold(true)) },
];

let stage: Stage;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  stage = await Stage.open();
});
afterAll(() => stage.close());

const only = process.env['PICTURE'];
for (const picture of PICTURES.filter(({ name }) => only === undefined || name.startsWith(only))) {
  test(picture.name, async () => {
    for (const lang of ['zh', 'en'] as const) {
      for (const theme of ['light', 'dark'] as const) {
        const page = await stage.page({ scene: picture.scene, lang, theme, speed: picture.speed ?? 0 });
        await picture.act?.(page);
        // Cards rise for 160 ms.
        await page.waitForTimeout(250);
        await page.screenshot({ path: `${FOLDER}${picture.name}-${lang}-${theme}.png`, omitBackground: true });
        await page.context().close();
      }
    }
  });
}

test.runIf(only === undefined || only === 'ball')('ball', async () => {
  const page = await stage.page({ scene: 'summoned' }, 'ball.html');
  await page.setViewportSize({ width: 700, height: 150 });
  await page.evaluate(() => {
    const moods = ['idle', 'looking', 'thinking', 'needs', 'suggests', 'error', 'paused', 'dropping'];
    const ball = document.getElementById('ball');
    const row = document.createElement('div');
    row.style.cssText = 'display:flex;gap:24px;padding:47px 30px;background:linear-gradient(90deg,#D3DDD6 50%,#172126 50%)';
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
  await page.context().close();
});
