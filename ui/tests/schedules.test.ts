/** Schedules without a window: what is listed, how each stands, what is kept of a form, and the words for it. */
import { describe, expect, test } from 'vitest';
import type { ListedWorkflow } from '../src/bindings/ListedWorkflow';
import type { ScheduleOutcome } from '../src/bindings/ScheduleOutcome';
import type { ScheduleRunView } from '../src/bindings/ScheduleRunView';
import type { ScheduleTime } from '../src/bindings/ScheduleTime';
import type { ScheduleView } from '../src/bindings/ScheduleView';
import { LANGUAGES } from '../src/i18n/catalogue';
import { i18nOf } from '../src/i18n/i18n';
import { icons } from '../src/shared/icons';
import * as forms from '../src/schedules/form';
import {
  boundsSaid,
  comesSaid,
  comingIn,
  courseSaid,
  datesSaid,
  eventSaid,
  EXAMPLES,
  markSaid,
  standingOf,
  whenSaid,
} from '../src/schedules/labels';
import * as listing from '../src/schedules/schedules';

const schedule = (id: string, more: Partial<ScheduleView> = {}): ScheduleView => ({
  id,
  draft: {
    task: { kind: 'reminder', text: `${id} of the shop` },
    words: { kind: 'plain', text: 'every day at eight' },
    missed: 'once',
    folders: [],
    approve: [],
  },
  time: { kind: 'cron', expression: '0 8 * * *' },
  zone: 'Asia/Shanghai',
  on: true,
  next: '2026-11-23T00:00:00Z',
  last: null,
  ...more,
});

const run = (of: string, outcome: ScheduleOutcome | null, more: Partial<ScheduleRunView> = {}): ScheduleRunView => ({
  schedule: of,
  title: of,
  due: '2026-11-20T08:00:00Z',
  dispatched: null,
  started: null,
  finished: null,
  outcome,
  reason: null,
  run: null,
  session: null,
  missed: 0,
  ...more,
});

const workflow: ListedWorkflow = {
  name: 'weekly-report',
  title: 'Weekly report',
  description: '',
  built_in: false,
  on: true,
  parameters: [
    { name: 'week', kind: 'int', description: '', required: true, default: null, example: 4 },
    { name: 'tone', kind: 'str', description: '', required: false, default: 'plain', example: null },
  ],
  problem: null,
  open: { waiting: 0, resting: 0 },
};

const [zh, en] = ['zh', 'en'].map((language) => i18nOf(() => language)) as [
  ReturnType<typeof i18nOf>,
  ReturnType<typeof i18nOf>,
];

describe('the list', () => {
  const all = [schedule('stock'), schedule('bills')];
  const view = { ...listing.noSchedules, all, known: true };

  test('words are looked for in what happens and in its time', () => {
    expect(listing.listed({ ...view, text: 'BILLS eight' }).map(({ id }) => id)).toEqual(['bills']);
    expect(listing.listed({ ...view, text: 'nine' })).toEqual([]);
    expect(listing.chosenOf({ ...view, text: 'bills', chosen: 'stock' })?.id).toBe('bills');
  });

  test('the choice stops at the ends', () => {
    expect(listing.moved(view, -1).chosen).toBe('stock');
    expect(listing.moved(view, Infinity).chosen).toBe('bills');
    expect(listing.moved(listing.noSchedules, 1)).toBe(listing.noSchedules);
  });

  test('one that has changed stays in its place, and a new one is there', () => {
    const paused = schedule('stock', { on: false });
    expect(listing.withOne(all, paused)).toEqual([paused, all[1]]);
    expect(listing.withOne(all, schedule('new')).map(({ id }) => id)).toEqual(['stock', 'bills', 'new']);
  });
});

