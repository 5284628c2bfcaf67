/** The states of the sections of tools, prompts, skills and plugins. */
import type { Page } from 'playwright-core';
import type { State } from './states';

const tools = async (page: Page) => {
  await page.locator('a[href="#tools"]').click();
  await page.locator('.detail h2').waitFor();
};

export const TOOL_STATES: State[] = [
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
  {
    name: 'tools-page',
    scene: 'page',
    async act(page) {
      await tools(page);
      await page.locator('.one', { hasText: 'page' }).click();
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

export const PROMPT_STATES: State[] = [
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

export const SKILL_STATES: State[] = [
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

export const PLUGIN_STATES: State[] = [
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
