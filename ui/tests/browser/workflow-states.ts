/** The states of the section of workflows, and the files that are brought in there. */
import type { Page } from 'playwright-core';
import type { State } from './states';

/** One of ours: new, or with `custmer` one that has a fault. */
export const OURS = `version: '1.0'
name: 'Shift handover'
description: 'Sums up what the next shift has to know.'
steps:
  - id: ask
    type: input
    output: {name: notes, type: str}
  - id: sum_up
    type: llm
    prompt: 'Sum up for the next shift: {notes}'
    output: {name: handover, type: str}
  - id: answer
    type: output
    inputs: {handover: '{handover}'}
`;

/** One of goose, of which a part has no counterpart here. */
export const RECIPE = `version: 1.0.0
title: Invoice reader
description: Takes the figures out of an invoice
prompt: "Read this invoice: {{ invoice }}"
extensions:
  - {type: builtin, name: developer}
parameters:
  - {key: invoice, input_type: string, requirement: required, description: The invoice's text}
settings:
  goose_provider: somewhere
`;

/** Gives the sheet a file, as its chooser would. */
export const choose = (page: Page, name: string, text: string | Buffer) =>
  page
    .locator('.import input[type=file]')
    .setInputFiles({ name, mimeType: 'application/yaml', buffer: Buffer.from(text) });

const workflows = async (page: Page) => {
  await page.locator('a[href="#workflows"]').click();
  await page.locator('.detail .block').first().waitFor();
};

const sheet = async (page: Page, at: 'first' | 'last') => {
  await workflows(page);
  await page.locator('.top > .button')[at]().click();
};

/** Keeps one of ours, once it is shown. */
const keep = async (page: Page, name: string, text: string) => {
  await choose(page, name, text);
  await page.locator('.import article pre').waitFor();
  await page.locator('.import .head .button').last().click();
};

const NEW_STATES: State[] = [
  {
    name: 'workflows-new',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'last');
      await page.locator('.new textarea.code').waitFor();
    },
  },
  {
    name: 'workflows-new-tried',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'last');
      await page.locator('.new input').fill('shift-handover');
      await page
        .locator('.new textarea.code')
        .fill(OURS.replace('steps:', 'inputs:\n  - {name: shift, type: str}\nsteps:'));
      await page.locator('.new .head .icon').first().click();
      await page.locator('.new form textarea').fill('the early one');
      await page.keyboard.press('Control+Enter');
      await page.locator('.new .run .card').first().waitFor();
      await page.locator('.new .head .icon').first().click();
      await page.locator('.new form textarea').waitFor();
    },
  },
  {
    name: 'workflows-new-faulty',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'last');
      await page.locator('.new input').fill('shift-handover');
      const area = page.locator('.new textarea.code');
      await area.fill((await area.inputValue()).replace('{article}', '{custmer}'));
      await page.locator('.new .faults button').waitFor();
    },
  },
  {
    name: 'workflows-new-taken',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'last');
      await page.locator('.new input').fill('Customer marketing');
      await page.locator('.new input').press('Enter');
      await page.locator('.new [role=alert]').waitFor();
    },
  },
];

const IMPORT_STATES: State[] = [
  {
    name: 'workflows-import',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await page.locator('.import .sources').waitFor();
    },
  },
  {
    name: 'workflows-import-review',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await choose(page, 'handover.yaml', OURS);
      await page.locator('.import article pre').waitFor();
    },
  },
  {
    name: 'workflows-import-taken',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await keep(page, 'marketing.yaml', OURS.replace('Shift handover', 'Customer marketing'));
      await page.locator('.import .taken').waitFor();
    },
  },
  {
    name: 'workflows-import-faulty',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await choose(page, 'handover.yaml', OURS.replace("'{handover}'", "'{custmer}'"));
      await page.locator('.import .faults li').waitFor();
    },
  },
  {
    name: 'workflows-import-large',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await choose(page, '第三季度销售汇总-终稿-财务复核后-quarterly-summary.yaml', Buffer.alloc((1 << 20) + 1, '#'));
      await page.locator('.import [role=alert]').waitFor();
    },
  },
  {
    name: 'workflows-imported',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await choose(page, 'invoice-recipe.yaml', RECIPE);
      await page.locator('.arrival .faults li').nth(1).waitFor();
      await page.locator('.detail .block').first().waitFor();
    },
  },
  {
    name: 'workflows-imported-whole',
    scene: 'traces',
    async act(page) {
      await sheet(page, 'first');
      await keep(page, 'handover.yaml', OURS);
      await page.locator('.arrival.whole').waitFor();
    },
  },
];

export const WORKFLOW_STATES: State[] = [
  { name: 'workflows', scene: 'traces', act: workflows },
  {
    name: 'workflows-run',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.locator('.head > .button').click();
      const fields = page.locator('.detail form textarea');
      await fields.nth(0).fill('regulars');
      await fields.nth(1).fill('the new autumn menu');
      await page.locator('.detail form [type=submit]').click();
      await page.locator('.run .card').waitFor();
    },
  },
  {
    name: 'workflows-form',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.locator('.head > .button').click();
      await page.locator('.detail form [type=submit]').click();
      await page.locator('.detail form [role=alert]').first().waitFor();
    },
  },
  {
    name: 'workflows-tried',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.locator('.head > .button').click();
      const form = page.locator('.detail form');
      await form.locator('.folders .menu > button').click();
      await page.getByRole('menuitem').first().click();
      await form.locator('.chip').waitFor();
      await form.locator('textarea').nth(0).fill('regulars');
      await form.locator('.row:last-of-type > .button').nth(1).click();
      await form.locator('.plan li').last().waitFor();
    },
  },
  {
    name: 'workflows-resting',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.locator('.one', { hasText: 'refund-approval' }).click();
      await page.getByRole('tab').nth(2).click();
      await page.locator('.detail li button').first().click();
      await page.locator('.run ol').first().waitFor();
    },
  },
  {
    name: 'workflows-older-run',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.getByRole('tab').nth(2).click();
      await page.locator('.detail ul button').nth(5).click();
      await page.locator('.run .node[data-step=send]').click();
      await page.locator('.opened li').nth(2).waitFor();
    },
  },
  {
    name: 'workflows-text',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.locator('.one', { hasText: 'weekly-report' }).click();
      await page.getByRole('tab').nth(1).click();
      await page.locator('.faults button').waitFor();
    },
  },
  {
    name: 'workflows-completing',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.getByRole('tab').nth(1).click();
      await page.locator('textarea.code').press('Control+End');
      await page.keyboard.type("  - id: again\n    type: llm\n    prompt: '{");
      await page.locator('.proposals').waitFor();
    },
  },
  {
    name: 'workflows-unknown',
    scene: 'traces',
    async act(page) {
      await workflows(page);
      await page.getByRole('tab').nth(2).click();
      await page.locator('.detail li button').nth(2).click();
      await page.locator('.verdict').waitFor();
    },
  },
  ...NEW_STATES,
  ...IMPORT_STATES,
];