describe('how a schedule stands', () => {
  test('one of its times that waits for the user comes before newer ones; else the newest tells', () => {
    const runs = [run('stock', 'done'), run('bills', 'failed'), run('stock', 'waiting'), run('bills', 'done')];
    expect(listing.tellingOf(runs, 'stock')?.outcome).toBe('waiting');
    expect(listing.tellingOf(runs, 'bills')?.outcome).toBe('failed');
    expect(listing.tellingOf(runs, 'none')).toBeNull();
    const telling = listing.tellingOfAll([schedule('stock'), schedule('bills'), schedule('none')], runs);
    expect([...telling.keys()]).toEqual(['stock', 'bills']);
    expect(listing.waitingOf(telling)).toBe(1);
  });

  test('what was decided about waits for nobody, is marked, and is known also where its time is long past', () => {
    const decided = run('stock', 'waiting', { decided: true });
    const telling = listing.tellingOfAll(
      [schedule('stock', { waiting: decided }), schedule('bills')],
      [run('stock', 'done'), run('bills', 'waiting')],
    );
    expect(telling.get('stock')).toBe(decided);
    expect(listing.waitingOf(telling)).toBe(1);
    expect(listing.isMarked(decided)).toBe(true);
    expect([standingOf(decided).word, standingOf(run('bills', 'waiting')).word]).toEqual([
      'schedule_is_decided',
      'schedule_is_waiting',
    ]);
    expect([en, zh].map((i18n) => markSaid(i18n, decided))).toEqual([
      'You have decided, and it waits to be gone on with',
      '你已决定，它等着继续',
    ]);
  });

  test('it is marked where a time came to nothing or waits, with words for it, and not where it went well or was stopped', () => {
    const outcomes = ['done', 'failed', 'cancelled', 'waiting', 'missed', 'interrupted', null] as const;
    const marked = outcomes.filter((outcome) => listing.isMarked(run('stock', outcome)));
    expect(marked).toEqual(['failed', 'waiting', 'missed', 'interrupted']);
    expect(outcomes.filter((outcome) => markSaid(zh, { outcome }) !== '')).toEqual(marked);
    for (const outcome of outcomes) {
      const { icon, word } = standingOf({ outcome });
      expect(icons[icon], word).toBeTruthy();
      expect(zh.say(word)).not.toBe(word);
    }
  });

  test('its course names what happened, by the clock alone within the day', () => {
    const whole = run('stock', 'done', {
      dispatched: '2026-11-20T08:00:01Z',
      started: '2026-11-20T08:00:02Z',
      finished: '2026-11-22T08:00:40Z',
      missed: 1,
    });
    expect(courseSaid(en, whole)).toMatch(
      /^taken up \d\d:00:01 · begun \d\d:00:02 · finished \d+ Nov 2026, \d\d:00 · makes up for 1 missed time$/,
    );
    expect(courseSaid(zh, { ...whole, missed: 3 })).toContain('补上错过的 3 次');
    expect(courseSaid(en, run('stock', 'missed'))).toBe('');
    expect(courseSaid(en, run('stock', 'missed', { missed: 2 }))).toBe('with 2 times before it');
    expect(courseSaid(zh, run('stock', 'missed', { missed: 2 }))).toBe('连同之前的 2 次');
  });

  test('its dates: what comes, or that nothing does; one that is paused says so elsewhere', () => {
    const said = (one: ScheduleView) => datesSaid(en, one, new Date('2026-11-22T08:00:00Z')).join(' · ');
    expect(said(schedule('stock'))).toMatch(/^next: Mon, 23 Nov 2026, \d\d:00$/);
    const over = { next: null, last: '2026-11-19T08:00:00Z' };
    expect(said(schedule('stock', over))).toBe('nothing comes any more · last: 19 Nov');
    expect(said(schedule('stock', { on: false, next: null }))).toBe('');
  });
});

