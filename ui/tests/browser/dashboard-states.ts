/** The states of the dashboard. */
import type { Page } from 'playwright-core';
import type { State } from './states';

const dashboard = async (page: Page) => {
  await page.locator('a[href="#dashboard"]').click();
  await page.locator('main .sheet, main .none').first().waitFor();
};

const bottom = (page: Page) =>
  page.locator('main .alone').evaluate((sheet) => {
    sheet.scrollTop = sheet.scrollHeight;
  });

export const DASHBOARD_STATES: State[] = [
  { name: 'dashboard', scene: 'traces', act: dashboard },
  {
    name: 'dashboard-compared',
    scene: 'traces',
    async act(page) {
      await dashboard(page);
      await bottom(page);
    },
  },
  {
    name: 'dashboard-week',
    scene: 'traces',
    async act(page) {
      await dashboard(page);
      await page.locator('.tabs button').first().click();
      await page.locator('svg .of-day').nth(3).hover();
    },
  },
  {
    name: 'dashboard-quarter',
    scene: 'traces',
    async act(page) {
      await dashboard(page);
      await page.locator('.tabs button').last().click();
      await page.locator('main .sheet .note').waitFor();
      await page.locator('figure .tool').first().click();
      await page.locator('figure table').waitFor();
    },
  },
  { name: 'dashboard-few', scene: 'dashfew', act: dashboard },
  {
    name: 'dashboard-trouble',
    scene: 'dashfull',
    async act(page) {
      await dashboard(page);
      await page.locator('.top > .button').click();
      await page.locator('main [role=alert]').waitFor();
    },
  },
  { name: 'dashboard-none', scene: 'notraces', act: dashboard },
];
