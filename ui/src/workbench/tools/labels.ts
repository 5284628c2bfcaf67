/** How toolkits are told of, in words of ours; what a server or a page says of its tools is shown as theirs. */
import type { ListedToolkit } from '../../bindings/ListedToolkit';
import { hasOff, onOf } from '../../tools';
import type { WordKey } from '../../words/words';
import type { Bench } from '../bench.svelte';

/** Built-in toolkits that have words of ours: what is said to the model of them is English. */
const TOLD: Readonly<Record<string, WordKey>> = {
  system: 'toolkit_system',
  user: 'toolkit_user',
  files: 'toolkit_files',
  shell: 'toolkit_shell',
  results: 'toolkit_results',
  memory: 'toolkit_memory',
  knowledge: 'toolkit_knowledge',
  todo: 'toolkit_todo',
  agents: 'toolkit_agents',
  toolkits: 'toolkit_toolkits',
};

export function aboutOf(bench: Bench, { name, doc, source }: ListedToolkit): string {
  if (source === 'server') return bench.say('toolkit_server');
  if (source === 'page') return bench.say('toolkit_page');
  const word = TOLD[name];
  return word === undefined ? doc : bench.say(word);
}

/** How much of it is on. */
export function standingOf(bench: Bench, toolkit: ListedToolkit): string {
  const of = toolkit.tools.length;
  const on = onOf(toolkit);
  if (on === 0) return bench.say('toolkit_is_off');
  return hasOff(toolkit) ? bench.say('toolkit_part', { on, of }) : bench.say(of === 1 ? 'toolkit_of_one' : 'toolkit_of', { n: of });
}
