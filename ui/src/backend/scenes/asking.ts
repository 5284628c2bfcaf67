/** Cards that ask, each in its scene: a choice, yes or no, a form, a change, a hand-over, operations, one of a program's own. Used by the scripted backend alone. */
import type { Language } from './language';
import { Script, type Play } from './play';

type Made = (zh: boolean) => { tool: string; text: string; fields: unknown };

const option = (label: string, note = '', danger = false) => ({ label, value: label, note, danger });
const field = (name: string, label: string, kind: string, more: Record<string, unknown> = {}) => ({
  name,
  label,
  kind,
  required: true,
  options: [],
  value: null,
  ...more,
});

const CARDS: Readonly<Record<string, Made>> = {
  choice: (zh) => ({
    tool: 'user.choose',
    text: zh ? '发现三份报价单，以哪份为准？' : 'There are three quotations. Which one counts?',
    fields: {
      card: 'choice',
      many: false,
      options: zh
        ? [
            option('11 月 3 日', '含税，42 800 元'),
            option('11 月 9 日', '未税，39 600 元'),
            option('11 月 15 日', '没有落款'),
          ]
        : [
            option('3 November', 'with tax, 42 800'),
            option('9 November', 'without tax, 39 600'),
            option('15 November', 'not signed'),
          ],
    },
  }),
  choices: (zh) => ({
    tool: 'user.choose',
    text: zh ? '周报要包括哪些项目？' : 'Which projects go into the report?',
    fields: {
      card: 'choice',
      many: true,
      options: [
        option(zh ? '订单服务' : 'Orders'),
        option(zh ? '结算' : 'Settlement'),
        option(zh ? '移动端' : 'Mobile'),
      ],
    },
  }),
  confirm: (zh) => ({
    tool: 'user.confirm',
    text: zh ? '表里有 14 行没有日期，先跳过它们？' : '14 rows carry no date. Leave them out for now?',
    fields: { card: 'confirm', yes: zh ? '跳过' : 'Leave out', no: '' },
  }),
  fields: (zh) => ({
    tool: 'user.form',
    text: zh ? '报销单还差几项' : 'A few things are missing in the claim',
    fields: {
      card: 'form',
      fields: [
        field('amount', zh ? '金额（元）' : 'Amount (CNY)', 'number'),
        field('day', zh ? '日期' : 'Day', 'date', { value: '2026-11-12' }),
        field('kind', zh ? '类别' : 'Kind', 'choice', {
          options: zh ? [option('交通'), option('住宿')] : [option('Travel'), option('Hotel')],
        }),
        field('receipt', zh ? '有发票' : 'There is a receipt', 'yes_no', { required: false }),
        field('note', zh ? '说明' : 'Note', 'long_text', { required: false }),
      ],
    },
  }),
  diff: (zh) => ({
    tool: 'user.diff',
    text: zh ? '两处改动，分别看' : 'Two changes, each on its own',
    fields: {
      card: 'diff',
      title: 'src/cart.rs',
      hunks: [
        {
          line: 41,
          above: ['impl Cart {', '    fn clear(&mut self, gone: &[Id]) {'],
          before: ['        self.items.retain(|item| !self.is_gone(item, gone));'],
          after: [
            '        let ids: Vec<Id> = gone.to_vec();',
            '        self.items.retain(|item| !ids.contains(&item.id));',
          ],
          below: ['    }'],
        },
        {
          line: 77,
          above: ['    // <script>alert(1)</script>'],
          before: ['    const LIMIT: usize = 100;'],
          after: ['    const LIMIT: usize = 200;'],
          below: ['}'],
        },
      ],
    },
  }),
  handover: (zh) => ({
    tool: 'user.hand_over',
    text: zh ? '银行要本人打电话核对，打完把结果写在这里' : 'The bank wants a call in person. Note the outcome here',
    fields: {
      card: 'hand_over',
      to: zh ? '财务小何' : 'Ada in finance',
      facts: zh
        ? [
            ['电话', '95588'],
            ['单号', 'A-1041'],
          ]
        : [
            ['Phone', '95588'],
            ['Order', 'A-1041'],
          ],
    },
  }),
  operations: (zh) => ({
    tool: 'user.operate',
    text: zh ? '构建机磁盘快满了，下一次构建会失败' : 'The build host is almost full; the next build will fail',
    fields: {
      card: 'operations',
      facts: zh
        ? [
            ['主机', 'build-03'],
            ['剩余', '2 %'],
            ['最大', '/var/cache/cargo，41 GB'],
          ]
        : [
            ['Host', 'build-03'],
            ['Free', '2 %'],
            ['Largest', '/var/cache/cargo, 41 GB'],
          ],
      options: zh
        ? [option('清理缓存'), option('停掉构建'), option('重装主机', '全部数据会丢', true)]
        : [option('Clear caches'), option('Stop builds'), option('Reinstall host', 'all data is lost', true)],
    },
  }),
  custom: (zh) => ({
    tool: 'user.card',
    text: zh ? '这位客人第三次改期' : 'This guest changes the date for the third time',
    fields: {
      card: 'custom',
      title: zh ? '改期申请' : 'Change of date',
      facts: zh
        ? [
            ['客人', '林若海'],
            ['原定', '11 月 24 日'],
          ]
        : [
            ['Guest', 'Lin Ruohai'],
            ['Booked', '24 November'],
          ],
      fields: [field('day', zh ? '改到' : 'New day', 'date', { value: '2026-12-01' })],
      options: zh
        ? [option('同意'), option('收改期费'), option('取消订单', '', true)]
        : [option('Agree'), option('Charge a fee'), option('Cancel it', '', true)],
    },
  }),
  server: (zh) => ({
    tool: 'travel.book',
    text: zh ? '要预订房间，还需要几项信息。' : 'A few details are needed to book the room.',
    fields: {
      card: 'server',
      title: zh
        ? 'MCP 服务器 travel 用它自己的话问你，你写的内容会交给它'
        : 'The MCP server travel asks you, in its own words. What you write goes to it',
      facts: [],
      fields: [
        field('guests', zh ? '人数' : 'Guests', 'whole', { value: 2 }),
        field('mail', zh ? '邮箱' : 'Email', 'email', { note: zh ? '确认信寄到这里' : 'The confirmation goes there' }),
        field('extras', zh ? '另加' : 'Extras', 'choices', {
          required: false,
          value: [zh ? '早餐' : 'Breakfast'],
          options: zh ? [option('早餐'), option('停车')] : [option('Breakfast'), option('Parking')],
        }),
      ],
      options: [
        option(zh ? '发送' : 'Send'),
        { ...option(zh ? '拒绝' : 'Decline'), bare: true },
        { ...option(zh ? '先不答' : 'Not now'), bare: true },
      ],
    },
  }),
  sampling: (zh) => ({
    tool: 'notes.summarize',
    text: zh
      ? '服务器的指示:\n    用三句话回答。\n\n服务器说:\n    把这篇笔记写成摘要：……'
      : 'Instructions of the server:\n    Answer in three sentences.\n\nThe server says:\n    Summarise this note: …',
    fields: {
      card: 'server',
      title: zh
        ? 'MCP 服务器 notes 想用你的模型问下面的话，费用算你的，回答会交给它'
        : 'The MCP server notes wants to ask your model this, at your expense. The answer goes to it',
      facts: [[zh ? '回答最多多少 token' : 'Tokens of the answer, at most', '400']],
      fields: [],
      options: [
        { ...option(zh ? '这次问模型' : 'Ask the model once'), bare: true },
        { ...option(zh ? '本任务都允许' : 'Ask it for this task'), bare: true },
        { ...option(zh ? '拒绝' : 'Decline'), bare: true },
      ],
    },
  }),
};

export const ASKING_SCENES: Readonly<Record<string, (language: Language, session: string) => Play[]>> =
  Object.fromEntries(
    Object.entries(CARDS).map(([name, made]) => [
      `ask-${name}`,
      (language: Language, session: string) => {
        const zh = language === 'zh';
        const { tool, text, fields } = made(zh);
        const script = new Script(session, 'run-1')
          .start(zh ? '把这件事办完' : 'Get this done')
          .program(`await ${tool}(…)`, 20);
        if (name === 'operations')
          script.add({
            type: 'card',
            id: 'progress hosts',
            kind: 'progress',
            data: { title: zh ? '看过的主机' : 'Hosts looked at', done: 3, total: 7 },
          });
        return script.asks(tool, text, fields).ends('suspended').plays;
      },
    ]),
  );
