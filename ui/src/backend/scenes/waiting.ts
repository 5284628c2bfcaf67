/** Scenes in which a model is waited for: a provider that asks for time, a server that reads a long prompt. */
import type { Language } from './language';
import { Script, type Play } from './play';

function begun(language: Language, session: string): Script {
  return new Script(session, 'run-1').start(
    language === 'zh' ? '这份日志里最慢的三步是哪三步？' : 'Which three steps of this log are the slowest?',
  );
}

/** Seconds that the provider asks for. */
const ASKED_S = 17;

export function limited(language: Language, session: string): Play[] {
  const until = new Date(Date.now() + ASKED_S * 1000).toISOString();
  const detail = '429 rate_limit_exceeded: Requests per minute exceeded, try again later';
  return begun(language, session).add({
    type: 'awaiting',
    wait: { on: 'provider', reason: 'rate_limited', provider: 'DashScope (Qwen)', detail, until },
  }).plays;
}

export function reads(language: Language, session: string): Play[] {
  return begun(language, session).add({ type: 'awaiting', wait: { on: 'prompt', read: 2048, total: 4870 } }).plays;
}
