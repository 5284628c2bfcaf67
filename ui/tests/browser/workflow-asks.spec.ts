/** A workflow that was called in a conversation: what its steps ask is decided there. */
import { expect, test } from 'vitest';
import { ask, scenes, sent } from './stage';

const on = scenes();

test('what a step asks stands in the conversation and is decided there', () =>
  on({ scene: 'workflowasks' }, async (page) => {
    await ask(page);
    const card = page.locator('.card.ask');
    await card.waitFor();
    await expect.poll(() => sent(page, 'workflows')).toMatchObject([{ action: { action: 'of_call', run: 'run-1' } }]);
    expect(await page.locator('.note', { hasText: 'Workbench' }).count()).toBe(0);
    await card.getByRole('button').first().click();
    await expect.poll(() => sent(page, 'answer')).toMatchObject([{ run: 'step-run', call: 1 }]);
    await expect.poll(() => card.count()).toBe(0);
    // Where the program was restarted meanwhile, nothing else goes on with it.
    await expect.poll(() => sent(page, 'resume')).toMatchObject([{ run: 'run-1' }]);
    // Otherwise it has gone on already, which is no error of the user's.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page.getByText('This run is over').count()).toBe(0);
  }));
