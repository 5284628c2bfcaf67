/** What is configured in every scene: settings, rules, notes, looks. */
import { isFirst } from './play';
import type { ConfigEntry } from '../../bindings/ConfigEntry';
import type { LookRecord } from '../../bindings/LookRecord';
import type { MemoryHit } from '../../bindings/MemoryHit';
import type { RememberedRule } from '../../bindings/RememberedRule';
import type { Reply } from '../../bindings/Reply';
import type { SettingGroup } from '../../bindings/SettingGroup';
import type { SettingKind } from '../../bindings/SettingKind';
import type { Language } from './language';

type Row = [
  key: string,
  group: SettingGroup,
  kind: SettingKind,
  value: string,
  zh: [string, string],
  en: [string, string],
];

const choice = (...values: [string, string, string][]): SettingKind => ({
  is: 'choice',
  values: values.map(([value, zh, en]) => ({ value, title: { zh, en } })),
});

const ROWS: readonly Row[] = [
  [
    'first_run',
    'general',
    choice(['pending', '还没做', 'To do'], ['done', '做过了', 'Done']),
    'done',
    ['首次打开', '选“还没做”会再显示一次引导'],
    ['First run', '“To do” shows it again'],
  ],
  [
    'ball',
    'general',
    choice(['shown', '显示', 'Shown'], ['hidden', '隐藏', 'Hidden']),
    'shown',
    ['悬浮球', '要不要显示悬浮球'],
    ['Ball', 'Whether the ball is shown'],
  ],
  [
    'autostart',
    'general',
    { is: 'switch' },
    'off',
    ['登录时启动', '登录系统时启动师弟'],
    ['Start at login', 'Whether Shidi starts at login'],
  ],
  [
    'language',
    'look',
    choice(['system', '跟随系统', 'As the system'], ['zh', '简体中文', '简体中文'], ['en', 'English', 'English']),
    'system',
    ['语言', '界面语言'],
    ['Language', 'Language of the interface'],
  ],
  [
    'theme',
    'look',
    choice(['system', '跟随系统', 'As the system'], ['light', '浅色', 'Light'], ['dark', '深色', 'Dark']),
    'system',
    ['外观', '明暗主题'],
    ['Appearance', 'Light or dark theme'],
  ],
  [
    'hotkey',
    'keys',
    { is: 'keys' },
    'Ctrl+Alt+Space',
    ['唤出面板', '唤出面板的快捷键'],
    ['Summon', 'Hotkey that summons the panel'],
  ],
  [
    'hotkey_screen',
    'keys',
    { is: 'keys' },
    'Ctrl+Alt+S',
    ['问屏幕', '先看屏幕再打开面板'],
    ['Ask about the screen', 'Looks first, then opens the panel'],
  ],
  [
    'hotkey_pause',
    'keys',
    { is: 'keys' },
    'Ctrl+Alt+P',
    ['暂停感知', '暂停或恢复感知'],
    ['Pause sensing', 'Pauses sensing, or resumes it'],
  ],
  [
    'provider',
    'models',
    { is: 'text' },
    'dashscope',
    ['服务商', '空着就是离线应答'],
    ['Provider', 'Empty means the offline planner'],
  ],
  [
    'model',
    'models',
    { is: 'text' },
    'qwen3-coder',
    ['模型', '写代码和回答用的模型'],
    ['Model', 'Model that thinks and writes code'],
  ],
  [
    'model_url',
    'models',
    { is: 'text' },
    '',
    ['模型地址', '别处的或自己的模型服务；空着用服务商的地址'],
    ['Model address', 'A model server elsewhere or of your own; empty takes the provider’s'],
  ],
  [
    'privacy.titles',
    'privacy',
    { is: 'list' },
    '*密码*;*网银*',
    ['不看的窗口', '标题像这些的窗口不看，也不进截图'],
    ['Windows not looked at', 'Windows with such titles are left out, of pictures too'],
  ],
  [
    'mode',
    'permissions',
    choice(
      ['ask', '每次都问', 'Always ask'],
      ['risky', '有风险才问', 'Ask when risky'],
      ['trust', '信任会话', 'Trust the session'],
    ),
    'risky',
    ['什么时候问你', '新会话从这里开始'],
    ['When to ask you', 'New sessions begin with it'],
  ],
  [
    'folders',
    'permissions',
    { is: 'paths' },
    '/home/lin/work:/home/lin/下载',
    ['授权的文件夹', '任务可以在里面读、改文件，运行隔离起来的命令'],
    ['Granted folders', 'Where tasks may read and change files, and run confined commands'],
  ],
  [
    'trace_days',
    'privacy',
    { is: 'number', min: 0, max: 3650 },
    '30',
    ['轨迹保留几天', '任务的每一步在本机保留几天；0 不保留'],
    ['Days that traces are kept', 'Days that the steps of tasks are kept on this computer; 0 keeps none'],
  ],
  [
    'memory.learn',
    'memory',
    choice(
      ['off', '不记', 'Nothing'],
      ['rules', '按规则记', 'By rules'],
      ['model', '也请小模型记', 'By the fast model, too'],
    ),
    'model',
    ['任务结束后记什么', '在本机按规则记；设好小模型后也请它整理，每个任务一次'],
    [
      'What is learned from tasks',
      'Found on this computer by rules; the fast model, once one is set, is asked once per task as well',
    ],
  ],
  [
    'memory.long_term_max',
    'memory',
    { is: 'number', min: 100, max: 10_000_000 },
    '100000',
    ['长期记忆最多几条', '不会只因为旧就忘；超出时最不重要、最久没用的先忘，置顶的不忘'],
    [
      'Long-term records at most',
      'Nothing goes for its age alone; beyond it the least important and longest unused go first, pinned ones never',
    ],
  ],
  [
    'budget_usd',
    'limits',
    { is: 'text' },
    '1.4',
    ['每天的花费上限（美元）', '一天最多花多少美元；0 不限'],
    ['Dollars per day', 'Most US dollars of a day; 0 sets no limit'],
  ],
  [
    'task_usd',
    'limits',
    { is: 'text' },
    '0',
    ['每个任务的花费上限（美元）', '一个任务最多花多少美元，按价目表估算；0 不限'],
    ['Dollars of one task', 'Most US dollars of one task, estimated by the price table; 0 sets no limit'],
  ],
  [
    'max_rounds',
    'limits',
    { is: 'number', min: 1, max: 100 },
    '12',
    ['最多几轮', '一个任务最多几轮'],
    ['Rounds', 'Most rounds of one task'],
  ],
];

