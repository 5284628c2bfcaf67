/** Words, Markdown, code colours, approvals in writing, speech. */
// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { exact, shown, sourcesOf, visible, writtenArguments, writtenCall } from '../src/approval/approval';
import { grown, listOf, noBlocks, presentable, tableOf } from '../src/markdown/blocks';
import { coloured, colouredLines } from '../src/markdown/highlight';
import { htmlOf } from '../src/markdown/html';
import { gistOf, purposeOf } from '../src/conversation/program';
import { reasonsBelow } from '../src/conversation/reasons';
import { sentencesAfter } from '../src/conversation/speech';
import { count, duration, elapsed, price, say, when } from '../src/i18n/i18n';

describe('words', () => {
  test('the reasons of a run leave out what the title says, in whatever language they were kept', () => {
    for (const opening of ['Not done after 12 rounds', '试了 12 轮没做成'])
      expect([opening, `${opening}\nNo file`].map(reasonsBelow)).toEqual(['', 'No file']);
    expect(reasonsBelow('More than 40000 tokens\nNo file')).toBe('More than 40000 tokens\nNo file');
  });
  test('figures are short and exact', () => {
    expect([2, 950, 1240, 59_000, 130_000].map((ms) => duration('en', ms))).toEqual([
      '2 ms',
      '950 ms',
      '1.2 s',
      '59 s',
      '2 min 10 s',
    ]);
    expect(elapsed('zh', 6)).toBe('6 秒');
    expect([214, 3200, 99_960, 1_400_000].map(count)).toEqual(['214', '3.2k', '100k', '1.4M']);
    expect([0, 0.002, 0.06, 2].map(price)).toEqual(['$0', '$0.002', '$0.06', '$2.00']);
    expect(say('en', 'gave_up', { n: 4 })).toBe('Gave up after 4 rounds. Here is why');
  });
  test('a time is as short as it is clear', () => {
    const now = new Date(2026, 10, 20, 12, 0);
    expect(when('zh', new Date(2026, 10, 20, 9, 5).toISOString(), now)).toBe('09:05');
    expect(when('en', new Date(2026, 10, 19, 9, 5).toISOString(), now)).toBe('Yesterday');
    expect(when('zh', new Date(2026, 10, 12).toISOString(), now)).toBe('11 月 12 日');
    expect(when('en', 'never', now)).toBe('');
  });
});

