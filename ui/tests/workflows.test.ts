/** Workflows without a window: what is listed, what a run is given, how it goes on. */
import { describe, expect, test } from 'vitest';
import type { DrawnStep } from '../src/bindings/DrawnStep';
import type { ListedWorkflow } from '../src/bindings/ListedWorkflow';
import type { WaitingCard } from '../src/bindings/WaitingCard';
import type { WorkflowParameter } from '../src/bindings/WorkflowParameter';
import type { WorkflowStepView } from '../src/bindings/WorkflowStepView';
import { LANGUAGES } from '../src/i18n/catalogue';
import { i18nOf } from '../src/i18n/i18n';
import * as drafting from '../src/workflows/drafts';
import { FILE_BYTES_MAX, isOurs, isTaken, textOf } from '../src/workflows/files';
import { openSaid, originOf, standingOf } from '../src/workflows/labels';
import { renamed, template } from '../src/workflows/template';
import * as workflows from '../src/workflows/workflows';

const workflow = (name: string): ListedWorkflow => ({
  name,
  title: name.toUpperCase(),
  description: `${name} of the shop`,
  built_in: false,
  on: true,
  parameters: [],
  problem: null,
  open: { waiting: 0, resting: 0 },
});

const parameter = (name: string, kind: string, required = true): WorkflowParameter => ({
  name,
  kind,
  description: '',
  required,
  default: null,
  example: null,
});

const step = (id: string): DrawnStep => ({
  id,
  kind: 'code',
  description: '',
  what: '',
  within: null,
  arm: 0,
  after: [],
  when: '',
  arms: [],
  line: 1,
});

describe('the list', () => {
  const view = { ...workflows.noWorkflows, all: [workflow('menu'), workflow('refund')], known: true };

  test('words are looked for in names, titles and descriptions', () => {
    expect(workflows.listed({ ...view, text: 'REFUND shop' }).map(({ name }) => name)).toEqual(['refund']);
    expect(workflows.chosenOf({ ...view, text: 'refund', chosen: 'menu' })?.name).toBe('refund');
  });

  test('the choice stops at the ends', () => {
    expect(workflows.moved(view, -1).chosen).toBe('menu');
    expect(workflows.moved(view, 5).chosen).toBe('refund');
  });
});

test('one that was just kept stands in its place by its name, and takes the place of one that has it', () => {
  const all = ['invoice', 'refund'].map(workflow);
  const names = (name: string) => workflows.withOne(all, workflow(name)).map((one) => one.name);
  expect(['alarm', 'menu', 'shift'].map(names)).toEqual([
    ['alarm', 'invoice', 'refund'],
    ['invoice', 'menu', 'refund'],
    ['invoice', 'refund', 'shift'],
  ]);
  const again = { ...workflow('invoice'), on: false };
  expect(workflows.withOne(all, again)).toEqual([again, all[1]]);
});

describe('runs that stand until somebody does something', () => {
  const of = (waiting: number, resting: number) => ({ ...workflow('menu'), open: { waiting, resting } });
  const [zh, en] = ['zh', 'en'].map((language) => i18nOf(() => language));

  test('the rail counts those of all workflows', () => {
    expect(workflows.openOf(of(2, 1), of(0, 0), of(0, 4))).toBe(7);
    expect(workflows.openOf()).toBe(0);
  });

  test('each workflow says how many, and why where there is one reason', () => {
    const said = (waiting: number, resting: number) =>
      [zh, en].map((i18n) => i18n && openSaid(i18n, of(waiting, resting)));
    expect(said(0, 0)).toEqual(['', '']);
    expect(said(1, 0)).toEqual(['1 次在等你', '1 waits for you']);
    expect(said(3, 0)).toEqual(['3 次在等你', '3 wait for you']);
    expect(said(0, 1)).toEqual(['1 次中断', '1 interrupted']);
    expect(said(2, 1)).toEqual(['3 次待处理', '3 need you']);
  });
});

describe('a step whose end is unknown', () => {
  const uncertain = (unknown: WorkflowStepView['unknown']): WorkflowStepView => ({
    id: 'send',
    rounds: [],
    state: 'uncertain',
    started: '2026-11-20T09:41:07Z',
    ended: null,
    outputs: {},
    reason: null,
    attempt: 7,
    program: 'run-1',
    unknown,
  });
  const drawn = [{ ...step('send'), what: 'sms.send' }, step('answer')];

  test('is told by the calls that may have happened, else by the tool that it uses, else not at all', () => {
    const call = { tool: 'shell.run', args: { command: 'make deploy' } };
    expect(workflows.unknownOf(uncertain([call]), drawn)).toEqual([call]);
    expect(workflows.unknownOf(uncertain([]), drawn)).toEqual([{ tool: 'sms.send', args: {} }]);
    expect(workflows.unknownOf({ ...uncertain([]), id: 'answer' }, drawn)).toEqual([]);
  });
});

