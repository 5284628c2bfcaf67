/** Schedules without a window: what is listed, how each stands, what is kept of a form, and the words for it. */
import { describe, expect, test } from 'vitest';
import type { ListedWorkflow } from '../src/bindings/ListedWorkflow';
import type { ScheduleOutcome } from '../src/bindings/ScheduleOutcome';
import type { ScheduleRunView } from '../src/bindings/ScheduleRunView';
import type { ScheduleView } from '../src/bindings/ScheduleView';
import { LANGUAGES } from '../src/i18n/catalogue';
import { i18nOf } from '../src/i18n/i18n';
import { icons } from '../src/shared/icons';
import * as forms from '../src/schedules/form';
import { courseSaid, datesSaid, EXAMPLES, markSaid, standingOf } from '../src/schedules/labels';
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
  });

  test('its dates: what comes, or that nothing does; one that is paused says so elsewhere', () => {
    const said = (one: ScheduleView) => datesSaid(en, one, new Date('2026-11-22T08:00:00Z')).join(' · ');
    expect(said(schedule('stock'))).toMatch(/^next: Mon, 23 Nov 2026, \d\d:00$/);
    const over = { next: null, last: '2026-11-19T08:00:00Z' };
    expect(said(schedule('stock', over))).toBe('nothing comes any more · last: 19 Nov');
    expect(said(schedule('stock', { on: false, next: null }))).toBe('');
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
