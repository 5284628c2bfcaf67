/** The catalogue of the windows: complete in every language, in the house style, and open to another one. */
import { describe, expect, test } from 'vitest';
import { LANGUAGES, languageOf, SOURCE, TABLES, textOf, type WordKey } from '../src/i18n/catalogue';
import { say } from '../src/i18n/i18n';

const FORM = /_(one|other)$/;
const table = (language: string) => TABLES.get(language) ?? {};
const gapsOf = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([gap]) => gap).toSorted();
/** The sentences of a language: those with forms under the key that is said. */
const sentencesOf = (language: string) => [
  ...new Set(Object.keys(table(language)).map((key) => key.replace(FORM, ''))),
];

describe('the catalogue', () => {
  test('every language says every sentence, with the gaps of English', () => {
    const source = sentencesOf(SOURCE).toSorted();
    expect(source.length).toBeGreaterThan(900);
    for (const language of LANGUAGES) {
      expect(sentencesOf(language).toSorted(), language).toEqual(source);
      for (const key of source) {
        const [said, meant] = [language, SOURCE].map((one) => textOf(one, key, 2)) as [string, string];
        expect(said.trim(), `${language} ${key}`).not.toBe('');
        expect(gapsOf(said), `${language} ${key}`).toEqual(gapsOf(meant));
      }
    }
  });

  test('a key stands in one file alone', () => {
    const files = import.meta.glob<object>('../../assets/locales/en/windows_*.json', {
      eager: true,
      import: 'default',
    });
    const keys = Object.values(files).flatMap((file) => Object.keys(file));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  test('English holds no Chinese, and Chinese has a space beside Latin letters', () => {
    const texts = Object.values(table('en'));
    for (const text of texts) expect(text).not.toMatch(/[\u4e00-\u9fff]/);
    for (const text of Object.values(table('zh')))
      expect(text.replace(/\{\{\w+\}\}/g, '')).not.toMatch(/[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/);
  });

  test('the house style of words is kept', () => {
    for (const text of Object.values(table('zh'))) expect(text).not.toMatch(/您|哦|呢/);
    for (const text of Object.values(table('en'))) expect(text).not.toMatch(/please|oops|!/i);
  });

  test('a counted sentence has the form of its number', () => {
    const said = (language: string, count: number) => say(language, 'questions', { count });
    expect([said('en', 1), said('en', 2), said('zh', 1)]).toEqual(['1 question', '2 questions', '1 个问题']);
  });

  test('a language is known by its code and by a tag, and another one is nobody’s', () => {
    expect(['zh-CN', 'en-GB', 'en', 'de', null].map(languageOf)).toEqual(['zh', 'en', 'en', null, null]);
  });

  test('a language that was added is complete as soon as its tables are there', () => {
    const added = Object.fromEntries(Object.entries(table(SOURCE)).map(([key, text]) => [key, `«${text}»`]));
    TABLES.set('qps', added);
    expect(say('qps', 'send' as WordKey)).toBe(`«${say(SOURCE, 'send' as WordKey)}»`);
    TABLES.delete('qps');
  });
});