describe('an event', () => {
  const path = '/home/lin/a.csv';
  const change = { kind: 'change', path } as const;
  const job = { kind: 'job', name: 'cargo build' } as const;
  const anyJob = { kind: 'job', name: '' } as const;
  const of = (time: ScheduleTime, more: Partial<ScheduleView> = {}) =>
    schedule('builds', { time, zone: '', next: null, ...more });

  test('its words and what it means are said in both languages', () => {
    expect([change, job, anyJob].map((words) => whenSaid(en, words))).toEqual([
      'when /home/lin/a.csv changes',
      'when a job with “cargo build” ends',
      'when a background job ends',
    ]);
    expect([change, job, anyJob].map((words) => whenSaid(zh, words))).toEqual([
      '/home/lin/a.csv 变化时',
      '命令里有“cargo build”的后台任务结束时',
      '后台任务结束时',
    ]);
    expect([change, job, anyJob].map((time) => eventSaid(en, time))).toEqual([
      'Whenever /home/lin/a.csv changes, looked at every few seconds.',
      'Whenever a background job whose command contains “cargo build” ends.',
      'Whenever a background job ends.',
    ]);
    expect(eventSaid(zh, job)).toContain('“cargo build”');
    expect(eventSaid(en, { kind: 'cron', expression: '0 8 * * *' })).toBeNull();
  });

  test('it has no date, and comes for all that; while it is paused it does not', () => {
    const now = new Date('2026-11-22T08:00:00Z');
    expect(datesSaid(en, of(change), now)).toEqual(['whenever it changes']);
    expect(datesSaid(en, of(anyJob, { last: '2026-11-19T08:00:00Z' }), now)).toEqual([
      'whenever it ends',
      'last: 19 Nov',
    ]);
    expect(datesSaid(zh, of(change), now)).toEqual(['每当它变化']);
    expect(datesSaid(en, of(change, { on: false }), now)).toEqual([]);
    expect(comesSaid(en, of(change, { on: false }))).toBe('none while it is paused');
    expect([of(change), of(job), of(job, { on: false })].every(listing.canBeSwitched)).toBe(true);
    expect(listing.canBeSwitched(schedule('once', { next: null }))).toBe(false);
  });

  test('it is found by its path or its command', () => {
    const one = of(change);
    const all = [schedule('stock'), { ...one, draft: { ...one.draft, words: change } }];
    expect(listing.listed({ ...listing.noSchedules, all, text: 'a.csv' }).map(({ id }) => id)).toEqual(['builds']);
  });

  test('each way has what was typed for it; a path is needed, the name of a job is not', () => {
    const form = { ...forms.emptyForm, words: 'daily', path: ` ${path} `, job: ' cargo build' };
    expect(forms.WAYS.map((by) => forms.wordsOf({ ...form, by }))).toEqual([
      { kind: 'plain', text: 'daily' },
      { kind: 'cron', text: 'daily' },
      change,
      job,
    ]);
    expect(forms.wordsOf({ ...forms.emptyForm, by: 'change' })).toBeNull();
    expect(forms.wordsOf({ ...forms.emptyForm, by: 'job' })).toEqual(anyJob);
    expect(forms.isBegun({ ...forms.emptyForm, path })).toBe(true);
  });
});

describe('what a workflow may do without asking', () => {
  const chosen = (approve: string, name = 'report') =>
    forms.withWorkflow({ ...forms.emptyForm, kind: 'workflow', approve }, name);

  test('stands there once it is known, in the place of what the one before it brought', () => {
    const first = forms.withPermissions(chosen('git.log'), 'report', ['mail.read', 'files.read']);
    expect(first.approve).toBe('mail.read\nfiles.read\ngit.log');
    const other = forms.withWorkflow(first, 'refund');
    expect(other.approve).toBe('git.log');
    expect(forms.withPermissions(other, 'refund', ['shop.refund']).approve).toBe('shop.refund\ngit.log');
    expect(forms.withWorkflow(first, '').approve).toBe('git.log');
  });

  test('an answer about a workflow that is no longer chosen brings nothing', () => {
    const other = forms.withWorkflow(chosen('git.log'), 'refund');
    expect(forms.withPermissions(other, 'report', ['mail.read'])).toBe(other);
  });

  test('what the user typed or changed stays theirs, also where a workflow would bring the same', () => {
    const brought = forms.withPermissions(chosen('mail.read'), 'report', ['mail.read', 'files.read']);
    expect(brought.approve).toBe('files.read\nmail.read');
    const narrowed = { ...brought, approve: 'files.read(path=/home/lin/*)\nmail.read\n' };
    expect(forms.withWorkflow(narrowed, 'refund').approve).toBe('files.read(path=/home/lin/*)\nmail.read\n');
  });

  test('is for the workflow alone: it goes while something else is to happen, and what was taken out of it stays out', () => {
    const brought = forms.withPermissions(chosen('git.log'), 'report', ['mail.read', 'files.read']);
    const asks = forms.ofKind({ ...brought, approve: 'mail.read\ngit.log' }, 'question');
    expect(asks.approve).toBe('git.log');
    expect(forms.ofKind(asks, 'reminder').approve).toBe('git.log');
    expect(forms.ofKind(asks, 'workflow').approve).toBe('mail.read\ngit.log');
    const late = forms.withPermissions(forms.ofKind(chosen(''), 'question'), 'report', ['mail.read']);
    expect(late.approve).toBe('');
    expect(forms.ofKind(late, 'workflow').approve).toBe('mail.read');
  });

  test('of one that is kept nothing is added; it goes with its workflow', () => {
    const kept = { ...forms.emptyForm, kind: 'workflow' as const, workflow: 'report', approve: 'mail.read\ngit.log' };
    const known = forms.withKnownPermissions(kept, 'report', ['mail.read', 'files.read']);
    expect(known.approve).toBe('mail.read\ngit.log');
    expect(forms.withWorkflow(known, 'refund').approve).toBe('git.log');
    expect(forms.withKnownPermissions(kept, 'refund', ['mail.read'])).toBe(kept);
  });
});

