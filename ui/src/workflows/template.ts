/**
 * The text that a new workflow begins with: short, without a fault, in the user's language. Its name follows the one that is
 * typed beside it. Pure.
 */
import type { I18n } from '../i18n/i18n';

type Words = Pick<I18n, 'say'>;

/** A text as YAML in one line: single quotes leave all signs as they are. */
function quoted(text: string): string {
  return `'${text.replaceAll(/\s+/g, ' ').replaceAll("'", "''")}'`;
}

/** What the file says of itself, by the name that is typed. */
function titleOf({ say }: Words, name: string): string {
  return name.trim() === '' ? say('workflow_new_title') : name.trim();
}

export function template(words: Words, name: string): string {
  const { say } = words;
  return `version: '1.0'
name: ${quoted(titleOf(words, name))}
description: ${quoted(say('workflow_new_about'))}
inputs:
  - name: topic
    type: str
    description: ${quoted(say('workflow_new_topic'))}
steps:
  - id: write
    type: llm
    prompt: ${quoted(say('workflow_new_prompt', { topic: '{topic}' }))}
    output:
      name: article
      type: str
  - id: answer
    type: output
    inputs:
      article: '{article}'
`;
}

/** A text whose own name follows the one that is typed; one that was written by hand stays. */
export function renamed(words: Words, text: string, from: string, to: string): string {
  const [before, after] = [from, to].map((name) => `name: ${quoted(titleOf(words, name))}`);
  return text
    .split('\n')
    .map((line) => (line === before ? (after ?? line) : line))
    .join('\n');
}
