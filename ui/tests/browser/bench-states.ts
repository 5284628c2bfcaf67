/** Every state that the workbench can be in: drawn as pictures, and looked at by the checks of access and of widths. */
import type { Page } from 'playwright-core';
import type { State } from './states';
import { BAD_CASE_STATES } from './bad-case-states';
import { PLUGIN_STATES, PROMPT_STATES, SKILL_STATES, TOOL_STATES } from './ability-states';
import { ASSISTANT_STATES } from './assistant-states';
import { DASHBOARD_STATES } from './dashboard-states';
import { EXPERIENCE_STATES, MEMORY_STATES } from './memory-states';
import { SCHEDULE_STATES } from './schedule-states';
import { WORKFLOW_STATES } from './workflow-states';

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

const connections = async (page: Page) => {
  await page.locator('a[href="#connections"]').click();
  await page.locator('.groups, main .none').first().waitFor();
};

const CONNECTION_STATES: State[] = [
  { name: 'connections', scene: 'pageallowed', act: connections },
  {
    name: 'connections-guesses',
    scene: 'pageguesses',
    async act(page) {
      await connections(page);
      await page.locator('li .name .meta', { hasText: 'orders.lanting.dev' }).first().waitFor();
    },
  },
  { name: 'connections-asking', scene: 'pageasks', act: connections },
  {
    name: 'connections-clients',
    scene: 'page',
    async act(page) {
      await connections(page);
      await page.locator('section[aria-label] pre').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'connections-forget',
    scene: 'page',
    async act(page) {
      await connections(page);
      await page.locator('.groups .head button').first().click();
      await page.locator('.groups section').first().locator('li .button').first().click();
      await page.locator('.groups [role=alert]').waitFor();
    },
  },
  {
    name: 'connections-withdrawn',
    scene: 'pageallowed',
    async act(page) {
      await connections(page);
      await page.locator('.groups .switches').first().locator('.switch').first().click();
      await page.locator('.toast button').first().waitFor();
    },
  },
  { name: 'connections-noticed', scene: 'pageprefers', act: connections },
  { name: 'connections-hostile', scene: 'pagehostile', act: connections },
  { name: 'connections-none', scene: 'traces', act: connections },
  {
    name: 'servers',
    scene: 'servers',
    async act(page) {
      await connections(page);
      await page.locator('.groups .line', { hasText: 'crm' }).click();
      await page.locator('.detail > details summary').click();
      await page.locator('.detail .log p').last().waitFor();
      await page.locator('.detail li summary').click();
      await page.locator('.detail li dt').last().waitFor();
    },
  },
  {
    name: 'servers-add',
    scene: 'servers',
    async act(page) {
      await connections(page);
      await page.locator('.groups section:has(.head button)').last().locator('.head button').click();
      await page.locator('#mcp-text').fill('npx -y @modelcontextprotocol/server-github');
      await page.locator('.add .ways .button').first().click();
      await page.locator('.add .form').waitFor();
    },
  },
  {
    name: 'servers-found',
    scene: 'servers',
    async act(page) {
      await connections(page);
      await page.locator('.groups section:has(.head button)').last().locator('.head button').click();
      await page.locator('.add .ways .button').last().click();
      await page.locator('.add .left').waitFor();
    },
  },
];

const replay = async (page: Page) => {
  await open(page, 'run-met');
  await page.locator('.actions .button').first().click();
  await page.locator('.programs pre').first().waitFor();
};

const REPLAY_STATES: State[] = [
  {
    name: 'replay',
    scene: 'replay',
    async act(page) {
      await replay(page);
      await page.locator('#input-path').fill('exports/november.csv');
      await page.locator('#input-limit').fill('many');
      await page.locator('.given .wrong').waitFor();
      await page.locator('.programs .after').waitFor();
    },
  },
  {
    name: 'replay-workflow',
    scene: 'replay',
    async act(page) {
      await replay(page);
      await page.locator('.replay footer .button.low').last().click();
      await page.locator('aside pre').waitFor();
    },
  },
  {
    name: 'replay-refused',
    scene: 'replay',
    async act(page) {
      await open(page, 'run-offline');
      await page.locator('.actions .button').first().click();
      await page.locator('.replay .trouble').waitFor();
    },
  },
  {
    name: 'replay-beside',
    scene: 'replay',
    async act(page) {
      await page.locator('.faces button').last().click();
      await page.locator('.beside pre').nth(1).waitFor();
    },
  },
  {
    name: 'replay-waiting',
    scene: 'replaywaits',
    async act(page) {
      await page.locator('.faces button').last().click();
      await page.locator('.beside .waits').waitFor();
    },
  },
];

export const BENCH_STATES: State[] = [
  ...DASHBOARD_STATES,
  ...MEMORY_STATES,
  ...TOOL_STATES,
  ...PROMPT_STATES,
  ...BAD_CASE_STATES,
  ...SKILL_STATES,
  ...PLUGIN_STATES,
  ...WORKFLOW_STATES,
  ...SCHEDULE_STATES,
  ...ASSISTANT_STATES,
  ...CONNECTION_STATES,
  ...EXPERIENCE_STATES,
  ...REPLAY_STATES,
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
  { name: 'traces-version', scene: 'traceversions', act: (page) => page.locator('header .aside').waitFor() },
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
      await page.locator('.actions button').last().click();
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
  {
    name: 'knowledge-away',
    scene: 'team',
    act: async (page) => {
      await page.locator('a[href="#knowledge"]').click();
      await page.locator('.base .away').waitFor();
    },
  },
  {
    name: 'knowledge-none',
    scene: 'nobases',
    act: async (page) => {
      await page.locator('a[href="#knowledge"]').click();
      await page.locator('main .none').waitFor();
    },
  },
  { name: 'traces-empty', scene: 'notraces', act: (page) => page.locator('main .none').waitFor() },
];
