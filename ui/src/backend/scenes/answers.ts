/** Scenes of answers: one still streaming after its steps, one long with code and a table, one that repeated itself. */
import type { Language } from './language';
import { Script, type Play } from './play';

const SLOWEST = {
  zh: {
    question: 'builds.csv 里哪一步最慢？比上周慢了多少',
    thought: '先看有哪些列，再按步骤取中位数，和上周相比。文件不大，一次读完。',
    look: '# 看列名和行数',
    compute: '# 按步骤取中位数，和上周比',
    words:
      '最慢的是 **集成测试**，中位数 `8 分 41 秒`，比上周的 `6 分 02 秒` 慢了 **44%**。\n\n其余步骤都在 5% 以内。变慢从周三开始，和 `db-fixtures` 升到 3.0 是同一天，所以先看那一次',
  },
  en: {
    question: 'Which step in builds.csv is slowest, and how much slower than last week?',
    thought:
      'Look at the columns first, then take medians per step and compare the weeks. The file is small: read it whole.',
    look: '# look at the columns and the row count',
    compute: '# medians per step, against last week',
    words:
      'The slowest step is **integration tests** at a median of `8 min 41 s`, up **44%** from `6 min 02 s` last week.\n\nEvery other step is within 5%. It begins on Wednesday, the day `db-fixtures` went to 3.0, so look at that',
  },
};

/** Stays open in the middle of the answer. */
export function streaming(language: Language, session: string): Play[] {
  const say = SLOWEST[language];
  const look = `${say.look}\nfound = await files.read(path="builds.csv", lines=3)\nprint(found.data)`;
  const compute = [
    say.compute,
    'rows = csv.DictReader(table.splitlines())',
    'by_step = defaultdict(list)',
    'for row in rows:',
    '    key = row["step"], row["week"]',
    '    by_step[key].append(float(row["seconds"]))',
    'print(slowest(by_step, weeks=(46, 47)))',
  ].join('\n');
  return new Script(session, 'run-1')
    .start(say.question)
    .with(['builds.csv', 1840])
    .thought(say.thought, 900)
    .program(look, 300)
    .calls('files.read', { path: 'builds.csv', lines: 3 }, 2, 'builds.csv · 3 / 1,204', 2)
    .prints('step,week,seconds\nlint,46,21.4\nlint,47,20.9', 6)
    .program(compute, 500)
    .calls('files.read', { path: 'builds.csv' }, 2, 'builds.csv · 1,204', 4)
    .prints("('integration', 362.0, 521.0, 0.44)", 19)
    .stream('Express', say.words, 700).plays;
}

const LONG = {
  zh: `可以，用一张表记下已经做过的请求，键由调用方给。三点要注意：

1. 键和**请求内容的摘要**一起存，同一个键换了内容要拒绝；
2. 先写“做过了”再做事，写和做在同一个事务里；
3. 过期的键每天清一次，24 小时足够。

### 表和写入

\`\`\`sql
create table done (
  key     text primary key,
  digest  blob not null,   -- 内容的摘要
  reply   text,            -- 做完才有
  made_at integer not null
);
\`\`\`

\`\`\`python
async def once(key: str, body: bytes) -> Reply:
    digest = hashlib.sha256(body).digest()
    async with store.transaction() as tx:
        known = await tx.find("done", key=key)
        if known and known.digest != digest:
            raise Conflict(f"键 {key} 已用于另一个请求")
        if known and known.reply:
            return Reply.parse(known.reply)
        await tx.put("done", key=key, digest=digest)
        reply = await perform(body)      # 同一个事务
        await tx.set("done", key, reply=reply.text())
    return reply
\`\`\`

### 三种做法相比

| 做法 | 重试安全 | 多写一次 | 适合 |
|---|:-:|--:|---|
| 键 + 摘要 | 是 | 1 次 | 付款、下单 |
| 唯一约束 | 部分 | 0 次 | 只插入一行 |
| 客户端去重 | 否 | 0 次 | 读多写少 |

> 事务里不要调用外部服务：对方慢，你的锁就一直占着。

更多见 [RFC 9110 第 9.2.2 节](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)，它定义了哪些方法本来就是幂等的。`,
  en: `Yes: keep a table of requests already done, keyed by what the caller sends. Three things matter:

1. Store the key together with a **digest of the body**; the same key with another body is refused.
2. Write “done” and do the work in one transaction.
3. Clear old keys daily; 24 hours is enough.

### Table and write

\`\`\`sql
create table done (
  key     text primary key,
  digest  blob not null,   -- of the body
  reply   text,            -- once finished
  made_at integer not null
);
\`\`\`

\`\`\`python
async def once(key: str, body: bytes) -> Reply:
    digest = hashlib.sha256(body).digest()
    async with store.transaction() as tx:
        known = await tx.find("done", key=key)
        if known and known.digest != digest:
            raise Conflict(f"key {key} was used for another request")
        if known and known.reply:
            return Reply.parse(known.reply)
        await tx.put("done", key=key, digest=digest)
        reply = await perform(body)      # same transaction
        await tx.set("done", key, reply=reply.text())
    return reply
\`\`\`

### The three ways compared

| Way | Safe to retry | Extra writes | Good for |
|---|:-:|--:|---|
| Key and digest | yes | 1 | payments, orders |
| Unique constraint | partly | 0 | one inserted row |
| Client remembers | no | 0 | mostly reads |

> Don’t call other services inside the transaction: when they are slow, your lock is held.

See [RFC 9110, section 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2) for the methods that are idempotent by nature.`,
};

