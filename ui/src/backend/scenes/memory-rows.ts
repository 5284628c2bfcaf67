/** The words of what a scene remembers, in both languages. Used by the scripted backend alone. */
import type { MemoryKind } from '../../bindings/MemoryKind';
import type { MemoryRecord } from '../../bindings/MemoryRecord';
import type { MemorySource } from '../../bindings/MemorySource';
import type { Language } from './language';

/** A record, as far as it differs from a plain one. */
export interface Row extends Partial<Omit<MemoryRecord, 'kind' | 'text' | 'source'>> {
  kind: MemoryKind;
  text: string;
  at: string;
  source?: Partial<MemorySource>;
}

const SAID: Partial<MemorySource> = { session: 'session-9', run: 'run-9', segments: [1] };
/** The session in which the rule about refunds was said. */
export const REFUNDS = 'session-refunds';

const RULED: Partial<MemorySource> = { session: REFUNDS, run: 'run-refunds', segments: [1] };
const WIKI = 'https://wiki.lanting.dev/refund-policy';
const PAY = 'site:https://pay.lanting.dev';

/** The newest statement of the one history, and the two that it replaced. */
const RULE = '019a1000-7c3e-7000-8f31-4b60100009ad';
const RULE_BEFORE = '019a1001-7c3e-7000-8f31-4b60100019ad';

export function rowsOf(language: Language): Row[] {
  return language === 'zh' ? ZH : EN;
}

const ZH: Row[] = [
  {
    kind: 'knowledge',
    text: '退款 14 天内原路退回，超过 14 天转人工审核。',
    at: '2026-09-18T02:42:00.000Z',
    valid_from: '2026-09-18T02:42:00.000Z',
    pinned: true,
    uses: 6,
    last_used: '2026-11-02T03:00:00.000Z',
    entities: ['退款', '支付'],
    tags: ['规则'],
    source: { ...RULED, site: WIKI },
  },
  {
    kind: 'knowledge',
    text: '退款 14 天内原路退，超过的走人工',
    at: '2026-09-03T02:42:00.000Z',
    valid_to: '2026-09-18T02:42:00.000Z',
    superseded_by: RULE,
    source: { ...RULED, site: WIKI },
  },
  {
    kind: 'knowledge',
    text: '退款 7 天内可退',
    at: '2026-03-11T02:00:00.000Z',
    valid_to: '2026-09-03T02:42:00.000Z',
    superseded_by: RULE_BEFORE,
  },
  {
    kind: 'preference',
    text: '填退款单时先写原因，再填金额',
    at: '2026-11-12T06:20:00.000Z',
    scope: PAY,
    origin: 'learned',
    uses: 9,
    last_used: '2026-11-19T07:10:00.000Z',
    source: { site: 'https://pay.lanting.dev', session: 'session-8', run: 'run-9' },
    data: {
      type: 'preference',
      schema: { type: 'object', properties: { order: { type: 'array' } } },
      data: { order: ['reason', 'amount'] },
      operation: 'fill',
    },
  },
  {
    kind: 'summary',
    text: '把退款接口从 v1 迁到 v2：改了 3 个文件，测试都过',
    at: '2026-11-20T02:12:00.000Z',
    origin: 'learned',
    source: SAID,
    data: { type: 'summary', question_type: '改代码', keys: ['退款接口', 'v2', 'order-service'] },
  },
  {
    kind: 'knowledge',
    text: 'refund.amount 的单位是分，不是元',
    at: '2026-10-21T02:00:00.000Z',
    pinned: true,
    uses: 11,
    last_used: '2026-11-18T09:00:00.000Z',
    entities: ['order-service'],
  },
  {
    kind: 'experience',
    text: '双币种退款：先换算，最后只舍入一次',
    at: '2026-11-05T02:00:00.000Z',
    origin: 'learned',
    uses: 5,
    last_used: '2026-11-16T01:00:00.000Z',
    source: SAID,
  },
  { kind: 'profile', text: '周宁负责退款与对账，有事找她', at: '2026-10-21T01:00:00.000Z', entities: ['周宁'] },
  {
    kind: 'preference',
    text: '客服退款话术：先致歉，不承诺到账时间',
    at: '2026-10-30T01:00:00.000Z',
    scope: 'assistant:营销',
    origin: 'told',
  },
  {
    kind: 'knowledge',
    text: '退款到账时间由银行决定，一般 1 到 3 天',
    at: '2026-08-14T01:00:00.000Z',
    uses: 2,
    last_used: '2026-10-02T01:00:00.000Z',
    tainted: true,
    origin: 'learned',
    source: { session: 'session-8', run: 'run-9', segments: [2], site: WIKI },
  },
  {
    kind: 'preference',
    text: '回答先给结论，再给依据，不超过五句',
    at: '2026-07-02T01:00:00.000Z',
    pinned: true,
    uses: 41,
    last_used: '2026-11-20T01:00:00.000Z',
  },
  { kind: 'profile', text: '后端工程师，主要写 Rust 和 Python，在杭州', at: '2026-05-20T01:00:00.000Z' },
  {
    kind: 'summary',
    text: '差旅单最晚 1 月 20 日交，发票抬头用新公司名',
    at: '2026-11-11T09:00:00.000Z',
    until: '2027-01-20T15:59:59.999Z',
    origin: 'learned',
    source: SAID,
  },
  {
    kind: 'entity',
    text: '构建 #4127 的日志：cart.rs 第 88 行借用冲突',
    title: '构建 #4127',
    at: '2026-11-20T09:41:30.000Z',
    origin: 'learned',
    tainted: true,
    scope: 'session:session-9',
    source: SAID,
    data: { type: 'entity', data: { build: 4127, file: 'src/cart.rs', line: 88, error: 'E0502' } },
  },
  {
    kind: 'conversation',
    text: '这个构建为什么失败？最小的改法是什么？',
    at: '2026-11-20T09:41:07.000Z',
    speaker: '林',
    scope: 'session:session-9',
    source: SAID,
  },
];

