/** What steps are called: names and details of a span in the words of the windows. */
import type { Span } from '../bindings/Span';
import type { IconName } from '../shared/icons';
import { number, text } from './trace';
import { type I18n, type WordKey, count } from '../i18n/i18n';
import { programError } from '../i18n/program-errors';

const AREAS = ['perception', 'cognition', 'motor', 'expression', 'evaluation'];
const ACTS = ['context', 'compaction', 'experience', 'recall'];
const ROLES = ['coder', 'fast', 'general', 'vision', 'embedding'];

export function nameOf(i18n: I18n, span: Span): string {
  if (span.operation === 'area' && AREAS.includes(span.name)) return i18n.say(`area_${span.name}` as WordKey);
  if (span.operation === 'act' && ACTS.includes(span.name)) return i18n.say(`act_${span.name}` as WordKey);
  if (span.operation === 'chat' || span.operation === 'text_completion') {
    const role = text(span, 'shidi.role') ?? '';
    return ROLES.includes(role) ? `${span.operation} ${i18n.say(`role_${role}` as WordKey)}` : span.operation;
  }
  return span.name;
}

export function detailOf(i18n: I18n, span: Span): string {
  switch (span.operation) {
    case 'area':
      return ofArea(i18n, span);
    case 'act':
      return ofAct(i18n, span);
    case 'chat':
    case 'text_completion':
      return text(span, 'shidi.summary') ?? span.name;
    case 'run_program': {
      const exec = i18n.say('exec_n', { n: number(span, 'shidi.exec') ?? 0 });
      const error = text(span, 'shidi.summary');
      const told = error === null ? null : programError(i18n.language, error);
      return [exec, told].filter((part) => part !== null).join(' · ');
    }
    default:
      return text(span, 'shidi.summary')?.split('\n')[0] ?? '';
  }
}

function ofArea(i18n: I18n, span: Span): string {
  const verdict = text(span, 'shidi.verdict');
  if (verdict === 'met') return i18n.say('judged_met');
  if (verdict === 'sent_back')
    return [i18n.say('judged_sent_back'), text(span, 'shidi.lack')].filter((part) => part !== null).join(': ');
  const [round, most, goal] = [number(span, 'shidi.round'), number(span, 'shidi.rounds_max'), text(span, 'shidi.goal')];
  const place = round === null || most === null ? null : i18n.say('round_of', { n: round, m: most });
  return [place, goal].filter((part) => part !== null).join(' · ');
}

function ofAct(i18n: I18n, span: Span): string {
  const [before, after] = [number(span, 'shidi.tokens_before'), number(span, 'shidi.tokens_after')];
  if (before !== null && after !== null)
    return i18n.say('shortened_to', { before: count(before), after: count(after) });
  const n = number(span, 'shidi.summary');
  if (span.name === 'experience') return i18n.say('experiences_used', { n: n ?? 0 });
  if (n !== null && span.name === 'recall') return i18n.say('recalled_items', { n });
  return n === null ? '' : i18n.say('pieces', { n, tokens: count(number(span, 'gen_ai.usage.input_tokens') ?? 0) });
}

export function iconOf(span: Span): IconName {
  switch (span.operation) {
    case 'chat':
    case 'text_completion':
      return 'thought';
    case 'run_program':
      return 'code';
    case 'act':
      return 'layers';
    default:
      return span.name === 'user.say' ? 'answer' : span.name === 'user.ask' ? 'ask' : 'wrench';
  }
}
