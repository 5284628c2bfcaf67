/** What a model at work is waited for, in words. Pure. */
import type { Wait } from '../bindings/Wait';
import type { Language } from '../i18n/i18n';
import { count, elapsed, say, type WordKey } from '../i18n/i18n';

/** After this many seconds it is said what is waited for. */
const NAMED_AFTER_S = 2;

/** Why a provider is asked later, where it is one of these. */
const LATER: Partial<Record<Extract<Wait, { on: 'provider' }>['reason'], WordKey>> = {
  rate_limited: 'later_limited',
  overloaded: 'later_busy',
  unreachable: 'later_unreached',
  cut: 'later_cut',
};

/** Says it, and for how long still; `null` where the wait is too short to be worth a word. */
export function awaited(language: Language, wait: Wait | null, waitedSeconds: number, now: number): string | null {
  if (wait?.on === 'prompt') {
    const share = Math.floor((wait.read * 100) / Math.max(1, wait.total));
    return say(language, 'reads_prompt_share', { share, total: count(wait.total) });
  }
  if (wait?.on === 'loading') return waitedSeconds < NAMED_AFTER_S ? null : say(language, 'loads_model');
  if (wait === null) return waitedSeconds < NAMED_AFTER_S ? null : say(language, 'reads_prompt');
  const left = Math.max(0, Math.ceil((Date.parse(wait.until) - now) / 1000));
  if (waitedSeconds < NAMED_AFTER_S && left < NAMED_AFTER_S) return null;
  const why = say(language, LATER[wait.reason] ?? 'later_failed', { provider: wait.provider });
  return say(language, 'asks_again_in', { why, time: elapsed(language, left) });
}

/** What the provider said, where it did. */
export function saidBy(wait: Wait | null): string {
  return wait?.on === 'provider' ? wait.detail : '';
}
