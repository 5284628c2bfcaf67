/**
 * What runs taught: one to review that models like, one whose run read something from outside, a warning, and some that
 * are in use; changes last as long as the scene. Used by the scripted backend alone.
 */
import type { Experience } from '../../bindings/Experience';
import type { ExperienceRequest } from '../../bindings/ExperienceRequest';
import type { ExperienceState } from '../../bindings/ExperienceState';
import type { Language } from './language';
import { now, type Play } from './play';

const DECIDED = '2026-11-20T08:00:00.000Z';

const STATES: readonly ExperienceState[] = ['candidate', 'approved', 'rejected', 'expired'];

const CODE = `rows = await files.table(path=path)
frame = [row for row in rows if row["state"] != "cancelled"]
total = sum(Decimal(row["amount"]) * rates[row["currency"]] for row in frame)
print(total.quantize(Decimal("0.01")))`;

const FAILED = `rows = await files.table(path=path)
total = sum(round(row["amount"] * rates[row["currency"]], 2) for row in rows)
print(total)`;

export class Experiences {
  private items: Experience[];
  private made = 0;

  constructor(language: Language, scene: string) {
    this.items = ['notraces', 'nomemories'].includes(scene) ? [] : initial(language);
  }

  answer(action: ExperienceRequest): Play[] {
    switch (action.action) {
      case 'list': {
        const { states, text, offset, limit } = action;
        const fit = this.items.filter(
          (item) =>
            (states.length === 0 || states.includes(item.state)) &&
            `${item.goal} ${item.lesson} ${item.code} ${item.error}`.toLowerCase().includes(text.toLowerCase()),
        );
        return this.shown(fit.slice(offset, offset + limit).map((item) => ({ ...item, runs: [] })));
      }
      case 'show':
        return this.shown(this.items.filter(({ id }) => id === action.experience));
      case 'approve':
        return this.change(action.experience, {
          state: 'approved',
          ground: 'user',
          decided: DECIDED,
          wins: 0,
          losses: 0,
          bound: 0,
        });
      case 'reject':
        return this.change(action.experience, { state: 'rejected', ground: 'user', decided: DECIDED });
      case 'expire':
        return this.change(action.experience, { state: 'expired', ground: 'user', decided: DECIDED });
      case 'edit':
        return this.change(action.experience, {
          ...(action.goal === null ? {} : { goal: action.goal }),
          ...(action.lesson === null ? {} : { lesson: action.lesson }),
          ...(action.code === null ? {} : { code: action.code }),
          ...this.kindOf(action.experience, action.mistake),
          edited: true,
          votes: [],
        });
      case 'add': {
        this.made += 1;
        const item = experience(`019a9${this.made}00-1111`, {
          ...action.draft,
          kind: action.mistake === true ? 'mistake' : 'practice',
          scope: action.scope,
          state: 'approved',
          ground: 'user',
          seen: 0,
          outcome: 'neither',
        });
        this.items.unshift(item);
        return this.shown([item]);
      }
      case 'delete':
        this.items = this.items.filter(({ id }) => id !== action.experience);
        return this.shown([]);
      case 'import':
        this.items = [
          ...action.experiences,
          ...this.items.filter(({ id }) => !action.experiences.some((item) => item.id === id)),
        ];
        return this.shown(action.experiences);
      // By the command line alone, which the scenes don't play.
      case 'export_lines':
        return [];
      case 'export':
        return now({ reply: 'memory_file', path: action.path, records: this.items.length, own: true });
      case 'import_file':
        return now({ reply: 'memory_file', path: action.path, records: 2, own: action.reviewed });
      case 'take':
        return this.shown(this.taughtBy(action.run));
      case 'vote':
        return this.shown(this.items.filter(({ id }) => id === action.experience));
      case 'preview': {
        const runs = this.items.find(({ id }) => id === action.experience)?.runs ?? [];
        const effects = runs.map(({ run, session, question, time, role, outcome }) => ({
          run,
          session,
          question,
          time,
          outcome: outcome ?? 'neither',
          rank: 1,
          fit: 0.8,
          taught: role === 'taught',
        }));
        return now({ reply: 'experience_effects', runs: effects, looked_at: 40 });
      }
    }
  }

  /** The candidate of a run; one that taught nothing yet teaches the first again. */
  private taughtBy(run: string): Experience[] {
    const taught = this.items.filter(({ runs }) => runs.some((known) => known.run === run && known.role === 'taught'));
    return taught.length > 0 ? taught : this.items.slice(0, 1);
  }

  /** What an edit makes of its kind: a mistake of what is none, and the other way round. */
  private kindOf(id: string, mistake = false): Partial<Experience> {
    const item = this.items.find((known) => known.id === id);
    if (item === undefined || mistake === (item.kind === 'mistake')) return {};
    return { kind: mistake ? 'mistake' : item.failed_code === '' ? 'practice' : 'fix' };
  }

  private shown(experiences: Experience[]): Play[] {
    const counts = STATES.map((state) => ({
      state,
      experiences: this.items.filter((item) => item.state === state).length,
    })).filter((count) => count.experiences > 0);
    return now({ reply: 'experiences', experiences, counts });
  }

  private change(id: string, change: Partial<Experience>): Play[] {
    this.items = this.items.map((item) => (item.id === id ? { ...item, ...change } : item));
    return this.shown(this.items.filter((item) => item.id === id));
  }
}

function experience(id: string, known: Partial<Experience>): Experience {
  return {
    id,
    kind: 'practice',
    state: 'candidate',
    ground: 'undecided',
    scope: 'user',
    goal: '',
    lesson: '',
    code: '',
    context: [],
    calls: [],
    failed_code: '',
    error: '',
    result: '',
    outcome: 'success',
    language: 'zh',
    tainted: false,
    edited: false,
    seen: 1,
    wins: 0,
    losses: 0,
    bound: 0,
    created: '2026-11-18T02:00:00.000Z',
    decided: '2026-11-18T02:00:00.000Z',
    last_used: null,
    votes: [],
    runs: [],
    ...known,
  };
}