/** Figures below a bound, the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('Markdown', () => {
  const html = (text: string) =>
    grown(noBlocks, text)
      .blocks.map((block) => htmlOf(block.token))
      .join('');
  const source =
    '# 标题\n\n一段 **中文。**后面 `x`\n\n- a\n\n- b\n  1. c\n\n```py\nprint(1)\n\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> q\n\nend\n';

  test('read piece by piece it gives the same blocks as read at once', () => {
    const whole = grown(noBlocks, source).blocks.map((block) => htmlOf(block.token));
    for (let seed = 1; seed <= 40; seed += 1) {
      let view = noBlocks;
      for (let at = 0, step = seed; at < source.length; step = (step * 31 + 7) % 23) {
        at = Math.min(source.length, at + 1 + step);
        view = grown(view, source.slice(0, at));
      }
      expect(view.blocks.map((block) => htmlOf(block.token))).toEqual(whole);
    }
  });
  test('whatever is written, read piece by piece it is what it is read at once', () => {
    const lines = [
      '- a',
      '- b **x**',
      '  - c',
      '   more',
      '1. d',
      '2. e `f`',
      '* g',
      '- [ ] h',
      '- [x] i',
      '',
      '',
      '---',
      '-',
      '===',
      '| a | b |',
      '|---|--:|',
      '| 1 | 2 |',
      '| 3 |',
      '# head',
      'words [r] and [l](https://example.org)',
      '> quoted',
      '```py',
      'x = 1',
      '```',
      '    code',
      '[r]: https://example.org',
      '$$',
      'x^2',
      '- $y$',
    ];
    for (let seed = 1; seed <= 60; seed += 1) {
      const next = random(seed);
      // Long runs of one kind of line are what lists and tables are.
      let text = '';
      while (text.length < 700) {
        const line = lines[next(lines.length)] ?? '';
        for (let times = next(4) === 0 ? 5 + next(25) : 1; times > 0; times -= 1)
          text += `${line}${next(9) === 0 ? '\n' : ''}\n`;
      }
      let view = noBlocks;
      for (let at = 0; at < text.length;) {
        at = Math.min(text.length, at + 1 + next(40));
        view = grown(view, text.slice(0, at));
      }
      expect(
        view.blocks.map((block) => htmlOf(block.token)),
        JSON.stringify(text),
      ).toEqual(grown(noBlocks, text).blocks.map((block) => htmlOf(block.token)));
    }
  });
  test('the finished items of a list and the finished rows of a table stay the same while it grows', () => {
    const grow = (head: string, line: (at: number) => string) => {
      let text = head;
      let view = noBlocks;
      for (let at = 0; at < 40; at += 1)
        for (const piece of line(at).match(/[\s\S]{1,3}/g) ?? []) view = grown(view, (text += piece));
      const then = grown(view, `${text}${line(40)}\n\nEnd`);
      return [view.blocks[0]?.token, then.blocks[0]?.token] as const;
    };
    for (const line of [
      (at: number) => `- **item** ${at}: \`code\` and more\n`,
      (at: number) => `${at + 1}. item\n    - under\n\n`,
    ]) {
      const [before, after] = grow('', line).map((token) => token !== undefined && listOf(token));
      if (!before || !after) throw new Error('a list');
      expect(after.items).toHaveLength(41);
      for (let at = 0; at < 38; at += 1) expect(after.items[at]).toBe(before.items[at]);
    }
    const [before, after] = grow('| a | b |\n|---|---|\n', (at) => `| ${at} | x |\n`).map(
      (token) => token !== undefined && tableOf(token),
    );
    if (!before || !after) throw new Error('a table');
    expect(after.rows).toHaveLength(41);
    for (let at = 0; at < 38; at += 1) expect(after.rows[at]).toBe(before.rows[at]);
  });
  test('bold Chinese that ends in a mark is bold', () => {
    expect(html('**注意：**先备份')).toContain('<strong>注意：</strong>先备份');
  });
  test('a table keeps its alignment', () => {
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td align="right">2</td>');
  });
  test('nothing runs, nothing loads, nothing imitates us', () => {
    const shown = html(
      '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> ![p](https://evil.test/p.png) [a](javascript:alert(1)) <b class="button">ok</b>\n\n[ok](https://example.org)',
    );
    expect(shown).not.toMatch(/<script|<img|<b |javascript:|<[^>]*src=/);
    expect(shown).toContain('href="https://example.org"');
  });
  test('the source of an extract stands under it', () => {
    expect(html('> text\n>\n> — notes.md · 3')).toContain('<cite>notes.md · 3</cite>');
  });
});

describe('code colours', () => {
  const python =
    '# sum\nasync def f(x):\n    return r"a\\"b" + f"{x}" + """t\n#no""" if x >= 1.5e3 else await g.h(x)\n';

  test('coloured code is the code again, in every language', () => {
    for (const language of ['python', 'ts', 'rust', 'sql', 'bash', 'yaml', 'json', 'diff', 'nonsense', '']) {
      expect(
        coloured(python, language)
          .map((run) => run.text)
          .join(''),
      ).toBe(python);
      expect(
        colouredLines(python, language)
          .map((line) => line.map((run) => run.text).join(''))
          .join('\n'),
      ).toBe(python);
    }
  });
  test('words are told apart', () => {
    const colour = (text: string, language: string, part: string) =>
      coloured(text, language).find((run) => run.text.includes(part))?.colour;
    expect(colour(python, 'python', 'async')).toBe('keyword');
    expect(colour(python, 'python', '#no')).toBe('string');
    expect(colour(python, 'python', '1.5e3')).toBe('number');
    expect(colour('await files.read(path="a")', 'python', 'read')).toBe('call');
    expect(colour('SELECT 1', 'sql', 'SELECT')).toBe('keyword');
  });
  test('unclosed strings and comments end with the text', () => {
    for (const text of ['"abc', "'''a\nb", '/* x', '`a${', '#', '\\']) {
      expect(
        coloured(text, 'ts')
          .map((run) => run.text)
          .join(''),
      ).toBe(text);
    }
  });
});

describe('a call in writing', () => {
  test('every argument stands by its name, lists value by value', () => {
    const shown = writtenArguments({ command: ['rm', '-rf', 'a b'], folder: '~/w', timeout_s: 60 }, [
      { argument: 'command', source: 'page' },
    ]);
    expect(shown).toEqual([
      { name: 'command', values: ['rm', '-rf', 'a b'], long: false, origin: 'page' },
      { name: 'folder', values: ['~/w'], long: false, origin: null },
      { name: 'timeout_s', values: ['60'], long: false, origin: null },
    ]);
  });
  test('text that could be taken for something else is quoted', () => {
    const values = writtenArguments({ a: '', b: ' x', c: '60', d: 'True', e: true, f: null }, []).map(
      (argument) => argument.values[0],
    );
    expect(values).toEqual(['""', '" x"', '"60"', '"True"', 'True', 'None']);
  });
  test('nothing is shortened', () => {
    const text = 'x'.repeat(5000);
    expect(writtenArguments({ text }, [])[0]).toMatchObject({ values: [text], long: true });
  });
  test('a text of lines stands in its lines, and what nobody would see is written out', () => {
    const one = (text: string) => writtenArguments({ text }, [])[0]?.values[0];
    expect(one('你好：\n\n周六搬\n')).toBe('你好：\n\n周六搬↵');
    expect(one('a\nb\n\n')).toBe('a\nb↵↵');
    expect(one('a↵\nb\n')).toBe('"a↵\\nb\\n"');
    expect(one(' a\nb')).toBe('" a\\nb"');
    expect(one('a\nb \n')).toBe('"a\\nb \\n"');
    expect(one('pay\u202Ecba')).toBe('"pay\\u202ecba"');
    expect(one('ab\u200Bc')).toBe('"ab\\u200bc"');
    expect(one('a\u{e0041}b')).toBe('"a\\U000e0041b"');
    expect(one('👩\u200d🚀')).toBe('"👩\\u200d🚀"');
    expect(one('rm\u00a0-r\u2800x\ufe0f')).toBe('"rm\\xa0-r\\u2800x\\ufe0f"');
    expect(one('\u3000\u3000师弟')).toBe('"\u3000\u3000师弟"');
    expect(one('师\u3000弟')).toBe('师\u3000弟');
    expect(one('a\rb')).toBe('"a\\rb"');
    expect(one('a\u0007b')).toBe('"a\\u0007b"');
    expect(writtenCall('a.b', { c: 'x\u2066y' })).toBe('a.b(c="x\\u2066y")');
  });

  test('a text that is read says nothing that is not seen, and nothing that is seen changes', () => {
    expect(shown('Pay \u202ecba\r\nnow\u200b?')).toBe('Pay \\u202ecba\nnow\\u200b?');
    expect(visible('a\u00adb\u115fc\u{e0041}d\r')).toBe('a\\xadb\\u115fc\\U000e0041d\\x0d');
    const plain = '师弟：a\tb\n👩‍🚀 ❤️ می‌خواهم';
    expect(shown(plain)).toBe(plain);
    expect(shown('⠿\u2800⠿ 10\u00a0%')).toBe('⠿\u2800⠿ 10\u00a0%');
    expect(exact('10\u00a0%')).toBe('10\\xa0%');
    expect(writtenArguments({ 'a\u2800': { 'b\u200b': 1 } }, [])[0]).toMatchObject({
      name: 'a\\u2800',
      values: ['{"b\\u200b": 1}'],
    });
  });

  test('it can be copied as Python', () => {
    expect(writtenCall('mail.send', { to: ['a@b'], urgent: false, more: { n: null } })).toBe(
      'mail.send(to=["a@b"], urgent=False, more={"n": None})',
    );
  });
  test('each source is named once', () => {
    expect(
      sourcesOf([
        { argument: 'a', source: 's' },
        { argument: 'b', source: 's' },
      ]),
    ).toEqual(['s']);
  });
});

test('a step says what it is for from its own text', () => {
  expect(purposeOf('\n# read the log\nx = 1')).toBe('read the log');
  expect(purposeOf('"""Sum up."""')).toBe('Sum up.');
  expect(purposeOf('x = await files.read(path="a")\ny = await files.grep("b")')).toBe('files.read, files.grep');
  expect(purposeOf('print(1)')).toBe('print(1)');
  expect(gistOf('先看列名。再算。')).toBe('先看列名');
});

test('code is not read out, whole or begun', () => {
  const text = 'Look:\n\n```py\nx = 1. \n';
  const first = sentencesAfter(text, 0, false);
  expect(first.speech).toBe('Look:');
  expect(sentencesAfter(`${text}y = 2. \n\`\`\`\nDone.`, first.spoken, true).speech).toBe('Done.');
});

test('speech comes sentence by sentence and each once', () => {
  const first = sentencesAfter('It fails. Because', 0, false);
  expect(first.speech).toBe('It fails.');
  expect(sentencesAfter('It fails. Because of `x`.', first.spoken, true).speech).toBe('Because of x.');
  expect(sentencesAfter('还没', 0, false)).toEqual({ speech: '', spoken: 0 });
});

describe('a table that begins', () => {
  const table =
    'Two cities:\n\n| city | people |\n| --- | ---: |\n| Shanghai | 24.9 M |\n| Beijing | 21.8 M |\n\nSo much.';

  test('is never shown as bars and dashes, and what stands before it stays', () => {
    for (let end = 0; end <= table.length; end += 1) {
      const shown = presentable(table.slice(0, end));
      expect(table.startsWith(shown)).toBe(true);
      const blocks = grown(noBlocks, shown).blocks.map((block) => block.token);
      expect(blocks.filter((token) => token.type === 'paragraph' && token.raw.includes('|'))).toEqual([]);
    }
  });

  test('loses nothing once its first row is there', () => {
    const begun = table.indexOf('Shanghai');
    for (let end = begun; end <= table.length; end += 1)
      expect(presentable(table.slice(0, end))).toBe(table.slice(0, end));
  });

  test('leaves other text alone', () => {
    for (const text of ['', '\n', 'a | b', 'plain\n- list', 'one\n\ntwo']) expect(presentable(text)).toBe(text);
  });
});
