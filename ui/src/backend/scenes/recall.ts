/** What memory brings in, and what pages remember: a run with three things recalled, and what is told of them. */
import type { MemoryRecord } from '../../bindings/MemoryRecord';
import type { Language } from './language';
import type { RecallMark } from '../../bindings/RecallMark';
import type { ScoreParts } from '../../bindings/ScoreParts';
import { now, Script, type Play } from './play';

const TOLD = {
  zh: {
    question: '退款规则这周改了吗，我们的周会几点讨论',
    fact: '团队周会改到每周四上午十点，在三楼大会议室',
    summary: '查清了退款为什么转人工：超过 14 天的单子规则引擎不放行，已在 wiki 上补了说明',
    asked: '超过 14 天的退款为什么转人工？',
    older: '退款规则里的“原路退回”包括余额支付吗？',
    page: '退款规则',
    answer: '规则这周没有改；周会在周四上午十点，三楼大会议室。',
    outcome: '规则引擎不放行太旧的单子，由人工在一个工作日内处理。已经把说明补到 wiki 上。',
    report: '退款说明.docx',
    noted: '退款的例外由财务的李青审批',
  },
  en: {
    question: 'Did the refund rules change this week, and when does our team meet about them?',
    fact: 'The team meeting moved to Thursdays at ten, in the large room on the third floor',
    summary: 'Found why refunds go to a person: the rule engine stops those older than 14 days; the wiki now says so',
    asked: 'Why do refunds after 14 days go to a person?',
    older: 'Does “the way they came” cover payments from a balance?',
    page: 'Refund rules',
    answer:
      'The rules did not change this week. The meeting is on Thursday at ten, in the large room on the third floor.',
    outcome:
      'The rule engine stops old orders, and an agent looks at them within one working day. The wiki now says so.',
    report: 'Refunds explained.docx',
    noted: 'Exceptions to refunds are approved by Li Qing of Finance',
  },
};

const PAGE = 'https://wiki.lanting.dev/refund-policy';

/** A score's parts; those that are not told are nothing. */
function parts(told: Partial<ScoreParts>): ScoreParts {
  return {
    lexical: 0,
    vector: 0,
    context: 0,
    entity: 0,
    neighbour: 0,
    page: 0,
    recency: 0,
    weight: 0,
    correction: 0,
    repeated: 0,
    ...told,
  };
}

function marks(): RecallMark[] {
  return [
    {
      id: 'memory-1',
      kind: 'knowledge',
      score: 0.98,
      coverage: 0.64,
      parts: parts({ lexical: 0.82, context: 0.06, weight: 0.1 }),
    },
    {
      id: 'memory-2',
      kind: 'summary',
      score: 0.93,
      coverage: 0.41,
      parts: parts({ lexical: 0.55, neighbour: 0.12, page: 0.2, weight: 0.06 }),
    },
    { id: 'session-9/1', kind: 'conversation', score: 0, coverage: 0, parts: parts({}) },
  ];
}

export function recalled(language: Language, session: string): Play[] {
  const told = TOLD[language];
  const script = new Script(session, 'run-1').start(told.question);
  script.add({ type: 'segment', kind: 'Recalled', marks: marks(), exec: null });
  return script.says(told.answer, 400).ends('completed').plays;
}

/** The record that a run of this scene has recalled. */
export function recollection(language: Language, memory: string): Play[] {
  const told = TOLD[language];
  return now({ reply: 'memory_records', records: [record(memory, memory === 'memory-1' ? told.fact : told.summary)] });
}

/** What was asked about a page before. */
export function visits(language: Language, address: string): Play[] {
  const told = TOLD[language];
  const visit = { segment: 1, title: told.page, url: PAGE };
  const back = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const known = [
    {
      ...visit,
      session: 'session-8',
      question: told.asked,
      time: back(3),
      answer: told.outcome,
      files: [`/home/lin/reports/${told.report}`, '/home/lin/reports/orders.csv'],
      facts: [{ id: 'memory-1', text: told.noted }],
    },
    { ...visit, session: 'session-9', question: told.older, time: back(24) },
  ];
  return now({ reply: 'visits', visits: address.includes('refund-policy') ? known : [] });
}

function record(id: string, text: string): MemoryRecord {
  const learned = id === 'memory-2';
  const time = '2026-11-17T09:00:00Z';
  return {
    id,
    kind: learned ? 'summary' : 'knowledge',
    scope: 'user',
    text,
    title: '',
    speaker: null,
    tags: [],
    entities: [],
    subject: null,
    data: null,
    origin: learned ? 'learned' : 'told',
    source: {
      session: learned ? 'session-8' : null,
      run: null,
      segments: [],
      site: learned ? PAGE : null,
      document: null,
    },
    time,
    sort_value: 0,
    valid_from: time,
    valid_to: null,
    superseded_by: null,
    importance: 0.5,
    uses: 2,
    last_used: null,
    pinned: false,
    tainted: false,
    until: null,
  };
}
