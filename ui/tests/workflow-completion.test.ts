/** Completion of a workflow's text without a window: what is proposed at a caret, and what takes whose place. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import published from '../../assets/workflows/schema.json';
import { completionAt, type Occasion } from '../src/workflows/completion';
import { KINDS } from '../src/workflows/labels';
import { MARK, outline } from '../src/workflows/outline';

/** The text without its caret `¦`, which stands once, and where that stood. */
const caretIn = (text: string) => ({ text: text.replace('¦', ''), caret: text.indexOf('¦') });

const at = (text: string, occasion: Occasion = 'asked') => {
  const place = caretIn(text);
  return completionAt(place.text, place.caret, occasion);
};

const labels = (text: string, occasion?: Occasion) => at(text, occasion)?.proposals.map(({ label }) => label) ?? [];

/** The text once the first proposal was accepted. */
const accepted = (text: string) => {
  const completion = at(text);
  const [first] = completion?.proposals ?? [];
  if (completion === null || first === undefined) return null;
  const { text: whole } = caretIn(text);
  return whole.slice(0, completion.from) + first.insert + whole.slice(completion.to);
};

const HEAD = "version: '1.0'\nname: shop\n";

describe('keys', () => {
  test('those of the file, without those that are there', () => {
    expect(labels('¦')).toEqual(['version', 'name', 'steps', 'description', 'inputs', 'parameters', 'permissions']);
    expect(labels(`${HEAD}¦`)).toEqual(['steps', 'description', 'inputs', 'parameters', 'permissions']);
    expect(labels(`${HEAD}inputs: []\n¦\nsteps: []`)).toEqual(['description', 'permissions']);
    expect(labels(`${HEAD}de¦`)).toEqual(['description']);
  });

  test('those of a step until it has a type', () => {
    const general = ['id', 'type', 'description', 'if', 'needs', 'on_error', 'outputs', 'output', 'input', 'inputs'];
    expect(labels('steps:\n  - ¦').toSorted()).toEqual(general.toSorted());
    expect(labels('steps:\n  - ¦').slice(0, 2)).toEqual(['id', 'type']);
    expect(labels('steps:\n- id: a\n  ¦')).not.toContain('id');
  });

  test('those of its type, and one of two words for the same', () => {
    const llm = labels('steps:\n  - id: a\n    type: llm\n    output: {name: b}\n    ¦\n  - id: c\n');
    expect(llm).toEqual(expect.arrayContaining(['prompt', 'system', 'model', 'retry', 'timeout', 'inputs']));
    expect(llm[0]).toBe('prompt');
    for (const not of ['outputs', 'code', 'each', 'id']) expect(llm).not.toContain(not);
    expect(labels('steps:\n  - id: a\n    type: loop\n    each: [1]\n    ¦')).not.toContain('times');
    expect(labels('steps:\n  - type: "wait"\n    ¦')).toEqual(expect.arrayContaining(['for', 'until']));
  });

  test('those of steps within others, and of what is no step', () => {
    const inner = '    type: branch\n    if: "{a}"\n    then:\n      - id: b\n        type: wait\n        ¦';
    expect(labels(`steps:\n  - id: a\n${inner}`)).toContain('for');
    expect(labels('steps:\n  - type: loop\n    steps:\n      - type: tool\n        to¦')).toEqual(['tool']);
    expect(labels('steps:\n  - type: parallel\n    branches:\n      - - type: code\n          co¦')).toEqual(['code']);
    expect(
      labels('steps:\n  - type: parallel\n    branches:\n      - steps:\n          - type: code\n            co¦'),
    ).toEqual(['code']);
    expect(labels('steps:\n  - type: branch\n    cases:\n      - ¦')).toEqual(['if', 'steps']);
    expect(labels('steps:\n  - type: llm\n    output:\n      na¦')).toEqual(['name']);
    expect(labels('steps:\n  - type: loop\n    outputs:\n      - name: a\n        ¦')[0]).toBe('value');
    expect(labels('steps:\n  - type: llm\n    output: {name: a, ty¦}')).toEqual(['type']);
    expect(labels('steps:\n  - type: llm\n    retry:\n      ¦')).toEqual(['times', 'wait', 'factor']);
    expect(labels('inputs:\n  - name: a\n    d¦')).toEqual(['description', 'default']);
    expect(labels('{"version": "1.0", "ste¦": []}')).toEqual(['steps']);
  });

  test('names that are the user’s own are not proposed', () => {
    expect(labels('steps:\n  - type: code\n    inputs:\n      na¦')).toEqual([]);
    expect(labels('steps:\n  - type: code\n    inputs: {na¦}')).toEqual([]);
    expect(labels('steps:\n  - type: plugin\n    outputs:\n      name: a\n      example: {na¦}')).toEqual([]);
  });

  test('an accepted one has its colon, and one that has it keeps its own', () => {
    expect(accepted('steps:\n  - ty¦')).toBe('steps:\n  - type: ');
    expect(accepted(`${HEAD}st¦`)).toBe(`${HEAD}steps:`);
    expect(accepted('steps:\n  - t¦yp: llm')).toBe('steps:\n  - type: llm');
    expect(accepted('steps:\n  - type: llm\n    ou¦\n    prompt: x')).toContain('    outputs:\n');
  });
});

