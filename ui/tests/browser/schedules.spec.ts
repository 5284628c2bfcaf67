/** Schedules as a person uses them: looked at, paused, run, removed, and written down with their dates in sight. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WORKBENCH } from './bench-states';
import { deedsAbout, sent, stageOf, type View } from './stage';

const stage = stageOf();
const on = (act: (page: Page) => Promise<void>, scene = 'traces', lang: View['lang'] = 'en') =>
  stage().play(
    { scene, lang, at: '2026-11-20T18:05:00+08:00' },
    async (page) => {
      await page.setViewportSize(WORKBENCH);
      await page.keyboard.press('Control+0');
      await page.locator('.detail .times, main .none').first().waitFor();
      await act(page);
    },
    'workbench.html',
  );

/** What was asked for, without what only reads. */
const deeds = async (page: Page) =>
  ((await deedsAbout(page, 'schedules')) as { action: string }[]).filter(
    ({ action }) => action !== 'history' && action !== 'read',
  );

const rowOf = (page: Page, text: string) => page.locator('.one', { hasText: text });
const keep = (page: Page) => page.getByRole('button', { name: 'Keep', exact: true });
const when = (page: Page) => page.getByLabel('In words').and(page.locator('.field'));
const editor = (page: Page) => page.locator('form.editor');
const may = (page: Page) => page.getByLabel('May do without asking');
const change = (page: Page) => page.getByRole('button', { name: /^Change/ });
/** Opens the form in which a schedule is changed. */
const begin = async (page: Page, text: string) => {
  await rowOf(page, text).click();
  await change(page).click();
  await editor(page).getByRole('heading', { name: 'Change schedule' }).waitFor();
};
const open = async (page: Page) => {
  await page.getByRole('button', { name: 'New schedule' }).click();
  await page.locator('form.editor').waitFor();
};

test('each is listed with its kind, its time in words, its dates and what of it needs its user', () =>
  on(async (page) => {
    expect(await page.locator('a[href="#schedules"]').getAttribute('title')).toBe('Schedules (Ctrl 0)');
    expect(await page.locator('a[href="#schedules"] .waiting').textContent()).toBe('1 waiting for you');
    const asks = await rowOf(page, 'order service').innerText();
    expect(asks).toContain('waits for you');
    expect(asks).toContain('Question · every weekday at 8 am');
    expect(asks).toContain('next: Mon, 23 Nov 2026, 08:00');
    expect(asks).toContain('last: Yesterday');
    expect(await rowOf(page, 'customer-marketing').innerText()).toContain('failed');
    expect(await rowOf(page, 'Water the plants').innerText()).toContain('paused');
    const dentist = await rowOf(page, 'dentist').innerText();
    expect(dentist).toContain('skipped');
    expect(dentist).toContain('nothing comes any more');
    await rowOf(page, 'dentist').click();
    await page.locator('.mark', { hasText: 'more than 5 minutes late' }).waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('friday');
    await expect.poll(() => page.locator('.one').count()).toBe(1);
    await page.getByRole('heading', { name: 'customer-marketing' }).waitFor();
  }));

test('its history tells what became of each time, with the way to its session or to its run', () =>
  on(async (page) => {
    const times = page.locator('.times li');
    await expect.poll(() => times.count()).toBe(3);
    const done = await times.nth(1).innerText();
    expect(done).toContain('done');
    expect(done).toContain('due 19 Nov 2026, 08:00');
    expect(done).toContain('taken up 08:00:00 · begun 08:00:01 · finished 08:01:12 · makes up for 2 missed times');
    await times.nth(1).getByRole('button', { name: 'Open session' }).click();
    await page.locator('.mark', { hasText: 'waits for your decision' }).getByRole('button').click();
    await expect
      .poll(() => page.evaluate(() => window.scripted.opened))
      .toEqual(['session-7/run-met', 'session-7/run-waits']);
    await rowOf(page, 'customer-marketing').click();
    await page.locator('.times li', { hasText: 'does not answer' }).waitFor();
    await page.locator('.mark').getByRole('button', { name: 'Open run' }).click();
    await page.locator('.run .result', { hasText: 'Sent to 14 customers' }).waitFor();
    expect(await page.evaluate(() => location.hash)).toBe('#workflows');
  }));

