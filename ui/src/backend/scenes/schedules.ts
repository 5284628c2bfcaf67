/**
 * Schedules: a question that waits, a workflow that failed, a reminder that is paused, one that was missed, events, and one
 * that was decided about. It also says what words mean. Used by the scripted backend alone.
 */
import type { ScheduleDraft } from '../../bindings/ScheduleDraft';
import type { ScheduleOutcome } from '../../bindings/ScheduleOutcome';
import type { ScheduleRequest } from '../../bindings/ScheduleRequest';
import type { ScheduleRunView } from '../../bindings/ScheduleRunView';
import type { ScheduleTime } from '../../bindings/ScheduleTime';
import type { ScheduleView } from '../../bindings/ScheduleView';
import type { ScheduleWords } from '../../bindings/ScheduleWords';
import type { Language } from './language';
import { now, type Play } from './play';

const TOLD: Record<Language, Record<string, string>> = {
  en: {
    news: 'What has changed in the order service since yesterday, and does its build stand?',
    workdays: 'every weekday at 8 am',
    fridays: 'every Friday at five in the afternoon',
    water: 'Water the plants',
    days: 'every 3 days',
    dentist: 'Call the dentist',
    once: 'on 18 November at 9:00',
    tag: 'regulars',
    need: 'the new autumn menu',
    failed: 'The server of ‘sms’ does not answer (connection refused)',
    late: 'Shidi came to it more than 5 minutes late, and missed times of this schedule are not made up for',
    unread: '“{words}” is no time that is known',
    hint: 'For example: every workday at eight, in 20 minutes, on the 1st of each month',
    fields: '“{words}” has too few fields: a crontab has five of them',
    fields_hint: 'For example: 0 8 * * 1-5',
    pathless: 'It does not say where the file is',
    pathless_hint: 'Name it with its whole path: when /home/me/report.csv changes',
    zoneless: 'There is no time zone “{words}”',
    zoneless_hint: 'Names like it: America/New_York',
    gone: 'There is no schedule {words}',
    builds: 'Which builds have failed since the last time?',
    jobs: 'A job is over',
  },
  zh: {
    news: '昨天到现在订单服务有哪些改动？构建还通过吗？',
    workdays: '每个工作日八点',
    fridays: '每周五下午五点',
    water: '给花浇水',
    days: '每 3 天',
    dentist: '给牙医打电话',
    once: '11 月 18 日 9:00',
    tag: '老客户',
    need: '秋季新菜单',
    failed: '“sms”的服务器没有应答（connection refused）',
    late: '师弟看到时已经晚了 5 分钟以上，而这个任务不补做错过的时间',
    unread: '“{words}”不是认得的时间',
    hint: '例如：每个工作日八点，20 分钟后，每月 1 号',
    fields: '“{words}”段数不够：crontab 有五段',
    fields_hint: '例如：0 8 * * 1-5',
    pathless: '没有说明文件在哪里',
    pathless_hint: '写出完整路径：/home/me/report.csv 变化时',
    zoneless: '没有名为“{words}”的时区',
    zoneless_hint: '相近的名称：America/New_York',
    gone: '没有编号为 {words} 的定时任务',
    builds: '上次以来有哪些构建失败了？',
    jobs: '有任务做完了',
  },
};

const ZONE = 'Asia/Shanghai';
const ZONES: readonly string[] = [ZONE, 'America/New_York', 'Europe/Berlin'];
const WORKDAYS: ScheduleTime = { kind: 'cron', expression: '0 8 * * 1-5' };
/** Eight in the morning of a zone, from Monday on: as hours of universal time. */
const EIGHT: Readonly<Record<string, string>> = { [ZONE]: '00', 'America/New_York': '13', 'Europe/Berlin': '07' };
const eightIn = (zone: string) => [23, 24, 25, 26, 27].map((day) => `2026-11-${day}T${EIGHT[zone] ?? '00'}:00:00Z`);

const isEvent = ({ kind }: ScheduleTime) => kind === 'change' || kind === 'job';

/** The event that plain words mean; `null` where they mean none. */
function eventOf(text: string): ScheduleTime | null {
  const [, path] = /^when (\/\S+) changes$|^(\/\S+) ?变化时$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  if (path !== undefined) return { kind: 'change', path };
  const [, name] = /^when the (.*) job ends$|^(.*)任务结束时$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  return name === undefined ? null : { kind: 'job', name };
}

