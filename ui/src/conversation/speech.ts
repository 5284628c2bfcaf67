/**
 * Cuts a growing answer into sentences for a screen reader: each is spoken once, when it is whole.
 *
 * Pure; knows nothing of the page.
 */

/** Characters spoken as one announcement at most. */
const SPOKEN_CHARACTERS_MAX = 600;

/** The whole sentences of `text` after the first `spoken` characters, and how far they reach. */
export function sentencesAfter(text: string, spoken: number, finished: boolean): { speech: string; spoken: number } {
  const rest = withoutCode(text).slice(spoken);
  const end = finished ? rest.length : lastStop(rest);
  if (end <= 0) return { speech: '', spoken };
  return { speech: plain(rest.slice(0, end)).slice(0, SPOKEN_CHARACTERS_MAX), spoken: spoken + end };
}

function lastStop(text: string): number {
  let end = 0;
  for (const stop of text.matchAll(/[。！？；]|[.!?:](?=\s)|\n\n/gu)) end = stop.index + stop[0].length;
  return end;
}

/** With blanks in the place of code, which is not read out; a block that has only begun counts too. */
function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, (code) => ' '.repeat(code.length));
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text
    .replace(/[*_`#>|]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
