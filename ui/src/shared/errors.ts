/**
 * Errors in words for a window, and the remedies that it has at hand. Pure.
 *
 * What comes from the runtime is worded for the terminal, with its commands. A failed model comes in parts and is worded
 * here, in the language of the window; of everything else the sentences that hold a command are left out.
 */
import type { FailureKind } from '../bindings/FailureKind';
import type { UserError } from '../bindings/UserError';
import type { Language } from '../i18n/i18n';
import { inLanguage, joined, say, type WordKey } from '../i18n/i18n';

/** What a button of an error does. */
export type Remedy =
  | 'ask_again'
  | 'other_model'
  | 'settings'
  | 'answer_offline'
  | 'new_session'
  | 'replace_key'
  | 'review_assistant'
  | 'usual_assistant';

export interface ErrorText {
  title: string;
  /** What the other side said, in its words. */
  said: string;
  hint: string;
}

interface Failure {
  title: WordKey;
  hint: WordKey;
  /** The main one first. */
  remedies: readonly Remedy[];
  /** Whether the title says all that the detail does. */
  isWhole?: boolean;
}

const FAILURES: Record<FailureKind, Failure> = {
  unreachable: {
    title: 'fail_unreachable',
    hint: 'fail_unreachable_hint',
    remedies: ['ask_again', 'other_model', 'settings', 'answer_offline'],
  },
  key: { title: 'fail_key', hint: 'fail_key_hint', remedies: ['replace_key', 'ask_again', 'other_model'] },
  no_key: { title: 'fail_no_key', hint: 'fail_key_hint', remedies: ['replace_key', 'other_model'] },
  keys_locked: { title: 'fail_keys_locked', hint: 'fail_keys_locked_hint', remedies: [], isWhole: true },
  budget: { title: 'fail_budget', hint: 'fail_budget_hint', remedies: ['settings', 'answer_offline'] },
  quota: { title: 'fail_quota', hint: 'fail_quota_hint', remedies: ['other_model', 'ask_again'] },
  rate_limited: { title: 'fail_limited', hint: 'fail_later_hint', remedies: ['ask_again', 'other_model'] },
  overloaded: { title: 'fail_busy', hint: 'fail_later_hint', remedies: ['ask_again', 'other_model'] },
  server_error: { title: 'fail_server', hint: 'fail_server_hint', remedies: ['ask_again', 'other_model'] },
  timeout: { title: 'fail_silent', hint: 'fail_server_hint', remedies: ['ask_again', 'other_model'] },
  cut: { title: 'fail_cut', hint: 'fail_cut_hint', remedies: ['ask_again', 'other_model'] },
  context_length: { title: 'fail_long', hint: 'fail_long_hint', remedies: ['new_session', 'other_model'] },
  no_such_model: { title: 'fail_no_model', hint: 'fail_no_model_hint', remedies: ['other_model', 'settings'] },
  malformed: { title: 'fail_malformed', hint: 'fail_malformed_hint', remedies: ['settings', 'other_model'] },
  refused: { title: 'fail_refused', hint: 'fail_refused_hint', remedies: ['other_model', 'ask_again'] },
  unserved: { title: 'fail_unserved', hint: 'fail_unserved_hint', remedies: ['settings', 'other_model', 'ask_again'] },
  cancelled: { title: 'stopped', hint: 'fail_cut_hint', remedies: ['ask_again'] },
};

/** A sentence, or a part of one, that tells to type something. */
const COMMAND = /\bshidi(?:-desktop)? [a-z-]+/;

export function worded(language: Language, error: UserError): ErrorText {
  if (error.model === undefined) return apart(error);
  const { kind, title, detail } = error.model;
  const failure = FAILURES[kind];
  return {
    title: say(language, failure.title, { title }),
    said: failure.isWhole === true ? '' : inLanguage(detail, language),
    hint: say(language, failure.hint),
  };
}

/** The error as one text. */
export function told(language: Language, error: UserError): string {
  const { title, said, hint } = worded(language, error);
  return joined(language, [title, said, hint]);
}

/** What can be done about it, the main one first. An assistant that can't be asked has to be looked at before all else. */
export function remediesOf(error: UserError, isAssistantBarred = false): readonly Remedy[] {
  if (error.model !== undefined) return FAILURES[error.model.kind].remedies;
  if (isAssistantBarred && error.code === 'input') return ['review_assistant', 'usual_assistant'];
  switch (error.code) {
    case 'key':
      return ['replace_key', 'ask_again'];
    case 'keys_locked':
      return [];
    case 'input':
    case 'not_found':
      return ['ask_again'];
    case 'model':
      return ['ask_again', 'other_model', 'settings'];
    case 'task':
    case 'storage':
    case 'newer_data':
    case 'system':
    case 'cancelled':
    case 'internal':
      return ['ask_again'];
  }
}

/** What somebody else said stands in brackets at the end of the message: it is shown below it. */
function apart({ message, hint }: UserError): ErrorText {
  const parts = /^([\s\S]*?)(?: \(((?:[^()]|\([^()]*\))+)\)|（((?:[^（）]|（[^（）]*）)+)）)?$/.exec(message);
  return { title: parts?.[1] ?? message, said: parts?.[2] ?? parts?.[3] ?? '', hint: withoutCommands(hint ?? '') };
}

/** Without the sentences in which a command stands. */
export function withoutCommands(text: string): string {
  if (!COMMAND.test(text)) return text;
  const sentences = text.match(/[^。；;]+?(?:[。；;]|\.(?= )|$)\s*/g) ?? [];
  const rest = sentences
    .filter((sentence) => !COMMAND.test(sentence))
    .join('')
    .trim();
  return rest.replace(/[；;]$/, '');
}