describe('values', () => {
  test('the types of steps, all of which have their words', () => {
    const types = labels('steps:\n  - id: a\n    type: ¦');
    expect(types).toHaveLength(12);
    expect(types.toSorted()).toEqual(published.$defs.step.properties.type.enum.toSorted());
    expect(types.filter((type) => KINDS[type] === undefined)).toEqual([]);
    expect(labels('steps:\n  - type: lo¦')).toEqual(['loop']);
    expect(labels("steps:\n  - type: 'pa¦'")).toEqual(['parallel']);
  });

  test('those that a key names one by one', () => {
    expect(labels('steps:\n  - on_error: ¦')).toEqual(['stop', 'continue']);
    expect(labels('steps:\n  - on_error:\n      ¦')).toEqual(['stop', 'continue', 'steps']);
    expect(labels('steps:\n  - type: llm\n    model: ¦')).toEqual(['general', 'fast', 'coder']);
    expect(labels('steps:\n  - if: ¦')).toEqual(['true', 'false']);
    expect(labels('inputs:\n  - name: a\n    type: bool\n    default: ¦')).toEqual(['true', 'false']);
    expect(labels('inputs:\n  - type: str\n    default: ¦')).toEqual([]);
    expect(labels('inputs:\n  - {name: a, type: in¦}')).toEqual(['int', 'integer', 'string']);
  });

  test('the steps that one may wait for', () => {
    const steps = 'steps:\n  - id: a\n    type: wait\n  - id: 看\n    needs: ¦\n  - id: c\n';
    expect(labels(steps)).toEqual(['a', 'c']);
    expect(labels(steps.replace('¦', '[a, ¦]'))).toEqual(['a', 'c']);
  });

  test('a text that YAML would read as something else is quoted', () => {
    expect(accepted('version: ¦')).toBe("version: '1.0'");
    expect(accepted("version: '1¦'")).toBe("version: '1'");
    expect(accepted('steps:\n  - type: ll¦')).toBe('steps:\n  - type: llm');
    expect(accepted('steps:\n  - if: t¦')).toBe('steps:\n  - if: true');
  });

  test('free texts have none', () => {
    expect(labels('name: in¦')).toEqual([]);
    expect(labels('steps:\n  - id: in¦')).toEqual([]);
    expect(labels('steps:\n  - type: llm\n    prompt: in¦')).toEqual([]);
    expect(labels('# na¦')).toEqual([]);
    expect(labels('steps: [] # na¦')).toEqual([]);
  });
});

const STEPS = `inputs:
  - {name: topic, type: str}
  - name: 主题
steps:
  - id: ask
    type: input
    output: {name: notes, type: dict, example: {mobile: '1', '偏 好': x}}
  - id: 写
    type: llm
    prompt: 'x'
    output:
      - name: 文章
  - id: may
    type: code
    if: '{notes}'
    output: {name: perhaps}
`;

