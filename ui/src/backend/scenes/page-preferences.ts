/** Preferences that show in forms of pages: one that is proposed, one that is kept, and one whose page has changed since. Used by the scripted backend alone. */
import type { ChosenValue } from '../../bindings/ChosenValue';
import type { MemoryRecord } from '../../bindings/MemoryRecord';
import type { MemoryRequest } from '../../bindings/MemoryRequest';
import type { Preference } from '../../bindings/Preference';
import type { PreferenceProposal } from '../../bindings/PreferenceProposal';
import type { Reply } from '../../bindings/Reply';
import type { Language } from './language';
import type { Memory } from './memory';
import { now, type Play } from './play';

const SITE = 'https://query.lanting.dev';
const OTHER_SITE = 'https://tickets.lanting.dev';
const TIME = '2026-11-19T06:20:00.000Z';

/** Scenes with something to ask, and with something kept. */
const PROPOSING = ['pageprefers'];
const KEEPING = ['pagefills', 'pagemisses'];

export type PreferenceAction = Extract<
  MemoryRequest,
  { action: 'preferences' | 'keep_preference' | 'decline_preference' | 'change_preference' }
>;

interface Form {
  form: string;
  button: string;
  values: ChosenValue[];
}

const FILTER: Record<Language, Form> = {
  zh: {
    form: '筛选退款',
    button: '应用',
    values: [
      { name: '状态', kind: 'choice', value: '待处理', options: ['全部', '待处理', '已退回', '已拒绝'] },
      {
        name: '渠道',
        kind: 'choices',
        value: ['微信支付', '支付宝'],
        options: ['微信支付', '支付宝', '银行卡', '余额'],
      },
      { name: '只看我负责的', kind: 'switch', value: true, options: [] },
      { name: '金额不低于', kind: 'number', value: 200, options: [] },
      { name: '标题包含', kind: 'text', value: '双币种', options: [] },
    ],
  },
  en: {
    form: 'Filter refunds',
    button: 'Apply',
    values: [
      { name: 'Status', kind: 'choice', value: 'Open', options: ['All', 'Open', 'Refunded', 'Rejected'] },
      {
        name: 'Channel',
        kind: 'choices',
        value: ['Card', 'PayPal'],
        options: ['Card', 'PayPal', 'Bank transfer', 'Voucher'],
      },
      { name: 'Only mine', kind: 'switch', value: true, options: [] },
      { name: 'Amount from', kind: 'number', value: 200, options: [] },
      { name: 'Title contains', kind: 'text', value: 'two currencies', options: [] },
    ],
  },
};

/** A form that applies at once, with a value as long as a page may make it. */
const EXPORT: Record<Language, Form> = {
  zh: {
    form: '导出工单',
    button: '',
    values: [
      { name: '格式', kind: 'choice', value: '逗号分隔（UTF-8，含表头与中文列名，金额保留两位小数）', options: [] },
      { name: '含附件', kind: 'switch', value: false, options: [] },
    ],
  },
  en: {
    form: 'Export tickets',
    button: '',
    values: [
      {
        name: 'Format',
        kind: 'choice',
        value: 'Comma-separated (UTF-8, with a header row and two decimals)',
        options: [],
      },
      { name: 'With attachments', kind: 'switch', value: false, options: [] },
    ],
  },
};

/** Everything proposed and kept, as a scene changes it. */
export class PagePreferences {
  private proposals: PreferenceProposal[] = [];
  private kept: Preference[] = [];

  constructor(
    private readonly language: Language,
    scene: string,
    private readonly memory: Memory,
  ) {
    const proposed = { times: 3, of: 5, last: TIME };
    if (PROPOSING.includes(scene))
      this.proposals = [
        { id: 'proposal-1', site: SITE, ...FILTER[language], ...proposed },
        { id: 'proposal-2', site: OTHER_SITE, ...EXPORT[language], ...proposed, times: 4 },
      ];
    if (KEEPING.includes(scene)) this.keep(SITE, FILTER[language]);
  }

