/** What the store holds in every scene: a handful of sessions, one of them cut by a restart. */
import type { SessionDetail } from '../../bindings/SessionDetail';
import type { SessionSummary } from '../../bindings/SessionSummary';
import type { Language } from './language';
import { restartedSession } from './restarted';
import { isFirst, Script, sessionOf, summary } from './play';

const TITLES = {
  zh: [
    '清理构建机缓存',
    '把 12 张截图按日期改名',
    '付款接口怎么做成幂等的',
    '报销抬头怎么填',
    '日志保留策略怎么写',
    '把周报翻成英文',
    '三份报价单比一比',
  ],
  en: [
    'Clear caches on the build host',
    'Rename 12 screenshots by date',
    'Idempotent payment endpoint',
    'Which name on invoices',
    'How long to keep logs',
    'Weekly report into Chinese',
    'Compare three quotations',
  ],
};

/** Scenes in which one of them waits for the user, from before the panel was there. */
const WAITING = ['sessions', 'waited'];

/** Scenes that begin with a session that was asked in minutes ago. */
const OPENED = ['suspended', 'restarted'];

export function sessionList(language: Language, scene: string): SessionSummary[] {
  if (isFirst(scene)) return [];
  const titles = TITLES[language];
  const title = (index: number) => titles[index] ?? '';
  const today = new Date();
  const hours = (back: number) => new Date(today.getTime() - back * 3_600_000).toISOString();
  const isOpened = OPENED.includes(scene);
  const cut = isOpened ? 0.05 : 19;
  const list = [
    summary('session-6', title(0), hours(2), 3, { waiting: WAITING.includes(scene) ? 1 : 0 }),
    summary('session-7', title(1), hours(cut), 1),
    summary('session-8', title(2), hours(26), 4),
    summary('session-9', title(3), hours(75), 2),
    summary('session-10', title(4), hours(190), 6),
    summary('session-11', title(5), hours(340), 1),
    summary('session-12', title(6), hours(8800), 2),
  ];
  return isOpened ? list.slice(1) : list;
}

export function storedSession(language: Language, session: string, scene: string): SessionDetail {
  const found =
    sessionList(language, scene).find((known) => known.id === session) ??
    summary(session, '', '2026-11-19T16:20:00Z', 1);
  if (scene === 'restarted') return restartedSession(language, found);
  return session === 'session-7' ? cutSession(language, found) : plainSession(language, found);
}

/** A branch: what came before the run, under a new id. */
export function branchedSession(
  language: Language,
  session: string,
  before: string | null,
  scene: string,
): SessionDetail {
  const whole = storedSession(language, session, scene);
  const at = whole.runs.findIndex((run) => run.id === before);
  const runs = at < 0 ? whole.runs : whole.runs.slice(0, at);
  const kept = new Set(runs.map((run) => run.id));
  return {
    ...whole,
    summary: { ...whole.summary, id: `${session}-branch` },
    segments: whole.segments.filter((segment) => kept.has(segment.run)),
    events: (whole.events ?? []).filter((event) => kept.has(event.run)),
    runs,
  };
}

/** The version of a question that is asked for. */
export function switchedSession(language: Language, session: string, run: string): SessionDetail {
  const at = '2026-11-19T16:20:00.000Z';
  const versions = ['run-1', 'run-2'];
  const first = language === 'zh' ? '第一版的回答。' : 'The answer of the first version.';
  const shown = new Script(session, run, at).start(language === 'zh' ? '怎么去重？' : 'How to drop doubles?');
  const detail = sessionOf(summary(session, '', at, 1), [
    shown.segment('Express', run === 'run-1' ? first : '…', null).ends('completed'),
  ]);
  return { ...detail, runs: detail.runs.map((one) => ({ ...one, versions })) };
}

function plainSession(language: Language, found: SessionSummary): SessionDetail {
  const answer =
    language === 'zh'
      ? '用新公司名，税号在行政群公告里。'
      : 'Use the new company name; the tax number is in the office notice.';
  const run = new Script(found.id, 'run-9', '2026-11-19T16:20:00.000Z').start(found.title);
  return sessionOf(found, [run.segment('Express', answer, null, 2_000).ends('completed')]);
}

/** Power was lost while it was renaming. */
function cutSession(language: Language, found: SessionSummary): SessionDetail {
  const zh = language === 'zh';
  const program = `# ${zh ? '按拍摄日期改名' : 'rename by date taken'}\nfor shot in await files.list(path="~/Pictures/shots"):\n    await files.move(path=shot.path, to=dated(shot))`;
  const run = new Script(found.id, 'run-7', '2026-11-19T16:20:00.000Z').start(found.title);
  run.segment(
    'Thought',
    zh ? '日期在文件的元数据里，逐个读出来再改名。' : 'The dates are in the files’ metadata: read each, then rename.',
    null,
    1_400,
  );
  run.program(program, 0).calls('files.list', { path: '~/Pictures/shots' }, 2, zh ? '12 个文件' : '12 files', 12);
  run.asksFor('files.move', { path: '~/Pictures/shots/IMG_0412.png', to: '2026-11-03-0412.png' }, 2);
  return sessionOf(found, [run.ends('suspended')]);
}
