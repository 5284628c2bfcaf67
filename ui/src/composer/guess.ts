/**
 * The questions that probably come next, guessed by rules from what is about to be sent.
 *
 * Pure, and asks nobody: no model, no network. They are offered as ghost text and never sent by themselves.
 */
import type { Chip } from './chips';
import { factsOfView, pageQuestion, type PageQuestion, type QuestionKind } from './page-question';
import type { I18n, WordKey } from '../i18n/i18n';

/** A question in the user's own words, which they ask about this site again and again. */
export interface Habit {
  readonly words: string;
}

/** A question that is offered; one about a page may name what stands there. */
export type Guess = WordKey | PageQuestion | Habit;

/** What is the matter with this very page comes before what is asked of its site. */
const OF_THE_MOMENT: ReadonlySet<QuestionKind> = new Set(['explain_error', 'fix_form', 'explain_selection']);

/** Guesses that are offered at a time. */
const GUESSES_MAX = 3;

/** What else may be asked about a page. */
const BESIDE: Partial<Record<QuestionKind, WordKey>> = {
  explain_error: 'guess_steps',
  summarise_table: 'guess_totals',
  explain_code: 'guess_bugs',
  review_diff: 'guess_bugs',
  summarise_article: 'guess_todos',
};

/** Words of an error, in whatever language they are. */
const ERROR = /\b(error|exception|traceback|failed|failure|fatal|panic|E\d{4})\b|错误|失败|异常|报错/iu;

const TABLES = new Set(['csv', 'tsv', 'xlsx', 'xls', 'ods']);
const CODE = new Set([
  'rs',
  'py',
  'ts',
  'tsx',
  'js',
  'jsx',
  'go',
  'java',
  'kt',
  'c',
  'h',
  'cpp',
  'cs',
  'rb',
  'php',
  'swift',
  'sh',
  'sql',
  'svelte',
  'vue',
]);

/** Characters of a text that are looked through for an error. */
const LOOKED_THROUGH = 2_000;

/** The rule by which a question was found; nothing of one in the user's own words. */
export function ruleOf(guess: Guess): string | null {
  if (typeof guess === 'string') return guess;
  return 'words' in guess ? null : guess.key;
}

/** The guesses for these chips, the likeliest first; none when there is nothing to go by. Those that the user does not want on this site are left out. */
export function guesses(chips: readonly Chip[]): readonly Guess[] {
  const view = chips.find((chip) => chip.what === 'front')?.view;
  const dropped: ReadonlySet<string | null> = new Set(view?.dropped);
  return foundFor(chips).filter((guess) => !dropped.has(ruleOf(guess)));
}

/** All guesses for these chips, also those that are not offered any more. */
export function foundFor(chips: readonly Chip[]): readonly Guess[] {
  const ready = chips.filter((chip) => chip.state === 'ready');
  const chosen = ready.filter((chip) => chip.what !== 'front');
  if (chosen.length > 1) return ['guess_compare', 'guess_together'];
  const chip = chosen[0] ?? ready[0];
  if (chip === undefined) return [];
  if (chip.view !== null) return ofView(chip);
  if (chip.what === 'image') return ['guess_image', 'guess_words'];
  if (chip.what === 'folder') return ['guess_folder', 'guess_recent'];
  return ofText(chip);
}

/** The question in words. */
export function guessText(i18n: I18n, guess: Guess): string {
  if (typeof guess === 'string') return i18n.say(guess);
  return 'words' in guess ? guess.words : i18n.say(guess.key, guess.values);
}

function ofView(chip: Chip): readonly Guess[] {
  const content = chip.view?.content;
  const question = content === undefined ? null : pageQuestion(factsOfView(chip.view?.title ?? '', content));
  const habits = (chip.view?.habits ?? []).map((words) => ({ words }));
  if (question !== null) {
    const isUrgent = OF_THE_MOMENT.has(question.kind);
    const beside = [BESIDE[question.kind] ?? []].flat();
    return [...(isUrgent ? [question] : []), ...habits, ...(isUrgent ? [] : [question]), ...beside].slice(
      0,
      GUESSES_MAX,
    );
  }
  if (habits.length > 0) return habits;
  const seen = `${chip.view?.title ?? ''}\n${chip.view?.text ?? ''}`.slice(0, LOOKED_THROUGH);
  if (ERROR.test(seen)) return ['guess_error', 'guess_steps'];
  // A title alone is too little to ask about: it only goes along.
  return chip.what === 'screen' ? ['guess_screen', 'guess_words'] : [];
}

function ofText(chip: Chip): readonly WordKey[] {
  const format = chip.attachment?.format.toLowerCase() ?? '';
  const ending = chip.name.split('.').at(-1)?.toLowerCase() ?? '';
  const isLog = ending === 'log' || chip.what === 'text';
  if (isLog && ERROR.test(chip.attachment?.preview.slice(0, LOOKED_THROUGH) ?? ''))
    return ['guess_error', 'guess_steps'];
  if (TABLES.has(format) || TABLES.has(ending)) return ['guess_table', 'guess_totals'];
  if (CODE.has(ending)) return ['guess_code', 'guess_bugs'];
  return ['guess_summary', 'guess_todos'];
}
