/** Scenes in which the program waits for the user: an approval, and a question. */
import type { Language } from './language';
import { Script, type Play } from './play';

const TIDY = {
  zh: {
    question: '照这份说明，把构建机上的旧缓存清掉',
    thought: '先看占用，再用仓库自带的清理命令，只清旧的。',
    look: '# 先看占用',
    words: '占用看过了：缓存一共 41.6 GB，其中 33 GB 有 7 天没用过。仓库自带的 `cache-purge` 只清旧的。',
    clear: '# 用自带的命令只清旧的',
    refusedReason: '先看占用',
    source: 'ops-notes.md 第 12 行',
  },
  en: {
    question: 'Follow this note and clear the old caches on the build host',
    thought: 'Look at the usage first, then use the repository’s own command, which clears old entries only.',
    look: '# usage first',
    words:
      'Usage checked: 41.6 GB of caches, 33 GB of them untouched for 7 days. The repository’s own `cache-purge` clears old entries only.',
    clear: '# the repository’s own command, old entries only',
    refusedReason: 'usage first',
    source: 'ops-notes.md, line 12',
  },
};

export function approval(language: Language, session: string): Play[] {
  const say = TIDY[language];
  const purge = {
    command: ['make', 'cache-purge', 'HOST=build-03', 'KEEP=7d'],
    folder: '~/work/order-service',
    timeout_s: 60,
  };
  const script = new Script(session, 'run-1').start(say.question).with(['ops-notes.md', 420]);
  script
    .program(`${say.look}\nawait shell.run(command=["rm", "-rf", "/var/cache/ci"])`, 40)
    .approval('shell.run', { command: ['rm', '-rf', '/var/cache/ci'] }, 2, 'execute_open', 'shell.run(command=rm *)')
    .add({ type: 'decided', call: 1, approved: false, reason: say.refusedReason }, 30)
    .prints(`PermissionError: The user refused this call: ${say.refusedReason}`, 30, 'badly')
    .says(say.words, 60)
    .program(
      `${say.clear}\nr = await shell.run(command=["make", "cache-purge", "HOST=build-03", "KEEP=7d"],\n    folder="~/work/order-service", timeout_s=60)\nprint(r.data)`,
      40,
    )
    .approval('shell.run', purge, 2, 'execute_open', 'shell.run(command=make cache-purge *)', [
      ['command', say.source],
    ]);
  return script.ends('suspended').plays;
}

/** What follows once the second call of `approval` is approved: it runs, and the answer comes. */
export function approved(language: Language, session: string, seq: number): Play[] {
  const zh = language === 'zh';
  return new Script(session, 'run-1', '2026-11-20T09:41:41Z')
    .after(seq)
    .says(
      zh
        ? '旧缓存清掉了：腾出 33.1 GB，7 天内用过的都留着。'
        : 'The old caches are gone: 33.1 GB freed, everything used within 7 days is kept.',
      60,
    )
    .ends('completed').plays;
}

const DATES = {
  zh: {
    question: '把会议纪要整理成待办，按人分',
    thought: '纪要里有两处“下周五”，会议日期没写，先问清楚。',
    ask: '纪要里的“下周五”是哪一天？会议日期没有写。',
  },
  en: {
    question: 'Turn the minutes into to-dos, by person',
    thought: 'The minutes say “next Friday” twice and carry no date: ask first.',
    ask: 'Which day is “next Friday” in the minutes? They carry no date.',
  },
};

export function question(language: Language, session: string): Play[] {
  const say = DATES[language];
  return new Script(session, 'run-1')
    .start(say.question)
    .with([language === 'zh' ? '会议纪要.docx' : 'minutes.docx', 960])
    .thought(say.thought, 120)
    .program(`friday = await user.ask(text="${say.ask}")\nprint(friday)`, 60)
    .question(say.ask)
    .ends('suspended').plays;
}

/** Several values at once. */
export function form(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const fields = zh ? ['收件人', '交货日期', '数量'] : ['recipient', 'delivery date', 'quantity'];
  const ask = zh ? '订单里缺三项，填一下' : 'Three things are missing in the order';
  return new Script(session, 'run-1')
    .start(zh ? '把这份订单录进系统' : 'Enter this order')
    .program(`missing = await user.ask(text="${ask}", fields=${JSON.stringify(fields)})`, 20)
    .question(ask, fields)
    .ends('suspended').plays;
}

const REPORT = {
  zh: { question: '把结论写进周报', thought: '周报在授权的文件夹之外，先问。' },
  en: {
    question: 'Put the findings into the weekly report',
    thought: 'The report lies outside of all work folders: ask first.',
  },
};

/** A program wants to write where no folder was granted. */
export function writesOutside(language: Language, session: string): Play[] {
  const say = REPORT[language];
  const script = new Script(session, 'run-1').start(say.question).thought(say.thought, 30);
  return script
    .program('await files.write(path="/home/lin/reports/week-47.md", text=report)', 40)
    .approval(
      'files.write',
      { path: '/home/lin/reports/week-47.md' },
      1,
      'write_outside',
      'files.write(path=/home/lin/reports/*)',
    )
    .ends('suspended').plays;
}