  answer(action: PreferenceAction): Play[] {
    switch (action.action) {
      case 'preferences':
        break;
      case 'keep_preference': {
        const found = this.proposals.find(({ id }) => id === action.proposal);
        if (found !== undefined) this.keep(found.site, found);
        this.put(action.proposal);
        break;
      }
      case 'decline_preference':
        this.put(action.proposal);
        break;
      case 'change_preference': {
        const refused = this.change(action.memory, action.values);
        if (refused !== null) return now(refused);
        break;
      }
    }
    return now({ reply: 'preferences', proposals: this.proposals, kept: this.kept });
  }

  private put(id: string): void {
    this.proposals = this.proposals.filter((one) => one.id !== id);
  }

  private keep(site: string, { form, button, values }: Form): void {
    const { id } = this.memory.add(this.recordOf(site, { form, button, values }));
    this.kept = [{ memory: id, site, form, button, values, time: TIME }, ...this.kept];
  }

  private change(memory: string, changed: Record<string, unknown>): Reply | null {
    const old = this.kept.find((one) => one.memory === memory);
    const unfit = Object.entries(changed).find(([, value]) => typeof value === 'number' && value < 0);
    if (old === undefined || unfit !== undefined) return this.refusal(unfit?.[0] ?? '');
    const values = old.values.map((one) => ({
      ...one,
      value: (changed[one.name] as ChosenValue['value'] | undefined) ?? one.value,
    }));
    const record = this.memory.supersede(memory, this.recordOf(old.site, { ...old, values }));
    this.kept = this.kept.map((one) => (one === old ? { ...old, values, memory: record.id } : one));
    return null;
  }

  private refusal(field: string): Reply {
    const zh = this.language === 'zh';
    const message = zh ? `字段“${field}”不接受这个值` : `The field '${field}' does not take that`;
    const hint = zh
      ? '请用该字段的选项之一，或符合其类型的值'
      : "Take one of the field's options, or a value of its kind";
    return { reply: 'failed', error: { code: 'input', message, hint } };
  }

  private recordOf(site: string, { form, button, values }: Form): Partial<MemoryRecord> {
    const zh = this.language === 'zh';
    const said = values
      .map(({ name, value }) => `${name} = ${typeof value === 'boolean' ? saidOf(value, zh) : String(value)}`)
      .join(', ');
    const then = zh ? `；然后按“${button}”` : `; then presses "${button}"`;
    return {
      kind: 'preference',
      scope: `site:${site}`,
      text: `${zh ? `在 ${site} 的表单“${form}”中，用户通常选择：` : `On ${site}, in the form "${form}", the user usually chooses: `}${said}${button === '' ? '' : then}`,
      title: form,
      origin: 'learned',
      tainted: true,
      source: { session: null, run: null, segments: [], site, document: null },
      time: TIME,
      valid_from: TIME,
      data: {
        type: 'preference',
        schema: { type: 'object', title: form },
        data: Object.fromEntries(values.map(({ name, value }) => [name, value])),
        operation: button,
      },
    };
  }
}

/** What became of filling a form in: in one scene the page has lost the last two of its fields. */
export function filledForm(scene: string, values: readonly ChosenValue[]): Reply {
  const names = values.map(({ name }) => name);
  const there = scene === 'pagemisses' ? names.length - 2 : names.length;
  return { reply: 'filled_form', filled: names.slice(0, there), missed: names.slice(there) };
}

/** Whether a request is about preferences of forms. */
export function isOfPreferences(action: MemoryRequest): action is PreferenceAction {
  return ['preferences', 'keep_preference', 'decline_preference', 'change_preference'].includes(action.action);
}

function saidOf(value: boolean, zh: boolean): string {
  if (zh) return value ? '开' : '关';
  return value ? 'on' : 'off';
}
