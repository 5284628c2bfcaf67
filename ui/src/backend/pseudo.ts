/**
 * A language made of English, longer and marked at both ends: what is drawn without the marks is written into a component,
 * and what is cut has no room for another language. Scripted windows alone have it.
 */
export const PSEUDO = 'qps';

/** The texts of a catalogue in it; what tells a form and says nothing stays. */
export function pseudo(table: Record<string, string>): Record<string, string> {
  const text = ([key, said]: [string, string]) => [key, key.startsWith('format_') ? said : `⟦${stretched(said)}⟧`];
  return Object.fromEntries(Object.entries(table).map(text));
}

/** Every vowel twice; gaps stay. */
function stretched(text: string): string {
  return text.replace(/\{\{\w+\}\}|[aeiou]/gi, (found) => (found.length > 1 ? found : found + found));
}
