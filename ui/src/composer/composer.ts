/**
 * The composer: draft, chips, mode, the guessed question, and what a key means in it.
 *
 * Pure. No key means anything while an input method composes: Enter then only commits the word.
 */
import type { Ask } from '../bindings/Ask';
import type { Mode } from '../bindings/Mode';
import type { OfferedGuess } from '../bindings/OfferedGuess';
import type { SessionId } from '../bindings/SessionId';
import type { ScreenView } from '../bindings/ScreenView';
import {
  added,
  fileChip,
  filesOf,
  partOf,
  partsOf,
  screensOf,
  tokensOf,
  unfinished,
  without,
  type Chip,
} from './chips';
import { foundFor, guesses, ruleOf, type Guess } from './guess';
import type { Key } from '../keyboard/keymap';
import { pageOf } from '../pages/pages';
import type { Language } from '../i18n/i18n';

export interface Composer {
  text: string;
  /** What goes along, in the order it came. */
  chips: readonly Chip[];
  mode: Mode;
  /** Sent while a run was at work; asked when it ends. */
  queued: Draft | null;
  /** The questions that were guessed: shown until taken or dropped, and never changed meanwhile. */
  ghosts: readonly Guess[] | 'dropped';
}

export interface Draft {
  text: string;
  chips: readonly Chip[];
  /** What became of the question that was offered about the page in front. */
  offered?: OfferedGuess;
}

export type Form = 'full' | 'running' | 'resting';

export type KeyMeaning = 'send' | 'remove-last' | 'accept' | 'drop-ghost' | 'none';

/** Characters of one question, as the mind bounds them; a longer text belongs into a file. */
export const QUESTION_CHARACTERS_MAX = 200_000;

export function emptyComposer(mode: Mode): Composer {
  return { text: '', chips: [], mode, queued: null, ghosts: [] };
}

export function typed(view: Composer, text: string): Composer {
  return { ...view, text: text.slice(0, QUESTION_CHARACTERS_MAX) };
}

/** Adds files, each once, up to the bound. */
export function attached(view: Composer, paths: readonly string[]): Composer {
  return chipped(view, added(view.chips, paths.map(fileChip)));
}

export function removed(view: Composer, id: string): Composer {
  return chipped(view, without(view.chips, id));
}

/** With other chips; a guess is made once all of them are known, so that it need not change. */
export function chipped(view: Composer, chips: readonly Chip[]): Composer {
  if (chips.length === 0) return { ...view, chips, ghosts: [] };
  // A question about what was in front is none about what is there now.
  const [before, now] = [frontOf(view.chips), frontOf(chips)];
  const isElsewhere = before !== null && now !== null && before !== now;
  const ghosts = isElsewhere && view.ghosts !== 'dropped' ? [] : view.ghosts;
  const settled = ghosts === 'dropped' || ghosts.length > 0 || chips.some((chip) => chip.state === 'reading');
  return { ...view, chips, ghosts: settled ? ghosts : guesses(chips) };
}

/** What tells the page or window in front from another one. */
function frontOf(chips: readonly Chip[]): string | null {
  const front = chips.find((chip) => chip.what === 'front');
  return front === undefined ? null : (front.view?.page?.url ?? front.name);
}

/** Turns to the draft of another session. What was seen of the window in front is of the moment, and goes with the user. */
export function turned(view: Composer, draft: Composer): Composer {
  const isFront = (chip: Chip) => chip.what === 'front';
  const seen = draft.chips.some((chip) => chip.what === 'screen') ? [] : view.chips.filter(isFront);
  const fresh = seen.length > 0 && view.ghosts === 'dropped' ? ghostDropped(draft) : draft;
  return chipped(
    fresh,
    added(
      seen,
      draft.chips.filter((chip) => !isFront(chip)),
    ),
  );
}

export function withMode(view: Composer, mode: Mode): Composer {
  return { ...view, mode };
}

/** The guess that is offered right now. */
export function ghostOf(view: Composer): Guess | null {
  return view.text === '' && view.ghosts !== 'dropped' ? (view.ghosts[0] ?? null) : null;
}

export function ghostDropped(view: Composer): Composer {
  return { ...view, ghosts: 'dropped' };
}

/** Whether the user has begun nothing here, so that a guess would be shown. */
export function isUntouched(view: Composer): boolean {
  return view.text === '' && view.ghosts !== 'dropped' && view.chips.every((chip) => chip.what === 'front');
}

/** The view that a model may be asked about: what stands in it goes along as it is, and no rule found a question. */
export function unguessed(view: Composer): ScreenView | null {
  const [chip] = view.chips;
  if (!isUntouched(view) || view.ghosts.length > 0 || chip === undefined) return null;
  const goesAlong = chip.state === 'ready' && chip.part === null && partOf(chip) !== null;
  return goesAlong ? chip.view : null;
}

