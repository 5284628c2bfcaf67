/** Why a run gave up, below a title that says by itself that the rounds are used up. Pure. */

/** That sentence as the mind says it, in each language: of its own catalogue the windows know this one alone. */
const ROUNDS_OVER = Object.values(
  import.meta.glob<string>('../../../assets/locales/*/agent.json', { eager: true, import: 'rounds_over' }),
);

const OPENING = new RegExp(`^(?:${ROUNDS_OVER.map(patternOf).join('|')})\\n?`);

/** The reasons without the sentence that the title repeats, in whatever language they were kept. */
export function reasonsBelow(reason: string): string {
  return reason.replace(OPENING, '');
}

/** A sentence of the catalogue as a pattern: any number stands in its gap. */
function patternOf(sentence: string): string {
  const parts = sentence.split(/\{\{\w+\}\}/);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\d+');
}
