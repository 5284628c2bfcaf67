/**
 * One record that is looked at: its history, and the words in which it was said.
 *
 * Pure.
 */
import type { MemoryRecord } from '../bindings/MemoryRecord';
import type { Segment } from '../bindings/Segment';
import type { SessionDetail } from '../bindings/SessionDetail';

/** Characters of what was said that are quoted. */
export const QUOTED_MAX = 280;

/** Records that erasing `id` takes away: itself and what it replaced, oldest first. */
export function replacedBy(versions: readonly MemoryRecord[], id: string): MemoryRecord[] {
  const gone = new Set([id]);
  for (let grown = true; grown;) {
    const size = gone.size;
    for (const version of versions)
      if (version.superseded_by !== null && gone.has(version.superseded_by)) gone.add(version.id);
    grown = gone.size > size;
  }
  return versions.filter((version) => gone.has(version.id));
}

/** The words of a segment; some hold none. */
export function wordsOf(segment: Segment): string {
  return 'text' in segment ? segment.text : '';
}

/** The words of a session that a record was taken from; a hit of what was said names its segment behind the slash. */
export function quoteOf(
  session: SessionDetail,
  id: string,
  segments: readonly number[],
): { segment: Segment; text: string } | null {
  const said = id.includes('/') ? Number(id.slice(id.lastIndexOf('/') + 1)) : NaN;
  const wanted = new Set(Number.isNaN(said) ? segments : [said]);
  const segment =
    session.segments.find((one) => wanted.has(one.id) && one.kind === 'User') ??
    session.segments.find((one) => wanted.has(one.id));
  if (segment === undefined) return null;
  const text = wordsOf(segment).trim();
  return { segment, text: text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text };
}

/** The run of a session to show: the one that is named, else the one that said it, else the last. */
export function runOf(session: SessionDetail, named: string | null, quoted: string | null): string | null {
  const wanted = named ?? quoted;
  return session.runs.find(({ id }) => id === wanted)?.id ?? session.runs.at(-1)?.id ?? null;
}
