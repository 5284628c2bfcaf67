/** Plugins: the one that comes along, listed and not installed. Used by the scripted backend alone. */
import type { ListedPlugin } from '../../bindings/ListedPlugin';
import type { PluginDetail } from '../../bindings/PluginDetail';
import type { PluginRequest } from '../../bindings/PluginRequest';
import type { Reply } from '../../bindings/Reply';

const CARE: ListedPlugin = {
  name: 'customer-care',
  version: '1.0',
  description: 'Customers by their tags, and an outbox.',
  standing: 'available',
  from: null,
  problem: null,
};

/** No window shows plugins yet: everything is answered with the same one. */
export function plugins(action: PluginRequest): Reply {
  switch (action.action) {
    case 'list':
    case 'remove':
      return { reply: 'plugins', plugins: [CARE] };
    case 'show':
    case 'install':
      return { reply: 'plugin', plugin: detail() };
    case 'review':
    case 'update':
      return { reply: 'plugin_review', review: 'r1', plugin: detail(), change: null };
  }
}

function detail(): PluginDetail {
  return {
    plugin: CARE,
    author: null,
    homepage: null,
    workflows: ['customer-care:customer-marketing'],
    prompts: [],
    skills: [],
    tools: [],
    permissions: ['files.write(path=outbox/*)'],
    of_workflows: [],
    others: [],
    findings: [],
    faults: [],
  };
}
