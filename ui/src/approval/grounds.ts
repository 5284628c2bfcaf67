/**
 * Why a call was let through, asked about or refused, in the user's words. Decides nothing.
 */
import type { Ground } from '../bindings/Ground';
import type { WordKey } from '../i18n/i18n';

type Say = (key: WordKey, holes?: Record<string, string | number>) => string;

/** One line for one ground. */
export function sentenceOf(say: Say, ground: Ground): string {
  switch (ground.by) {
    case 'own':
      return say('ground_own');
    case 'table':
      return say(ground.tainted ? `ground_table_foreign_${ground.verdict}` : `ground_table_${ground.verdict}`, {
        class: say(`class_${ground.class}`),
      });
    case 'rule':
      return say(`ground_rule_${ground.verdict}`, { pattern: ground.pattern });
    case 'beforehand':
      return say('ground_beforehand', { pattern: ground.pattern });
    case 'user':
      if (!ground.approved) return say('ground_refused');
      return say(ground.always ? 'ground_always' : 'ground_approved');
  }
}