describe('a time zone of its own', () => {
  const NEXT = '2026-11-23T13:00:00Z';
  const elsewhere = ['America/New_York', 'Asia/Tokyo'].find(
    (zone) => zone !== Intl.DateTimeFormat().resolvedOptions().timeZone,
  ) as string;

  test('a date is told by its clock with its name, and by the one here; once where both are the same or it is unknown', () => {
    const here = comingIn(en, NEXT, undefined);
    const there = comingIn(en, NEXT, elsewhere);
    expect(there).toMatch(/^(Mon, 23 Nov 2026, (08|22):00) (America\/New_York|Asia\/Tokyo) · here .*$/);
    expect(there).toContain(` · here ${here}`);
    expect(comingIn(zh, NEXT, elsewhere)).toContain(' · 这里 ');
    expect(comingIn(en, NEXT, 'Atlantis/Nowhere')).toBe(here);
    expect(comingIn(en, NEXT, Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(here);
  });

  test('it is that of the time, else the one beside an interval; an event has none', () => {
    const cron = { kind: 'cron', expression: '0 8 * * *' } as const;
    const every = { kind: 'every', seconds: 7200, from: NEXT } as const;
    expect(listing.ownZone({ ...cron, zone: 'Asia/Tokyo' }, undefined)).toBe('Asia/Tokyo');
    expect(listing.ownZone(cron, undefined)).toBeUndefined();
    expect(listing.ownZone(every, 'Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(listing.ownZone({ kind: 'job', name: '' }, 'Asia/Tokyo')).toBeUndefined();
  });

  test('the form takes it along for words and a crontab alone, and another zone is another time', () => {
    const form = { ...forms.emptyForm, words: 'every day at 8', zone: ' Asia/Tokyo ' };
    expect(forms.WAYS.map((by) => forms.zoneOf({ ...form, by }))).toEqual(['Asia/Tokyo', 'Asia/Tokyo', null, null]);
    expect(forms.zoneOf({ ...form, zone: ' ' })).toBeNull();
    const words = { kind: 'plain', text: 'every day at eight' } as const;
    const kept = schedule('stock');
    const draft = forms.draftOf(form, kept.draft.task, words, []);
    expect(draft.zone).toBe('Asia/Tokyo');
    expect(forms.formFor(draft).zone).toBe('Asia/Tokyo');
    const time = { kind: 'cron', expression: '0 8 * * *', zone: 'Asia/Tokyo' } as const;
    const keeping = forms.keepingOf(kept, draft, { time, zone: 'Asia/Tokyo', next: [NEXT] });
    expect(keeping).toMatchObject({ action: 'change', time });
    const none = forms.draftOf(forms.emptyForm, kept.draft.task, words, []);
    expect('zone' in none).toBe(false);
  });
});

describe('what a time may spend', () => {
  const task = { kind: 'question', text: 'News?' } as const;
  const words = { kind: 'plain', text: 'every day at eight' } as const;
  const form = { ...forms.emptyForm, kind: 'question' as const, maxTokens: '5000', maxUsd: '0.25' };

  test('goes along with a question alone, is read again as it was, and is left out where nothing is typed', () => {
    const draft = forms.draftOf(form, task, words, []);
    expect(draft).toMatchObject({ max_tokens: 5000, max_usd: 0.25 });
    expect(forms.formFor(draft)).toMatchObject({ maxTokens: '5000', maxUsd: '0.25' });
    const reminder = forms.draftOf({ ...form, kind: 'reminder' }, { kind: 'reminder', text: 'Tea' }, words, []);
    expect(Object.keys(reminder)).not.toContain('max_tokens');
    const bare = forms.draftOf({ ...form, maxTokens: '', maxUsd: ' ' }, task, words, []);
    expect(Object.keys(bare).filter((name) => name.startsWith('max_'))).toEqual([]);
  });

  test('is never left out where what is typed is no bound: it goes as nothing, which is refused', () => {
    for (const typed of ['20,000', 'many', '-5', 'Infinity', '0']) {
      const draft = forms.draftOf({ ...form, maxTokens: typed, maxUsd: typed }, task, words, []);
      expect(draft, typed).toMatchObject({ max_tokens: 0, max_usd: 0 });
    }
    const huge = forms.draftOf({ ...form, maxTokens: '1e30' }, task, words, []);
    expect(huge.max_tokens, 'as much as can be kept').toBe(4_294_967_295);
  });

  test('is said in words', () => {
    const draft = forms.draftOf(form, task, words, []);
    expect(boundsSaid(en, draft)).toEqual(['5,000 tokens each time', '0.25 US dollars each time']);
    expect(boundsSaid(zh, forms.draftOf(forms.emptyForm, task, words, []))).toEqual([]);
  });
});

describe('one that is changed', () => {
  const task = { kind: 'workflow', name: 'weekly-report', inputs: { week: 47, tone: '5' } } as const;
  const draft = {
    task,
    words: { kind: 'plain', text: ' every day at eight' } as const,
    missed: 'skip' as const,
    folders: ['/home/lin/work'],
    approve: ['git.log', 'web.*'],
  };
  const kept = schedule('report', { draft });
  const form = forms.formFor(draft);
  const dates = { time: { kind: 'cron', expression: '0 9 * * *' } as const, zone: '', next: ['2026-11-23T01:00:00Z'] };

  test('its form holds all of it, and nothing is changed until something is typed', () => {
    expect(form).toMatchObject({ kind: 'workflow', workflow: 'weekly-report', values: { week: '47', tone: '5' } });
    expect(form).toMatchObject({
      by: 'plain',
      words: ' every day at eight',
      missed: 'skip',
      approve: 'git.log\nweb.*',
    });
    expect(forms.isChanged({ ...form, brought: ['git.log'] }, draft)).toBe(false);
    expect(forms.isChanged({ ...form, missed: 'once' }, draft)).toBe(true);
    const asks = forms.formFor({ ...draft, task: { kind: 'question', text: 'News?' }, assistant: 'cook' });
    expect(asks).toMatchObject({ kind: 'question', text: 'News?', assistant: 'cook' });
    expect(forms.formFor({ ...draft, words: { kind: 'job', name: 'make' } })).toMatchObject({ by: 'job', job: 'make' });
  });

  test('the same words go as they are kept, without a time; others go with the time that was shown', () => {
    const same = { ...draft, words: { kind: 'plain', text: 'every day at eight' } as const };
    expect(forms.keepingOf(kept, same, dates)).toEqual({ action: 'change', id: 'report', draft });
    const other = { ...draft, words: { kind: 'plain', text: 'every day at nine' } as const };
    expect(forms.keepingOf(kept, other, dates)).toEqual({
      action: 'change',
      id: 'report',
      draft: other,
      time: dates.time,
    });
    expect(forms.keepingOf(null, other, dates)).toEqual({ action: 'add', draft: other, time: dates.time });
  });

  test('a value that nobody touched stays what it was', () => {
    const any = { ...workflow, parameters: workflow.parameters.map((one) => ({ ...one, kind: 'any' })) };
    expect(forms.taskOf(form, any, task).task).toEqual(task);
    expect(forms.taskOf(form, any).task).toMatchObject({ inputs: { tone: 5 } });
    const touched = { ...form, values: { ...form.values, tone: '6' } };
    expect(forms.taskOf(touched, any, task).task).toMatchObject({ inputs: { week: 47, tone: 6 } });
  });
});

describe('a new one', () => {
  const form = {
    ...forms.emptyForm,
    text: ' Water the plants ',
    words: ' in 20 minutes ',
    approve: 'git.log\n\n web.* ',
  };

  test('its time is asked about without the space around it, and not while there is none', () => {
    expect(forms.wordsOf(form)).toEqual({ kind: 'plain', text: 'in 20 minutes' });
    expect(forms.wordsOf({ ...form, by: 'cron', words: '0 8 * * *' })).toEqual({ kind: 'cron', text: '0 8 * * *' });
    expect(forms.wordsOf({ ...form, words: '  ' })).toBeNull();
  });

  test('a reminder and a question want words', () => {
    expect(forms.taskOf(form, null).task).toEqual({ kind: 'reminder', text: 'Water the plants' });
    expect(forms.taskOf({ ...form, kind: 'question' }, null).task?.kind).toBe('question');
    expect(forms.taskOf({ ...form, text: ' ' }, null)).toEqual({ task: null, wrong: [] });
  });

  test('a workflow wants its values, each of its type; its defaults stand there already', () => {
    const one = { ...form, kind: 'workflow' as const, workflow: 'weekly-report' };
    expect(forms.workflowOf(one, [workflow])).toBe(workflow);
    expect(forms.workflowOf(one, [{ ...workflow, problem: 'has a fault' }])).toBeNull();
    expect(forms.taskOf(one, workflow)).toEqual({ task: null, wrong: ['week'] });
    expect(forms.taskOf({ ...one, values: { week: 'soon' } }, workflow).wrong).toEqual(['week']);
    expect(forms.taskOf({ ...one, values: { week: '47' } }, workflow).task).toEqual({
      kind: 'workflow',
      name: 'weekly-report',
      inputs: { week: 47, tone: 'plain' },
    });
  });

  test('what it may do alone is kept for what does something, and for no reminder', () => {
    const words = { kind: 'plain', text: 'in 20 minutes' } as const;
    const asks = forms.draftOf(form, { kind: 'question', text: 'News?' }, words, ['/home/lin/work']);
    expect(asks).toMatchObject({ folders: ['/home/lin/work'], approve: ['git.log', 'web.*'], missed: 'once' });
    const told = forms.draftOf(form, { kind: 'reminder', text: 'News' }, words, ['/home/lin/work']);
    expect(told).toMatchObject({ folders: [], approve: [] });
    const named = { ...form, assistant: 'cook' };
    expect(forms.draftOf(named, { kind: 'question', text: 'News?' }, words, []).assistant).toBe('cook');
    expect(asks).not.toHaveProperty('assistant');
    expect(forms.draftOf(named, { kind: 'reminder', text: 'News' }, words, [])).not.toHaveProperty('assistant');
  });

  test('it is begun once anything is typed', () => {
    expect(forms.isBegun(forms.emptyForm)).toBe(false);
    expect(forms.isBegun({ ...forms.emptyForm, missed: 'skip', words: ' ' })).toBe(false);
    expect(forms.isBegun({ ...forms.emptyForm, words: 'daily' })).toBe(true);
  });

  test('every language has its own examples', () => {
    const said = (of: 'text' | 'words') =>
      LANGUAGES.map((language) => EXAMPLES.map((example) => i18nOf(() => language).say(example[of])).join());
    expect(new Set(said('text')).size).toBe(LANGUAGES.length);
    expect(new Set(said('words')).size).toBe(LANGUAGES.length);
  });
});
