/** Prompts: which fields a text has, and what stays of what was said of them. */
import { expect, test } from 'vitest';
import type { SavedPrompt } from '../src/bindings/SavedPrompt';
import {
  choicesIn,
  chosenOf,
  draftOf,
  isKeepable,
  listed,
  moved,
  NEW,
  noPrompts,
  taken,
  withField,
  withText,
} from '../src/prompts/prompts';

function prompt(name: string, more: Partial<SavedPrompt> = {}): SavedPrompt {
  return { name, description: '', text: `Text of ${name}`, fields: [], path: `/p/${name}.md`, problem: null, ...more };
}

const namesOf = (text: string) => withText(draftOf(null), text).fields.map(({ name, kind }) => `${name}:${kind}`);

test('a word in braces is a field, wide or narrow, and a brace alone is text', () => {
  expect(namesOf('{a} {{b}} { c } {a} f() { return {} } {"x": 1} {1}')).toEqual(['a:free', 'b:free', 'c:free']);
  expect(namesOf('{selection}{page}{file}{目标语言}')).toEqual([
    'selection:selection',
    'page:page',
    'file:file',
    '目标语言:free',
  ]);
  expect(namesOf('\\{a} \\{{b}}')).toEqual(['b:free']);
});

test('what was said of a field stays while the text has it', () => {
  const draft = withField(withText(draftOf(null), 'To {language}'), 'language', { label: 'Into', choices: ['中文'] });
  expect(withText(draft, 'Into {language}, {tone}').fields[0]).toMatchObject({ label: 'Into', choices: ['中文'] });
  expect(withText(draft, 'nothing').fields).toEqual([]);
});

test('choices stand in one line, between commas of either language', () => {
  expect(choicesIn('English, 中文、français，, ')).toEqual(['English', '中文', 'français']);
});

test('the one that is looked at stays, and one that is being made has none', () => {
  const view = taken({ ...noPrompts, chosen: 'b' }, [
    prompt('a'),
    prompt('b'),
    prompt('c', { description: 'about tables' }),
  ]);
  expect(chosenOf(view)?.name).toBe('b');
  expect(chosenOf(moved(view, 9))?.name).toBe('c');
  expect(chosenOf({ ...view, chosen: 'gone' })?.name).toBe('a');
  expect(chosenOf({ ...view, chosen: NEW })).toBeNull();
  expect(listed({ ...view, text: 'TABLES about' }).map(({ name }) => name)).toEqual(['c']);
});

test('a prompt without a name or a text is not kept', () => {
  expect(isKeepable({ ...draftOf(prompt('a')), name: ' ' })).toBe(false);
  expect(isKeepable({ ...draftOf(prompt('a')), text: ' ' })).toBe(false);
  expect(isKeepable(draftOf(prompt('a')))).toBe(true);
});
