/** Runs that changed files, and what stood in them before. Used by the scripted backend alone. */
import type { ChangeRequest } from '../../bindings/ChangeRequest';
import type { FileChange } from '../../bindings/FileChange';
import type { Reply } from '../../bindings/Reply';
import type { Language } from './language';
import { Script, type Play } from './play';

const AT = '2026-11-20T09:41:09.000Z';

const CHANGES: FileChange[] = [
  {
    id: 'run-1/2',
    session: 'session-1',
    path: '/home/lin/work/docs/release-notes.md',
    kind: 'write',
    created: false,
    added: 2,
    removed: 1,
    undone: false,
    at: AT,
  },
  {
    id: 'run-1/3',
    session: 'session-1',
    path: '/home/lin/work/docs/发布检查表.md',
    kind: 'write',
    created: true,
    added: 3,
    removed: 0,
    undone: false,
    at: AT,
  },
];

/** A run that put the files of a folder in order: made a report, moved one, deleted one. */
const ARRANGED: FileChange[] = [
  {
    id: 'run-1/1',
    session: 'session-1',
    kind: 'write',
    path: '/home/lin/work/docs/季度报告.docx',
    created: true,
    added: 0,
    removed: 0,
    bytes: { before: 0, after: 48_210 },
    undone: false,
    at: AT,
  },
  {
    id: 'run-1/2',
    session: 'session-1',
    kind: 'write',
    path: '/home/lin/work/docs/orders.xlsx',
    created: false,
    added: 0,
    removed: 0,
    bytes: { before: 9_100, after: 12_480 },
    undone: false,
    at: AT,
  },
  {
    id: 'run-1/3',
    session: 'session-1',
    kind: 'move',
    path: '/home/lin/work/docs/draft 1.md',
    to: '/home/lin/work/docs/archive/draft 1.md',
    created: false,
    added: 0,
    removed: 0,
    undone: false,
    at: AT,
  },
  {
    id: 'run-1/4',
    session: 'session-1',
    kind: 'delete',
    path: '/home/lin/work/docs/tmp',
    to: '/home/lin/.local/share/Trash/files/tmp',
    created: false,
    added: 0,
    removed: 0,
    undone: false,
    at: AT,
  },
];

/** What a run and the two sub-agents changed that it gave work to, in the order of time. */
const DELEGATED: FileChange[] = [
  {
    id: 'agent-1/2',
    session: 'session-1',
    kind: 'write',
    path: '/home/lin/work/docs/zh/release-notes.md',
    created: false,
    added: 2,
    removed: 1,
    undone: false,
    at: '2026-11-20T09:41:09.000Z',
  },
  {
    id: 'agent-2/2',
    session: 'session-1',
    kind: 'write',
    path: '/home/lin/work/docs/de/release-notes.md',
    created: false,
    added: 5,
    removed: 3,
    undone: false,
    at: '2026-11-20T09:41:10.000Z',
  },
  {
    id: 'run-1/3',
    session: 'session-1',
    kind: 'write',
    path: '/home/lin/work/docs/index.md',
    created: false,
    added: 2,
    removed: 0,
    undone: false,
    at: '2026-11-20T09:41:11.000Z',
  },
];

/** Whose changes go with those of the run. */
const AGENTS = ['agent-1', 'agent-2'];

const DIFFS: Record<string, string> = {
  'agent-1/2': '--- a\n+++ b\n@@ -3,2 +3,3 @@\n ## 2.4\n-- 当天退款\n+- 退款当天到账\n+- 导入后 30 天内可以撤回\n',
  'run-1/2':
    '--- a\n+++ b\n@@ -11,5 +11,6 @@\n ## 2.4\n \n-- Refunds are settled teh same day\n+- Refunds are settled the same day\n+- Imports can be taken back for 30 days\n \n ## 2.3\n',
  'run-1/3': '--- a\n+++ b\n@@ -0,0 +1,3 @@\n+- [ ] 版本号\n+- [ ] 更新说明\n+- [ ] 安装包\n',
};

export function changed(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const program = [
    zh ? '# 改错字，另写一份检查表' : '# mend the spelling, write the checklist',
    'print(await files.read(path="docs/release-notes.md"))',
    'await files.edit(path="docs/release-notes.md", old=OLD, new=NEW)',
    'await files.write(path="docs/发布检查表.md", text=LIST)',
  ].join('\n');
  return new Script(session, 'run-1')
    .start(
      zh
        ? '更新说明里的错字改一下，再写一份发布检查表'
        : 'Mend the spelling in the release notes and write a checklist for the release',
    )
    .program(program, 100)
    .calls('files.read', { path: 'docs/release-notes.md' }, 2, 'docs/release-notes.md · 48 lines', 2)
    .calls('files.edit', { path: 'docs/release-notes.md' }, 3, 'docs/release-notes.md · +2 −1 line', 6)
    .calls('files.write', { path: 'docs/发布检查表.md' }, 4, 'docs/发布检查表.md · new, 3 lines', 5)
    .prints('', 20)
    .says(
      zh
        ? '改好了一处错字，补了一条说明；检查表在 `docs/发布检查表.md`。'
        : 'One word mended and one note added; the checklist is in `docs/发布检查表.md`.',
      200,
    )
    .ends('completed').plays;
}

