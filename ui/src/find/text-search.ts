/** Finds words in text, as find in session does: by any case, never overlapping, up to a bound. Pure. */

/** Places found at most; beyond them nobody walks. */
export const FOUND_MAX = 2_000;

/** Where `query` begins in `text`. */
export function placesOf(text: string, query: string, most: number = FOUND_MAX): number[] {
  const [inside, wanted] = alike(text, query);
  const places: number[] = [];
  if (wanted === '') return places;
  for (
    let at = inside.indexOf(wanted);
    at >= 0 && places.length < most;
    at = inside.indexOf(wanted, at + wanted.length)
  )
    places.push(at);
  return places;
}

/** The place to stand at when the number of places changes: the same one while there is one. */
export function keptPlace(place: number, count: number): number {
  return count === 0 ? -1 : Math.min(Math.max(place, 0), count - 1);
}

/** Both in one case, unless that changes the length of the text: then places would shift. */
function alike(text: string, query: string): [string, string] {
  const lower = text.toLowerCase();
  return lower.length === text.length ? [lower, query.toLowerCase()] : [text, query];
}