/** An answer that tries to run, load and imitate; and one long enough to scroll while it is written. */
export function hostile(_language: Language, session: string): Play[] {
  const attack = [
    '<script>window.broken = 1</script>',
    '<img src="https://evil.test/x.png" onerror="window.broken = 1"> <button class="button primary">OK</button>',
    '![a](https://evil.test/p.png) [run](javascript:window.broken=1) [data](data:text/html,x) [go](https://example.org/)',
    '<iframe src="https://evil.test"></iframe><svg onload="window.broken=1"></svg>',
    '[![a](https://evil.test/q.png)](https://example.org/)',
    '<style>* { background: url(https://evil.test/s.css) }</style><link rel="stylesheet" href="https://evil.test/l.css">',
    '<math href="javascript:window.broken=1">x</math><svg><image href="https://evil.test/i.png"/><script>window.broken = 1</script></svg>',
    '$\\href{javascript:window.broken=1}{x}$ $\\url{https://evil.test/u}$ $\\includegraphics{https://evil.test/g.png}$ $\\htmlStyle{position:fixed}{y}$',
    '```mermaid\n%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(https://evil.test/t.css); * { background: url(https://evil.test/b.png) }"}}%%\nflowchart LR\n  A["<img src=x onerror=window.broken=1><script>window.broken=1</script>"] --> B\n  click A "javascript:window.broken=1"\n  click B href "https://evil.test/c"\n```',
    '```mermaid\nflowchart LR\n  A@{ img: "https://evil.test/n.png", label: "x", h: 60 } --> B\n```',
  ].join('\n\n');
  const lines = Array.from({ length: 60 }, (_, index) => `${index + 1}. line`).join('\n');
  return new Script(session, 'run-1').start('?').says(`${attack}\n\n${lines}`, 3000).ends('completed').plays;
}

export function longAnswer(language: Language, session: string): Play[] {
  const question =
    language === 'zh'
      ? '付款接口怎么做成幂等的？给我表结构和代码'
      : 'How do I make the payment endpoint idempotent? Show schema and code';
  return new Script(session, 'run-1').start(question).says(LONG[language], 1500).ends('completed').plays;
}

const REPEATED = {
  zh: {
    question: '列一下下周要办的事',
    line: '- 周一：核对订单，发周报\n',
    note: '模型不停地重复同样的话，在这里被停下了。换个说法再问，或换一个模型',
  },
  en: {
    question: 'List what is to be done next week',
    line: '- Monday: check the orders, send the weekly report\n',
    note: 'The model repeated the same words without end and was stopped here. Ask again in other words, or with another model',
  },
};

/** An answer that was stopped because it said one line again and again: the line stands once, over a note. */
export function repeating(language: Language, session: string): Play[] {
  const { question, line, note } = REPEATED[language];
  const text = line.trimEnd();
  return new Script(session, 'run-1')
    .start(question)
    .stream('Express', line.repeat(40), 600)
    .segment('Express', text, null)
    .segment('Notification', note, null)
    .add({ type: 'answer', text })
    .ends('completed').plays;
}