export function arranged(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const program = [
    zh ? '# 写报告，收好旧稿，删掉临时文件' : '# write the report, put the draft away, drop what was temporary',
    'await files.write_document(path="docs/季度报告.docx", markdown=REPORT)',
    'await files.write_table(path="docs/orders.xlsx", rows=ROWS)',
    'await files.move(path="docs/draft 1.md", to="docs/archive")',
    'await files.delete(path="docs/tmp")',
  ].join('\n');
  return new Script(session, 'run-1')
    .start(zh ? '写好季度报告，把 docs 收拾一下' : 'Write the quarterly report and tidy up docs')
    .program(program, 100)
    .calls('files.write_document', { path: 'docs/季度报告.docx' }, 2, 'docs/季度报告.docx · new, 4 pages', 6)
    .calls('files.write_table', { path: 'docs/orders.xlsx' }, 3, 'docs/orders.xlsx · 214 rows', 5)
    .calls(
      'files.move',
      { path: 'docs/draft 1.md', to: 'docs/archive' },
      4,
      'docs/draft 1.md → docs/archive/draft 1.md',
      2,
    )
    .calls('files.delete', { path: 'docs/tmp' }, 5, 'docs/tmp · in the trash', 2)
    .prints('', 20)
    .says(
      zh
        ? '报告在 `docs/季度报告.docx`，旧稿收进了 `archive`。'
        : 'The report is `docs/季度报告.docx`; the draft lies in `archive`.',
      200,
    )
    .ends('completed').plays;
}

export function delegated(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const program = [
    zh ? '# 两份译稿交给子任务，目录自己写' : '# two sub-agents translate, the contents are written here',
    'await agents.run(task="docs/zh/release-notes.md")',
    'await agents.run(task="docs/de/release-notes.md")',
    'await files.edit(path="docs/index.md", old=OLD, new=NEW)',
  ].join('\n');
  return new Script(session, 'run-1')
    .start(zh ? '把更新说明译成中文和德文，再更新目录' : 'Translate the release notes, and mend the contents')
    .program(program, 100)
    .calls('agents.run', { task: 'docs/zh/release-notes.md' }, 2, 'docs/zh/release-notes.md', 9)
    .calls('agents.run', { task: 'docs/de/release-notes.md' }, 3, 'docs/de/release-notes.md', 8)
    .calls('files.edit', { path: 'docs/index.md' }, 4, 'docs/index.md · +2 −0 lines', 4)
    .prints('', 20)
    .says(zh ? '两份译稿写好了，目录也更新了。' : 'Both translations are written, and the contents name them.', 200)
    .ends('completed').plays;
}

function isChangedSince(change: FileChange): boolean {
  return change.created && change.bytes === undefined;
}

/** The changes as they were last taken back. The second file was changed again since. */
export class Changes {
  #changes: FileChange[];

  constructor(
    private readonly language: Language,
    scene: string,
  ) {
    this.#changes = structuredClone({ arranged: ARRANGED, delegated: DELEGATED }[scene] ?? CHANGES);
  }

  answer(action: ChangeRequest): Reply {
    if (action.action === 'list') {
      const { run } = action;
      const runs = run === undefined ? [] : [run, ...AGENTS];
      const isOf = ({ id }: FileChange) => run === undefined || runs.some((one) => id.startsWith(`${one}/`));
      // As the program tells them: the newest first.
      return { reply: 'changes', changes: this.#changes.filter(isOf).toReversed() };
    }
    if (action.action === 'undo_run') return this.#undoAll();
    const change = this.#changes.find((known) => known.id === action.change);
    if (change === undefined) return { reply: 'changes', changes: [] };
    if (action.action === 'show') return { reply: 'changed', change, diff: DIFFS[change.id] ?? '' };
    if (isChangedSince(change)) return { reply: 'failed', error: this.#changedSince(change.path) };
    return { reply: 'changed', change: this.#undone(change), diff: '' };
  }

  #undoAll(): Reply {
    const standing = this.#changes.filter(({ undone }) => !undone).toReversed();
    const left = standing.filter(isChangedSince);
    const undone = standing.filter((change) => !left.includes(change)).map((change) => this.#undone(change));
    return {
      reply: 'changes_undone',
      undone,
      left: left.map((change) => ({ change, error: this.#changedSince(change.path) })),
    };
  }

  #undone(change: FileChange): FileChange {
    const undone = { ...change, undone: true };
    this.#changes = this.#changes.map((known) => (known.id === change.id ? undone : known));
    return undone;
  }

  #changedSince(path: string) {
    const zh = this.language === 'zh';
    return {
      code: 'input' as const,
      message: `${zh ? '之后又有人改过，没有动它：' : 'Changed again since, so it was left alone:'} ${path}`,
      hint: zh
        ? '之前的内容在 ~/.local/share/shidi/earlier'
        : 'What stood there before is in ~/.local/share/shidi/earlier',
    };
  }
}
