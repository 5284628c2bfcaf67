/** The states of the sections of memory and experience. */
import type { Page } from 'playwright-core';
import type { State } from './states';

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

export const MEMORY_STATES: State[] = [
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

const experience = async (page: Page) => {
  await page.locator('a[href="#experience"]').click();
  await page.locator('.detail h2, main .none').first().waitFor();
};

export const EXPERIENCE_STATES: State[] = [
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