describe('names in braces', () => {
  const last = (line: string) => labels(`${STEPS}  - id: z\n    type: output\n    inputs:\n      a: ${line}`);

  test('inputs and what earlier steps always leave, in both languages', () => {
    expect(last("'{¦'")).toEqual(['topic', '主题', 'notes', '文章', 'dialogue']);
    expect(last("'to {主¦}'")).toEqual(['主题']);
    expect(last("'{notes} and {文¦'")).toEqual(['文章']);
    expect(last("[{b: 'x {to¦'}]")).toEqual(['topic']);
    expect(labels(STEPS.replace("prompt: 'x'", "prompt: '{¦'"))).toEqual(['topic', '主题', 'notes', 'dialogue']);
    expect(at(`${STEPS}  - type: llm\n    prompt: '{文¦'`)?.proposals[0]?.step).toBe('写');
  });

  test('a brace that is none of a name has none', () => {
    for (const text of ["'\\{to¦'", "'to¦'", "'{topic} to¦'", "'{to pic¦'", "'{1¦'"])
      expect(last(text), text).toEqual([]);
    expect(labels(`${STEPS}description: '{to¦'`)).toEqual([]);
    expect(labels(`${STEPS}  - type: plugin\n    plugin: '{to¦'`)).toEqual([]);
  });

  test('an accepted one is closed, and quoted where YAML would read a map', () => {
    const ends = (line: string) => accepted(`${STEPS}  - type: llm\n    prompt: ${line}`)?.split('prompt: ')[2];
    expect(ends("'a {to¦ b'")).toBe("'a {topic} b'");
    expect(ends("'a {t¦o} b'")).toBe("'a {topic} b'");
    expect(ends('{to¦')).toBe("'{topic}'");
    expect(ends('{to¦}')).toBe("'{topic}'");
    expect(ends('{to¦} and more')).toBeUndefined();
  });

  test('parts are those of the example', () => {
    expect(last("'{notes.¦}'")).toEqual(['mobile', '偏 好']);
    expect(last("'{notes[mo¦'")).toEqual(['mobile']);
    expect(last("'{topic.¦}'")).toEqual([]);
  });

  test('a block of text has names where it is filled in, and nothing else', () => {
    const block = (key: string, line: string) =>
      labels(`${STEPS}  - type: ${key === 'code' ? 'code' : 'llm'}\n    ${key}: |\n      id\n\n      ${line}`);
    expect(block('prompt', 'of {to¦')).toEqual(['topic']);
    expect(block('prompt', 'ty¦')).toEqual([]);
    expect(block('prompt', '¦')).toEqual([]);
    expect(block('code', 'ty¦')).toEqual([]);
    expect(block('code', 'a = {to¦')).toEqual([]);
    expect(labels('steps:\n  - type: code\n    code: |\n      a\n¦\n      b\n')).toEqual([]);
    expect(labels('steps:\n  - type: code\n    code: |\n      a\n\n    ¦\n')).toContain('timeout');
  });

  test('a branch leaves what all its ways leave, and steps of other ways are not there', () => {
    const branch = (more: string) => `steps:
  - id: b
    type: branch
    if: 'true'
    then:
      - {id: c, type: code, output: {name: both}}
      - {id: d, type: code, output: {name: one}}
    else:
      - {id: e, type: code, output: {name: both}}
${more}`;
    expect(labels(branch("      - {id: f, type: output, inputs: {a: '{¦'}}"))).toEqual(['both', 'dialogue']);
    expect(labels(branch("  - {id: f, type: output, inputs: {a: '{¦'}}"))).toEqual(['both', 'dialogue']);
    expect(labels(branch('').replace('{name: one}}', "{name: one}, inputs: {a: '{¦'}}"))).toEqual(['both', 'dialogue']);
  });

  test('a loop has its item within, and its rounds’ values where it says what is kept', () => {
    const loop = (inner: string, kept: string) => `steps:
  - id: l
    type: loop
    each: [1]
    as: dish
    outputs: {name: all, type: list, value: '${kept}'}
    steps:
      - {id: c, type: llm, prompt: '${inner}', output: {name: said}}
  - {id: z, type: output, inputs: {a: '{al¦l}'}}`;
    const alone = (text: string) => text.replace('{al¦l}', '{all}');
    expect(labels(alone(loop('{¦', '')))).toEqual(['dish', 'dialogue']);
    expect(labels(alone(loop('', '{¦')))).toEqual(['dish', 'said', 'dialogue']);
    expect(labels(loop('', ''))[0]).toBe('all');
  });

  test('branches side by side leave all, and see none of each other; an error is known where it is met', () => {
    const parallel = (prompt: string, then: string) => `steps:
  - id: p
    type: parallel
    branches:
      - - {id: a, type: code, output: {name: left}}
      - - {id: b, type: llm, prompt: '${prompt}', output: {name: right}}
  - id: z
    type: output
    inputs: {a: '${then}'}
    on_error:
      - {id: y, type: approval, message: '{er¦'}`;
    const only = (text: string) => text.replace('{er¦', '');
    expect(labels(only(parallel('{¦', '')))).toEqual(['dialogue']);
    expect(labels(only(parallel('', '{¦')))).toEqual(['left', 'right', 'dialogue']);
    expect(labels(parallel('', ''))).toEqual(['error']);
  });
});

