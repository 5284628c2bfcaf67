/** Scenes of answers with formulas and diagrams, and one long enough to measure how it streams. */
import type { Language } from './language';
import { Script, type Play } from './play';

export const RICH = {
  zh: `样本均值的标准误是 $s/\\sqrt{n}$，所以区间是

$$
\\bar{x} \\pm t_{n-1,\\,0.975} \\cdot \\frac{s}{\\sqrt{n}}
$$

三步取数，坏数据先挡在外面：

\`\`\`mermaid
flowchart LR
  A[读 builds.csv] --> B{列齐吗}
  B -- 齐 --> C[按步骤分组]
  B -- 缺 --> D[报告缺哪列]
  C --> E[算区间]
\`\`\`

| 步骤 | 次数 | 均值 | 区间 |
|---|--:|--:|---|
| 集成测试 | 42 | 521 | $521 \\pm 14$ |
| 单元测试 | 42 | 88 | $88 \\pm 2$ |

一次构建的电费约 $0.02，一个月不到 $5。`,
  en: `The standard error of the mean is $s/\\sqrt{n}$, so the interval is

$$
\\bar{x} \\pm t_{n-1,\\,0.975} \\cdot \\frac{s}{\\sqrt{n}}
$$

Three steps, bad data stopped at the backend:

\`\`\`mermaid
flowchart LR
  A[read builds.csv] --> B{all columns?}
  B -- yes --> C[group by step]
  B -- no --> D[say which is missing]
  C --> E[interval]
\`\`\`

| Step | Builds | Mean | Interval |
|---|--:|--:|---|
| integration | 42 | 521 | $521 \\pm 14$ |
| unit | 42 | 88 | $88 \\pm 2$ |

One build costs about $0.02 of power, less than $5 a month.`,
};

export function richAnswer(language: Language, session: string): Play[] {
  const question =
    language === 'zh'
      ? '构建时间的均值有多准？写出公式和步骤'
      : 'How exact is the mean build time? Show formula and steps';
  return new Script(session, 'run-1').start(question).says(RICH[language], 300).ends('completed').plays;
}

/** A diagram with a mistake in its source. */
export function brokenDiagram(language: Language, session: string): Play[] {
  const text = '```mermaid\nflowchart LR\n  A --> [\n```\n\n$\\frac{1}{$';
  return new Script(session, 'run-1')
    .start(language === 'zh' ? '画一张图' : 'Draw it')
    .says(text, 100)
    .ends('completed').plays;
}

/** Characters of the long answer: what people get when they ask for a whole document. */
const STREAMED_CHARACTERS = 20_000;

/** Time in which it is streamed, in milliseconds: faster than any model writes today. */
const STREAMED_MS = 12_000;

/** What makes an answer long, piece by piece, after its beginning. */
const KINDS: Record<string, { head: string; piece: (at: number) => string }> = {
  document: { head: '', piece: sectionOf },
  list: {
    head: '',
    piece: (at) =>
      `- **Step ${at}**: read \`part-${at}.csv\`, 第 ${at} 行, and keep what [the notes](https://example.org/notes) say\n`,
  },
  table: {
    head: '| Step | Count | Share | Name |\n|---|--:|--:|---|\n',
    piece: (at) => `| step ${at} | ${at * 7} | ${(at / 3).toFixed(2)} | \`value_${at}\` |\n`,
  },
  program: {
    head: '```python\n',
    piece: (at) => `    total_${at} = await files.read(path="part-${at}.csv", lines=${at})  # 第 ${at} 行\n`,
  },
};

export const LONG_ANSWERS: readonly string[] = Object.keys(KINDS);

/** An answer of sections, of one list, of one table, or of one program. */
export function streamedDocument(kind: string, language: Language, session: string): Play[] {
  const { head, piece } = KINDS[kind] ?? { head: '', piece: sectionOf };
  let text = head;
  for (let at = 1; text.length < STREAMED_CHARACTERS; at += 1) text += piece(at);
  return new Script(session, 'run-1')
    .start(language === 'zh' ? '写一份完整的说明' : 'Write the whole document')
    .says(text.slice(0, STREAMED_CHARACTERS), STREAMED_MS)
    .ends('completed').plays;
}

/** Code, a table and formulas. */
function sectionOf(section: number): string {
  const rows = Array.from(
    { length: 12 },
    (_, row) => `| step ${section}.${row} | ${row * section} | ${(row / section).toFixed(2)} | \`value_${row}\` |`,
  );
  const code = Array.from(
    { length: 24 },
    (_, line) =>
      `    total_${line} = await files.read(path="part-${section}-${line}.csv", lines=${line})  # 第 ${line} 行`,
  );
  return [
    `## Section ${section}: 说明`,
    'The **integration** step takes `8 min 41 s`, and it is *slower* than last week; see [the notes](https://example.org/notes). '.repeat(
      3,
    ),
    `$$\n\\sum_{i=1}^{${section}} \\frac{x_i - \\bar{x}}{\\sqrt{n_i}} \\leq \\alpha_{${section}}\n$$`,
    `\`\`\`python\nasync def section_${section}():\n${code.join('\n')}\n\`\`\``,
    `| Step | Count | Share | Name |\n|---|--:|--:|---|\n${rows.join('\n')}`,
    `- one $x_{${section}}$\n- two\n- three\n\n`,
  ].join('\n\n');
}
