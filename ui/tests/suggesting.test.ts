/** The question that is ready before anybody asks: when the ball tells of it, and when no longer. */
import { expect, test } from 'vitest';
import type { Backend } from '../src/backend/backend';
import type { Reply } from '../src/bindings/Reply';
import type { ScreenView } from '../src/bindings/ScreenView';
import { BallSuggestion } from '../src/composer/ball-suggestion';

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
