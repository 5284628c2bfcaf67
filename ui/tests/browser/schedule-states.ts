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
  await page.locator('form.new').waitFor();
};

const kind = (page: Page, at: number) => page.locator('form.new .kinds input').nth(at).check();
const when = (page: Page) => page.locator('form.new .ways + input');

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
      await page.locator('form.new select').selectOption('customer-marketing');
      await page.locator('form.new textarea').nth(0).fill('regulars');
      await when(page).fill(
        (await page.locator('html').getAttribute('lang')) === 'en' ? 'every workday at eight' : '每个工作日八点',
      );
      await page.locator('form.new .dates li').nth(4).waitFor();
      await page.locator('form.new [type=submit]').click();
      await page.locator('form.new [role=alert]').first().waitFor();
    },
  },
  {
    name: 'schedules-new-question',
    scene: 'traces',
    async act(page) {
      await open(page);
      await kind(page, 1);
      await page.locator('form.new .folders .menu > button').click();
      await page.getByRole('menuitem').first().click();
      await page.locator('form.new .chip').waitFor();
    },
  },
  {
    name: 'schedules-new-unread',
    scene: 'traces',
    async act(page) {
      await open(page);
      await page.locator('form.new .ways input').nth(1).check();
      await when(page).fill('0 8 *');
      await page.locator('form.new .dates .wrong').waitFor();
    },
  },
  { name: 'schedules-none', scene: 'noschedules', act: schedules },
];