describe('what a run is given', () => {
  test('a text stays a text, and everything else is read as its type', () => {
    const parameters = [parameter('a', 'str'), parameter('n', 'int'), parameter('l', 'list'), parameter('x', 'any')];
    const form = { a: '12', n: '3', l: '[1]', x: 'free text' };
    expect(workflows.filled(parameters, form)).toEqual({
      inputs: { a: '12', n: 3, l: [1], x: 'free text' },
      missing: [],
      unfit: [],
    });
  });

  test('what is missing or of another type is named, and what may be left out is left out', () => {
    const parameters = [parameter('a', 'str'), parameter('n', 'int'), parameter('o', 'dict', false)];
    expect(workflows.filled(parameters, { a: ' ', n: '3.5', o: '' })).toEqual({
      inputs: {},
      missing: ['a'],
      unfit: ['n'],
    });
    expect(workflows.filled([parameter('o', 'dict', false)], { o: '[1]' }).unfit).toEqual(['o']);
  });

  test('a form begins with the defaults as they are typed', () => {
    const withDefault = { ...parameter('n', 'list', false), default: [1, 2] };
    expect(workflows.formOf([parameter('a', 'str'), withDefault])).toEqual({ a: '', n: '[1,2]' });
  });
});

describe('what a person says that a step gave', () => {
  test('it is JSON where it reads as such, else a text, and nothing where nothing is said', () => {
    const said = ['3', '2.5', 'true', '[1, 2]', ' {"a": {"b": null}} ', '"3"', 'sent at noon', '{sent', '', ' \n'];
    expect(said.map(workflows.given)).toEqual([
      3,
      2.5,
      true,
      [1, 2],
      { a: { b: null } },
      '3',
      'sent at noon',
      '{sent',
      null,
      null,
    ]);
  });

  test('a number that we would change stays as it was typed', () => {
    expect(['12345678901234567890', '1.0', '1e400'].map(workflows.given)).toEqual([
      '12345678901234567890',
      '1.0',
      '1e400',
    ]);
  });
});

describe('what waits', () => {
  test('two calls of one program are told apart, though their events have the same number', () => {
    const card = (run: string, call: number): WaitingCard => ({
      event: { type: 'question', call, text: '', run, seq: 9, time: '2026-11-20T09:41:07Z' },
    });
    const keys = [card('a', 1), card('a', 2), card('b', 1)].map(workflows.cardKeyOf);
    expect(new Set(keys).size).toBe(3);
  });
});

describe('texts that are not saved', () => {
  const fault = { line: 1, column: 1, message: 'wrong', hint: '' };
  const kept = { text: 'as kept', faults: [fault] };
  const drafts = drafting.typed(drafting.typed(drafting.noDrafts, 'menu', 'new', kept), 'refund', 'newer', null);

  test('each stays with its workflow, and one that is as it is kept again is none', () => {
    expect([...drafts.keys()]).toEqual(['menu', 'refund']);
    expect(drafts.get('menu')).toEqual({ text: 'new', faults: [fault] });
    expect([...drafting.typed(drafts, 'menu', 'as kept', kept).keys()]).toEqual(['refund']);
    expect([...drafting.without(drafts, 'refund').keys()]).toEqual(['menu']);
  });

  test('what is wrong is told only of the text that was checked', () => {
    expect(drafting.checked(drafts, 'menu', 'new', []).get('menu')?.faults).toEqual([]);
    expect(drafting.checked(drafts, 'menu', 'old', [])).toBe(drafts);
    expect(drafting.checked(drafts, 'gone', 'new', [])).toBe(drafts);
    const warned = drafting.checked(drafts, 'menu', 'new', [], [fault]);
    expect(warned.get('menu')).toEqual({ text: 'new', faults: [], warnings: [fault] });
    expect(drafting.typed(warned, 'menu', 'newest', kept).get('menu')?.warnings).toEqual([fault]);
  });

  test('a saved text is a draft no more, unless it was typed on', () => {
    expect([...drafting.saved(drafts, 'menu', 'new').keys()]).toEqual(['refund']);
    expect(drafting.saved(drafts, 'menu', 'old')).toBe(drafts);
  });
});

