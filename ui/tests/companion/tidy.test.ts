/** What a machine can check of the companion's files: headers, lengths, colours, rights, and that nothing is missing. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LANGUAGES, wordsFor } from '../../companion/words.js';
import { COMPANION, COMPANION_ID } from './place';

const FILES = readdirSync(COMPANION, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(js|css|html)$/.test(name))
  .map((name) => ({ name, text: readFileSync(COMPANION + name, 'utf8') }));
const MANIFEST = JSON.parse(readFileSync(`${COMPANION}manifest.json`, 'utf8'));

test('every file opens with why it exists, and stays within 400 lines', () => {
  const wrong = FILES.filter(({ text }) => !/^(\/\*|<!--)/.test(text) || text.split('\n').length > 401);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('colours are those of the windows, in both themes', () => {
  const tokens = readFileSync(fileURLToPath(new URL('../../src/shared/tokens.css', import.meta.url)), 'utf8');
  const themes = (css: string, start: string) => {
    const at = css.indexOf(start);
    return [css.slice(0, at), css.slice(at)].map(
      (part) => new Map([...part.matchAll(/(--[\w-]+):\s*(#[0-9A-F]{6})/g)].map(([, name, value]) => [name, value])),
    );
  };
  const ours = themes(
    FILES.find(({ name }) => name === 'popup.css')?.text ?? '',
    '@media (prefers-color-scheme: dark)',
  );
  const theirs = themes(tokens, '[data-theme="dark"]');
  for (const [theme, colours] of ours.entries()) {
    expect(colours.size).toBeGreaterThan(10);
    for (const [name, value] of colours) expect(theirs[theme]?.get(name), name).toBe(value);
  }
});

test('the key in the manifest gives the id that host programs are bound to', () => {
  const hex = createHash('sha256').update(Buffer.from(MANIFEST.key, 'base64')).digest('hex').slice(0, 32);
  const id = [...hex].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('');
  expect(id).toBe(COMPANION_ID);
});

test('the manifest asks for no more rights than these', () => {
  expect(MANIFEST.permissions).toEqual(['nativeMessaging', 'storage', 'tabs', 'alarms']);
  expect(MANIFEST.host_permissions).toBeUndefined();
  expect(MANIFEST.web_accessible_resources).toBeUndefined();
});

test('every file that another one names is there', () => {
  const named = [
    MANIFEST.background.service_worker,
    ...MANIFEST.background.scripts,
    ...MANIFEST.content_scripts.flatMap(({ js }: { js: string[] }) => js),
    MANIFEST.action.default_popup,
    ...Object.values<string>(MANIFEST.icons),
    ...FILES.flatMap(({ text }) =>
      [...text.matchAll(/(?:src|href)="([^"$]+)"|from '\.\/([^']+)'/g)].map((match) => match[1] ?? match[2] ?? ''),
    ),
  ];
  expect(named.length).toBeGreaterThan(15);
  expect([...new Set(named)].filter((name) => !existsSync(COMPANION + name))).toEqual([]);
});

test('the popup speaks every language of the catalogue, and English to everybody else', () => {
  const folders = readdirSync(fileURLToPath(new URL('../../../assets/locales/', import.meta.url)));
  expect(LANGUAGES.toSorted()).toEqual(folders.toSorted());
  expect(LANGUAGES.map((language) => wordsFor(language).language)).toEqual(LANGUAGES);
  const [zh, en] = [wordsFor('zh-TW'), wordsFor('fr')];
  expect([zh.language, en.language]).toEqual(['zh', 'en']);
  expect(zh.connect).not.toBe(en.connect);
  expect([en.tools(0), en.tools(1), en.tools(2)]).toEqual(['Offers no tools', 'Offers 1 tool', 'Offers 2 tools']);
});
