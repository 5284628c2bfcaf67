/** The states of chips, find anything, model picker, settings and first run, as pictures and for the accessibility check. */
import type { Page } from 'playwright-core';

export interface State {
  name: string;
  scene: string;
  speed?: number;
  act?: (page: Page) => Promise<void>;
}

const FILES = ['/home/lin/work/builds.csv', '/home/lin/下载/第三季度销售汇总-终稿-财务复核后.xlsx', '/home/lin/notes.md'];
const drop = (page: Page, paths: string[]) => page.evaluate((given) => window.scripted.drop(given), paths);
const settled = (page: Page) => page.waitForTimeout(350);

export const STATES: State[] = [
  {
    name: 'chips',
    scene: 'context',
    async act(page) {
      await page.evaluate(() => window.scripted.show('hotkey'));
      await drop(page, [...FILES, '/home/lin/合同-盖章版.pdf', '/home/lin/report.pdf']);
      await page.locator('.chip', { hasText: 'report.pdf' }).waitFor();
    },
  },
  { name: 'chips-reading', scene: 'summoned', act: (page) => drop(page, ['/home/lin/slow.pdf', '/home/lin/notes.md']) },
  {
    name: 'chips-preview',
    scene: 'summoned',
    async act(page) {
      await drop(page, FILES);
      await page.locator('.chip .open:enabled').nth(2).click();
      await page.locator('.preview').waitFor();
    },
  },
  {
    name: 'chips-screen',
    scene: 'summoned',
    async act(page) {
      await page.locator('.tools .menu button').nth(1).click();
      await page.locator('[role=menuitem]').first().click();
      await page.locator('.chip .open').click();
      await page.locator('.preview img').waitFor();
    },
  },
  { name: 'chips-address', scene: 'summoned', act: (page) => page.locator('textarea').fill('这条规则改了吗 https://wiki.lanting.dev/refund-policy') },
  {
    name: 'ghost',
    scene: 'summoned',
    async act(page) {
      await drop(page, ['/home/lin/report.pdf']);
      await page.locator('.tab').waitFor();
    },
  },
  { name: 'find', scene: 'sessions', act: (page) => page.keyboard.press('Control+k') },
  {
    name: 'find-words',
    scene: 'sessions',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('a');
      await settled(page);
    },
  },
  {
    name: 'models',
    scene: 'summoned',
    async act(page) {
      await page.locator('.pick').first().click();
      await page.locator('.option', { hasText: 'qwen3-max' }).waitFor();
      await page.locator('.option', { hasText: 'gemma3' }).waitFor();
    },
  },
  { name: 'settings', scene: 'summoned', act: (page) => page.keyboard.press('Control+,') },
  {
    name: 'settings-models',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('#group-models').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-privacy',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('#group-privacy').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-end',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('#setting-max_rounds').fill('900');
      await page.locator('#group-about').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-search',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.keyboard.type('hotkey');
    },
  },
  { name: 'keys', scene: 'summoned', act: (page) => page.keyboard.press('Control+/') },
  { name: 'welcome', scene: 'first', act: (page) => page.locator('.local select').waitFor() },
  { name: 'welcome-none', scene: 'noserver', act: async (page) => { await welcome(page); await page.locator('.door').first().click(); } },
  {
    name: 'welcome-key',
    scene: 'first',
    async act(page) {
      await page.locator('.local select').waitFor();
      await page.locator('.door').nth(1).click();
      await page.locator('input[type=password]').fill('sk-1234');
    },
  },
  { name: 'welcome-file', scene: 'noserver', act: async (page) => { await welcome(page); await page.locator('.door').nth(2).click(); } },
  {
    name: 'welcome-practice',
    scene: 'first',
    async act(page) {
      await page.locator('.without').click();
      await page.locator('.caps').waitFor();
      await page.evaluate(() => window.scripted.press());
    },
  },
];

async function welcome(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('first run');
  await page.keyboard.press('Enter');
  await page.locator('.welcome').waitFor();
}
