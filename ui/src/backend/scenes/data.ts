/** A scene in which a program shows data to the user directly: a table, charts, files and links. */
import type { Language } from './language';
import { Script, type Play } from './play';

const SAY = {
  zh: {
    question: '把上季度的订单按城市汇总，文件放在哪也告诉我',
    thought: '数据直接给你看表和图，不经过模型。',
    table: '订单汇总（按城市）',
    columns: ['城市', '订单', '金额（元）', '备注'],
    cities: ['上海', '北京', '广州', '深圳', '杭州', '成都', '南京', '武汉', '西安', '苏州', '重庆'],
    note: '含退货 3 单',
    chart: '金额走势',
    series: ['今年', '去年'],
    bars: '各城市订单数',
    files: '用到的文件',
    links: '出处',
    link: '退款规则',
    answer: '上海最多，**1,204 单**，占全部的 23%。',
  },
  en: {
    question: 'Sum up last quarter’s orders by city, and tell me where the files are',
    thought: 'The data goes to you directly, as a table and charts.',
    table: 'Orders by city',
    columns: ['City', 'Orders', 'Amount (CNY)', 'Note'],
    cities: [
      'Shanghai',
      'Beijing',
      'Guangzhou',
      'Shenzhen',
      'Hangzhou',
      'Chengdu',
      'Nanjing',
      'Wuhan',
      'Xi’an',
      'Suzhou',
      'Chongqing',
    ],
    note: '3 returned',
    chart: 'Amount by month',
    series: ['This year', 'Last year'],
    bars: 'Orders by city',
    files: 'Files used',
    links: 'Sources',
    link: 'Refund policy',
    answer: 'Shanghai is first with **1,204 orders**, 23 % of all.',
  },
};

export function data(language: Language, session: string): Play[] {
  const say = SAY[language];
  const rows = say.cities.map((city, at) => [
    city,
    1204 - at * 97,
    Math.round((1204 - at * 97) * 318.25) / 10,
    at === 2 ? say.note : null,
  ]);
  const [now = '', before = ''] = say.series;
  return new Script(session, 'run-1')
    .start(say.question)
    .thought(say.thought, 40)
    .program(
      `await user.table(rows=rows, title="${say.table}")\nawait user.chart(labels=months, values=sums, kind="line")\nawait user.say(text=answer)`,
      40,
    )
    .calls('user.table', { title: say.table }, 1, 'table', 2)
    .add({ type: 'card', id: 'c1', kind: 'table', data: { title: say.table, columns: say.columns, rows, left_out: 0 } })
    .add({
      type: 'card',
      id: 'c2',
      kind: 'chart',
      data: {
        title: say.chart,
        kind: 'line',
        labels: ['7', '8', '9'],
        series: [
          { name: now, values: [310.5, null, 402.25] },
          { name: before, values: [290, 305, 350] },
        ],
      },
    })
    .add({
      type: 'card',
      id: 'c3',
      kind: 'chart',
      data: {
        title: say.bars,
        kind: 'bar',
        labels: say.cities,
        series: [{ name: '', values: rows.map((row) => row[1] ?? null) }],
      },
    })
    .add({
      type: 'card',
      id: 'c4',
      kind: 'files',
      data: {
        title: say.files,
        paths: ['/home/lin/work/orders/2026-q3.csv', '/home/lin/下载/退货登记表-终稿-财务复核后.xlsx'],
      },
    })
    .add({
      type: 'card',
      id: 'c5',
      kind: 'links',
      data: {
        title: say.links,
        links: [
          { title: say.link, url: 'https://wiki.lanting.dev/refund-policy' },
          { title: 'x', url: 'javascript:alert(1)' },
        ],
      },
    })
    .prints('', 30)
    .says(say.answer, 60)
    .ends('completed').plays;
}
