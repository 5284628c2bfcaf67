/** The states of the section of schedules. */
import type { Page } from 'playwright-core';
import type { State } from './states';

const schedules = async (page: Page) => {
  await page.locator('a[href="#schedules"]').click();
  await page.locator('.detail .times, main .none').first().waitFor();
};

const open = async (page: Page) => {
  await schedules(page);
  await page.locator('.top > .button').click();
  await page.locator('form.editor').waitFor();
};

const change = async (page: Page) => {
  await schedules(page);
  await page.locator('.detail .head .button').first().click();
  await page.locator('form.editor').waitFor();
};

const way = (page: Page, at: number) => page.locator('form.editor .ways input').nth(at).check();
const kind = (page: Page, at: number) => page.locator('form.editor .kinds input').nth(at).check();
const when = (page: Page) => page.locator('form.editor .typed input');

export const SCHEDULE_STATES: State[] = [
  { name: 'schedules', scene: 'traces', act: schedules },
  {
    name: 'schedules-failed',
    scene: 'traces',
    async act(page) {
      await schedules(page);
      await page.locator('.one').nth(1).click();
      await page.locator('.mark.wrong .button').waitFor();
    },
  },
  {
    name: 'schedules-remove',
    scene: 'traces',
    async act(page) {
      await schedules(page);
      await page.locator('.one').nth(2).click();
      await page.locator('.foot .button').click();
      await page.locator('.foot [role=alert]').waitFor();
    },
  },
  {
    name: 'schedules-missed',
    scene: 'traces',
    async act(page) {
      await schedules(page);
      await page.locator('.one').nth(3).click();
      await page.locator('.mark.warned').waitFor();
    },
  },
  { name: 'schedules-new', scene: 'traces', act: open },
  {
    name: 'schedules-new-dates',
    scene: 'traces',
    async act(page) {
      await open(page);
      await kind(page, 2);
      await page.locator('form.editor select').selectOption('customer-marketing');
      await page.locator('form.editor textarea').nth(0).fill('regulars');
      await when(page).fill(
        (await page.locator('html').getAttribute('lang')) === 'en' ? 'every workday at eight' : '每个工作日八点',
      );
      await page.locator('form.editor .dates li').nth(4).waitFor();
      await page.locator('form.editor [type=submit]').click();
      await page.locator('form.editor [role=alert]').first().waitFor();
    },
  },
  {
    name: 'schedules-new-question',
    scene: 'traces',
    async act(page) {
      await open(page);
      await kind(page, 1);
      await page.locator('form.editor .folders .menu > button').click();
      await page.getByRole('menuitem').first().click();
      await page.locator('form.editor .chip').waitFor();
    },
  },
  {
    name: 'schedules-new-unread',
    scene: 'traces',
    async act(page) {
      await open(page);
      await way(page, 1);
      await when(page).fill('0 8 *');
      await page.locator('form.editor .dates .wrong').waitFor();
    },
  },
  {
    name: 'schedules-new-zone',
    scene: 'traces',
    async act(page) {
      await open(page);
      await when(page).fill('8:00');
      await page.locator('form.editor .zone input').fill('America/New_York');
      await page.locator('form.editor .dates li').nth(4).waitFor();
    },
  },
  {
    name: 'schedules-new-event',
    scene: 'traces',
    async act(page) {
      await open(page);
      await way(page, 2);
      await when(page).fill('/home/lin/work/order-service/builds/2026-11/nightly-builds-of-all-branches.csv');
      await page.locator('form.editor .dates p:not(.meta)').waitFor();
    },
  },
  {
    name: 'schedules-new-job',
    scene: 'traces',
    async act(page) {
      await open(page);
      await way(page, 3);
      await page.locator('form.editor .dates p:not(.meta)').waitFor();
    },
  },
  {
    name: 'schedules-change',
    scene: 'traces',
    async act(page) {
      await change(page);
      await page.locator('form.editor .chip').waitFor();
    },
  },
  {
    name: 'schedules-unkept',
    scene: 'traces',
    async act(page) {
      await change(page);
      await page.locator('form.editor textarea').first().fill('…');
      await page.keyboard.press('Escape');
      await page.locator('.detail .head .tag').waitFor();
    },
  },
  {
    name: 'schedules-decided',
    scene: 'decided',
    async act(page) {
      await schedules(page);
      await page.locator('.one').nth(1).click();
      await page.locator('.mark.warned .button').waitFor();
    },
  },
  { name: 'schedules-events', scene: 'events', act: schedules },
  { name: 'schedules-none', scene: 'noschedules', act: schedules },
];
