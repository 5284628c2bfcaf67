/** What can be attached in every scene: files of all fates, pasted things, addresses, views of the screen. */
import type { AttachSource } from '../../bindings/AttachSource';
import type { Attachment } from '../../bindings/Attachment';
import type { ContentView } from '../../bindings/ContentView';
import type { PartView } from '../../bindings/PartView';
import type { ScreenView } from '../../bindings/ScreenView';
import type { Language } from './language';
import { frontPageView, PDFS } from './pages';
import { now, type Play } from './play';

/** A picture small enough to stand in the code: a window with a title bar. */
const PICTURE =
  'data:image/svg+xml;utf8,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="gainsboro"/><rect width="1280" height="92" fill="cadetblue"/><rect x="80" y="180" width="720" height="36" fill="darkgray"/><rect x="80" y="250" width="980" height="24" fill="lightgray"/><rect x="80" y="300" width="860" height="24" fill="lightgray"/><rect x="80" y="380" width="640" height="140" fill="mistyrose"/></svg>',
  );

const base: Attachment = {
  path: '',
  name: '',
  kind: 'text',
  format: 'text',
  misnamed: false,
  bytes: 2_400,
  lines: 48,
  tokens: 620,
  how: 'whole',
  unit: 'line',
  parts: 48,
  preview: '',
  preview_cut: false,
};

export function inspection(language: Language, source: AttachSource): Play[] {
  if (source.from === 'path') return ofPath(language, source.path);
  if (source.from === 'text') {
    const lines = source.text.split('\n').length;
    const preview = source.text.slice(0, 4_000);
    return done({
      ...base,
      path: `/data/attached/${source.text.length}.txt`,
      name: source.name ?? 'text.txt',
      lines,
      parts: lines,
      tokens: Math.ceil(source.text.length / 3),
      preview,
      preview_cut: source.text.length > 4_000,
    });
  }
  if (source.from === 'image') {
    return done({
      ...base,
      path: '/data/attached/picture.png',
      name: 'picture.png',
      kind: 'image',
      format: 'png',
      lines: 0,
      parts: 1,
      tokens: 1_100,
      how: 'image',
      thumbnail: PICTURE,
    });
  }
  if (source.from === 'resource')
    return done({
      ...base,
      path: '/data/attached/expenses.md',
      name: 'expenses.md',
      preview: 'path: /data/attached/expenses.md\ntext, 48 lines, 2400 bytes.\n---\n# Travel expenses',
    });
  const page = {
    ...base,
    path: '/data/attached/page.html',
    name: language === 'zh' ? '退款规则' : 'Refund rules',
    format: 'html',
    preview: PAGE[language],
    tokens: 840,
  };
  return source.url.includes('nowhere')
    ? done({ ...page, kind: 'unreadable', how: 'none', tokens: 0, reason: 'unreachable', detail: 'HTTP 404' })
    : done(page);
}

/** The view of the window that was in front, where a scene has one. */
export function frontView(scene: string, language: Language): ScreenView {
  const none: ScreenView = {
    id: '',
    app: '',
    title: '',
    width: 0,
    height: 0,
    may_be_private: false,
    blacked_out: 0,
    sent_as: 'words',
    preview: '',
    tokens: 0,
    recognising: false,
    stale: false,
    pinned: false,
  };
  if (scene === 'paused') return { ...none, blocked: '已暂停，现在什么都不看' };
  const page = frontPageView(scene, language);
  if (page !== null)
    return {
      ...none,
      id: 'view-3',
      app: 'Chromium',
      title: `${page.title} - Chromium`,
      window: 37_748_740,
      page,
      preview: `app: Chromium\ntitle: ${page.title}\nurl: ${page.url}`,
      tokens: 32,
      content: PDFS.includes(scene)
        ? pdfContent(scene)
        : scene === 'pageproposed'
          ? unguessable(language)
          : contentOf(language),
      stale: scene === 'pagestale',
    };
  if (scene === 'failing')
    return {
      ...none,
      id: 'view-4',
      app: 'Zed',
      title: 'error: borrow of moved value — cart.rs',
      preview: 'app: Zed\ntitle: error: borrow of moved value — cart.rs',
      tokens: 22,
    };
  if (scene !== 'context') return none;
  return {
    ...none,
    id: 'view-1',
    app: 'Zed',
    title: 'cart.rs — order-service',
    window: 41_943_044,
    preview: 'app: Zed\ntitle: cart.rs — order-service',
    tokens: 18,
  };
}

export function screenView(language: Language): ScreenView {
  return {
    id: 'view-2',
    app: 'Firefox',
    title: language === 'zh' ? '构建 #4127 失败' : 'Build #4127 failed',
    width: 1280,
    height: 720,
    thumbnail: PICTURE,
    may_be_private: true,
    blacked_out: 1,
    sent_as: 'picture',
    preview: 'app: Firefox\ntitle: Build #4127',
    tokens: 1_290,
    recognising: false,
    stale: false,
    pinned: false,
    text: 'error[E0502]: cannot borrow `self.items` as mutable\n  --> src/cart.rs:84:13',
  };
}

export function wholeView(language: Language, id: string, scene: string): ScreenView {
  const front = frontView(scene, language);
  if (id === 'view-3' && scene === 'pagepdf') return { ...front, content: readPdf(language) };
  if (id === 'view-3' || id === 'view-4') return front;
  return id === 'view-1' ? frontView('context', language) : { ...screenView(language), picture: PICTURE };
}

/** A page that no rule has a question for. */
function unguessable(language: Language): ContentView {
  const { parts, ...content } = contentOf(language);
  return { ...content, kind: 'empty', part: 'whole', parts: parts.filter(({ part }) => part !== 'selection') };
}

