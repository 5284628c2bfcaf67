/**
 * Errors of programs in the language of the window: the line and the remedy. Models read both first, so they come in
 * English. Python's own words stay as they are. The command line words them by the same file, in `shidi-locales`.
 */
import { SOURCE, say, type Language } from './i18n';

/** What stands for a part that differs from case to case. */
const GAP = '*';

/** What parts the remedies of one error. */
const PARTED = '; ';

const FILES = import.meta.glob<Record<string, string>>('../../../assets/locales/*/remedies.json', {
  eager: true,
  import: 'default',
});

/** The remedies of each language by their English texts. */
const REMEDIES = new Map<Language, Record<string, string>>(
  Object.entries(FILES).map(([path, table]) => [path.split('/').at(-2) ?? SOURCE, table]),
);

/** An error that names the exception in its last line, `line 3: KeyError: 'a'`: that line is worded, the rest stays. */
export function programError(language: Language, error: string): string {
  const end = error.trimEnd();
  const at = end.lastIndexOf('\n') + 1;
  const last = end.slice(at);
  return error.slice(0, at) + worded(language, last) + error.slice(end.length);
}

function worded(language: Language, error: string): string {
  const placed = /^line (\d+): (.*)$/.exec(error);
  if (placed === null) return withRemedy(language, error);
  const [, line = '', rest = ''] = placed;
  return say(language, 'error_at_line', { line, error: withRemedy(language, rest) });
}

/** An error whose remedy stands in brackets at its end. */
function withRemedy(language: Language, error: string): string {
  if (!error.endsWith(')')) return error;
  const inner = error.slice(0, -1);
  for (let at = inner.indexOf(' ('); at !== -1; at = inner.indexOf(' (', at + 1)) {
    const remedy = known(language, inner.slice(at + 2));
    if (remedy !== null) return say(language, 'error_with_remedy', { error: inner.slice(0, at), remedy });
  }
  return error;
}

/** As a whole, or each of several. */
function known(language: Language, remedy: string): string | null {
  const whole = one(language, remedy);
  if (whole !== null) return whole;
  const parts = remedy.split(PARTED).map((part) => one(language, part));
  return parts.some((part) => part === null) ? null : parts.join(say(language, 'remedies_parted_with'));
}

function one(language: Language, remedy: string): string | null {
  for (const name of Object.keys(REMEDIES.get(SOURCE) ?? {})) {
    const gaps = gapsOf(name, remedy);
    if (gaps !== null) return filled((REMEDIES.get(language) ?? {})[name] ?? name, gaps);
  }
  return null;
}

/** What stands at the gaps of a pattern in a text that fits the pattern. */
function gapsOf(pattern: string, text: string): string[] | null {
  const [before = '', ...behind] = pattern.split(GAP);
  if (behind.length === 0) return pattern === text ? [] : null;
  if (!text.startsWith(before)) return null;
  const last = behind.pop() ?? '';
  let rest = text.slice(before.length);
  const gaps: string[] = [];
  for (const between of behind) {
    const at = rest.indexOf(between);
    if (at === -1) return null;
    gaps.push(rest.slice(0, at));
    rest = rest.slice(at + between.length);
  }
  if (!rest.endsWith(last)) return null;
  gaps.push(rest.slice(0, rest.length - last.length));
  return gaps;
}

/** A text with these parts at its gaps. */
function filled(text: string, gaps: readonly string[]): string {
  const parts = text.split(GAP);
  return parts.map((part, at) => (at === 0 ? part : (gaps[at - 1] ?? '') + part)).join('');
}
