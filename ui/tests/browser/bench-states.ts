/** Every state that the workbench can be in: drawn as pictures, and looked at by the checks of access and of widths. */
import type { Page } from 'playwright-core';
import type { State } from './states';
import { ASSISTANT_STATES } from './assistant-states';
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

const memory = async (page: Page) => {
  await page.locator('a[href="#memory"]').click();
  await page.locator('.detail h2, main .none').first().waitFor();
};

/** A preference that shows in a form, field by field. */
const preference = async (page: Page) => {
  await memory(page);
  await page.locator('.memory', { hasText: 'query.lanting.dev' }).first().click();
  await page.locator('.detail form select').waitFor();
};

/** What is remembered, with one of it open that holds all there is to show. */
const found = async (page: Page, words: string) => {
  await memory(page);
  await page.locator('.memories input').fill(words);
  await page.locator('.memory .score').first().waitFor();
};

const MEMORY_STATES: State[] = [
  { name: 'memory', scene: 'traces', act: memory },
  {
    name: 'memory-strangers-file',
    scene: 'strangersfile',
    async act(page) {
      await memory(page);
      await page.getByRole('button', { name: /^⟦?(导入|[Ii]+mpo+rt)⟧?$/ }).click();
      await page.locator('.toast').waitFor();
    },
  },
  {
    name: 'memory-found',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.toggle').click();
      await found(page, (await page.locator('html').getAttribute('lang')) === 'en' ? 'refund' : '退款');
      await page.locator('.memory.old').first().waitFor();
      await page.locator('.memory', { hasText: '14' }).first().click();
      await page.locator('.detail ol').waitFor();
    },
  },
  {
    name: 'memory-edit',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.memory').nth(4).click();
      await page.locator('.memories [role=listbox]').press('e');
      await page.locator('.detail textarea').waitFor();
    },
  },
  {
    name: 'memory-new',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.memories [role=listbox]').press('n');
      await page.locator('form.write').waitFor();
    },
  },
  {
    name: 'memory-foreign',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.top .tabs button').nth(1).click();
      await page.locator('.memory', { hasText: '4127' }).click();
      await page.locator('.detail pre').waitFor();
    },
  },
  {
    name: 'memory-forget',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.memory', { hasText: '14' }).first().click();
      await page.locator('.forget button').click();
      await page.locator('.forget p').waitFor();
    },
  },
  {
    name: 'memory-deleted',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.memories [role=listbox]').press('Delete');
      await page.locator('.toast button').first().waitFor();
    },
  },
  {
    name: 'memory-broken',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.top .button.bare').first().click();
      await page.locator('.trouble').waitFor();
    },
  },
  {
    name: 'memory-near',
    scene: 'traces',
    async act(page) {
      await memory(page);
      const zh = (await page.locator('html').getAttribute('lang')) !== 'en';
      await page.locator('.memories input').fill(zh ? '多久之内能把货寄回来' : 'how late can goods go back');
      await page.locator('.memory .score').first().waitFor();
      await page.locator('.detail p', { hasText: 'bge-m3' }).waitFor();
    },
  },
  {
    name: 'memory-proposed',
    scene: 'pageprefers',
    async act(page) {
      await memory(page);
      await page.locator('.proposed li').nth(1).waitFor();
    },
  },
  {
    name: 'memory-preference',
    scene: 'pagefills',
    async act(page) {
      await preference(page);
      await page.locator('.detail input[type=number]').fill('-5');
      await page.locator('.detail form .primary').click();
      await page.locator('.detail form [role=alert]').waitFor();
    },
  },
  {
    name: 'memory-preference-read',
    scene: 'traces',
    async act(page) {
      await memory(page);
      await page.locator('.memory', { hasText: /退款单|refund form/ }).click();
      await page.locator('.detail dl.fields').waitFor();
    },
  },
  { name: 'memory-begun', scene: 'meaningbegun', act: memory },
  { name: 'memory-trouble', scene: 'meaningtrouble', act: memory },
  { name: 'memory-words', scene: 'nomeaning', act: memory },
  { name: 'memory-many', scene: 'manymemories', act: memory },
  { name: 'memory-none', scene: 'nomemories', act: memory },
];

const tools = async (page: Page) => {
  await page.locator('a[href="#tools"]').click();
  await page.locator('.detail h2').waitFor();
};

const TOOL_STATES: State[] = [
  { name: 'tools', scene: 'traces', act: tools },
  {
    name: 'tools-off',
    scene: 'traces',
    async act(page) {
      await tools(page);
      await page.locator('.one', { hasText: 'crm' }).click();
      await page.locator('.detail li .switch').nth(1).click();
      await page.locator('.one .part').waitFor();
      await page.locator('.one', { hasText: 'memory' }).click();
      await page.locator('.whole .switch').click();
      await page.locator('.one.off').waitFor();
      await page.locator('.one', { hasText: 'crm' }).click();
    },
  },
  {
    name: 'tools-none-off',
    scene: 'traces',
    async act(page) {
      await tools(page);
      await page.locator('.top .tabs button').nth(1).click();
      await page.locator('main .none').waitFor();
    },
  },
];

const skills = async (page: Page) => {
  await page.locator('a[href="#skills"]').click();
  await page.locator('.detail pre').waitFor();
};

const prompts = async (page: Page) => {
  await page.locator('a[href="#prompts"]').click();
  await page.locator('.one').first().waitFor();
};

