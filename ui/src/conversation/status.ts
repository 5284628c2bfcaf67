/** What a run at work is doing, in one word, and how much it has written. Pure. */
import { isOfPage } from '../pages/pages';
import { isDraft, type Turn } from './view';
import type { WordKey } from '../i18n/i18n';

export function doing(turn: Turn | undefined): WordKey {
  const last = turn?.pieces.at(-1);
  if (last?.what === 'program' && last.output === null) {
    const open = last.calls.filter((call) => call.state === 'open');
    if (open.length > 0 && open.every((call) => call.tool === 'shell.wait')) return 'waits_for_job';
    if (open.length > 0 && open.every((call) => isOfPage(call.tool))) return 'waits_for_page';
    return isDraft(last) ? 'coding' : 'running';
  }
  return last?.what === 'words' && last.writing ? 'answering' : 'thinking';
}

/**
 * Estimates the tokens that a run has written: its exact use is known when it ends.
 *
 * Four Latin characters or one and a half Chinese ones to a token, as the tokenisers of our presets average.
 */
export function streamedTokens(turn: Turn): number {
  const text = turn.pieces
    .map((piece) =>
      piece.what === 'program' ? piece.program : piece.what === 'words' || piece.what === 'thought' ? piece.text : '',
    )
    .join('');
  const chinese = text.match(/[\u3400-\u9fff]/gu)?.length ?? 0;
  return Math.round(chinese / 1.5 + (text.length - chinese) / 4);
}
