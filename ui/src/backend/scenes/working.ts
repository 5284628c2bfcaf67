/** Scenes of longer work: a list of what is to be done, and a run in a session that is not in front. */
import type { TodoItem } from '../../bindings/TodoItem';
import type { Language } from './language';
import { Script, type Play } from './play';

const STEPS = {
  zh: [
    '读 v1 的接口',
    '读 v2 的接口',
    '更新 mock 数据',
    '跑契约测试，修到全绿',
    '改 docs/refund.md 与示例',
    '写变更说明，给你过目',
  ],
  en: [
    'Read the v1 interface',
    'Read the v2 interface',
    'Update the mock data',
    'Run the contract tests until green',
    'Change docs/refund.md and its examples',
    'Write the notes for you to read',
  ],
};

/** In the middle of the work, with a note from outside and a shortened conversation. */
export function working(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const step = (text: string, at: number, done: number): TodoItem => {
    if (at === done)
      return {
        text,
        state: 'in_progress',
        doing: zh ? '在修双币种舍入那一条' : 'mending the one that rounds two currencies',
      };
    return { text, state: at < done ? 'completed' : 'pending' };
  };
  const items = (done: number): TodoItem[] => STEPS[language].map((text, at) => step(text, at, done));
  return new Script(session, 'run-1')
    .start(zh ? '把退款接口从 v1 迁到 v2，文档一起改' : 'Move the refund interface from v1 to v2, documents too')
    .add({ type: 'todo', items: items(0) })
    .thought(
      zh
        ? '先比对两版接口，再改 mock，最后改文档。'
        : 'Compare the two interfaces, then the mocks, the documents last.',
      60,
    )
    .program(
      `# ${zh ? '比对两版接口' : 'compare the two interfaces'}\nv1 = await files.read(path="refund-v1.yaml")\nv2 = await files.read(path="refund-v2.yaml")\nprint(changed(v1.data, v2.data))`,
      60,
    )
    .calls('files.read', { path: 'refund-v1.yaml' }, 2, '212', 3)
    .calls('files.read', { path: 'refund-v2.yaml' }, 3, '240', 3)
    .prints("['amount', 'currency', 'reason']", 12)
    .add({ type: 'todo', items: items(3) })
    .add({ type: 'compacted', before_tokens: 48_200, after_tokens: 9_600 })
    .add({
      type: 'notification',
      source: 'cargo test',
      text: zh ? '312 / 480 通过，1 个失败' : '312 of 480 passed, 1 failed',
    })
    .stream(
      'Thought',
      zh
        ? '契约测试里“双币种舍入”还不对，先看它期望的精度。'
        : 'The contract test for rounding two currencies still fails: look at the precision it expects.',
      200,
    ).plays;
}

/** The conversation is shortened at the user's wish. */
export function compacted(session: string): Play[] {
  const run = new Script(session, 'run-compact', '2026-11-20T09:52:00Z');
  run.add({ type: 'run_started', session, assistant: 'shidi', models: [], offline: false });
  return run.add({ type: 'compacted', before_tokens: 48_200, after_tokens: 9_600 }, 40).ends('completed').plays;
}

/** Another session needs the user while this one is in front. */
export function elsewhere(language: Language): Play[] {
  const zh = language === 'zh';
  return new Script('session-8', 'run-80')
    .start(zh ? '付款接口怎么做成幂等的' : 'Idempotent payment endpoint')
    .thought(zh ? '先看表。' : 'Look at the tables.', 30)
    .program('await shell.run(command=["make", "schema"])', 30)
    .approval('shell.run', { command: ['make', 'schema'] }, 1, 'execute', 'shell.run(command=make *)')
    .ends('suspended').plays;
}