const PROMPT_STATES: State[] = [
  { name: 'prompts', scene: 'traces', act: prompts },
  {
    name: 'prompts-broken',
    scene: 'traces',
    async act(page) {
      await prompts(page);
      await page.locator('.one').last().click();
      await page.locator('.body .wrong').waitFor();
    },
  },
  {
    name: 'prompts-new',
    scene: 'traces',
    async act(page) {
      await prompts(page);
      await page.locator('.top > .button').last().click();
      await page.locator('textarea.text').fill('{selection} → {x}');
      await page.locator('fieldset').waitFor();
    },
  },
];

const SKILL_STATES: State[] = [
  { name: 'skills', scene: 'traces', act: skills },
  {
    name: 'skills-review',
    scene: 'traces',
    async act(page) {
      await skills(page);
      await page.locator('.top > .button').click();
      await page.locator('.sources button').first().click();
      await page.locator('.review article pre').waitFor();
    },
  },
  {
    name: 'skills-broken',
    scene: 'traces',
    async act(page) {
      await skills(page);
      await page.locator('.one', { hasText: 'old-notes' }).click();
      await page.locator('.foot button').click();
      await page.locator('.foot [role=alert]').waitFor();
    },
  },
  {
    name: 'skills-none-waiting',
    scene: 'traces',
    async act(page) {
      await skills(page);
      await page.locator('.decision button').click();
      await page.locator('.top .tabs button').nth(1).click();
      await page.locator('main .none').waitFor();
    },
  },
];

const plugins = async (page: Page) => {
  await page.locator('a[href="#plugins"]').click();
  await page.locator('.one').first().waitFor();
};

const PLUGIN_STATES: State[] = [
  {
    name: 'plugins',
    scene: 'traces',
    async act(page) {
      await plugins(page);
      await page.locator('.one', { hasText: 'invoices' }).click();
      await page.locator('.detail .tag').first().waitFor();
    },
  },
  {
    name: 'plugins-faults',
    scene: 'traces',
    async act(page) {
      await plugins(page);
      await page.locator('.one', { hasText: 'stock' }).click();
      await page.locator('.foot button').click();
      await page.locator('.foot [role=alert]').waitFor();
    },
  },
  {
    name: 'plugins-available',
    scene: 'traces',
    async act(page) {
      await plugins(page);
      await page.locator('.one', { hasText: 'customer-care' }).click();
      await page.locator('.detail .about').waitFor();
    },
  },
  {
    name: 'plugins-review',
    scene: 'traces',
    async act(page) {
      await plugins(page);
      await page.locator('.one', { hasText: 'invoices' }).click();
      await page.locator('.detail .head .button').click();
      await page.locator('.review .change').waitFor();
    },
  },
  {
    name: 'plugins-add',
    scene: 'traces',
    async act(page) {
      await plugins(page);
      await page.locator('.top > .button').click();
      await page.locator('.review .sources').waitFor();
    },
  },
];

const connections = async (page: Page) => {
  await page.locator('a[href="#connections"]').click();
  await page.locator('.groups, main .none').first().waitFor();
};

const CONNECTION_STATES: State[] = [
  { name: 'connections', scene: 'pageallowed', act: connections },
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
      await page.locator('.detail details summary').click();
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
  {
    name: 'tools-page',
    scene: 'page',
    async act(page) {
      await tools(page);
      await page.locator('.one', { hasText: 'page' }).click();
    },
  },
];

const experience = async (page: Page) => {
  await page.locator('a[href="#experience"]').click();
  await page.locator('.detail h2, main .none').first().waitFor();
};

const EXPERIENCE_STATES: State[] = [
  {
    name: 'experience',
    scene: 'traces',
    async act(page) {
      await experience(page);
      await page.locator('.detail li', { hasText: 'glm' }).waitFor();
      await page.locator('.detail li button').first().waitFor();
    },
  },
  {
    name: 'experience-foreign',
    scene: 'traces',
    async act(page) {
      await experience(page);
      await page.locator('.one').nth(1).click();
      await page.locator('.warning').waitFor();
    },
  },
  {
    name: 'experience-used',
    scene: 'traces',
    async act(page) {
      await experience(page);
      await page.locator('.top .tabs button').nth(1).click();
      await page.locator('.detail .stack').waitFor();
      await page.locator('.detail li button').first().waitFor();
      await page.locator('.detail .ask').click();
      await page.locator('.effects').waitFor();
    },
  },
  {
    name: 'experience-edit',
    scene: 'traces',
    async act(page) {
      await experience(page);
      await page.locator('[role=listbox]').press('e');
      await page.locator('form.detail').waitFor();
    },
  },
  {
    name: 'experience-delete',
    scene: 'traces',
    async act(page) {
      await experience(page);
      await page.locator('.tags .tool:not(.back)').click();
      await page.locator('.tags .meta[role=alert]').waitFor();
    },
  },
  {
    name: 'experience-import',
    scene: 'traces',
    async act(page) {
      await experience(page);
      await page.locator('.top .button.bare').first().click();
      await page.locator('.detail .choice').first().waitFor();
    },
  },
  { name: 'experience-none', scene: 'nomemories', act: experience },
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
  ...MEMORY_STATES,
  ...TOOL_STATES,
  ...PROMPT_STATES,
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
