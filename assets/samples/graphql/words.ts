/** What the sample page says, in the language of the browser. The page knows nothing of Shidi, so it has its own words. */

const WORDS = {
  en: {
    title: 'Orders',
    note: 'A GraphQL editor over sample data. Everything runs in this page; an assistant may read it and propose changes.',
    query: 'Query',
    variables: 'Variables (JSON)',
    run: 'Run',
    result: 'Result',
    schema: 'Schema',
    accept: 'Accept',
    reject: 'Reject',
    reason: 'Reason for rejecting (optional)',
    change_query: 'Change the query?',
    change_variables: 'Change the variables?',
    running: 'Running…',
    rows: 'Done in {ms} ms',
    wrong: '{count} error(s)',
    bad_variables: 'The variables are no JSON object',
  },
  zh: {
    title: '订单',
    note: '示例数据上的 GraphQL 编辑器。一切都在这个网页里运行；助手可以读它、提出修改。',
    query: '查询',
    variables: '变量（JSON）',
    run: '运行',
    result: '结果',
    schema: '结构',
    accept: '接受',
    reject: '拒绝',
    reason: '拒绝的理由（可不填）',
    change_query: '这样改查询？',
    change_variables: '这样改变量？',
    running: '运行中……',
    rows: '{ms} 毫秒完成',
    wrong: '{count} 处错误',
    bad_variables: '变量不是 JSON 对象',
  },
} as const;

export type Word = keyof (typeof WORDS)['en'];

const language = navigator.language.startsWith('zh') ? 'zh' : 'en';

export function say(word: Word, holes: Record<string, string | number> = {}): string {
  return WORDS[language][word].replace(/\{(\w+)\}/g, (_, name: string) => String(holes[name] ?? ''));
}

/** Writes the words into the page. */
export function fill(): void {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll<HTMLElement>('[data-word]')) {
    element.textContent = say(element.dataset['word'] as Word);
  }
}