/** With the question that a model proposed about a view, unless something was begun since. */
export function proposed(view: Composer, about: string, words: string): Composer {
  return unguessed(view)?.id === about ? { ...view, ghosts: [{ words }] } : view;
}

/**
 * What became of the question that was shown about the page in front, now that something is sent. A question that a rule
 * finds counts as taken however it came into the input. That holds for one that is not offered any more, too.
 */
export function offeredOf(view: Composer, shown: Guess | null, say: (guess: Guess) => string): OfferedGuess | null {
  const [front] = view.chips;
  const isOfPage = view.chips.length === 1 && front?.what === 'front' && front.view?.page !== undefined;
  if (!isOfPage) return null;
  const text = view.text.trim();
  const found = foundFor(view.chips).filter((one) => ruleOf(one) !== null);
  const asked = found.find((one) => say(one) === text);
  const guess = asked ?? found.find((one) => shown !== null && ruleOf(one) === ruleOf(shown));
  const rule = guess === undefined ? null : ruleOf(guess);
  return guess === undefined || rule === null ? null : { guess: rule, words: say(guess), taken: asked !== undefined };
}

export function sendable(view: Composer): boolean {
  return view.text.trim() !== '';
}

/** Whether something that goes along has no name yet. */
export function mustWait(view: Composer): boolean {
  return unfinished(view.chips);
}

export function tokens(view: Composer): number {
  return tokensOf(view.chips);
}

/** Empties the composer into a draft that is about to be asked. What could not be read stays behind unsent. */
export function taken(view: Composer): { draft: Draft; view: Composer } {
  const chips = view.chips.filter((chip) => chip.state !== 'refused');
  return { draft: { text: view.text.trim(), chips }, view: { ...view, text: '', chips: [], ghosts: [] } };
}

/** Keeps the draft until the run ends; a second one joins the first. */
export function queued(view: Composer): Composer {
  const { draft, view: emptied } = taken(view);
  const before = view.queued;
  const joined =
    before === null ? draft : { text: `${before.text}\n${draft.text}`, chips: added(before.chips, draft.chips) };
  return { ...emptied, queued: joined };
}

export function unqueued(view: Composer): Composer {
  return { ...view, queued: null };
}

/** Puts words before the draft, as a quotation. */
export function quoted(view: Composer, words: string): Composer {
  const lines = words
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
  return typed(view, `${lines.join('\n')}\n\n${view.text}`);
}

/** A draft that is come back to: what waited for a run that has ended since is in the input again. */
export function resumed(view: Composer, working: boolean): Composer {
  return view.queued === null || working ? view : givenBack(unqueued(view), view.queued);
}

/** Gives a draft back, before whatever the user has begun since: nothing of either is lost. */
export function givenBack(view: Composer, draft: Draft): Composer {
  const text = view.text === '' ? draft.text : `${draft.text}\n${view.text}`;
  return { ...view, text, chips: added(draft.chips, view.chips) };
}

/** Gives a draft back to be mended, unless the user has begun another. */
export function kept(view: Composer, draft: Draft): Composer {
  if (view.text !== '' || view.chips.some((chip) => chip.what !== 'front')) return view;
  return { ...view, text: draft.text, chips: draft.chips };
}

/** Without a question that is asked again as it stands: it was given back to be mended, and needs no mending. */
export function withoutKept(view: Composer, question: string): Composer {
  return view.text.trim() === question.trim() ? { ...view, text: '', ghosts: [] } : view;
}

/** A draft of words alone. */
export function draftOf(text: string): Draft {
  return { text, chips: [] };
}

export function askOf(
  draft: Draft,
  session: SessionId | null,
  mode: Mode,
  language: Language,
  overrides: Record<string, string> = {},
  folders: readonly string[] = [],
  assistant: string | null = null,
): Ask {
  const page = pageOf(draft.chips)?.page;
  return {
    text: draft.text,
    ...(assistant === null ? {} : { assistant }),
    session,
    files: filesOf(draft.chips),
    screens: screensOf(draft.chips),
    parts: partsOf(draft.chips),
    ...(page === undefined ? {} : { page }),
    ...(page === undefined || draft.offered === undefined ? {} : { offered: draft.offered }),
    context: null,
    folders: [...folders],
    mode,
    approve: [],
    max_rounds: null,
    max_tokens: null,
    timeout_s: null,
    overrides,
    language,
    again: null,
  };
}

export function formOf(working: boolean, cardHasFocus: boolean): Form {
  if (cardHasFocus) return 'resting';
  return working ? 'running' : 'full';
}

export function meaningOf(key: Key, view: Composer): KeyMeaning {
  if (key.composing || key.control || key.alt) return 'none';
  if (key.key === 'Enter' && !key.shift) return 'send';
  if (key.key === 'Backspace' && view.text === '' && view.chips.length > 0) return 'remove-last';
  if (ghostOf(view) === null) return 'none';
  if (key.key === 'Tab' && !key.shift) return 'accept';
  return key.key === 'Escape' ? 'drop-ghost' : 'none';
}
