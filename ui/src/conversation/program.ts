/** Says what a step was for, from the step's own text. Never calls a model and never guesses. */

/** Characters of a purpose; the line cuts it further to its width. */
const PURPOSE_CHARACTERS_MAX = 120;

/** What a program is for: its first comment or docstring, else the tools it calls, else its first line. */
export function purposeOf(program: string): string {
  const lines = program.split('\n').map((line) => line.trim());
  const first = lines.find((line) => line !== '') ?? '';
  const comment = /^(?:#\s*|"""|''')(.+?)(?:"""|''')?$/.exec(first)?.[1];
  if (comment !== undefined) return bounded(comment);
  const tools = [...program.matchAll(/\bawait\s+([a-z_]+\.[a-z_]+)\(/g)].map((found) => found[1] ?? '');
  return bounded(tools.length > 0 ? [...new Set(tools)].join(', ') : first);
}

/** What a thought is about: its first sentence. */
export function gistOf(thought: string): string {
  const text = thought.trim().replace(/\s+/g, ' ');
  return bounded(/^.+?([。！？]|[.!?](?=\s|$))/u.exec(text)?.[0].replace(/[。.]$/u, '') ?? text);
}

function bounded(text: string): string {
  return text.length <= PURPOSE_CHARACTERS_MAX ? text : `${text.slice(0, PURPOSE_CHARACTERS_MAX)}…`;
}