test('a time may have a zone of its own, whose dates stand beside those here; one that nobody knows is told', () =>
  on(async (page) => {
    await open(page);
    await page.getByRole('radio', { name: 'Question' }).check();
    await page.getByLabel('What is asked').fill('What is new?');
    await when(page).fill('every day at 8');
    const zone = page.getByLabel('Time zone');
    await zone.fill('America/NewYork');
    await page.locator('.dates', { hasText: 'America/NewYork' }).waitFor();
    expect(await keep(page).isDisabled()).toBe(true);
    await zone.fill('America/New_York');
    const dates = page.locator('.dates li');
    await expect.poll(() => dates.count()).toBe(5);
    expect(await dates.first().innerText()).toBe('Mon, 23 Nov 2026, 08:00 · here Mon, 23 Nov 2026, 21:00');
    await page.getByLabel('Most tokens each time').fill('5000');
    await page.getByLabel('Most US dollars each time').fill('0.25');
    await keep(page).click();
    await page.locator('dd', { hasText: '5,000 tokens each time' }).waitFor();
    const [kept] = (await deeds(page)) as unknown as { draft: object; time: object }[];
    expect(kept?.draft).toMatchObject({ zone: 'America/New_York', max_tokens: 5000, max_usd: 0.25 });
    expect(kept?.time).toMatchObject({ kind: 'cron', zone: 'America/New_York' });
  }));

test('it is paused and gone on with, by a key or by its button', () =>
  on(async (page) => {
    const list = page.getByRole('listbox');
    await list.press(' ');
    await rowOf(page, 'order service').getByText('paused').waitFor();
    await page.locator('dd', { hasText: 'none while it is paused' }).waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    expect(await deeds(page)).toEqual([
      { action: 'switch', id: 'news', on: false },
      { action: 'switch', id: 'news', on: true },
    ]);
  }));

test('it is done once now, and news of its times is shown as it comes', () =>
  on(async (page) => {
    await rowOf(page, 'Water the plants').click();
    await expect.poll(() => page.locator('.times li').count()).toBe(1);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.locator('.times li', { hasText: 'at work' }).waitFor();
    expect(await deeds(page)).toEqual([{ action: 'run', id: 'water' }]);
    const lists = async () =>
      ((await sent(page, 'schedules')) as { action: { action: string } }[]).filter(
        ({ action }) => action.action === 'list',
      ).length;
    const tell = () =>
      page.evaluate(() =>
        window.scripted.tell({
          reply: 'schedule_changed',
          told: '',
          run: {
            schedule: 'water',
            title: 'Water the plants',
            due: '2026-11-20T10:05:00Z',
            dispatched: null,
            started: null,
            finished: null,
            outcome: 'done',
            reason: null,
            run: null,
            session: null,
            missed: 0,
          },
        }),
      );
    let before = await lists();
    await tell();
    await expect.poll(lists).toBe(before + 1);
    await page.keyboard.press('Control+1');
    before = await lists();
    await tell();
    // What waits is counted from every section.
    await expect.poll(lists).toBe(before + 1);
  }));

