/** A name that is being typed behind a sign, at the beginning of a question. Pure. */

/** The name, as `/name`, `/plugin:name` or `@name`; `null` where none is. */
export function calledIn(sign: string, text: string): string | null {
  const name = text.startsWith(sign) ? text.slice(sign.length) : null;
  return name !== null && /^[\p{L}\p{N}-]*(?::[\p{L}\p{N}-]*)?$/u.test(name) ? name : null;
}

/** Those whose names hold the typed word, those that begin with it first, each name once. */
export function namedLike<One extends { name: string }>(
  all: readonly One[],
  typed: string,
  most: number,
  told: (one: One) => string = ({ name }) => name,
): readonly One[] {
  const word = typed.toLowerCase();
  const seen = new Set<string>();
  const fitting = all.filter((one) => {
    if (seen.has(one.name)) return false;
    seen.add(one.name);
    return told(one).toLowerCase().includes(word);
  });
  const begins = ({ name }: One) => (name.startsWith(word) ? 0 : 1);
  return [...fitting].sort((one, other) => begins(one) - begins(other)).slice(0, most);
}
