/** Scenes of trouble: a rejected key, the offline planner, a task given up, one that goes on after a restart. */
import type { UserError } from '../../bindings/UserError';
import type { Language } from './language';
import { now, Script, type Play } from './play';
import { worded } from './worded';

export function rejectedKey(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const script = new Script(session, 'run-1').start(
    zh ? '去年差旅报销的截止日是哪天？' : 'What was last year’s deadline for travel claims?',
  );
  return script.ends('failed', {
    reason: '401 invalid_api_key',
    error: {
      code: 'key',
      message: zh ? 'DashScope 不认这个密钥 (401 invalid_api_key)' : 'DashScope rejected the key (401 invalid_api_key)',
      hint: zh
        ? '换一个有效的密钥：shidi key set PROVIDER。问题已保留'
        : 'Set a valid key: shidi key set PROVIDER. Your question is kept',
    },
  }).plays;
}

/** A server of the user's own that is away. */
export function unreached(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const model = {
    kind: 'unreachable',
    provider: 'custom',
    title: '192.168.1.7:8080',
    detail: worded('models', 'no_server_listens'),
  } as const;
  const error: UserError = {
    code: 'model',
    message: zh
      ? '192.168.1.7:8080 连不上（那里没有服务在听）'
      : "192.168.1.7:8080 can't be reached (no server listens there)",
    hint: zh
      ? '检查地址和网络：shidi config get model_url'
      : 'Check the address and the network: shidi config get model_url',
    model,
  };
  return new Script(session, 'run-1')
    .start(zh ? '这份日志里最慢的是哪一步？' : 'Which step of this log is the slowest?')
    .ends('failed', { reason: error.message, error }).plays;
}

/** What the program answers when the key lies in the encrypted file, which is locked. */
function lockedError(zh: boolean): UserError {
  return {
    code: 'keys_locked',
    message: zh
      ? 'DashScope 的密钥在加密文件里，文件锁着（密钥在加密文件里，文件锁着（/home/lin/.local/share/shidi/keys.enc））'
      : 'DashScope needs its key, which lies in a locked file',
    hint: zh ? '给出文件的口令：shidi key unlock' : 'Give the passphrase of the file: shidi key unlock',
  };
}

/** No run begins: the lock is met before. */
export function refusedByLock(language: Language): Play[] {
  return now({ reply: 'failed', error: lockedError(language === 'zh') });
}

/** A run that meets the lock, as with a stand-in whose key is there. */
export function lockedKeys(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const script = new Script(session, 'run-1').start(
    zh ? '去年差旅报销的截止日是哪天？' : 'What was last year’s deadline for travel claims?',
  );
  return script.ends('failed', { error: lockedError(zh) }).plays;
}

const EXTRACTS = {
  zh: `我在你的文件里找到了这些行（只是摘录，我没有理解它们）：

- \`财务制度-2025.md:141\`  2025 年度差旅报销单据须于 2026 年 1 月 20 日前提交至财务共享中心，原件同时寄出。
- \`notes/报销.md:12\`  提醒：1 月 20 日前交差旅单，发票抬头用新公司名。`,
  en: `I found this in your files; I have not interpreted it:

- \`travel-policy-2025.md:141\`  Claims for 2025 travel must reach the shared finance centre by 20 January 2026, with originals attached.
- \`notes/claims.md:12\`  Reminder: hand in the travel claim before 20 January, invoices to the new company name.`,
};

export function offline(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  return new Script(session, 'run-1')
    .start(zh ? '去年差旅报销的截止日是哪天？' : 'What was last year’s deadline for travel claims?', 'offline')
    .says(EXTRACTS[language], 60)
    .ends('completed').plays;
}

/** What the planner says of what it can't do: examples of what it can, none of them an extract. */
export function offlineHelp(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const text = zh
    ? '这个问题没有语言模型我答不了。\n\n我会做的：\n- 日期：`45 天后是星期几`、`现在几点`\n- 运行你写的 Python：`print(sum(range(10)))`'
    : "I can't do this without a language model.\n\nWhat I can do:\n- dates: `what day is it in 45 days`, `what time is it`\n- run Python that you type: `print(sum(range(10)))`";
  return new Script(session, 'run-1')
    .start(zh ? '写一首关于茶的诗' : 'Write a poem about tea', 'offline')
    .says(text, 60)
    .ends('completed').plays;
}