/** What was set since the scene began. */
const set = new Map<string, string>();

/** What is set before the scene begins. */
export function begin(key: string, value: string): void {
  set.set(key, value);
}

export function configuration(scene: string, language: Language): Reply {
  const started: Record<string, string> = isFirst(scene)
    ? { provider: '', model: '', first_run: 'pending' }
    : scene.startsWith('offline')
      ? { provider: '', model: '' }
      : scene.startsWith('own')
        ? { provider: '', model: 'qwen3-30b', model_url: 'http://build-03.lan:8080/v1' }
        : {};
  const entries = ROWS.map(([key, group, kind, built, zh, en]): ConfigEntry => {
    const value = set.get(key) ?? started[key] ?? built;
    const title = { zh: zh[0], en: en[0] };
    const about = { zh: zh[1], en: en[1] };
    return { key, value, default: !set.has(key), doc: about[language], kind, group, title, about };
  });
  return { reply: 'config', path: '/home/lin/.local/share/shidi/config.toml', entries };
}

export function setting(scene: string, language: Language, key: string, value: string): Reply {
  if (key === 'max_rounds' && !(Number(value) <= 100)) {
    return {
      reply: 'failed',
      error: {
        code: 'input',
        message: `\`max_rounds\` ${language === 'zh' ? '不能是' : 'can’t be'} \`${value}\``,
        hint: '1–100',
      },
    };
  }
  set.set(key, value);
  return configuration(scene, language);
}

export function rules(): RememberedRule[] {
  return [
    { pattern: 'shell.run(command=make cache-purge *)', verdict: 'allow', created: '2026-11-12T08:12:00Z' },
    { pattern: 'files.write(path=/home/lin/work/**)', verdict: 'allow', created: '2026-11-03T15:40:00Z' },
  ];
}

const remembered = {
  kind: 'knowledge',
  scope: 'user',
  title: '',
  session: null,
  source: { session: null, run: null, segments: [], site: null, document: null },
  ended: null,
  pinned: false,
  untrusted: false,
  parts: {
    lexical: 0.7,
    context: 0.1,
    entity: 0,
    neighbour: 0.12,
    page: 0,
    recency: 0,
    weight: 0,
    correction: 0,
    repeated: 0,
  },
  coverage: 0.8,
} as const satisfies Omit<MemoryHit, 'id' | 'text' | 'time' | 'score'>;

export function memories(language: Language, text: string): MemoryHit[] {
  const note =
    language === 'zh'
      ? '差旅单最晚 1 月 20 日交，发票抬头用新公司名'
      : 'Hand in travel expenses by 20 January; invoices carry the new company name';
  const second =
    language === 'zh'
      ? '构建机是 build-03，缓存在 /var/cache/ci'
      : 'The build host is build-03, its caches are in /var/cache/ci';
  const all: MemoryHit[] = [
    { ...remembered, id: 'note-1', text: note, time: '2026-11-11T09:00:00Z', session: 'session-9', score: 0.92 },
    { ...remembered, id: 'note-2', text: second, time: '2026-11-09T09:00:00Z', untrusted: true, score: 0.71 },
  ];
  return all.filter((hit) => hit.text.toLowerCase().includes(text.toLowerCase()));
}

export function looks(): LookRecord[] {
  const look = { what: 'window' as const, width: 1280, height: 720, blacked_out: 0 };
  return [
    {
      ...look,
      id: 'view-9',
      time: '2026-11-20T09:40:00Z',
      app: 'Firefox',
      title: 'Build #4127',
      outcome: 'sent',
      session: 'session-6',
    },
    {
      ...look,
      id: 'view-8',
      time: '2026-11-20T09:12:00Z',
      app: 'KeePassXC',
      title: '',
      outcome: 'refused',
      width: 0,
      height: 0,
    },
  ];
}