function initial(language: Language): Experience[] {
  const zh = language === 'zh';
  const session = 'session-1';
  const vote = (model: string, keep: boolean, score: number, comment: string) => ({
    model,
    keep,
    score,
    comment,
    time: '2026-11-19T02:00:00.000Z',
  });
  const run = (
    name: string,
    role: 'taught' | 'used',
    question: string,
    outcome: 'success' | 'failure' | null,
    time: string,
  ) => ({ run: name, session, question, role, outcome, time });
  const refunds = zh ? '把双币种的退款合计成人民币' : 'Sum refunds in two currencies in yuan';
  const lesson = zh
    ? '先用 Decimal 换算，最后只舍入一次；已取消的单子要先去掉'
    : 'Convert with Decimal and round once at the end; leave cancelled orders out first';
  return [
    experience('019a8f10-0001', {
      kind: 'fix',
      goal: refunds,
      lesson,
      code: CODE,
      failed_code: FAILED,
      calls: ['files.table'],
      context: ['toolkit:files', 'file:.csv'],
      seen: 2,
      result: '128403.17',
      error: zh
        ? 'AssertionError: 合计 128,403.20，账上 128,403.17'
        : 'AssertionError: sum 128,403.20, the books say 128,403.17',
      votes: [
        vote(
          'qwen-plus',
          true,
          9,
          zh ? '具体、可复用，错误原因说得准' : 'Specific, can be used again, and right about the cause',
        ),
        vote('deepseek-v3', true, 8, zh ? '好，最好写明汇率从哪来' : 'Good; say where the rates come from'),
        vote('glm-4.6', false, 5, zh ? '只适用于这张表的列名' : 'Fits the columns of this one table'),
      ],
      runs: [
        run('run-met', 'taught', refunds, 'success', '2026-11-18T02:00:00.000Z'),
        run('run-offline', 'taught', refunds, 'success', '2026-11-12T02:00:00.000Z'),
      ],
    }),
    experience('019a8f10-0002', {
      goal: zh ? '从网页上的价目表取价格' : 'Take prices from a price list on a page',
      lesson: zh
        ? '表头可能有两行，先看前三行再取列'
        : 'The head may have two rows: look at the first three before taking columns',
      code: 'table = await page.table(selector="table.prices")\nhead = table[:3]\nprint(head)',
      tainted: true,
      context: ['toolkit:page', 'site:shop.lanting.dev'],
      calls: ['page.table'],
      runs: [
        run(
          'run-long',
          'taught',
          zh ? '这页上最便宜的是哪个' : 'Which is the cheapest on this page',
          'success',
          '2026-11-17T02:00:00.000Z',
        ),
      ],
    }),
    experience('019a8f10-0003', {
      kind: 'warning',
      goal: zh ? '改名大批文件' : 'Rename many files',
      lesson: zh
        ? '别在遍历目录时改名：会漏文件。先列完再改'
        : 'Do not rename while walking the folder: files are missed. List first, then rename',
      outcome: 'failure',
      code: 'for path in await files.list(path=folder):\n    await files.move(path=path, to=dated(path))',
      error: 'NotFound: IMG_0413.png',
      runs: [
        run(
          'run-failed',
          'taught',
          zh ? '把截图按日期改名' : 'Rename the screenshots by date',
          'failure',
          '2026-11-16T02:00:00.000Z',
        ),
      ],
    }),
    experience('019a8f10-0004', {
      state: 'approved',
      ground: 'user',
      decided: '2026-11-05T02:00:00.000Z',
      goal: zh ? '编译失败，找最小的改法' : 'A build fails; find the smallest fix',
      lesson: zh
        ? '字段上 retain 之前先收集要删的 id，借用就不冲突'
        : 'Collect ids before retain on a field, then nothing is borrowed twice',
      code: 'ids = [item["id"] for item in items if item["gone"]]\nitems = [item for item in items if item["id"] not in ids]',
      seen: 3,
      wins: 6,
      losses: 1,
      bound: 0.49,
      last_used: DECIDED,
      runs: [
        run(
          'run-met',
          'used',
          zh ? '构建 #4127 为什么失败' : 'Why does build #4127 fail',
          'success',
          '2026-11-20T01:00:00.000Z',
        ),
        run(
          'run-failed',
          'used',
          zh ? '差旅报销的截止日' : 'When are travel claims due',
          'failure',
          '2026-11-19T01:00:00.000Z',
        ),
        run('run-work', 'used', zh ? '退款接口 v1 → v2' : 'Refund endpoint v1 → v2', null, '2026-11-20T09:00:00.000Z'),
      ],
    }),
    experience('019a8f10-0005', {
      state: 'approved',
      ground: 'votes',
      goal: zh ? '按月汇总表格' : 'Sum a table by month',
      lesson: zh ? '日期列先转成日期，再取年月分组' : 'Turn the column into dates first, then group by year and month',
      code: 'by = {}\nfor row in rows:\n    by.setdefault(row["date"][:7], []).append(row)',
      seen: 1,
      wins: 1,
      bound: 0.21,
    }),
    experience('019a8f10-0006', {
      state: 'expired',
      ground: 'outcomes',
      goal: zh ? '抓取网页正文' : 'Take the text of a page',
      lesson: zh ? '取最长的段落' : 'Take the longest paragraph',
      code: 'print(max(parts, key=len))',
      wins: 1,
      losses: 5,
      bound: 0.03,
    }),
  ];
}
