/** Every state that the panel can be in: drawn as pictures, and looked at by the checks of access and of widths. */
import type { Page } from 'playwright-core';
import { RESOURCE_STATES } from './resource-states';
import { SITE_STATES } from './site-states';
import { ask, READY_MS } from './stage';

export interface State {
  name: string;
  scene: string;
  speed?: number;
  act?: (page: Page) => Promise<void>;
}

const FILES = [
  '/home/lin/work/builds.csv',
  '/home/lin/下载/第三季度销售汇总-终稿-财务复核后.xlsx',
  '/home/lin/notes.md',
];
const drop = (page: Page, paths: string[]) => page.evaluate((given) => window.scripted.drop(given), paths);

const asked =
  (ready: string, then: (page: Page) => Promise<void> = async () => undefined) =>
  async (page: Page) => {
    await ask(page);
    await page.locator(ready).last().waitFor();
    await then(page);
  };

const inspected = async (page: Page) => {
  await page.keyboard.press('Control+i');
  await page.locator('.sheet h2').last().waitFor();
};

export const STATES: State[] = [
  {
    name: 'chips',
    scene: 'context',
    async act(page) {
      await page.evaluate(() => window.scripted.show('hotkey'));
      await drop(page, [...FILES, '/home/lin/合同-盖章版.pdf', '/home/lin/report.pdf']);
      await page.locator('.chip', { hasText: 'report.pdf' }).waitFor();
    },
  },
  {
    name: 'work-folder',
    scene: 'work',
    async act(page) {
      await drop(page, ['/home/lin/reports/']);
      await page.locator('.offer').waitFor();
    },
  },
  {
    name: 'work-detail',
    scene: 'workunconfined',
    async act(page) {
      await page.locator('.composer .chip .open').click();
      await page.locator('.detail').waitFor();
    },
  },
  {
    name: 'work-approval',
    scene: 'workwrite',
    act: asked('.approval', async (page) => {
      await page.waitForTimeout(READY_MS);
      await page.locator('.approval input[value=folder]').check();
    }),
  },
  { name: 'chips-reading', scene: 'summoned', act: (page) => drop(page, ['/home/lin/slow.pdf', '/home/lin/notes.md']) },
  {
    name: 'chips-preview',
    scene: 'summoned',
    async act(page) {
      await drop(page, FILES);
      await page.locator('.chip .open:enabled').nth(2).click();
      await page.locator('.preview').waitFor();
    },
  },
  {
    name: 'page-known',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('https://wiki.lanting.dev/refund-policy');
      await page.locator('section li button.gist').first().click();
      await page.locator('.outcome').waitFor();
    },
  },
  {
    name: 'assistant-call',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('@');
      await page.locator('.calls [role=option]').first().waitFor();
    },
  },
  {
    name: 'assistant-menu',
    scene: 'summoned',
    async act(page) {
      await page.locator('.head .who').click();
      await page.locator('.head [role=menu]').waitFor();
    },
  },
  {
    name: 'assistant-opening',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('@trans');
      await page.locator('.calls [role=option]').first().waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.opening').waitFor();
    },
  },
  {
    name: 'skill-call',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('/');
      await page.locator('.calls [role=option]').first().waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'prompt-fill',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('/');
      await page.locator('.calls [role=option]').first().waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.fill-prompt .field').first().waitFor();
    },
  },
  {
    name: 'page-memory',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('https://wiki.lanting.dev/refund-policy ');
      await page.locator('section .actions').waitFor();
    },
  },
  {
    name: 'page-forget',
    scene: 'summoned',
    async act(page) {
      await page.locator('textarea').fill('https://wiki.lanting.dev/refund-policy ');
      await page.locator('.actions button').click();
    },
  },
  ...RESOURCE_STATES,
  ...SITE_STATES,
  { name: 'site-waits', scene: 'pagewaits', act: asked('.note.waits') },
  { name: 'workflow-asks', scene: 'workflowasks', act: asked('.ask') },
  { name: 'site-approval', scene: 'pagechange', act: asked('.approval') },
  { name: 'browser-asks', scene: 'pageasks', act: (page) => page.locator('.asks').waitFor() },
  {
    name: 'browser-keys',
    scene: 'pageasks',
    async act(page) {
      await page.locator('.asks').waitFor();
      await page.keyboard.press('F8');
      await page.locator('.asks header .key').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'browser-gone',
    scene: 'pagegone',
    async act(page) {
      await page.locator('.asks').waitFor();
      await page.waitForTimeout(READY_MS);
      await page.locator('.asks .primary').click();
      await page.locator('.asks .trouble').waitFor();
    },
  },
  {
    name: 'withdrawn',
    scene: 'withdrawn',
    act: asked('.after', (page) => page.locator('.step .line', { hasText: /撤回|ta+ke+n ba+ck/ }).click()),
  },
  {
    name: 'versions',
    scene: 'long',
    act: asked('.after', async (page) => {
      await page.locator('.after button').nth(2).click();
      await page.locator('.versions').waitFor();
      await page.locator('.after').waitFor();
    }),
  },
  { name: 'inside', scene: 'inside', act: asked('.after', inspected) },
  {
    name: 'inside-delete',
    scene: 'inside',
    act: asked('.after', async (page) => {
      await inspected(page);
      await page.locator('li .tool').first().click();
    }),
  },
  {
    name: 'inside-value',
    scene: 'inside',
    act: asked('.after', async (page) => {
      await inspected(page);
      await page.locator('li .line', { hasText: 'log' }).click();
      await page.locator('pre.readable').waitFor();
    }),
  },
  { name: 'inside-empty', scene: 'insideempty', act: asked('.after', inspected) },
  { name: 'provider-waits', scene: 'limited', act: asked('.status .awaits') },
  { name: 'prompt-read', scene: 'reads', act: asked('.status .awaits') },
  {
    name: 'changed',
    scene: 'changed',
    act: asked('section[aria-label] li', async (page) => {
      await page.locator('section li button[aria-expanded]').first().click();
      await page.locator('section pre').waitFor();
    }),
  },
  { name: 'arranged', scene: 'arranged', act: asked('section[aria-label] li') },
  { name: 'delegated', scene: 'delegated', act: asked('section[aria-label] li') },
  { name: 'answer-repeats', scene: 'repeating', act: asked('.notice') },
  {
    name: 'recalled',
    scene: 'recalled',
    act: asked('.after', async (page) => {
      await page.locator('.step button.line').first().click();
      await page.locator('.step .text').first().waitFor();
      await page.locator('.step .actions button').first().click();
    }),
  },
  {
    name: 'pictured',
    scene: 'pictured',
    act: asked('.after', async (page) => {
      await page.locator('.step li img').nth(1).waitFor();
      await page.locator('.step li img').first().scrollIntoViewIfNeeded();
    }),
  },
  {
    name: 'ghost',
    scene: 'summoned',
    async act(page) {
      await drop(page, ['/home/lin/report.pdf']);
      await page.locator('.tab').waitFor();
    },
  },
  {
    name: 'incognito',
    scene: 'sessions',
    async act(page) {
      await page.keyboard.press('Control+Shift+N');
      await page.locator('header .tag').waitFor();
    },
  },
  {
    name: 'incognito-answer',
    scene: 'long',
    async act(page) {
      await page.keyboard.press('Control+Shift+N');
      await page.locator('header .tag').waitFor();
      await ask(page);
      await page.locator('.after').last().waitFor();
    },
  },
  { name: 'find', scene: 'sessions', act: (page) => page.keyboard.press('Control+k') },
  {
    name: 'find-words',
    scene: 'sessions',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('a');
      await page.locator('.found').nth(3).waitFor();
    },
  },
  {
    name: 'models',
    scene: 'summoned',
    async act(page) {
      await page.locator('.pick').first().click();
      await page.locator('.option', { hasText: 'qwen3-max' }).waitFor();
      await page.locator('.option', { hasText: 'gemma3' }).waitFor();
    },
  },
  { name: 'settings', scene: 'summoned', act: (page) => page.keyboard.press('Control+,') },
  {
    name: 'settings-models',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('#group-models').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-local-model',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('.catalogue progress').first().waitFor();
      await page.locator('#local-model').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-held',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('.held').evaluate((part) => part.scrollIntoView());
    },
  },
  {
    name: 'settings-privacy',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('#group-privacy').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-end',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('#setting-max_rounds').fill('900');
      await page.locator('#group-about').evaluate((head) => head.scrollIntoView());
    },
  },
  {
    name: 'settings-search',
    scene: 'summoned',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.keyboard.type('hotkey');
    },
  },
  { name: 'keys', scene: 'summoned', act: (page) => page.keyboard.press('Control+/') },
  { name: 'welcome', scene: 'first', act: (page) => page.locator('.local select').waitFor() },
  {
    name: 'welcome-none',
    scene: 'noserver',
    act: async (page) => {
      await welcome(page);
      await page.locator('.door').first().click();
    },
  },
  {
    name: 'welcome-key',
    scene: 'first',
    async act(page) {
      await page.locator('.local select').waitFor();
      await page.locator('.door').nth(1).click();
      await page.locator('input[type=password]').fill('sk-1234');
    },
  },
  {
    name: 'welcome-file',
    scene: 'noserver',
    act: async (page) => {
      await welcome(page);
      await page.locator('.door').nth(2).click();
      await page.locator('.catalogue progress').first().waitFor();
    },
  },
  {
    name: 'welcome-practice',
    scene: 'first',
    async act(page) {
      await page.locator('.without').click();
      await page.locator('.caps').waitFor();
      await page.evaluate(() => window.scripted.press());
    },
  },
  { name: 'summoned', scene: 'summoned', act: (page) => page.locator('li button').first().waitFor() },
  { name: 'offline-empty', scene: 'offline', act: (page) => page.locator('.no-model').waitFor() },
  {
    name: 'draft',
    scene: 'summoned',
    async act(page) {
      await page.evaluate(() =>
        window.scripted.drop([
          '/home/lin/work/builds.csv',
          '/home/lin/下载/第三季度销售汇总-终稿-财务复核后.xlsx',
          '/home/lin/notes.md',
        ]),
      );
      await page.locator('textarea').fill('把这三个文件里的数字对一遍\n不一致的列出来\n写明出自哪个文件、哪一行');
    },
  },
  {
    name: 'streaming',
    scene: 'streaming',
    speed: 4,
    act: asked('.answer', async (page) => {
      await page.locator('.step button.line').nth(2).click();
    }),
  },
  { name: 'approval', scene: 'approval', act: asked('.approval') },
  { name: 'approval-long', scene: 'tainted', act: asked('.approval') },
  { name: 'question', scene: 'question', act: asked('.ask') },
  { name: 'form', scene: 'form', act: asked('.ask') },
  { name: 'error', scene: 'error', act: asked('.error') },
  { name: 'error-unreached', scene: 'unreached', act: asked('.error') },
  { name: 'error-key', scene: 'error', act: asked('.error', async (page) => page.locator('.error .primary').click()) },
  { name: 'offline', scene: 'offline', act: asked('.offline .answer') },
  { name: 'offline-help', scene: 'offlinehelp', act: asked('.offline .answer') },
  ...['choice', 'choices', 'confirm', 'handover', 'operations', 'custom', 'server', 'sampling'].map((kind): State => ({
    name: `ask-${kind}`,
    scene: `ask-${kind}`,
    act: asked('.card.ask'),
  })),
  {
    name: 'ask-fields',
    scene: 'ask-fields',
    act: asked('.card.ask', async (page) => {
      await page.locator('.ask footer .primary').click();
      await page.locator('.ask .wrong').first().waitFor();
    }),
  },
  {
    name: 'ask-diff',
    scene: 'ask-diff',
    act: asked('.card.ask', async (page) => {
      await page.locator('[data-hunk] header .button').nth(3).click();
      await page.locator('.verdict').waitFor();
    }),
  },
  { name: 'long-end', scene: 'long', act: asked('.after') },
  {
    name: 'long-start',
    scene: 'long',
    act: asked('.after', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0))),
  },
  {
    name: 'long-middle',
    scene: 'long',
    act: asked('.after', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 420))),
  },
  {
    name: 'rich-start',
    scene: 'rich',
    act: asked('figure img', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0))),
  },
  { name: 'rich-end', scene: 'rich', act: asked('figure img') },
  { name: 'diagram-broken', scene: 'diagram', act: asked('.note') },
  {
    name: 'data-table',
    scene: 'data',
    act: asked('.after', async (page) => page.locator('.shown').first().scrollIntoViewIfNeeded()),
  },
  { name: 'data-end', scene: 'data', act: asked('.after') },
  {
    name: 'hostile',
    scene: 'hostile',
    act: asked('.after', async (page) => page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0))),
  },
  { name: 'working', scene: 'working', act: asked('.todo') },
  {
    name: 'elsewhere',
    scene: 'elsewhere',
    act: async (page) => page.locator('.toast').waitFor(),
  },
  {
    name: 'find-session',
    scene: 'gaveup',
    act: asked('.gave-up', async (page) => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('contract');
      await page.keyboard.press('Enter');
      await page.locator('.find [role=status]', { hasText: '/' }).waitFor();
    }),
  },
  {
    name: 'edit',
    scene: 'long',
    act: asked('.after', async (page) => {
      await page.locator('.scroller').evaluate((element) => element.scrollTo(0, 0));
      await page.locator('.mine').hover();
      await page.locator('.mine .tool').first().click();
    }),
  },
  { name: 'gave-up', scene: 'gaveup', act: asked('.gave-up') },
  { name: 'suspended', scene: 'suspended', act: (page) => page.locator('.note').waitFor() },
  {
    name: 'continued',
    scene: 'suspended',
    async act(page) {
      await page.locator('.note .button').click();
      await page.locator('.answer').waitFor();
    },
  },
  { name: 'sessions', scene: 'sessions', act: (page) => page.locator('header .tool').first().click() },
  {
    name: 'sessions-renamed',
    scene: 'sessions',
    async act(page) {
      await page.locator('header .tool').first().click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('F2');
      await page.locator('#session-list input').waitFor();
    },
  },
  {
    name: 'sessions-deleted',
    scene: 'sessions',
    async act(page) {
      await page.locator('header .tool').first().click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Delete');
      await page.locator('.toast').waitFor();
    },
  },
  { name: 'menu', scene: 'summoned', act: (page) => page.locator('header > .menu:last-child button').click() },
  { name: 'drop', scene: 'summoned', act: (page) => page.evaluate(() => window.scripted.hold(true)) },
  {
    name: 'assistant-barred',
    scene: 'barred',
    async act(page) {
      await page.locator('textarea').fill('@trans');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.opening').waitFor();
      await page.locator('textarea').fill('Good morning');
      await page.keyboard.press('Enter');
      await page.locator('.error footer .button').nth(1).waitFor();
    },
  },
  { name: 'locked', scene: 'locked', act: asked('[data-passphrase]') },
  { name: 'locked-run', scene: 'lockedrun', act: asked('[data-passphrase]') },
  {
    name: 'locked-wrong',
    scene: 'locked',
    act: asked('[data-passphrase]', async (page) => {
      await page.locator('[data-passphrase]').fill('wrong horse');
      await page.keyboard.press('Enter');
      await page.locator('.unlock .wrong').waitFor();
    }),
  },
  {
    name: 'key-passphrase',
    scene: 'nokeychain',
    act: async (page) => {
      await page.keyboard.press('Control+m');
      await page.locator('.picker footer .button').click();
      await page.locator('[data-passphrase]').first().fill('correct horse');
      await page.locator('[data-passphrase]').last().fill('correct house');
    },
  },
  {
    name: 'settings-locked',
    scene: 'locked',
    async act(page) {
      await page.keyboard.press('Control+,');
      await page.locator('[data-passphrase]').waitFor();
      await page.locator('#group-models').evaluate((head) => head.scrollIntoView());
    },
  },
];

/** States that the user guide shows, in both languages. */
export const GUIDE_STATES = [
  'welcome',
  'settings-models',
  'settings-privacy',
  'locked',
  'models',
  'chips',
  'chips-screen',
  'find',
  'streaming',
  'approval',
  'ask-diff',
  'memory',
  'experience',
  'knowledge',
  'tools',
  'skills',
  'site-preview',
  'connections',
  'traces',
] as const;

/** The guide's picture of the sample page, which is no state of ours. */
export const SAMPLE_PICTURE = 'sample';

/** The state of that name; a wrong name is a mistake in a test. */
export function stateNamed(name: string): State {
  const state = STATES.find((known) => known.name === name);
  if (state === undefined) throw new Error(`No state is called ${name}`);
  return state;
}

async function welcome(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('first run');
  await page.keyboard.press('Enter');
  await page.locator('.welcome').waitFor();
}