/** What the fast model proposes about that page. */
export function proposal(scene: string, language: Language): Play[] {
  if (scene !== 'pageproposed') return now({ reply: 'suggested' });
  const question = language === 'zh' ? '哪些订单等得最久？' : 'Which orders have waited longest?';
  return now({ reply: 'suggested', question });
}

function ofPath(language: Language, path: string): Play[] {
  const name = path.split('/').at(-1) ?? path;
  const ending = name.split('.').at(-1) ?? '';
  const file = { ...base, path, name, preview: TEXT[language] };
  if (name.startsWith('locked') || name.includes('盖章'))
    return done({ ...file, kind: 'unreadable', format: 'pdf', how: 'none', tokens: 0, preview: '', reason: 'locked' });
  if (name.startsWith('missing'))
    return done({ ...file, kind: 'unreadable', how: 'none', tokens: 0, preview: '', reason: 'missing' });
  if (name.startsWith('slow')) return [progress(3, 96), { after_ms: 100_000, reply: { reply: 'done' } }];
  if (ending === 'pdf')
    return [
      progress(0, 96),
      progress(60, 96, 60),
      ...done({
        ...file,
        kind: 'document',
        format: 'pdf',
        unit: 'page',
        parts: 96,
        tokens: 2_100,
        how: 'indexed',
        preview_cut: true,
      }),
    ];
  if (ending === 'xlsx')
    return done({ ...file, kind: 'document', format: 'xlsx', unit: 'sheet', parts: 3, tokens: 1_480, preview: TABLE });
  if (ending === 'csv')
    return done({
      ...file,
      format: 'csv',
      unit: 'row',
      parts: 1_204,
      tokens: 1_900,
      how: 'indexed',
      preview: TABLE,
      preview_cut: true,
    });
  if (ending === 'png')
    return done({
      ...file,
      kind: 'image',
      format: 'png',
      lines: 0,
      parts: 1,
      tokens: 1_100,
      how: 'image',
      preview: '',
      thumbnail: PICTURE,
    });
  if (!name.includes('.'))
    return done({ ...file, kind: 'folder', format: 'folder', unit: 'file', parts: 212, tokens: 900, how: 'indexed' });
  return done(file);
}

function done(attachment: Attachment): Play[] {
  return now({ reply: 'inspected', attachment });
}

function progress(read: number, total: number, after_ms = 0): Play {
  return { after_ms, reply: { reply: 'progress', done: read, total, what: '' } };
}

const TEXT = {
  zh: '# 差旅报销\n\n1. 出差结束后 10 个工作日内提交。\n2. 发票抬头用新公司名。\n3. 住宿标准：一线城市每晚 600 元，其他城市 400 元。',
  en: '# Travel expenses\n\n1. Hand in within 10 working days of your return.\n2. Invoices carry the new company name.\n3. Hotels: up to 600 a night in large cities, 400 elsewhere.',
};

const PAGE = {
  zh: '退款 14 天内原路退回，超过 14 天转人工审核。',
  en: 'Refunds within 14 days go back the way they came; later ones are reviewed by a person.',
};

const TABLE = 'build,branch,result,seconds\n4119,main,ok,212\n4127,release/2.8,failed,96\n4128,main,ok,207';

/** A PDF before it is read, or one whose file is not given. */
function pdfContent(scene: string): ContentView {
  return {
    source: 'companion',
    kind: 'pdf',
    language: '',
    part: 'nothing',
    parts: [],
    problems: 0,
    context: [],
    pdf: scene === 'pagepdf' ? { state: 'reading' } : { state: 'unread', reason: 'unreachable' },
  };
}

/** The same PDF once it is read. */
function readPdf(language: Language): ContentView {
  const text = PAGE[language];
  const preview = `The whole text of the PDF, with [p. N] before each page:\n[p. 1]\n${text}\n[p. 2]\n${text}`;
  const part = { part: 'whole', tokens: 1_630, preview, preview_cut: false, searched: false } as const;
  return { ...pdfContent('pagepdf'), part: 'whole', parts: [part], pdf: { state: 'read', pages: 2, bytes: 184_320 } };
}

/** What the companion read of the page in front: a marked line, the part on the screen, and the whole. */
function contentOf(language: Language): ContentView {
  const said = {
    zh: {
      selection: 'The user selected:\norders(status: OPEN, limit: 50)',
      visible: 'The part that the user sees, as Markdown:\n# 订单查询\n查询 50 条待处理订单，按创建时间排序。',
      whole:
        'The whole text, as Markdown:\n# 订单查询\n查询 50 条待处理订单，按创建时间排序。\n\n## 变量\n| 名称 | 值 |\n| --- | --- |\n| status | OPEN |\n| limit | 50 |\n\n## 上次结果\n耗时 812 ms，返回 50 行。',
    },
    en: {
      selection: 'The user selected:\norders(status: OPEN, limit: 50)',
      visible: 'The part that the user sees, as Markdown:\n# Order query\nFetches 50 open orders, the newest first.',
      whole:
        'The whole text, as Markdown:\n# Order query\nFetches 50 open orders, the newest first.\n\n## Variables\n| Name | Value |\n| --- | --- |\n| status | OPEN |\n| limit | 50 |\n\n## Last result\nTook 812 ms and returned 50 rows.',
    },
  }[language === 'zh' ? 'zh' : 'en'];
  const view = (part: 'selection' | 'visible' | 'whole', tokens: number): PartView => ({
    part,
    tokens,
    preview: said[part],
    preview_cut: false,
    searched: false,
  });
  return {
    source: 'companion',
    kind: 'code',
    language: language === 'zh' ? 'zh' : 'en',
    part: 'selection',
    parts: [view('selection', 18), view('whole', 640), view('visible', 210)],
    problems: 0,
    context: [],
  };
}