describe('while a word is typed', () => {
  test('nothing opens without a letter, nor once all is there', () => {
    expect(labels(`${HEAD}¦`, 'typed')).toEqual([]);
    expect(labels('steps:\n  - type: ¦', 'typed')).toEqual([]);
    expect(labels('steps:\n  - type: llm¦', 'typed')).toEqual([]);
    expect(labels('inputs:\n  - type: int¦', 'typed')).toEqual([]);
    expect(labels('steps:\n  - id¦: a', 'typed')).toEqual([]);
    expect(labels('steps:\n  - id¦', 'typed')).toEqual(['id']);
    expect(labels("steps:\n  - {type: llm, prompt: '{¦'}", 'typed')).toEqual(['dialogue']);
  });

  test('what begins so comes before what holds it', () => {
    expect(labels('steps:\n  - type: llm\n    ou¦', 'typed')).toEqual(['outputs', 'output', 'timeout']);
  });
});

const SHIPPED = fileURLToPath(new URL('../../assets/workflows/', import.meta.url));
const TEXTS = readdirSync(SHIPPED, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(SHIPPED + name, 'utf8') }));

describe('whatever the text is', () => {
  test('every caret of what ships has an answer, whose range holds it', () => {
    expect(TEXTS.length).toBeGreaterThan(7);
    const isSound = (text: string, caret: number) => {
      const found = completionAt(text, caret, 'asked');
      return found === null || (found.from <= caret && found.to >= caret && found.proposals.length > 0);
    };
    for (const { name, text } of TEXTS) {
      const carets = Array.from({ length: text.length + 1 }, (_, caret) => caret);
      expect(
        carets.filter((caret) => !isSound(text, caret)),
        name,
      ).toEqual([]);
    }
  });

  test('a text that ends anywhere has an answer, too', () => {
    const read = () => {
      for (const { text } of TEXTS)
        for (let end = 0; end <= text.length; end += 3) completionAt(text.slice(0, end), end, 'asked');
    };
    expect(read).not.toThrow();
  });

  test('nor do broken ones throw or go on for ever', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ': ',
      '- ',
      '\n',
      '  ',
      "'",
      '"',
      '|',
      '#',
      'steps',
      'type',
      'llm',
      '\\',
      ',',
      MARK,
      '\t',
      '\r\n',
      '---\n',
      '&a ',
      '!!b ',
    ];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 2_000; round += 1) {
      const text = Array.from({ length: random(24) }, () => pieces[random(pieces.length)]).join('');
      const caret = random(text.length + 1);
      expect(() => completionAt(text, caret, 'asked'), JSON.stringify(text)).not.toThrow();
    }
    for (const deep of ['[', '{', '- ', '{a: ', 'a:\n ']) expect(() => outline(deep.repeat(20_000))).not.toThrow();
  });

  test('one as large as a file may be is read while a person types', () => {
    const step = (at: number) =>
      `  - id: s${at}\n    type: llm\n    prompt: |\n      ${'word '.repeat(400)}\n    output: {name: n${at}}\n`;
    const text = `${HEAD}steps:\n${Array.from({ length: 480 }, (_, at) => step(at)).join('')}  - ty`;
    const begin = performance.now();
    expect(completionAt(text, text.length)?.proposals.map(({ label }) => label)).toEqual(['type']);
    // A machine at work takes some 200 ms.
    expect(performance.now() - begin).toBeLessThan(3_000);
  });
});
