/** The states of the panel in which something is picked that goes along: a resource of an MCP server, the screen, an address. */
import type { Page } from 'playwright-core';
import type { State } from './states';

/** Opens what MCP servers have to read. */
async function picking(page: Page): Promise<void> {
  await page.locator('.tools .menu button').first().click();
  await page.locator('[role=menuitem]').nth(2).click();
  await page.locator('.picker [role=option]').first().waitFor();
}

export const RESOURCE_STATES: State[] = [
  {
    name: 'chips-screen',
    scene: 'summoned',
    async act(page) {
      await page.locator('.tools .menu button').nth(1).click();
      await page.locator('[role=menuitem]').first().click();
      await page.locator('.chip .open').click();
      await page.locator('.preview img').waitFor();
    },
  },
  {
    name: 'resources',
    scene: 'summoned',
    async act(page) {
      await picking(page);
      await page.locator('.picker footer .button').click();
      await page.locator('.picker [role=option]').nth(2).waitFor();
    },
  },
  {
    name: 'resource-preview',
    scene: 'summoned',
    async act(page) {
      await picking(page);
      await page.locator('.picker [role=option]').first().click();
      await page.locator('.chip .open:enabled').last().click();
      await page.locator('.preview .origin').waitFor();
    },
  },
  {
    name: 'chips-address',
    scene: 'summoned',
    act: (page) => page.locator('textarea').fill('这条规则改了吗 https://wiki.lanting.dev/refund-policy'),
  },
];
