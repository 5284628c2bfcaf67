/** Assistants: who can be asked, what a typed `@` may mean, and what a form makes of words and lines. */
import { expect, test } from 'vitest';
import { offeredFor, pictureOf, titleOf, usable } from '../src/assistants/assistants';
import { NEW, NO_DRAFTS, put, savedIn } from '../src/assistants/drafts';
import {
  linesOf,
  NO_SPEC,
  numberOf,
  suggestionsIn,
  withLanguage,
  withNumber,
  withRoleNumber,
  withSuggestions,
  withWords,
  wordsIn,
} from '../src/assistants/form';
import type { AssistantDetail } from '../src/bindings/AssistantDetail';
import type { ListedAssistant } from '../src/bindings/ListedAssistant';
import { calledIn } from '../src/composer/called';
import { assistantKeys, refusalOf } from '../src/keyboard/keymap';

function assistant(name: string, more: Partial<ListedAssistant> = {}): ListedAssistant {
  return {
    name,
    title: name,
    picture: '',
    description: '',
    opening: '',
    suggestions: [],
    source: 'built_in',
    trust: 'reviewed',
    path: null,
    from: null,
    problem: null,
    notes: [],
    ...more,
  };
}

test('an at sign at the very beginning calls an assistant until a space ends the name', () => {
  expect(calledIn('@', '@')).toBe('');
  expect(calledIn('@', '@翻译')).toBe('翻译');
  expect(calledIn('@', '@cook ')).toBeNull();
  expect(calledIn('@', 'me@example')).toBeNull();
  expect(calledIn('@', '@me@example.org')).toBeNull();
});

test('only those that can be asked are offered, by name or title, each name once', () => {
  const all = [
    assistant('cook', { problem: 'changed' }),
    assistant('translator', { title: '翻译' }),
    assistant('my-translator'),
    assistant('translator', { title: 'hidden' }),
  ];
  expect(usable(all).length).toBe(3);
  expect(offeredFor(all, 'trans', 9).map(({ name }) => name)).toEqual(['translator', 'my-translator']);
  expect(offeredFor(all, '翻', 9).map(({ name }) => name)).toEqual(['translator']);
  expect(offeredFor(all, '', 1).length).toBe(1);
});

test('keys that the desktop has not got are told where they were chosen, and those that it has stand in the list', () => {
  const taken = [
    { action: 'hotkey', keys: 'Ctrl+Alt+Space', notice: null },
    { action: 'assistant/cook', keys: 'Ctrl+Alt+T', notice: 'taken' },
    { action: 'assistant/译者', keys: 'F9', notice: null },
  ];
  expect(refusalOf(taken, 'assistant/cook', 'Ctrl+Alt+T')).toBe('taken');
  expect(refusalOf(taken, 'assistant/cook', 'Ctrl+Alt+U'), 'others were chosen since').toBeNull();
  expect(refusalOf(taken, 'assistant/baker', 'Ctrl+Alt+T')).toBeNull();
  expect(refusalOf(taken, 'hotkey', 'Ctrl+Alt+Space')).toBeNull();
  expect(assistantKeys(taken)).toEqual([{ name: '译者', keys: 'F9' }]);
});

test('a picture stands for it, else the first letter of its title', () => {
  expect(pictureOf(assistant('a', { picture: '🍲' }))).toBe('🍲');
  expect(pictureOf(assistant('a', { title: '翻译' }))).toBe('翻');
  expect(titleOf([assistant('a', { title: 'A' })], 'b')).toBe('b');
});

test('one text for all languages stays one, and other languages keep their words', () => {
  expect(withWords({}, 'zh', 'x')).toEqual({ '': 'x' });
  expect(withWords({ '': 'a' }, 'zh', 'b')).toEqual({ '': 'b' });
  expect(withWords({ en: 'a', zh: '甲' }, 'zh', '乙')).toEqual({ en: 'a', zh: '乙' });
  expect(withWords({ en: 'a', zh: '甲' }, 'zh', ' ')).toEqual({ en: 'a' });
  expect(wordsIn({ en: 'a' }, 'zh')).toBe('a');
  expect(wordsIn({}, 'zh')).toBe('');
});

test('suggestions are lines of one language, and each keeps its words of the others', () => {
  const before = [{ en: 'One', zh: '一' }];
  expect(suggestionsIn(before, 'zh')).toBe('一');
  expect(withSuggestions(before, 'zh', '壹\n\n二 ')).toEqual([{ en: 'One', zh: '壹' }, { '': '二' }]);
  expect(linesOf(' a \n\n b')).toEqual(['a', 'b']);
});

test('a field that holds no number holds nothing', () => {
  expect(numberOf('0.4')).toBe(0.4);
  expect(numberOf('')).toBeUndefined();
  expect(numberOf('warm')).toBeUndefined();
});

test('a role keeps the numbers that were typed for it, and one without any is left out of the file', () => {
  const one = withRoleNumber({}, 'coder', 'temperature', '0');
  expect(one).toEqual({ coder: { temperature: 0 } });
  const two = withRoleNumber(withRoleNumber(one, 'fast', 'seed', '7'), 'coder', 'top_p', '0.5');
  expect(two).toEqual({ coder: { temperature: 0, top_p: 0.5 }, fast: { seed: 7 } });
  expect(withRoleNumber(two, 'fast', 'seed', ' ')).toEqual({ coder: { temperature: 0, top_p: 0.5 } });
  expect(withRoleNumber(one, 'coder', 'temperature', 'warm')).toEqual({});
  expect(withNumber({ temperature: 0.4 }, 'seed', '3')).toEqual({ temperature: 0.4, seed: 3 });
  expect(one, 'what was there is another one').toEqual({ coder: { temperature: 0 } });
});

test('the language that was chosen first stays first, and none is all of them', () => {
  const chosen = withLanguage(withLanguage([], 'zh', true), 'en', true);
  expect(chosen).toEqual(['zh', 'en']);
  expect(withLanguage(chosen, 'zh', true), 'chosen again it comes last').toEqual(['en', 'zh']);
  expect(withLanguage(withLanguage(chosen, 'zh', false), 'en', false)).toEqual([]);
});

test('what is typed on while a new one is saved becomes a draft of what was kept', () => {
  const before = { spec: { ...NO_SPEC, name: 'cook' }, text: '', earlier: null };
  const left = { draft: before, step: 'opening', asFile: false, faults: [] } as const;
  const kept: AssistantDetail = {
    assistant: assistant('cook'),
    spec: before.spec,
    text: '',
    faults: [],
    left_out: [],
    may: [],
    findings: [],
    digest: 'd2',
    differs: null,
  };
  expect(savedIn(put(NO_DRAFTS, NEW, left), NEW, before, kept).size).toBe(0);
  const on = { ...left, draft: { ...before, spec: { ...before.spec, picture: '🍲' } } };
  const drafts = savedIn(put(NO_DRAFTS, NEW, on), NEW, before, kept);
  expect([...drafts.keys()]).toEqual(['cook']);
  expect(drafts.get('cook')?.draft.earlier).toBe('d2');
});