test('it is removed only when that was said twice', () =>
  on(async (page) => {
    await rowOf(page, 'dentist').click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.locator('.foot [role=alert]').waitFor();
    expect(await deeds(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await rowOf(page, 'dentist').waitFor({ state: 'detached' });
    expect(await deeds(page)).toEqual([{ action: 'remove', id: 'dentist' }]);
  }));

test('a new one is kept only while its dates are shown; words that mean none say why and what would', () =>
  on(async (page) => {
    await open(page);
    await page.getByLabel('What you are told').fill('Hand in the report');
    await expect.poll(() => keep(page).isDisabled()).toBe(true);
    await when(page).fill('someday');
    const dates = page.locator('form.editor .dates');
    await expect
      .poll(() => dates.innerText())
      .toContain('“someday” is no time that is known. For example: every workday');
    expect(await when(page).getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Control+Enter');
    expect(await deeds(page)).toEqual([]);
    await when(page).fill('every workday at eight');
    await expect.poll(() => dates.locator('li').count()).toBe(5);
    expect(await dates.innerText()).toContain('Asia/Shanghai');
    expect(await dates.locator('li').first().innerText()).toBe('Mon, 23 Nov 2026, 08:00');
    expect(await keep(page).isEnabled()).toBe(true);
    // Looked at in the page, before the words are read: what is awaited here may come after that.
    const isKeepable = await when(page).evaluate(
      async (words: HTMLInputElement, button) => {
        words.value += ' or so';
        words.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((drawn) => setTimeout(drawn));
        return button instanceof HTMLButtonElement && !button.disabled;
      },
      await keep(page).elementHandle(),
    );
    expect(isKeepable, 'the dates of other words are none').toBe(false);
    await expect.poll(() => keep(page).isEnabled()).toBe(true);
    await page.getByRole('radio', { name: 'As a crontab' }).check();
    await expect.poll(() => dates.innerText()).toContain('a crontab has five of them');
    await page.locator('form .field.code').fill('0 8 * * 1-5');
    await dates.locator('li').nth(4).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.detail h2', { hasText: 'Hand in the report' }).waitFor();
    expect(await deeds(page)).toEqual([
      {
        action: 'add',
        draft: {
          task: { kind: 'reminder', text: 'Hand in the report' },
          words: { kind: 'cron', text: '0 8 * * 1-5' },
          missed: 'once',
          folders: [],
          approve: [],
        },
        time: { kind: 'cron', expression: '0 8 * * 1-5' },
      },
    ]);
  }));

test('a workflow is chosen with its values, and what it may do alone is said beforehand: by keys alone', () =>
  on(async (page) => {
    await open(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.getByLabel('Which workflow').selectOption('customer-marketing');
    await when(page).fill('in 20 minutes');
    await page.locator('form.editor .dates li').first().waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('form [role=alert]').first().waitFor();
    expect(await deeds(page), 'values are missing').toEqual([]);
    await page.locator('form textarea').nth(0).fill('regulars');
    await page.locator('form textarea').nth(1).fill('autumn');
    await page.getByRole('radio', { name: 'They are only shown as skipped' }).check();
    await page.getByRole('button', { name: 'Folders to work in' }).click();
    await page.getByRole('menuitem').first().click();
    await page.locator('form .chip', { hasText: 'order-service' }).waitFor();
    await page.locator('.folders', { hasText: 'For every time of this schedule' }).waitFor();
    expect(await may(page).inputValue(), 'what the workflow wants is seen before it is kept').toBe('crm.customers');
    await may(page).fill('crm.customers\nsms.send(mobile=555*)');
    await page.keyboard.press('Control+Enter');
    await page.locator('.detail h2', { hasText: 'customer-marketing' }).waitFor();
    expect(await deeds(page)).toMatchObject([
      {
        draft: {
          task: {
            kind: 'workflow',
            name: 'customer-marketing',
            inputs: { user_tag: 'regulars', marketing_need: 'autumn' },
          },
          missed: 'skip',
          folders: ['/home/lin/work/order-service'],
          approve: ['crm.customers', 'sms.send(mobile=555*)'],
        },
      },
    ]);
  }));

test('one that was begun stays as it was left until it is discarded', () =>
  on(async (page) => {
    await open(page);
    await page.getByLabel('What you are told').fill('Half a thou');
    await page.keyboard.press('Escape');
    await page.locator('form.editor').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.detail').evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'New schedule not kept' }).click();
    await expect.poll(() => page.getByLabel('What you are told').inputValue()).toBe('Half a thou');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByLabel('What you are told').inputValue()).toBe('');
    expect(await deeds(page)).toEqual([]);
  }));

test('where there is none, an example fills the form, and its dates are read at once', () =>
  on(async (page) => {
    await page.getByText('Nothing happens by itself yet').waitFor();
    await page.getByRole('button', { name: 'every workday at eight' }).click();
    await expect.poll(() => page.getByRole('radio', { name: 'Question' }).isChecked()).toBe(true);
    await expect.poll(() => when(page).inputValue()).toBe('every workday at eight');
    await page.locator('form.editor .dates li').nth(4).waitFor();
    await page.getByLabel('Assistant').selectOption('translator');
    await keep(page).click();
    await page.locator('.one.chosen', { hasText: 'calendar' }).waitFor();
    expect(await deeds(page)).toMatchObject([{ draft: { assistant: 'translator', task: { kind: 'question' } } }]);
    await page.locator('.detail', { hasText: 'None of its times has come yet' }).waitFor();
  }, 'noschedules'));

test('what a workflow brought goes with it, an answer that comes late brings nothing, and a question has none of it', () =>
  on(async (page) => {
    await open(page);
    await page.getByRole('radio', { name: 'Workflow' }).check();
    const which = page.getByLabel('Which workflow');
    await may(page).fill('git.log');
    await which.selectOption('customer-marketing');
    await expect.poll(() => may(page).inputValue()).toBe('crm.customers\ngit.log');
    await which.selectOption('refund-approval');
    await expect.poll(() => may(page).inputValue()).toBe('orders.show\norders.refund(amount=*)\ngit.log');
    await page.getByRole('radio', { name: 'Question' }).check();
    await expect.poll(() => may(page).inputValue()).toBe('git.log');
    await page.getByRole('radio', { name: 'Workflow' }).check();
    await expect.poll(() => may(page).inputValue()).toBe('orders.show\norders.refund(amount=*)\ngit.log');
    // It is left before the program can answer about it.
    await which.evaluate((select: HTMLSelectElement) => {
      for (const name of ['customer-marketing', '']) {
        select.value = name;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }
    });
    const last = (await sent(page, 'workflows')).at(-1);
    expect(last).toMatchObject({ action: { action: 'show', name: 'customer-marketing' } });
    expect(await may(page).inputValue()).toBe('git.log');
  }));

test('one is changed with its time as it is: nothing is read, and no time is sent', () =>
  on(async (page) => {
    await begin(page, 'order service');
    expect(await page.getByLabel('What is asked').inputValue()).toContain('order service');
    expect(await when(page).inputValue()).toBe('every weekday at 8 am');
    expect(await may(page).inputValue()).toBe('git.log\nshell.run(command=make test)');
    await editor(page).locator('.chip', { hasText: 'order-service' }).waitFor();
    await editor(page).locator('.dates', { hasText: 'next: Mon, 23 Nov 2026, 08:00' }).waitFor();
    await page.getByLabel('What is asked').fill('What is new?');
    await may(page).fill('git.log');
    await page.keyboard.press('Control+Enter');
    await page.locator('.detail h2', { hasText: 'What is new?' }).waitFor();
    expect(await deedsAbout(page, 'schedules')).not.toContainEqual(expect.objectContaining({ action: 'read' }));
    expect(await deeds(page)).toEqual([
      {
        action: 'change',
        id: 'news',
        draft: {
          task: { kind: 'question', text: 'What is new?' },
          words: { kind: 'plain', text: 'every weekday at 8 am' },
          missed: 'once',
          folders: ['/home/lin/work/order-service'],
          approve: ['git.log'],
        },
      },
    ]);
  }));

test('other words go with the time that was shown for them, and it may become a thing of another kind', () =>
  on(async (page) => {
    await begin(page, 'customer-marketing');
    expect(await page.locator('form textarea').nth(0).inputValue()).toBe('regulars');
    await page.getByRole('radio', { name: 'Reminder' }).check();
    await page.getByLabel('What you are told').fill('Write to the regulars');
    await when(page).fill('every workday at eight');
    await expect.poll(() => keep(page).isDisabled()).toBe(true);
    await editor(page).locator('.dates li').nth(4).waitFor();
    await keep(page).click();
    await page.locator('.detail h2', { hasText: 'Write to the regulars' }).waitFor();
    expect(await deeds(page)).toMatchObject([
      {
        action: 'change',
        id: 'marketing',
        draft: { task: { kind: 'reminder', text: 'Write to the regulars' }, missed: 'skip' },
        time: { kind: 'cron', expression: '0 8 * * 1-5' },
      },
    ]);
  }));

test('what was typed into one that is changed stays there, whatever is looked at meanwhile, until it is discarded', () =>
  on(async (page) => {
    await begin(page, 'order service');
    await page.keyboard.press('Escape');
    await page.locator('.detail').waitFor();
    expect(await change(page).innerText(), 'nothing was typed').toBe('Change');
    await change(page).click();
    await page.getByLabel('What is asked').fill('Half a thou');
    await rowOf(page, 'Water the plants').click();
    await expect.poll(() => change(page).innerText()).toBe('Change');
    await change(page).click();
    await page.getByLabel('What you are told').fill('Water them');
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+0');
    await expect.poll(() => page.getByLabel('What you are told').inputValue()).toBe('Water them');
    await page.getByLabel('What you are told').press('Escape');
    await page.getByRole('button', { name: 'Change not kept' }).waitFor();
    await expect.poll(() => page.locator('.detail').evaluate((one) => one === document.activeElement)).toBe(true);
    await rowOf(page, 'order service').click();
    await page.getByRole('button', { name: 'Change not kept' }).click();
    await expect.poll(() => page.getByLabel('What is asked').inputValue()).toBe('Half a thou');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.locator('.detail').waitFor();
    expect(await change(page).innerText()).toBe('Change');
    await change(page).click();
    await expect.poll(() => page.getByLabel('What is asked').inputValue()).toContain('order service');
    expect(await deeds(page)).toEqual([]);
  }));

test('one that was removed meanwhile says so in its form', () =>
  on(async (page) => {
    await begin(page, 'Water the plants');
    await page.getByLabel('What you are told').fill('Water them');
    await page.evaluate(() => window.scripted.unschedule('water'));
    await keep(page).click();
    await editor(page).locator('[role=alert]', { hasText: 'There is no schedule water' }).waitFor();
    expect(await page.getByLabel('What you are told').inputValue()).toBe('Water them');
  }));

test('a file is picked and what happens to it is waited for, without a date', () =>
  on(async (page) => {
    await open(page);
    await page.getByLabel('What you are told').fill('The builds are there');
    await page.getByRole('radio', { name: 'When a file changes' }).check();
    const path = page.getByLabel('When a file changes').and(page.locator('.field'));
    await path.fill('builds.csv');
    const dates = editor(page).locator('.dates');
    await expect.poll(() => dates.innerText()).toContain('It does not say where the file is');
    expect(await keep(page).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Pick a folder' }).click();
    await expect.poll(() => path.inputValue()).toBe('/home/lin/work/order-service');
    await page.getByRole('button', { name: 'Pick a file' }).click();
    await expect
      .poll(() => dates.innerText())
      .toBe('Whenever /home/lin/work/builds.csv changes, looked at every few seconds.');
    await keep(page).click();
    const row = await page.locator('.one.chosen', { hasText: 'The builds are there' }).innerText();
    expect(row).toContain('when /home/lin/work/builds.csv changes');
    expect(row).toContain('whenever it changes');
    const event = { kind: 'change', path: '/home/lin/work/builds.csv' };
    expect(await deeds(page)).toMatchObject([{ action: 'add', draft: { words: event }, time: event }]);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.locator('dd', { hasText: 'none while it is paused' }).waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('dd', { hasText: 'whenever it changes' }).waitFor();
  }));

test('the end of any job is waited for with nothing typed, and of some job by a part of its command or in plain words', () =>
  on(async (page) => {
    await open(page);
    await page.getByLabel('What you are told').fill('It is over');
    await page.getByRole('radio', { name: 'When a job ends' }).check();
    const dates = editor(page).locator('.dates');
    await expect.poll(() => dates.innerText()).toContain('Whenever a background job ends.');
    expect(await dates.innerText()).toContain('leave it empty for any job');
    expect(await keep(page).isEnabled()).toBe(true);
    await page.getByLabel('When a job ends').and(page.locator('.field')).fill('cargo');
    await expect.poll(() => dates.innerText()).toContain('whose command contains “cargo” ends.');
    await page.getByRole('radio', { name: 'In words' }).check();
    await when(page).fill('when the build job ends');
    await expect.poll(() => dates.innerText()).toContain('whose command contains “build” ends.');
    await keep(page).click();
    await page.locator('.one.chosen', { hasText: 'when the build job ends' }).waitFor();
    expect(await deeds(page)).toMatchObject([
      { draft: { words: { kind: 'plain' } }, time: { kind: 'job', name: 'build' } },
    ]);
  }));

for (const [lang, words, comes] of [
  ['en', 'when /home/lin/work/builds.csv changes', 'whenever it changes'],
  ['zh', '/home/lin/work/builds.csv 变化时', '每当它变化'],
] as const)
  test(`events are listed in words: ${lang}`, () =>
    on(
      async (page) => {
        const row = await page.locator('.one').first().innerText();
        expect(row).toContain(words);
        expect(row).toContain(comes);
        expect(await page.locator('.detail .head').innerText()).toContain(words);
        const facts = await page.locator('.detail dl').innerText();
        expect(facts).toContain(words);
        expect(facts).toContain(comes);
        expect(facts).not.toContain('Asia/Shanghai');
      },
      'events',
      lang,
    ));

test('a notification leads to the section', () =>
  on(async (page) => {
    await page.keyboard.press('Control+1');
    await page.evaluate(() => window.scripted.want({ at: 'section', section: 'schedules' }));
    await page.locator('.detail .times').waitFor();
  }));
