/** What is configured in every scene: settings, rules, notes, looks. */
import { isFirst } from './play';
import type { ConfigEntry } from '../../bindings/ConfigEntry';
import type { HeldView } from '../../bindings/HeldView';
import type { LookRecord } from '../../bindings/LookRecord';
import type { SensorView } from '../../bindings/SensorView';
import type { MemoryHit } from '../../bindings/MemoryHit';
import type { RememberedRule } from '../../bindings/RememberedRule';
import type { Reply } from '../../bindings/Reply';
import type { SettingGroup } from '../../bindings/SettingGroup';
import type { SettingKind } from '../../bindings/SettingKind';
import { inLanguage, LANGUAGES, say } from '../../i18n/i18n';
import type { Language } from './language';
import { worded } from './worded';

type Row = [key: string, group: SettingGroup, kind: SettingKind, value: string];

const choice = (key: string, ...values: string[]): SettingKind => ({
  is: 'choice',
  values: values.map((value) => ({ value, title: worded('settings', `${key} = ${value}`) })),
});

/** A language is called as its speakers call it. */
const languages: SettingKind = {
  is: 'choice',
  values: [
    { value: 'system', title: worded('settings', 'language = system') },
    ...LANGUAGES.map((language) => ({ value: language, title: say(language, 'format_name') })),
  ],
};

const ROWS: readonly Row[] = [
  ['first_run', 'general', choice('first_run', 'pending', 'done'), 'done'],
  ['ball', 'general', choice('ball', 'shown', 'hidden'), 'shown'],
  ['autostart', 'general', { is: 'switch' }, 'off'],
  ['quiet_hours', 'general', { is: 'text' }, ''],
  ['selection_bar', 'general', { is: 'switch' }, 'off'],
  ['selection_bar_apps', 'general', { is: 'list' }, ''],
  ['language', 'look', languages, 'system'],
  ['theme', 'look', choice('theme', 'system', 'light', 'dark'), 'system'],
  ['hotkey', 'keys', { is: 'keys' }, 'Ctrl+Alt+Space'],
  ['hotkey_screen', 'keys', { is: 'keys' }, 'Ctrl+Alt+S'],
  ['hotkey_pause', 'keys', { is: 'keys' }, 'Ctrl+Alt+P'],
  ['hotkey_assistants', 'keys', { is: 'keys' }, 'Ctrl+Alt+2'],
  ['hotkey_selection', 'keys', { is: 'keys' }, 'Ctrl+Alt+E'],
  ['provider', 'models', { is: 'text' }, 'dashscope'],
  ['model', 'models', { is: 'text' }, 'qwen3-coder'],
  ['model_url', 'models', { is: 'text' }, ''],
  ['local_model.file', 'models', { is: 'text' }, ''],
  ['local_model.idle_minutes', 'models', { is: 'number', min: 0, max: 1440 }, '10'],
  ['top_p.coder', 'models', { is: 'text' }, ''],
  ['seed.coder', 'models', { is: 'number', min: 0, max: 4_294_967_295 }, ''],
  ['search.provider', 'search', choice('search.provider', 'none', 'searxng', 'brave', 'tavily', 'bing'), 'brave'],
  ['search.url', 'search', { is: 'text' }, ''],
  ['privacy.titles', 'privacy', { is: 'list' }, '*密码*;*网银*'],
  ['privacy.window', 'privacy', { is: 'switch' }, 'on'],
  ['privacy.page', 'privacy', { is: 'switch' }, 'on'],
  ['privacy.selection', 'privacy', { is: 'switch' }, 'on'],
  ['privacy.accessibility', 'privacy', { is: 'switch' }, 'off'],
  ['privacy.ocr', 'privacy', { is: 'switch' }, 'on'],
  ['privacy.clipboard', 'privacy', { is: 'switch' }, 'off'],
  ['mcp.serve', 'privacy', { is: 'switch' }, 'on'],
  ['mode', 'permissions', choice('mode', 'ask', 'risky', 'trust'), 'risky'],
  ['folders', 'permissions', { is: 'paths' }, '/home/lin/work:/home/lin/下载'],
  ['trace_days', 'privacy', { is: 'number', min: 0, max: 3650 }, '30'],
  ['memory.learn', 'memory', choice('memory.learn', 'off', 'rules', 'model'), 'model'],
  ['memory.long_term_max', 'memory', { is: 'number', min: 100, max: 10_000_000 }, '100000'],
  ['budget_usd', 'limits', { is: 'text' }, '1.4'],
  ['task_usd', 'limits', { is: 'text' }, '0'],
  ['max_rounds', 'limits', { is: 'number', min: 1, max: 100 }, '12'],
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
  const entries = ROWS.map(([key, group, kind, built]): ConfigEntry => {
    const value = set.get(key) ?? started[key] ?? built;
    const [title, about] = [worded('settings', key), worded('settings', `${key} about`)];
    return { key, value, default: !set.has(key), doc: inLanguage(about, language), kind, group, title, about };
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
        hint: language === 'zh' ? '可以是: 1 到 100 之间的整数' : 'It takes: a whole number from 1 to 100',
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

/** As on a desktop where the user had every sensor on and lacks one program. */
export function sensors(language: Language): SensorView[] {
  const zh = language === 'zh';
  return [
    { source: 'companion', setting: 'privacy.page', on: true, seen: '2026-11-12T09:41:00Z' },
    { source: 'accessibility', setting: 'privacy.accessibility', on: false },
    { source: 'selection', setting: 'privacy.selection', on: true },
    {
      source: 'recognition',
      setting: 'privacy.ocr',
      on: true,
      missing: zh ? '没有安装 tesseract' : 'tesseract is not installed',
      remedy: zh ? '安装 tesseract-ocr' : 'Install tesseract-ocr',
    },
    { source: 'clipboard', setting: 'privacy.clipboard', on: false },
    { source: 'window', setting: 'privacy.window', on: true, seen: '2026-11-12T09:41:00Z' },
  ];
}

/** What is in memory: a page that changed since, and a picture that is pinned once its pin was pressed. */
export function heldViews(language: Language, request: { request: string; id?: string; on?: boolean }): HeldView[] {
  const pinned = (id: string, is: boolean) =>
    request.request === 'look_pin' && request.id === id ? request.on === true : is;
  const view = (id: string, is: boolean) => ({
    id,
    time: '2026-11-20T09:40:00Z',
    pinned: pinned(id, is),
    ...(pinned(id, is) ? {} : { until: '2026-11-20T10:10:00Z' }),
  });
  return [
    {
      ...view('view-21', false),
      what: 'facts',
      app: 'Chromium',
      title: language === 'zh' ? '订单查询 · 兰亭' : 'Orders · Lanting',
      url: 'https://query.lanting.dev/orders',
      has_picture: false,
      stale: true,
    },
    {
      ...view('view-20', true),
      what: 'window',
      app: 'Firefox',
      title: 'Build #4127',
      has_picture: true,
      stale: false,
    },
  ];
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
    {
      ...look,
      what: 'form',
      id: 'look-7',
      time: '2026-11-20T09:02:00Z',
      app: 'Chromium 156',
      title: 'https://query.lanting.dev · Filter refunds',
      outcome: 'kept',
      width: 0,
      height: 0,
    },
  ];
}
