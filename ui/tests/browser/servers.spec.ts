/** MCP servers in the workbench as a person adds, allows, looks after and removes them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { deedsAbout, sent, stageOf } from './stage';

const stage = stageOf();
const actions = async (page: Page) =>
  (await deedsAbout(page, 'mcp')).filter(
    (action) => !['list', 'clients'].includes((action as { action: string }).action),
  );

const at = (scene: string, act: (page: Page) => Promise<void>) =>
  stage().play(
    { scene, lang: 'en' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press('Control+5');
      await page.locator('h2', { hasText: 'MCP servers' }).waitFor();
      await act(page);
    },
    'workbench.html',
  );

test('a server is added out of a text that was pasted, with its key, and allows nothing before the user does', () =>
  at('traces', async (page) => {
    await page.getByText('None has been added yet').waitFor();
    await page.locator('section', { hasText: 'MCP servers' }).getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Paste what the server').fill('{"mcpServers": {"github": {"command": "npx"}}}');
    await page.getByRole('button', { name: 'Read it' }).click();
    const form = page.getByRole('group', { name: 'Add github' });
    await form.getByText('Adding starts this program with your rights').waitFor();
    const add = form.getByRole('button', { name: 'Add and start' });
    expect(await add.isDisabled()).toBe(true);
    await form.getByLabel('GITHUB_TOKEN', { exact: true }).fill('ghp_1');
    await expect.poll(() => form.getByLabel('GITHUB_TOKEN', { exact: true }).getAttribute('type')).toBe('password');
    await add.click();
    await page.getByRole('switch', { name: 'Programs may call search_issues' }).waitFor();
    await page.getByText('0 of 1 tools allowed').waitFor();
    expect((await actions(page)).at(-1)).toEqual({
      action: 'add',
      server: {
        name: 'github',
        command: ['npx', '-y', '@modelcontextprotocol/server-github'],
        url: null,
        env: { LOG: 'info' },
        secrets: { GITHUB_TOKEN: 'ghp_1' },
        legacy: false,
      },
    });
    await page.getByRole('switch', { name: 'Programs may call search_issues' }).click();
    await page.getByText('1 of 1 tools allowed').waitFor();
  }));

test('a text without a server says so in one sentence with its remedy, and stays', () =>
  at('traces', async (page) => {
    await page.locator('section', { hasText: 'MCP servers' }).getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Paste what the server').fill('{"theme": "dark"}');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').filter({ hasText: 'The text names no server' }).waitFor();
    expect(await page.getByLabel('Paste what the server').inputValue()).toBe('{"theme": "dark"}');
    await page.getByRole('button', { name: 'Look in my other programs' }).click();
    await page.getByText('Your other programs keep no MCP servers').waitFor();
  }));

test('servers of other programs are offered, and those that can not be added say why', () =>
  at('servers', async (page) => {
    await page.locator('section', { hasText: 'MCP servers' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Look in my other programs' }).click();
    await page.getByRole('group', { name: 'Add linear' }).getByText('From Cursor').waitFor();
    await page.locator('.left', { hasText: 'old form of the protocol' }).waitFor();
  }));

test('a tool that has changed is off until it is allowed as it is now', () =>
  at('servers', async (page) => {
    await page.getByText('A tool has changed').waitFor();
    await page.locator('.line', { hasText: 'crm' }).click();
    const changed = page.getByRole('switch', { name: 'Programs may call send_invoice' });
    await expect.poll(() => changed.isChecked()).toBe(false);
    await changed.click();
    await expect.poll(() => changed.isChecked()).toBe(true);
    await page.getByText('A tool has changed').waitFor({ state: 'detached' });
  }));

test('what a call may carry is told where the tool is allowed', () =>
  at('servers', async (page) => {
    await page.locator('.line', { hasText: 'crm' }).click();
    const parameters = page.locator('details', { hasText: 'Parameters' });
    await expect.poll(() => parameters.count()).toBe(1);
    await parameters.locator('summary').click();
    await parameters.getByText('text · needed').waitFor();
    await parameters.getByText('one of "open", "paid"').waitFor();
    await parameters.getByText('whole number').waitFor();
  }));

test('what a tool counts as is chosen where it is allowed', () =>
  at('servers', async (page) => {
    await page.locator('.line', { hasText: 'crm' }).click();
    await page.locator('.detail select').first().selectOption('network_read');
    expect((await actions(page)).at(-1)).toEqual({
      action: 'allow',
      name: 'crm',
      tools: ['list_orders'],
      all: false,
      class: 'network_read',
      on: true,
    });
  }));

test('a server is tested, restarted, and removed after a second thought', () =>
  at('servers', async (page) => {
    await page.locator('.line', { hasText: 'notes' }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('alert').filter({ hasText: 'connection refused' }).waitFor();
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.locator('.line', { hasText: 'notes' }).getByText('Running').waitFor();
    await page.getByRole('button', { name: 'Remove notes' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove notes' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.locator('.line', { hasText: 'notes' }).waitFor({ state: 'detached' });
  }));

test('the log of a server tells what happened to it, and follows what is done to it', () =>
  at('servers', async (page) => {
    await page.locator('.line', { hasText: 'crm' }).click();
    await page.locator('.detail > details summary').click();
    const log = page.locator('.log');
    await log.getByText('12 customers loaded').waitFor();
    await page.getByText('Older lines that had no more room: 12').waitFor();
    expect(await log.locator('p').count()).toBe(6);
    expect(await log.locator('p.wrong').count()).toBe(1);
    await page.getByRole('button', { name: 'Restart' }).click();
    await log.getByText('crm-server 1.0.0').waitFor();
    expect(await log.locator('p').count()).toBe(8);
  }));

test('a server of which nothing is on record says so', () =>
  at('servers', async (page) => {
    await page.locator('.line', { hasText: 'notes' }).click();
    await page.locator('.detail > details summary').click();
    await page.getByText('Nothing is on record since Shidi started').waitFor();
  }));

test('a server that wants a sign-in opens its own page in the browser, and shows its tools after it', () =>
  at('servers', async (page) => {
    const line = page.locator('.line', { hasText: 'wiki' });
    await line.getByText('Wants a sign-in').waitFor();
    await line.click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('switch', { name: 'Programs may call find_note' }).waitFor();
    expect(await page.evaluate(() => window.scripted.links)).toEqual(['https://notes.example/authorize?state=1']);
    expect((await actions(page)).map((action) => (action as { action: string }).action)).toEqual([
      'sign_in',
      'signed_in',
    ]);
  }));

test('a program that wants to ask is allowed, refused or forgotten, and another one is told how', () =>
  at('traces', async (page) => {
    const clients = page.locator('section', { hasText: 'Programs that may ask Shidi' });
    await clients.getByText('wants to ask').waitFor();
    await clients.getByRole('button', { name: 'Allow Zed' }).click();
    await clients.getByText('wants to ask').waitFor({ state: 'detached' });
    await clients.getByRole('button', { name: 'Refuse notes-cli' }).click();
    await clients.getByText('refused').waitFor();
    await clients.getByRole('button', { name: 'Forget notes-cli' }).click();
    await clients.getByText('notes-cli').waitFor({ state: 'detached' });
    const decisions = (await actions(page)).filter(
      (action) => (action as { action: string }).action === 'client_decide',
    );
    expect(decisions).toEqual([
      { action: 'client_decide', name: 'Zed', state: 'allowed' },
      { action: 'client_decide', name: 'notes-cli', state: 'denied' },
      { action: 'client_decide', name: 'notes-cli', state: null },
    ]);
    await clients.getByRole('button', { name: 'Copy for another program' }).click();
    await page.getByText('paste it into the other program').waitFor();
    await clients.getByRole('switch').click();
    expect((await sent(page, 'config_set')).at(-1)).toMatchObject({ key: 'mcp.serve', value: 'off' });
  }));
