/** The states of the section of bad cases. */
import type { Page } from 'playwright-core';
import type { State } from './states';

const cases = async (page: Page) => {
  await page.locator('a[href="#bad_cases"]').click();
  await page.locator('.detail h2').waitFor();
};

const made = async (page: Page) => {
  await page.evaluate(() => window.scripted.want({ at: 'bad_case', run: 'run-1' }));
  await page.locator('.case-form textarea').first().fill('It counted the header');
};

export const BAD_CASE_STATES: State[] = [
  { name: 'bad-cases', scene: 'traces', act: cases },
  {
    name: 'bad-cases-tried',
    scene: 'traces',
    async act(page) {
      await cases(page);
      await page.locator('.one').nth(1).click();
      await page.locator('.proposal table').waitFor();
    },
  },
  {
    name: 'bad-cases-new',
    scene: 'traces',
    act: made,
  },
  {
    name: 'bad-cases-seen',
    scene: 'traces',
    async act(page) {
      await made(page);
      await page.locator('.case-form button[type="submit"]').click();
      await page.locator('.case-form input').waitFor();
    },
  },
];
