/** Every state that the workbench can be in: drawn as pictures, and looked at by the checks of access and of widths. */
import type { Page } from 'playwright-core';
import type { State } from './states';

export const WORKBENCH = { width: 1200, height: 760 };

const open = (page: Page, run: string) => page.locator(`#run-${run}`).click();
const step = async (page: Page, name: string) => {
  await page.locator('[role=treeitem]', { hasText: name }).first().click();
  await page.locator('[role=treeitem][aria-selected=true]', { hasText: name }).waitFor();
};

const knowledge = async (page: Page) => {
  await page.locator('a[href="#knowledge"]').click();
  await page.locator('.base li, .base .none').first().waitFor();
};

export const BENCH_STATES: State[] = [
  {
    name: 'traces',
    scene: 'traces',
    async act(page) {
      await page.locator('[role=treeitem].is-model').nth(1).click();
      await page.locator('.prompt li').nth(3).waitFor();
    },
  },
  {
    name: 'traces-call',
    scene: 'traces',
    async act(page) {
      await step(page, 'shell.run');
      await page.locator('[role=tabpanel] dl').waitFor();
    },
  },
  {
    name: 'traces-code',
    scene: 'traces',
    async act(page) {
      await step(page, 'python');
      await page.locator('[role=tabpanel] pre').waitFor();
    },
  },
  {
    name: 'traces-message',
    scene: 'traces',
    async act(page) {
      await page.locator('.prompt li button').nth(2).click();
      await page.locator('.prompt pre').waitFor();
    },
  },
  { name: 'traces-failed', scene: 'traces', act: (page) => open(page, 'run-failed') },
  {
    name: 'traces-waiting',
    scene: 'traces',
    async act(page) {
      await open(page, 'run-waits');
      await step(page, 'files.read');
    },
  },
  {
    name: 'traces-long',
    scene: 'traces',
    async act(page) {
      await open(page, 'run-long');
      await page.locator('[role=treeitem]', { hasText: 'part-9.csv' }).waitFor();
    },
  },
  { name: 'traces-none-kept', scene: 'traces', act: (page) => open(page, 'run-offline') },
  { name: 'knowledge', scene: 'traces', act: knowledge },
  {
    name: 'knowledge-answer',
    scene: 'traces',
    async act(page) {
      await knowledge(page);
      await page.locator('.ask input').fill('hotel');
      await page.locator('.piece').nth(1).waitFor();
    },
  },
  {
    name: 'knowledge-imported',
    scene: 'traces',
    async act(page) {
      await knowledge(page);
      await page.locator('.deeds button').last().click();
      await page.locator('.state :is(.icon)').waitFor();
    },
  },
  {
    name: 'knowledge-new',
    scene: 'traces',
    async act(page) {
      await knowledge(page);
      await page.locator('.bases > .more').click();
      await page.locator('.bases form').waitFor();
    },
  },
  { name: 'knowledge-none', scene: 'nobases', act: async (page) => {
    await page.locator('a[href="#knowledge"]').click();
    await page.locator('main .none').waitFor();
  } },
  { name: 'traces-empty', scene: 'notraces', act: (page) => page.locator('main .none').waitFor() },
];