export class Schedules {
  readonly #told: Record<string, string>;
  #all: ScheduleView[];
  #runs: ScheduleRunView[];
  #made = 0;

  constructor(language: Language, scene: string) {
    this.#told = TOLD[language];
    const isEmpty = scene === 'noschedules' || scene === 'nomemories';
    this.#all = isEmpty ? [] : this.#kept();
    this.#runs = isEmpty ? [] : this.#past();
    if (scene === 'decided') this.#all = this.#all.map((one) => this.#decided(one));
    if (scene !== 'events') return;
    this.#all = [...this.#events(), ...this.#all];
    this.#runs = [...this.#runs, this.#run('builds', '2026-11-19T09:39:48Z', 'done')];
  }

  answer(action: ScheduleRequest): Play[] {
    switch (action.action) {
      case 'list':
        break;
      case 'read':
        return this.#read(action.words, action.zone);
      case 'check':
        return now({ reply: 'done' });
      case 'add':
        return this.#add(action.draft, action.time ?? WORKDAYS);
      case 'change': {
        const { id, draft, time } = action;
        return this.#with(id, (one) =>
          time === undefined ? { ...one, draft } : { ...one, draft, time, next: one.on ? this.#next(time) : null },
        );
      }
      case 'switch':
        return this.#with(action.id, (one) => ({
          ...one,
          on: action.on,
          next: action.on ? this.#next(one.time) : null,
        }));
      case 'run':
        this.#begin(action.id);
        return this.#with(action.id, (one) => one);
      case 'remove':
        this.#all = this.#all.filter(({ id }) => id !== action.id);
        break;
      case 'history': {
        const { id } = action;
        const runs = this.#runs.filter(({ schedule }) => id === null || schedule === id);
        return now({ reply: 'schedule_runs', runs: runs.slice(0, action.limit) });
      }
      case 'watch':
        return [];
    }
    return now({ reply: 'schedules', schedules: structuredClone(this.#all) });
  }

  #read(words: ScheduleWords, zone: string | undefined): Play[] {
    if (zone !== undefined && !ZONES.includes(zone)) return this.#failed('zoneless', 'zoneless_hint', zone);
    const told = (time: ScheduleTime) =>
      now({
        reply: 'schedule_times',
        dates: {
          time: time.kind === 'cron' && zone !== undefined ? { ...time, zone } : time,
          zone: zone ?? ZONE,
          next: isEvent(time) ? [] : eightIn(zone ?? ZONE),
        },
      });
    if (words.kind === 'job') return told(words);
    if (words.kind === 'change')
      return words.path.startsWith('/') ? told(words) : this.#failed('pathless', 'pathless_hint', words.path);
    const { kind, text } = words;
    if (kind === 'cron')
      return text.split(/\s+/).length === 5 ? told(WORKDAYS) : this.#failed('fields', 'fields_hint', text);
    const time = eventOf(text) ?? (/\d|eight|noon|八|五/.test(text) ? WORKDAYS : null);
    return time === null ? this.#failed('unread', 'hint', text) : told(time);
  }

  #failed(message: string, hint: string, words: string): Play[] {
    const error = { message: this.#said(message).replace('{words}', words), hint: this.#said(hint) };
    return now({ reply: 'failed', error: { code: 'input', ...error } });
  }

  #next(time: ScheduleTime): string | null {
    return isEvent(time) ? null : (eightIn(ZONE)[0] ?? null);
  }

  #add(draft: ScheduleDraft, time: ScheduleTime): Play[] {
    this.#made += 1;
    const made = this.#one(`made-${this.#made}`, draft, time, { next: this.#next(time) });
    this.#all = [made, ...this.#all];
    return now({ reply: 'schedule', schedule: structuredClone(made) });
  }

  #with(id: string, change: (one: ScheduleView) => ScheduleView): Play[] {
    this.#all = this.#all.map((one) => (one.id === id ? change(one) : one));
    const found = this.#all.find((one) => one.id === id);
    if (found !== undefined) return now({ reply: 'schedule', schedule: structuredClone(found) });
    return this.#failed('gone', '', id);
  }

  #begin(id: string): void {
    const due = '2026-11-20T10:05:00Z';
    this.#runs = [this.#run(id, due, null, { finished: null }), ...this.#runs];
  }

  #said(key: string): string {
    return this.#told[key] ?? '';
  }

  #one(id: string, draft: ScheduleDraft, time: ScheduleTime, more: Partial<ScheduleView> = {}): ScheduleView {
    const own = time.kind === 'cron' ? time.zone : undefined;
    return { id, draft, time, zone: own ?? ZONE, on: true, next: null, last: null, ...more };
  }

  #events(): ScheduleView[] {
    const free = { missed: 'once' as const, folders: [], approve: [] };
    const change = { kind: 'change', path: '/home/lin/work/builds.csv' } as const;
    const job = { kind: 'job', name: '' } as const;
    const builds = { kind: 'question', text: this.#said('builds') } as const;
    const jobs = { kind: 'reminder', text: this.#said('jobs') } as const;
    return [
      this.#one('builds', { ...free, words: change, task: builds }, change, { last: '2026-11-19T09:41:00Z' }),
      this.#one('jobs', { ...free, words: job, task: jobs }, job),
    ];
  }

  /** The workflow, with an earlier time of it that its user has decided about. */
  #decided(one: ScheduleView): ScheduleView {
    if (one.id !== 'marketing') return one;
    const more = { finished: null, run: 'w2', decided: true };
    return { ...one, waiting: this.#run(one.id, '2026-11-06T09:00:00Z', 'waiting', more) };
  }

  #kept(): ScheduleView[] {
    const plain = (words: string) => ({
      words: { kind: 'plain', text: this.#said(words) } as const,
      missed: 'once' as const,
      folders: [],
      approve: [],
    });
    const inputs = { user_tag: this.#said('tag'), marketing_need: this.#said('need') };
    return [
      this.#one(
        'news',
        {
          ...plain('workdays'),
          task: { kind: 'question', text: this.#said('news') },
          folders: ['/home/lin/work/order-service'],
          approve: ['git.log', 'shell.run(command=make test)'],
        },
        WORKDAYS,
        { next: '2026-11-23T00:00:00Z', last: '2026-11-19T00:01:12Z' },
      ),
      this.#one(
        'marketing',
        { ...plain('fridays'), missed: 'skip', task: { kind: 'workflow', name: 'customer-marketing', inputs } },
        { kind: 'cron', expression: '0 17 * * 5' },
        { next: '2026-11-27T09:00:00Z', last: '2026-11-20T09:00:04Z' },
      ),
      this.#one(
        'water',
        { ...plain('days'), task: { kind: 'reminder', text: this.#said('water') } },
        { kind: 'every', seconds: 259_200, from: '2026-11-16T10:00:00Z' },
        { on: false, last: '2026-11-16T10:00:00Z' },
      ),
      this.#one(
        'dentist',
        { ...plain('once'), missed: 'skip', task: { kind: 'reminder', text: this.#said('dentist') } },
        { kind: 'once', at: '2026-11-18T01:00:00Z' },
      ),
    ];
  }

  #run(
    schedule: string,
    due: string,
    outcome: ScheduleOutcome | null,
    more: Partial<ScheduleRunView> = {},
  ): ScheduleRunView {
    const after = (seconds: number) => new Date(Date.parse(due) + seconds * 1000).toISOString();
    const task = this.#all.find(({ id }) => id === schedule)?.draft.task;
    const title = task === undefined ? schedule : task.kind === 'workflow' ? task.name : task.text;
    return {
      schedule,
      title,
      due,
      dispatched: after(0),
      started: after(1),
      finished: after(72),
      outcome,
      reason: null,
      run: null,
      session: null,
      missed: 0,
      ...more,
    };
  }

  #past(): ScheduleRunView[] {
    const asked = (run: string) => ({ run, session: 'session-7' });
    return [
      this.#run('marketing', '2026-11-20T09:00:00Z', 'failed', {
        finished: '2026-11-20T09:00:04Z',
        reason: this.#said('failed'),
        run: 'w2',
      }),
      this.#run('news', '2026-11-20T00:00:00Z', 'waiting', { ...asked('run-waits'), finished: null }),
      this.#run('news', '2026-11-19T00:00:00Z', 'done', { ...asked('run-met'), missed: 2 }),
      this.#run('dentist', '2026-11-18T01:00:00Z', 'missed', {
        dispatched: null,
        started: null,
        finished: null,
        reason: this.#said('late'),
      }),
      this.#run('news', '2026-11-18T00:00:00Z', 'interrupted', { ...asked('run-cut'), finished: null }),
      this.#run('water', '2026-11-16T10:00:00Z', 'done', { finished: '2026-11-16T10:00:00Z' }),
    ];
  }
}
