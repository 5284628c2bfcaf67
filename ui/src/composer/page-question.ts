/**
 * The question that a page probably raises, by what sort of page it is and what is wrong on it.
 *
 * Pure, and asks nobody. Where there is nothing to go by, there is no question: a wrong guess is worse than none.
 */
import type { ContentView } from '../bindings/ContentView';
import { LANGUAGES, type WordKey } from '../i18n/i18n';

export type QuestionKind =
  | 'explain_error'
  | 'fix_form'
  | 'summarise_table'
  | 'explain_code'
  | 'review_diff'
  | 'summarise_article'
  | 'translate'
  | 'explain_selection'
  | 'compare_results'
  | 'reply_mail'
  | 'analyse_sheet';

/** What the companion tells of a page, as far as it is needed here. */
export interface PageSummary {
  readonly kind: string;
  readonly language: string;
  readonly title: string;
  readonly text: string;
  readonly selection: { readonly text: string } | null;
  readonly fields: readonly { readonly problem?: string }[];
}

export interface PageFacts {
  readonly kind: string;
  /** Two letters. */
  readonly language: string;
  /** Characters that are selected. */
  readonly selected: number;
  /** Fields that the page finds fault with. */
  readonly problems: number;
  /** Rows of the largest table, its head included. */
  readonly rows: number;
  /** What an error is called; empty where it has no name. */
  readonly error: string;
  /** Words of the text, a Chinese letter as half of one. */
  readonly words: number;
}

export interface PageQuestion {
  readonly kind: QuestionKind;
  readonly key: WordKey;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Names of errors as programs give them, and the codes of servers. */
const ERROR_NAME =
  /\b(?:[A-Z]\w*\.)*([A-Z]\w*(?:Error|Exception|Fault|Failure|DoesNotExist|NotFound|Timeout|Violation))\b|\b((?:HTTP |error |code )?(?:4\d\d|5\d\d))\b(?=[^\d]{0,40}(?:error|not found|unavailable|time-?out|gateway|forbidden|denied|[\u4e00-\u9fff]|$))|\b(E[A-Z]{3,}|[A-Z]{2,}-?\d{3,})\b/m;

/** A name that is longer tells nobody anything. */
const ERROR_NAME_MAX_CHARS = 60;
const LOOKED_THROUGH_CHARS = 3_000;

/** Fewer words are read before a summary of them is. */
const WORDS_LEAST = 60;

/** Fewer rows are read at a glance. */
const ROWS_LEAST = 3;

/** Languages that a user of these windows reads without help. */
const READ = new Set(LANGUAGES);

/** Facts of a page that was read. */
export function factsOf(page: PageSummary): PageFacts {
  return {
    kind: page.kind,
    language: page.language,
    selected: page.selection?.text.trim().length ?? 0,
    problems: page.fields.filter(({ problem }) => problem !== undefined).length,
    rows: rowsOf(page.text),
    error: page.kind === 'error' ? errorName(`${page.title}\n${page.text.slice(0, LOOKED_THROUGH_CHARS)}`) : '',
    words: wordsOf(page.text),
  };
}

/** Facts of what stands in the window in front, as its chip shows it. */
export function factsOfView(title: string, content: ContentView): PageFacts {
  const { kind, language, problems, parts } = content;
  const previewOf = (part: string) => parts.find((known) => known.part === part)?.preview ?? '';
  const text = previewOf('whole') || previewOf('visible');
  return {
    kind,
    language,
    selected: previewOf('selection').length,
    problems,
    rows: rowsOf(text),
    error: kind === 'error' ? errorName(`${title}\n${text.slice(0, LOOKED_THROUGH_CHARS)}`) : '',
    words: wordsOf(text),
  };
}

/** The question that these facts raise; nothing where a guess would be a nuisance. */
export function pageQuestion(facts: PageFacts): PageQuestion | null {
  const isForeign = !READ.has(facts.language);
  if (facts.selected > 0)
    return question('explain_selection', isForeign ? 'ask_translate_selection' : 'ask_explain_selection');
  switch (facts.kind) {
    case 'error':
      return facts.error === ''
        ? question('explain_error', 'ask_explain_error')
        : question('explain_error', 'ask_explain_named_error', { error: facts.error });
    case 'form':
      return facts.problems === 0 ? null : question('fix_form', 'ask_fix_form', { count: facts.problems });
    case 'table':
      return question('summarise_table', 'ask_summarise_table');
    case 'app':
      return facts.rows < ROWS_LEAST ? null : question('summarise_table', 'ask_summarise_table');
    case 'sheet':
      return question('analyse_sheet', 'ask_analyse_sheet');
    case 'code':
      return question('explain_code', 'ask_explain_code');
    case 'diff':
      return question('review_diff', 'ask_review_diff');
    case 'search':
      return question('compare_results', 'ask_compare_results');
    case 'mail':
      return question('reply_mail', 'ask_reply_mail');
    case 'article':
    case 'docs':
      // Doors, banners and empty frames look like articles, and hold a few lines.
      if (facts.words < WORDS_LEAST) return null;
      return isForeign
        ? question('translate', 'ask_translate')
        : question('summarise_article', 'ask_summarise_article');
    case 'pdf':
      // Nobody has told its language. A cover or a scanned page holds a few lines.
      return facts.words < WORDS_LEAST ? null : question('summarise_article', 'ask_summarise_pdf');
    case 'forum':
      return question('summarise_article', 'ask_summarise_thread');
    case 'list':
    case 'shop':
      return question('summarise_article', 'ask_summarise_list');
    default:
      return null;
  }
}

function question(kind: QuestionKind, key: WordKey, values: Record<string, string | number> = {}): PageQuestion {
  return { kind, key, values };
}

/** Words of a text, as far as it is looked through. */
function wordsOf(text: string): number {
  const looked = text.slice(0, LOOKED_THROUGH_CHARS);
  const letters = looked.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  const words =
    looked.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word)) ?? [];
  return words.length + letters / 2;
}

/** Rows of the largest table in a text of Markdown. */
function rowsOf(text: string): number {
  let most = 0;
  let rows = 0;
  for (const line of text.split('\n')) {
    rows = line.startsWith('|') ? rows + 1 : 0;
    // The line below the head is none.
    most = Math.max(most, rows - 1);
  }
  return most;
}

function errorName(text: string): string {
  const [, named, status, code] = ERROR_NAME.exec(text) ?? [];
  const name = (named ?? status ?? code ?? '').trim();
  return name.length <= ERROR_NAME_MAX_CHARS ? name : '';
}
