/** The house rules that a machine can check: who imports the shell, headers, lengths, raw values. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { GUIDE_STATES, SAMPLE_PICTURE } from './browser/states';

const ROOT = fileURLToPath(new URL('../src/', import.meta.url));
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte|css)$/.test(name) && !name.startsWith('bindings'))
  .map((name) => ({ name, text: readFileSync(ROOT + name, 'utf8') }));

test('only backend/tauri.ts knows the shell', () => {
  const knowing = FILES.filter(({ text }) => text.includes('@tauri-apps/')).map(({ name }) => name);
  expect(knowing).toEqual(['backend/tauri.ts']);
});

test('every file opens with why it exists', () => {
  const silent = FILES.filter(({ name, text }) => !(name.endsWith('.svelte') ? /^<!--/ : /^\/\*/).test(text));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('components stay within 300 lines and other files within 400, tables of strings aside', () => {
  const most = (name: string) => (name.endsWith('.svelte') ? 300 : 400);
  const long = FILES.filter(({ name, text }) => !name.startsWith('i18n/') && text.split('\n').length > most(name) + 1);
  expect(long.map(({ name }) => name)).toEqual([]);
});

test('the guide shows the same pictures in both languages, and each is there', () => {
  const guide = fileURLToPath(new URL('../../assets/guide/', import.meta.url));
  const drawn = readdirSync(`${guide}pictures`).sort();
  const shown = (lang: string) =>
    [...readFileSync(`${guide}${lang}.md`, 'utf8').matchAll(/\]\(pictures\/([^)]+)\)/g)].map((match) => match[1] ?? '');
  const expected = (lang: string) => [...GUIDE_STATES, SAMPLE_PICTURE].map((name) => `${name}-${lang}.png`).sort();
  for (const lang of ['zh', 'en']) expect(shown(lang).sort()).toEqual(expected(lang));
  expect(drawn).toEqual([...expected('zh'), ...expected('en')].sort());
});

test('colours are tokens', () => {
  const raw = FILES.filter(
    ({ name, text }) => name !== 'shared/tokens.css' && /#[0-9a-f]{6}\b|#[0-9a-f]{3};|rgba?\(/i.test(text),
  );
  expect(raw.map(({ name }) => name)).toEqual([]);
});

test('what base.css draws on a form control stands on one', () => {
  const onOthers = FILES.flatMap(({ name, text }) =>
    [...text.matchAll(/<(\w+) class="(?:radio|tick|switch)"/g)]
      .filter(([, tag]) => tag !== 'input')
      .map(([found]) => `${name}: ${found}`),
  );
  expect(onOthers).toEqual([]);
});

/** What base.css draws a ring on, or around what stands in it. */
const RINGED = ['field', 'find', 'tick', 'radio', 'switch'];
/** Fields that hold nothing but text to be written, where the caret alone says who has the focus. */
const CARET_ALONE = ['composer/Composer.svelte', 'conversation/QuestionEdit.svelte', 'sessions/SessionTitle.svelte'];

/** The form controls of a component: what each, and whatever it stands in, is called in its style sheet. */
function controlsIn(text: string): { start: number; names: string[] }[] {
  const found: { start: number; names: string[] }[] = [];
  const look = (node: unknown, around: readonly string[]): void => {
    if (Array.isArray(node)) return node.forEach((one) => look(one, around));
    if (typeof node !== 'object' || node === null) return;
    const { type, name, start, attributes } = node as Record<string, unknown>;
    const parts = (Array.isArray(attributes) ? attributes : []) as { name?: string; start: number; end: number }[];
    const of = (called: string) => parts.find((part) => part.name === called);
    const words = of('class');
    const classes = words === undefined ? [] : (text.slice(words.start + 6, words.end).match(/[\w-]+/g) ?? []);
    const names = type === 'RegularElement' ? [...around, ...classes] : around;
    const isControl = type === 'RegularElement' && /^(input|textarea|select)$/.test(String(name));
    if (isControl && of('hidden') === undefined) found.push({ start: Number(start), names: [...names, String(name)] });
    for (const child of Object.values(node)) look(child, names);
  };
  look(parse(text, { modern: true }).fragment, []);
  return found;
}

test('each field and each tick shows that it has the focus: by the ring of base.css, or by one of its own', () => {
  const unseen = FILES.filter(({ name }) => name.endsWith('.svelte') && !CARET_ALONE.includes(name)).flatMap(
    ({ name, text }) => {
      const style = text.slice(text.indexOf('<style>'));
      const own = [...style.matchAll(/\.?([\w-]+):(?:focus|has\(:focus)/g)].map((match) => match[1] ?? '');
      return controlsIn(text)
        .filter(({ names }) => !names.some((known) => RINGED.includes(known) || own.includes(known)))
        .map(({ start }) => `${name}: ${text.slice(start, text.indexOf('\n', start))}`);
    },
  );
  expect(unseen).toEqual([]);
});

/** Plain TypeScript beside the components that draw it: no store, no window, nothing that runs by itself. */
const RUNNING = /\.svelte$|\.svelte\.ts$|\.css$|^(backend|panel|workbench|ball|i18n)\/|\/main\.ts$/;
/** Files that act on the page or speak to the backend, without being a store. */
const ACTING = [
  'composer/ball-suggestion.ts',
  'composer/fast-suggestion.ts',
  'conversation/event-stream.ts',
  'conversation/frames.ts',
  'experience/learn-from-run.ts',
  'find/commands.ts',
  'keyboard/keys.ts',
  'cards/focus.ts',
  'markdown/diagrams.ts',
  'markdown/html.ts',
];

test('a component takes the stores that it draws: only the first one of a window knows them all', () => {
  const knowing = FILES.filter(({ text }) => /from '[^']*\/(panel|workbench)-state\.svelte'/.test(text)).map(
    ({ name }) => name,
  );
  expect(knowing.sort()).toEqual([
    'panel/Panel.svelte',
    'panel/main.ts',
    'workbench/Workbench.svelte',
    'workbench/main.ts',
  ]);
});

test('states know neither the page nor the backend', () => {
  const pure = FILES.filter(({ name }) => !RUNNING.test(name) && !ACTING.includes(name));
  expect(pure.length).toBeGreaterThan(30);
  for (const { name, text } of pure) {
    expect(text, name).not.toMatch(
      /(?<!\.)\b(document|localStorage|Date\.now)\b|(?<!\.)\bwindow[.[]|from '\.\.\/(backend|panel|workbench)|\.svelte'/,
    );
  }
});