/** An answer that passed over a failure was sent back, and another one came. */
export function withdrawn(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  return new Script(session, 'run-1')
    .start(zh ? '把三月的销售额加起来' : 'Add up the sales of March')
    .program('total = sum(row["amount"] for row in march)\nprint(total)', 40)
    .prints('Traceback (most recent call last):\n  line 1, in <module>\nKeyError: amount', 12, 'badly')
    .segment('Round', '2 of 12', null)
    .stream('Express', zh ? '三月的销售额一共是 **48,200** 元。' : 'The sales of March are **48,200** in all.', 80)
    .segment('Express', zh ? '三月的销售额一共是 **48,200** 元。' : 'The sales of March are **48,200** in all.', null)
    .segment(
      'Reminder',
      'The last program failed, and the answer does not say so. Mend the program, or tell the user what failed.',
      null,
    )
    .add({ type: 'standing', stands: false })
    .says(
      zh
        ? '加不了：表里没有 `amount` 这一列。列名是 `sales` 吗？'
        : 'I could not add them: the table has no column `amount`. Is it called `sales`?',
      120,
    )
    .ends('completed').plays;
}

export function gaveUp(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const program = (goal: string) =>
    `# ${goal}\ntext = await files.read(path="contract-signed.pdf")\nprint(text.data[:400])`;
  const failure =
    'Traceback (most recent call last):\n  line 2, in <module>\nPermissionError: contract-signed.pdf is password protected';
  return new Script(session, 'run-1')
    .start(zh ? '从盖章的合同里找出违约金条款' : 'Find the penalty clause in the signed contract')
    .with(['contract-signed.pdf', 0])
    .thought(zh ? '先把合同读成文字，再找“违约金”。' : 'Read the contract as text, then look for “penalty”.', 80)
    .program(program(zh ? '读合同' : 'read the contract'), 40)
    .calls('files.read', { path: 'contract-signed.pdf' }, 2, zh ? '文件有密码' : 'password protected', 11, 'badly')
    .prints(failure, 30, 'badly')
    .segment('Round', '2 of 12', null)
    .segment('NextGoal', zh ? '找一份没有加密的副本' : 'Look for an unlocked copy', null, 200)
    .program(
      `# ${zh ? '找未加密的副本' : 'look for an unlocked copy'}\nfound = await files.glob(pattern="**/*contract*")\nprint(found.data)`,
      40,
    )
    .calls('files.glob', { pattern: '**/*contract*' }, 2, zh ? '1 个文件' : '1 file', 9)
    .prints("['contract-signed.pdf']", 24)
    .ends('gave_up', {
      reason: zh
        ? '合同只有一份，而且有密码；没有密码我读不到条款。给我密码，或换一份未加密的。'
        : 'There is only one copy and it has a password; without it I can’t read the clauses. Give me the password, or an unlocked copy.',
    }).plays;
}

/** What comes after the user continues a run that was cut by a restart. */
export function suspended(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  return new Script(session, 'run-7', '2026-11-20T09:45:00Z')
    .after(200)
    .stream(
      'Express',
      zh
        ? '接着做：还剩 3 个文件没有改名，其余 9 个已经改好。'
        : 'Going on: 3 files are left to rename, the other 9 are done.',
      300,
    ).plays;
}

/** An approval with long arguments, to be read in full. */
export function tainted(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const body = zh
    ? '各位好，\n\n周四 14:00 的评审改到 15:30，会议室不变。\n请把改过的接口文档提前一天放进共享目录。\n\n谢谢'
    : 'Hello all,\n\nThursday’s review moves from 14:00 to 15:30, same room.\nPlease put the changed interface notes into the shared folder a day before.\n\nThanks';
  const letter = {
    to: ['zhou.ning@lanting.dev', 'order-core@lanting.dev'],
    subject: zh ? '评审改到 15:30' : 'Review moved to 15:30',
    body,
  };
  return new Script(session, 'run-1')
    .start(zh ? '照网页上的通知给大家发封信' : 'Send everyone the notice on this page')
    .program('await mail.send(to=people, subject=subject, body=body)', 20)
    .approval('mail.send', letter, 1, 'send', 'mail.send(to=*@lanting.dev)', [
      ['to', 'wiki.lanting.dev'],
      ['body', 'wiki.lanting.dev'],
    ])
    .ends('suspended').plays;
}
