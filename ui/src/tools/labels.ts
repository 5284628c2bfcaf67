/** How toolkits are told of, in words of ours; what a server or a page says of its tools is shown as theirs. */
import type { ListedToolkit } from '../bindings/ListedToolkit';
import { hasOff, onOf } from './tools';
import type { I18n, WordKey } from '../i18n/i18n';

/** Built-in toolkits that have words of ours: what is said to the model of them is English. */
const TOLD: Readonly<Record<string, WordKey>> = {
  system: 'toolkit_system',
  user: 'toolkit_user',
  files: 'toolkit_files',
  shell: 'toolkit_shell',
  results: 'toolkit_results',
  memory: 'toolkit_memory',
  knowledge: 'toolkit_knowledge',
  web: 'toolkit_web',
  screen: 'toolkit_screen',
  clipboard: 'toolkit_clipboard',
  schedule: 'toolkit_schedule',
  code: 'toolkit_code',
  skills: 'toolkit_skills',
  todo: 'toolkit_todo',
  agents: 'toolkit_agents',
  toolkits: 'toolkit_toolkits',
};

export function aboutOf(i18n: I18n, { name, doc, source }: ListedToolkit): string {
  if (source === 'server') return i18n.say('toolkit_server');
  if (source === 'page') return i18n.say('toolkit_page');
  if (source === 'plugin') return doc;
  if (source === 'workflow') return i18n.say('toolkit_workflows');
  const word = TOLD[name];
  return word === undefined ? doc : i18n.say(word);
}

/** How much of it is on. */
export function standingOf(i18n: I18n, toolkit: ListedToolkit): string {
  const of = toolkit.tools.length;
  const on = onOf(toolkit);
  if (on === 0) return i18n.say('toolkit_is_off');
  return hasOff(toolkit) ? i18n.say('toolkit_part', { on, total: of }) : i18n.say('toolkit_of', { count: of });
}
