/** What went wrong, in words for a window, and what can be done there. */
import { expect, test } from 'vitest';
import type { FailureKind } from '../src/bindings/FailureKind';
import type { UserError } from '../src/bindings/UserError';
import type { Worded } from '../src/bindings/Worded';
import { remediesOf, told, withoutCommands, worded } from '../src/shared/errors';

const KINDS: FailureKind[] = [
  'unreachable',
  'key',
  'no_key',
  'keys_locked',
  'budget',
  'quota',
  'rate_limited',
  'overloaded',
  'server_error',
  'timeout',
  'cut',
  'context_length',
  'no_such_model',
  'malformed',
  'refused',
  'cancelled',
];

function failed(kind: FailureKind): UserError {
  const model = {
    kind,
    provider: 'custom',
    title: '192.168.1.7:8080',
    detail: { en: 'no server listens there', zh: '那里没有服务在听' },
  };
  return {
    code: 'model',
    message: 'custom can’t be reached',
    hint: 'Check the address: shidi config get model_url',
    model,
  };
}

test.each(KINDS)('a failed model is told without a command, in both languages: %s', (kind) => {
  for (const language of ['zh', 'en'] as const) {
    const text = told(language, failed(kind));
    expect(text).not.toMatch(/shidi |custom|os error/);
    if (kind !== 'cancelled') expect(text).toContain('192.168.1.7:8080');
  }
});

test('a failure is told in the language of the window, whatever it was recorded in', () => {
  expect(worded('zh', failed('unreachable'))).toEqual({
    title: '192.168.1.7:8080 连不上',
    said: '那里没有服务在听',
    hint: '看看网络，或地址对不对',
  });
  expect(worded('en', failed('server_error')).title).toBe('192.168.1.7:8080 failed by itself');
});

test('what failed is told in a language that was added, and in English where it was kept before that', () => {
  const added = { en: 'no server listens there', zh: '那里没有服务在听', qps: '⟦noo seerveer⟧' };
  const withDetail = (detail: Worded): UserError => {
    const error = failed('unreachable');
    return error.model === undefined ? error : { ...error, model: { ...error.model, detail } };
  };
  expect(worded('qps', withDetail(added)).said).toBe('⟦noo seerveer⟧');
  expect(worded('qps', failed('unreachable')).said).toBe('no server listens there');
  for (const language of ['qps', 'zh', 'en'])
    expect(worded(language, withDetail('401 invalid_api_key')).said).toBe('401 invalid_api_key');
});

test('each failure has its remedies at hand, the main one first', () => {
  expect(remediesOf(failed('unreachable'))).toEqual(['ask_again', 'other_model', 'settings', 'answer_offline']);
  expect(remediesOf(failed('quota'))[0]).toBe('other_model');
  expect(remediesOf(failed('budget'))[0]).toBe('settings');
  expect(remediesOf({ code: 'task', message: 'No', hint: null })).toEqual(['ask_again']);
});

test('sentences that tell to type something are left out of a window, and the others stay', () => {
  expect(withoutCommands('Set a valid key: shidi key set PROVIDER. Your question is kept')).toBe(
    'Your question is kept',
  );
  expect(withoutCommands('换一个有效的密钥：shidi key set PROVIDER。问题已保留')).toBe('问题已保留');
  expect(withoutCommands('Back up the data folder, then run shidi doctor')).toBe('');
  expect(withoutCommands('明天再问，或换一个模型')).toBe('明天再问，或换一个模型');
});

test('an assistant that can not be asked is led to its review before all else, and no other failure is', () => {
  const error: UserError = { code: 'input', message: "The assistant cook can't be asked", hint: null };
  expect(remediesOf(error, true)).toEqual(['review_assistant', 'usual_assistant']);
  expect(remediesOf(error)).toEqual(['ask_again']);
  expect(remediesOf(failed('key'), true)[0]).toBe('replace_key');
  expect(remediesOf({ ...error, code: 'system' }, true)).toEqual(['ask_again']);
});
