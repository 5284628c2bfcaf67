/** What ships, under the policy of the desktop program, with a stand-in for the shell behind the backend. */
import { expect, test } from 'vitest';
import { stageOf } from './stage';

const stage = stageOf('dist');

/** The commands the shell is asked for, with their arguments, as the windows start. */
async function started(file: string): Promise<{ commands: [string, Record<string, unknown>][]; troubles: string[] }> {
  const page = await stage().bare();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    const icon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !icon) troubles.push(message.text());
  });
  await page.addInitScript(() => {
    const commands: unknown[] = [];
    Object.assign(window, {
      commands,
      __TAURI_INTERNALS__: {
        metadata: { currentWindow: { label: 'panel' }, currentWebview: { windowLabel: 'panel', label: 'panel' } },
        transformCallback: () => 1,
        unregisterCallback: () => undefined,
        invoke: (command: string, given: Record<string, unknown>) => {
          commands.push([command, JSON.parse(JSON.stringify(given))]);
          return new Promise(() => undefined);
        },
      },
    });
  });
  await page.goto(stage().addressOf(file));
  await page.locator('textarea, #ball svg').first().waitFor();
  const commands = await page.evaluate(
    () => (window as unknown as { commands: [string, Record<string, unknown>][] }).commands,
  );
  await page.context().close();
  return { commands, troubles };
}

test('the panel starts under the policy and knocks at the backend', async () => {
  const { commands, troubles } = await started('panel.html');
  expect(troubles).toEqual([]);
  const asked = commands
    .filter(([command]) => command === 'request')
    .map(([, given]) => (given['request'] as { request: string }).request);
  expect(asked).toEqual(['watch', 'look_watch', 'folders', 'config_list', 'pages', 'session_list', 'assistants']);
  expect(commands.find(([command]) => command === 'request')?.[1]).toMatchObject({
    stream: 1,
    channel: expect.stringMatching(/^__CHANNEL__:/),
  });
});

test('the ball starts under the policy and listens for its mood', async () => {
  const { commands, troubles } = await started('ball.html');
  expect(troubles).toEqual([]);
  expect(commands).toMatchObject([['plugin:event|listen', { event: 'ball-mood' }]]);
});