const EN: Row[] = [
  {
    kind: 'knowledge',
    text: 'Refunds go back the way they were paid within 14 days; later ones are checked by a person.',
    at: '2026-09-18T02:42:00.000Z',
    valid_from: '2026-09-18T02:42:00.000Z',
    pinned: true,
    uses: 6,
    last_used: '2026-11-02T03:00:00.000Z',
    entities: ['refund', 'payments'],
    tags: ['rule'],
    source: { ...RULED, site: WIKI },
  },
  {
    kind: 'knowledge',
    text: 'A refund within 14 days is automatic, later ones go to a person',
    at: '2026-09-03T02:42:00.000Z',
    valid_to: '2026-09-18T02:42:00.000Z',
    superseded_by: RULE,
    source: { ...RULED, site: WIKI },
  },
  {
    kind: 'knowledge',
    text: 'A refund is possible within 7 days',
    at: '2026-03-11T02:00:00.000Z',
    valid_to: '2026-09-03T02:42:00.000Z',
    superseded_by: RULE_BEFORE,
  },
  {
    kind: 'preference',
    text: 'On the refund form the reason first, then the amount',
    at: '2026-11-12T06:20:00.000Z',
    scope: PAY,
    origin: 'learned',
    uses: 9,
    last_used: '2026-11-19T07:10:00.000Z',
    source: { site: 'https://pay.lanting.dev', session: 'session-8', run: 'run-9' },
    data: {
      type: 'preference',
      schema: { type: 'object', properties: { order: { type: 'array' } } },
      data: { order: ['reason', 'amount'] },
      operation: 'fill',
    },
  },
  {
    kind: 'summary',
    text: 'Moved the refund endpoint from v1 to v2: 3 files changed, all tests pass',
    at: '2026-11-20T02:12:00.000Z',
    origin: 'learned',
    source: SAID,
    data: { type: 'summary', question_type: 'change code', keys: ['refund endpoint', 'v2', 'order-service'] },
  },
  {
    kind: 'knowledge',
    text: 'refund.amount is in cents, not in yuan',
    at: '2026-10-21T02:00:00.000Z',
    pinned: true,
    uses: 11,
    last_used: '2026-11-18T09:00:00.000Z',
    entities: ['order-service'],
  },
  {
    kind: 'experience',
    text: 'Refund in two currencies: convert first, round once at the end',
    at: '2026-11-05T02:00:00.000Z',
    origin: 'learned',
    uses: 5,
    last_used: '2026-11-16T01:00:00.000Z',
    source: SAID,
  },
  {
    kind: 'profile',
    text: 'Zhou Ning looks after refunds and reconciliation; ask her',
    at: '2026-10-21T01:00:00.000Z',
    entities: ['Zhou Ning'],
  },
  {
    kind: 'preference',
    text: 'To customers about a refund: apologise first, promise no date',
    at: '2026-10-30T01:00:00.000Z',
    scope: 'assistant:marketing',
    origin: 'told',
  },
  {
    kind: 'knowledge',
    text: 'When a refund arrives is up to the bank, mostly 1 to 3 days',
    at: '2026-08-14T01:00:00.000Z',
    uses: 2,
    last_used: '2026-10-02T01:00:00.000Z',
    tainted: true,
    origin: 'learned',
    source: { session: 'session-8', run: 'run-9', segments: [2], site: WIKI },
  },
  {
    kind: 'preference',
    text: 'Answers begin with the conclusion, then the reasons, five sentences at most',
    at: '2026-07-02T01:00:00.000Z',
    pinned: true,
    uses: 41,
    last_used: '2026-11-20T01:00:00.000Z',
  },
  { kind: 'profile', text: 'Backend engineer in Hangzhou, mostly Rust and Python', at: '2026-05-20T01:00:00.000Z' },
  {
    kind: 'summary',
    text: 'Travel expenses are due by 20 January; invoices carry the new company name',
    at: '2026-11-11T09:00:00.000Z',
    until: '2027-01-20T15:59:59.999Z',
    origin: 'learned',
    source: SAID,
  },
  {
    kind: 'entity',
    text: 'Log of build #4127: borrow conflict in line 88 of cart.rs',
    title: 'Build #4127',
    at: '2026-11-20T09:41:30.000Z',
    origin: 'learned',
    tainted: true,
    scope: 'session:session-9',
    source: SAID,
    data: { type: 'entity', data: { build: 4127, file: 'src/cart.rs', line: 88, error: 'E0502' } },
  },
  {
    kind: 'conversation',
    text: 'Why does this build fail? What is the smallest fix?',
    at: '2026-11-20T09:41:07.000Z',
    speaker: 'Lin',
    scope: 'session:session-9',
    source: SAID,
  },
];
