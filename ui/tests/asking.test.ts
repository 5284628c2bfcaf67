/** Cards that ask as plain values: what is read of them, and what is sent of what a person did. */
import { describe, expect, test } from 'vitest';
import {
  answerOf,
  chose,
  chosenIn,
  decidedHunk,
  emptyDraft,
  faultOf,
  specOf,
  type Draft,
  type Spec,
} from '../src/cards/ask';

const draft = (spec: Spec, more: Partial<Draft>): Draft => ({ ...emptyDraft(spec), ...more });
const options = [{ label: 'red', value: 1, note: 'warm', danger: false }, { label: 'blue' }];

describe('what is read', () => {
  test('names are fields, and whatever is unknown is answered by one text', () => {
    expect(specOf(['who', 'when', 7])).toMatchObject({
      card: 'names',
      fields: [{ name: 'who', label: 'who', kind: 'text', required: true }, { name: 'when' }],
    });
    for (const strange of [undefined, null, [], {}, 'x', 4, { card: 'wheel' }, { card: ['form'] }])
      expect(specOf(strange)).toEqual({ card: 'text' });
  });

  test('what is not as expected in a card is left out', () => {
    expect(specOf({ card: 'form', fields: [{ name: 'a', kind: 'colour', value: 4 }, 7] })).toMatchObject({
      fields: [{ name: 'a', label: 'a', kind: 'text', value: '4' }, { name: '' }],
    });
    expect(specOf({ card: 'diff', hunks: [{ before: ['a', 4] }] })).toMatchObject({
      hunks: [{ line: 1, before: ['a', ''], after: [] }],
    });
  });
});

describe('what is sent', () => {
  test('a choice by its places, one or many', () => {
    const one = specOf({ card: 'choice', options });
    expect(answerOf(one, emptyDraft(one))).toBeNull();
    expect(answerOf(one, chose(chose(emptyDraft(one), 0, false), 1, false))).toBe('{"chosen":[1]}');
    const many = specOf({ card: 'choice', options, many: true });
    expect(answerOf(many, chose(chose(emptyDraft(many), 1, true), 0, true))).toBe('{"chosen":[0,1]}');
    expect(answerOf(many, chose(chose(emptyDraft(many), 1, true), 1, true))).toBe('{"chosen":[]}');
  });

  test('a form when nothing is missing and numbers are numbers', () => {
    const form = specOf({
      card: 'form',
      fields: [
        { name: 'n', kind: 'number' },
        { name: 'ok', kind: 'yes_no' },
        { name: 'why', required: false },
      ],
    });
    expect(answerOf(form, emptyDraft(form))).toBeNull();
    expect(answerOf(form, draft(form, { values: { n: 'x' } }))).toBeNull();
    expect(answerOf(form, draft(form, { values: { n: '4', ok: 'true', why: '' } }))).toBe(
      '{"values":{"n":"4","ok":"true","why":""}}',
    );
    const [number] = 'fields' in form ? form.fields : [];
    expect(number === undefined ? null : [faultOf(number, ''), faultOf(number, 'x'), faultOf(number, '1e3')]).toEqual([
      'missing',
      'no_number',
      null,
    ]);
  });

  test('a change once each piece is decided', () => {
    const diff = specOf({ card: 'diff', hunks: [{}, {}, {}] });
    const some = decidedHunk(decidedHunk(emptyDraft(diff), 0, 'accept'), 1, 'reject');
    expect(answerOf(diff, some)).toBeNull();
    expect(answerOf(diff, decidedHunk(some, 2, 'accept'))).toBe('{"accept":[0,2]}');
    expect(answerOf(diff, decidedHunk(decidedHunk(some, 2, 'accept'), 0, null))).toBeNull();
  });

  test('actions only when one is taken, with what was filled in beside them', () => {
    const custom = specOf({ card: 'custom', options, fields: [{ name: 'why' }] });
    expect(answerOf(custom, draft(custom, { values: { why: '' } }), 0)).toBeNull();
    expect(answerOf(custom, draft(custom, { values: { why: 'rain' } }))).toBeNull();
    expect(answerOf(custom, draft(custom, { values: { why: 'rain' } }), 1)).toBe(
      '{"chosen":[1],"values":{"why":"rain"}}',
    );
    expect(answerOf(specOf({ card: 'operations', options }), emptyDraft(custom), 1)).toBe('{"chosen":[1]}');
    const confirm = specOf({ card: 'confirm' });
    expect([
      answerOf(confirm, emptyDraft(confirm)),
      answerOf(confirm, emptyDraft(confirm), 0),
      answerOf(confirm, emptyDraft(confirm), 1),
    ]).toEqual([null, 'yes', 'no']);
  });
});

describe('a server’s question', () => {
  const server = specOf({
    card: 'server',
    title: 'The MCP server peer asks you',
    fields: [
      { name: 'n', kind: 'whole' },
      { name: 'of', kind: 'choices', required: false, value: ['red'], options },
    ],
    options: [{ label: 'Send' }, { label: 'Decline', bare: true }],
  });

  test('is declined with nothing filled in, and answered only with all that is needed', () => {
    const empty = emptyDraft(server);
    expect(answerOf(server, empty, 1)).toBe('{"chosen":[1]}');
    expect(answerOf(server, empty, 0)).toBeNull();
    expect(answerOf(server, draft(server, { values: { ...empty.values, n: '4.5' } }), 0)).toBeNull();
    expect(answerOf(server, draft(server, { values: { ...empty.values, n: '4' } }), 0)).toBe(
      JSON.stringify({ chosen: [0], values: { n: '4', of: '["red"]' } }),
    );
  });

  test('has nothing chosen where a list is none', () => {
    for (const strange of ['', 'red', '{"a":1}']) expect(chosenIn(strange)).toEqual([]);
    expect(chosenIn('["red","blue"]')).toEqual(['red', 'blue']);
  });
});
