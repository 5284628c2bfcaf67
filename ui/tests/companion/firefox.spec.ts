/** The companion in a real Firefox, where there is one: the same files and the same promises. */
import { afterEach, describe, expect, test } from 'vitest';
import { callOf } from './browser';
import { Firefox, FIREFOX } from './firefox';

if (FIREFOX === undefined) process.stdout.write('NOT RUN: the companion in Firefox: no Firefox is installed\n');

let firefox: Firefox | null = null;
afterEach(async () => {
  await firefox?.close();
  firefox = null;
});

describe.runIf(FIREFOX !== undefined).each([{ native: false }, { native: true }])(
  'WebMCP of Firefox itself: $native',
  ({ native }) => {
    test('pages are told, calls run once, and answers outlive Shidi', { timeout: 120_000 }, async () => {
      firefox = await Firefox.open({ native });
      const { shidi } = firefox;
      expect(await shidi.next('hello')).toMatchObject({ browser: expect.stringMatching(/^Firefox /), token: null });
      shidi.say({ type: 'paired', token: 'the token' });
      shidi.say({ type: 'welcome' });
      await firefox.go('/page.html');
      const page = await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 3);
      expect(await firefox.evaluate("'modelContext' in navigator")).toBe(native);

      shidi.say(callOf(page, 'c1', 'get_context'));
      expect(await shidi.next('returned')).toMatchObject({
        call: 'c1',
        value: { fields: ['region', 'amount', 'year'] },
      });
      shidi.say(callOf(page, 'c2', 'edit_script', { script: 5 }));
      expect(await shidi.next('failed')).toMatchObject({
        call: 'c2',
        message: expect.stringContaining('script is not a text'),
      });

      shidi.say(callOf(page, 'c3', 'edit_script', { script: 'select 3' }));
      const evaluate = firefox.evaluate.bind(firefox);
      await expect.poll(() => evaluate("document.getElementById('change').hidden")).toBe(false);
      await shidi.stop();
      await evaluate("document.getElementById('reject').click()");
      await shidi.start();
      expect(await shidi.welcome()).toMatchObject({ token: 'the token' });
      expect(await shidi.next('returned', ({ call }) => call === 'c3')).toMatchObject({
        value: { status: 'rejected' },
      });
      shidi.say(callOf(page, 'c3', 'edit_script', { script: 'select 3' }));
      await shidi.next('returned', ({ call }) => call === 'c3');
      expect(await evaluate("document.getElementById('changes').textContent")).toBe('1');

      shidi.say(callOf(page, 'c4', 'edit_script', { script: 'select 4' }));
      await expect.poll(() => evaluate("document.getElementById('changes').textContent")).toBe('2');
      await firefox.go('/plain');
      expect(await shidi.next('failed', ({ call }) => call === 'c4')).toMatchObject({
        message: expect.stringContaining('while it worked'),
      });
      await shidi.next('page', ({ title }) => title === 'Plain');
      await firefox.back();
      const anew = await shidi.next('page', ({ tools }) => (tools as unknown[]).length === 3);
      expect(anew['document']).not.toBe(page['document']);
      await firefox.go('about:blank');
      await shidi.next('no_page');
    });
  },
);