describe('a new one', () => {
  const words = LANGUAGES.map((language) => i18nOf(() => language));
  const lineOf = (text: string, key: string) => text.split('\n').find((line) => line.startsWith(`${key}:`));

  test('it begins with an input, a step of the model and an output, in the user’s words', () => {
    const texts = words.map((one) => template(one, ''));
    expect(new Set(texts).size).toBe(LANGUAGES.length);
    for (const text of texts) {
      expect(text.match(/type: \w+/g)).toEqual(['type: str', 'type: llm', 'type: str', 'type: output']);
      expect(text).toMatch(/^version: '1.0'\nname: '[^']+'\n/);
      expect(text).toMatch(/prompt: '[^']*\{topic\}[^']*'/);
      expect(text).not.toMatch(/\{\{|\t/);
    }
  });

  test('its own name is the one that is typed, whatever signs that has', () => {
    const [one] = words;
    if (one === undefined) throw new Error('There is no language');
    expect(lineOf(template(one, " Lin's: #1 "), 'name')).toBe("name: 'Lin''s: #1'");
    const text = `${template(one, 'menu')}# mine\n`;
    expect(renamed(one, text, 'menu', 'menus')).toBe(`${template(one, 'menus')}# mine\n`);
    expect(renamed(one, text, 'menus', '')).toBe(text);
    expect(renamed(one, renamed(one, text, 'menu', ''), '', 'menu')).toBe(text);
  });

  test('its draft goes once it is kept; what was typed on meanwhile is the draft of what was kept', () => {
    const drafts = drafting.typed(drafting.noDrafts, drafting.NEW, 'typed', { text: 'begun', faults: [] });
    expect([...drafts.keys()]).toEqual([drafting.NEW]);
    expect(drafting.named(drafts, 'typed', 'menu').size).toBe(0);
    expect([...drafting.named(drafts, 'typ', 'menu')]).toEqual([['menu', { text: 'typed', faults: [] }]]);
    expect(drafting.named(drafting.noDrafts, 'begun', 'menu').size).toBe(0);
  });
});

describe('files that are brought in', () => {
  test('one with steps at its top means to be ours', () => {
    const ours = ["version: '1.0'\nsteps:\n", '"steps": []', '{"version": "1.0", "steps": []}', "'steps' : []"];
    const others = ['title: a\nprompt: |\n  steps:\n', 'app:\n  mode: workflow\n', '{"title": "steps"}', '[', ''];
    expect(ours.map(isOurs)).toEqual(ours.map(() => true));
    expect(others.map(isOurs)).toEqual(others.map(() => false));
  });

  test('bytes that are no text are none, and the mark of a file’s beginning is no part of it', () => {
    const bytes = (...all: number[]) => new Uint8Array(all).buffer;
    expect(textOf(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('a');
    expect(textOf(bytes(0xb9, 0xa4, 0xd7, 0xf7))).toBeNull();
    expect(FILE_BYTES_MAX).toBe(1_048_576);
  });

  test('a name that is taken is known by the switch that replaces', () => {
    const failed = (hint: string | null, code: 'input' | 'storage' = 'input') => ({ code, message: 'm', hint });
    expect([failed('Give --replace to put it'), failed('请加 --replace 用新的替换')].map(isTaken)).toEqual([
      true,
      true,
    ]);
    const others = [failed(null), failed('Mend the file'), failed('with --replaced'), failed('--replace', 'storage')];
    expect(others.map(isTaken)).toEqual(others.map(() => false));
  });
});

describe('while a run goes on', () => {
  test('what is new of a step takes the place of what was known of that round', () => {
    const of = (state: WorkflowStepView['state'], round: number): WorkflowStepView => ({
      id: 'send',
      rounds: [round],
      state,
      started: `2026-11-20T09:41:0${round}Z`,
      ended: null,
      outputs: {},
      reason: null,
      attempt: state === 'begun' ? 4 : null,
      program: null,
      unknown: [],
    });
    let run = workflows.begun('', workflow('menu'), {});
    for (const one of [of('begun', 0), of('done', 0), of('begun', 1)]) run = workflows.withStep(run, one);
    expect(run.steps.map(({ state, attempt }) => [state, attempt])).toEqual([
      ['done', 4],
      ['begun', 4],
    ]);
  });
});

test("what a plugin brings is told apart from what is the user's own", () => {
  const i18n = i18nOf(() => 'en');
  const of = (name: string, part: Partial<ListedWorkflow> = {}): [string, string] => {
    const listed = { ...workflow(name), ...part };
    return [originOf(listed), standingOf(i18n, listed)];
  };
  expect(of('care:campaign')).toEqual(['plug', 'of a plugin']);
  expect(of('care:campaign', { on: false })[1]).toBe('off');
  expect(of('campaign')).toEqual(['person', '']);
  expect(of('campaign', { built_in: true })).toEqual(['branch', 'built in']);
});

test('a run about which somebody has decided is not called interrupted', () => {
  const i18n = i18nOf(() => 'en');
  expect(i18n.say(workflows.runStands({ status: 'resting' }))).toBe('interrupted');
  expect(i18n.say(workflows.runStands({ status: 'resting', decided: true }))).toBe('decided, not gone on yet');
  expect(workflows.runStands({ status: 'done' })).toBe('run_is_done');
});
