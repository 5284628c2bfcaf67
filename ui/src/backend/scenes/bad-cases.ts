/** Bad cases: one with a proposal that was tried, one for which something was accepted, one as it was kept. Used by the scripted backend alone. */
import type { BadCase } from '../../bindings/BadCase';
import type { BadCaseRequest } from '../../bindings/BadCaseRequest';
import type { CaseChange } from '../../bindings/CaseChange';
import type { CaseMeasured } from '../../bindings/CaseMeasured';
import type { Language } from './language';
import { now, type Play } from './play';

const FOLDER = '/home/lin/.local/share/shidi/bad-cases';

interface Words {
  rows: string;
  rowsWrong: string;
  goal: string;
  lesson: string;
  why: string;
  year: string;
  yearWrong: string;
  fact: string;
  mail: string;
  mailWrong: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    rows: 'How many customers are in builds.csv?',
    rowsWrong: 'The header was taken for a row, and so was the empty line at the end',
    goal: 'count the rows of a CSV file',
    lesson: 'Read the file with its header and leave out empty lines before counting.',
    why: 'The program counted the lines of the file. A reader of CSV tells header, rows and empty lines apart.',
    year: 'What did we sell in the first quarter?',
    yearWrong: 'Our year begins in April',
    fact: 'The company’s financial year begins on 1 April.',
    mail: 'Write to Ming that the meeting moves to three',
    mailWrong: 'Too long, and it explained why',
  },
  zh: {
    rows: 'builds.csv 里有多少客户？',
    rowsWrong: '把表头和末尾的空行也算成了行',
    goal: '数 CSV 文件的行数',
    lesson: '先按表头读取文件、去掉空行，再计数。',
    why: '程序数的是文件的行。按 CSV 读取就能分清表头、数据行和空行。',
    year: '我们第一季度卖了多少？',
    yearWrong: '我们的财年从四月开始',
    fact: '公司的财年从 4 月 1 日开始。',
    mail: '告诉小明会议改到三点',
    mailWrong: '太长了，还解释了原因',
  },
};

const CODE =
  'import csv\nrows = list(csv.DictReader(text.splitlines()))\nprint(len([row for row in rows if any(row.values())]))';

/** The cases as they were last kept. */
export class BadCases {
  private cases: BadCase[];

  constructor(
    private readonly language: Language,
    scene: string,
  ) {
    this.cases = scene === 'empty' ? [] : initial(wordsOf(language));
  }

  answer(action: BadCaseRequest): Play[] {
    const one = 'name' in action ? this.cases.find(({ name }) => name === action.name) : undefined;
    switch (action.action) {
      case 'list':
        break;
      case 'show':
        return now({ reply: 'bad_case_text', text: textOf(one?.question ?? '', one?.wrong ?? '') });
      case 'draft':
        return now({
          reply: 'bad_case_draft',
          name: 'how-many-customers-2',
          text: textOf(wordsOf(this.language).rows, action.wrong),
          redacted: 1,
          left_out: ['screen.png'],
        });
      case 'keep':
        this.cases = [caseOf(action.name, wordsOf(this.language).rows, ''), ...this.cases];
        break;
      case 'remove':
        this.cases = this.cases.filter(({ name }) => name !== action.name);
        break;
      case 'propose': {
        const proposal = { why: wordsOf(this.language).why, change: lesson(wordsOf(this.language)) };
        if (one !== undefined) Object.assign(one, { proposed: proposal, measured: null });
        return [{ after_ms: 300, reply: { reply: 'bad_case_proposal', proposal } }];
      }
      case 'measure': {
        const measured = measuredOf(action.change, action.name);
        if (one !== undefined) one.measured = measured;
        const step = (done: number, after_ms: number): Play => ({
          after_ms,
          reply: { reply: 'progress', done, total: 12, what: action.name },
        });
        return [step(3, 100), step(8, 400), { after_ms: 700, reply: { reply: 'bad_case_measured', measured } }];
      }
      case 'accept':
        if (one !== undefined) one.accepted = action.change;
        break;
      case 'take_back':
        if (one !== undefined) one.accepted = null;
        break;
    }
    return now({ reply: 'bad_cases', cases: structuredClone(this.cases) });
  }
}

function wordsOf(language: Language): Words {
  return (WORDS[language] ?? WORDS['en']) as Words;
}

function initial(words: Words): BadCase[] {
  const change = lesson(words);
  const tried = caseOf('how-many-customers', words.rows, words.rowsWrong);
  tried.proposed = { why: words.why, change };
  tried.measured = measuredOf(change, tried.name);
  const accepted = caseOf('first-quarter', words.year, words.yearWrong);
  accepted.accepted = { kind: 'knowledge', text: words.fact };
  return [accepted, tried, caseOf('write-to-ming', words.mail, words.mailWrong)];
}

function caseOf(name: string, question: string, wrong: string): BadCase {
  return {
    name,
    question,
    wrong,
    path: `${FOLDER}/${name}.yaml`,
    problem: null,
    proposed: null,
    measured: null,
    accepted: null,
  };
}

function lesson({ goal, lesson: text }: Words): CaseChange {
  return { kind: 'experience', goal, lesson: text, code: CODE };
}

function measuredOf(change: CaseChange, suite: string): CaseMeasured {
  const figures = { only_now: [], broken: 0, reason: null };
  return {
    change,
    verdict: 'better',
    measures: [
      { ...figures, suite, attempts: 3, right_now: 0, right_then: 3, only_then: [suite], p: 1 },
      { ...figures, suite: 'bad-cases', attempts: 3, right_now: 1, right_then: 2, only_then: [suite], p: 1 },
    ],
  };
}

function textOf(question: string, wrong: string): string {
  return [
    'prompts:',
    `- ${question}`,
    'tests:',
    '- metadata:',
    `    wrong: ${wrong}`,
    '    answer: "42"',
    '  shidi:',
    '    files:',
    '      builds.csv: |',
    '        name,city',
    '        Lin,Xiamen',
    '    attach:',
    '    - builds.csv',
    '  assert:',
    '  - type: llm-rubric',
    `    value: ${wrong}`,
    '',
  ].join('\n');
}
