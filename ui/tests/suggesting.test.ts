/** The question that is ready before anybody asks: when the ball tells of it, and when no longer. */
import { expect, test } from 'vitest';
import type { Backend } from '../src/backend/backend';
import type { Reply } from '../src/bindings/Reply';
import type { ScreenView } from '../src/bindings/ScreenView';
import { BallSuggestion } from '../src/composer/ball-suggestion';
import { viewChip } from '../src/composer/chips';
import * as composing from '../src/composer/composer';
import { FastSuggestion } from '../src/composer/fast-suggestion';

function followed(isFree: () => boolean = () => true): {
  told: (number | null)[];
  front: (title: string, blocked?: string) => void;
} {
  const told: (number | null)[] = [];
  let tell: (reply: Reply) => void = () => undefined;
  const backend = {
    send: (request, onReply) => {
      expect(request).toEqual({ request: 'look_watch' });
      tell = onReply;
      return { closed: Promise.resolve(), close: () => undefined };
    },
    suggest: (number) => void told.push(number),
  } as Pick<Backend, 'send' | 'suggest'> as Backend;
  new BallSuggestion(backend, isFree).watch();
  const front = (title: string, blocked?: string) =>
    tell({ reply: 'looked', view: { id: '', app: 'Editor', title, blocked } as ScreenView });
  return { told, front };
}

test('a window that tells of an error is suggested once, however often its title is told', () => {
  const { told, front } = followed();
  front('notes.md');
  front('build #4127 failed');
  front('build #4127 failed');
  expect(told).toEqual([1]);
});

test('a suggestion ends with its window, and another error is another suggestion', () => {
  const { told, front } = followed();
  front('构建失败');
  front('notes.md');
  front('构建失败');
  front('Traceback - log');
  expect(told).toEqual([1, null, 2]);
});

test('what the gate withholds is never suggested about, nor while the input is in use', () => {
  const withheld = followed();
  withheld.front('build failed', 'Paused');
  expect(withheld.told).toEqual([]);
  const busy = followed(() => false);
  busy.front('build failed');
  expect(busy.told).toEqual([]);
});

/** A composer over a window whose text goes along, and which no rule has a question for. */
function over(title: string): composing.Composer {
  const part = { part: 'whole', tokens: 9, preview: 'Tide tables', preview_cut: false, searched: false };
  const content = { source: 'companion', kind: 'empty', language: 'en', part: 'whole', parts: [part], problems: 0 };
  const view = { id: `view of ${title}`, app: 'Firefox', title, content } as unknown as ScreenView;
  return composing.chipped(composing.emptyComposer('risky'), [viewChip(view, 'front', title)]);
}

test('a model is asked about what no rule has a question for, and its question stands there like the others', () => {
  const view = over('Tides');
  const about = composing.unguessed(view)?.id ?? '';
  expect(about).toBe('view of Tides');
  const offered = composing.proposed(view, about, 'When is high tide?');
  expect(composing.ghostOf(offered)).toEqual({ words: 'When is high tide?' });
  expect(composing.unguessed(offered)).toBeNull();
});

test('a question about one page is not offered over another one', () => {
  const view = over('Tides');
  const offered = composing.proposed(view, 'view of Tides', 'When is high tide?');
  const elsewhere = composing.chipped(offered, over('Notes').chips);
  expect([composing.ghostOf(elsewhere), composing.unguessed(elsewhere)?.id]).toEqual([null, 'view of Notes']);
  const again = composing.chipped(offered, over('Tides').chips);
  expect(composing.ghostOf(again)).toEqual({ words: 'When is high tide?' });
});

test('nobody is asked about what was begun, dropped, guessed, or is not to go along', () => {
  const view = over('Tides');
  const [chip] = view.chips;
  for (const other of [
    composing.typed(view, 'w'),
    composing.ghostDropped(view),
    over('build failed'),
    { ...view, chips: [] },
    { ...view, chips: view.chips.map((known) => ({ ...known, part: 'nothing' as const })) },
    {
      ...view,
      chips: chip?.view ? [viewChip({ ...chip.view, content: undefined } as unknown as ScreenView, 'front', '')] : [],
    },
  ]) {
    expect(composing.unguessed(other)).toBeNull();
    expect(composing.proposed(other, 'view of Tides', 'Why?')).toBe(other);
  }
});

test('a page is asked about once, what is under way ends with the user, and is asked again then', () => {
  const asked: string[] = [];
  const proposed: string[] = [];
  let closed = 0;
  let answer: (reply: { question?: string }) => void = () => undefined;
  const ask = ((request: { id: string }, done: typeof answer) => {
    asked.push(request.id);
    answer = done;
    return { closed: Promise.resolve(), close: () => void (closed += 1) };
  }) as unknown as Backend['ask'];
  const suggestion = new FastSuggestion({ ask }, (about, question) => void proposed.push(`${about}: ${question}`));
  const look = (id: string) => suggestion.follow({ id, app: 'Firefox', title: 'Tides' } as ScreenView);
  look('1');
  suggestion.end();
  expect([asked, closed]).toEqual([['1'], 1]);
  look('2');
  answer({ question: 'Why?' });
  look('3');
  expect(asked).toEqual(['1', '2']);
  expect(proposed).toEqual(['2: Why?', '3: Why?']);
  suggestion.end();
  expect(closed).toBe(1);
});
