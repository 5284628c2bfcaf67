/** What programs may call: built-in toolkits, one of a server, one of a page, with their switches. Used by the scripted backend alone. */
import type { ListedTool } from '../../bindings/ListedTool';
import type { ListedToolkit } from '../../bindings/ListedToolkit';
import type { Reply } from '../../bindings/Reply';
import type { ToolRequest } from '../../bindings/ToolRequest';

const TOOLKITS: ListedToolkit[] = [
  toolkit('user', 'Talks with the user.', 'built_in', [
    tool('say', 'Says something to the user.', 'read'),
    tool('ask', 'Asks the user a question and waits for the answer.', 'read'),
  ]),
  toolkit('files', 'Files of the granted folders.', 'built_in', [
    tool('read', 'Reads a text file, or the text of a document.', 'read'),
    tool('write', 'Writes a file.', 'write'),
  ]),
  toolkit('memory', 'What is worth remembering.', 'built_in', [
    tool('remember', 'Keeps a sentence for later conversations.', 'keep'),
    tool('search', 'Finds what was kept or said.', 'read'),
  ]),
  toolkit('crm', 'Customers and their orders.', 'server', [
    tool('list_orders', 'Lists orders of a customer.', 'send'),
    tool('send_invoice', 'Sends an invoice.', 'send'),
  ]),
];

const PAGE = toolkit('page', 'Tools of the page in front of the user.', 'page', [
  tool('get_context', 'Returns the query and its result.', 'page'),
  tool('edit_script', 'Proposes another query; the user accepts or rejects it on the page.', 'page'),
]);

const NEEDED = ['user', 'toolkits'];

function toolkit(name: string, doc: string, source: ListedToolkit['source'], tools: ListedTool[]): ListedToolkit {
  return { name, doc, source, switchable: name !== 'user', tools };
}

function tool(name: string, doc: string, of: ListedTool['class']): ListedTool {
  return { name, doc, class: of, on: true };
}

/** The toolkits with their switches as they were last moved. */
export class Tools {
  readonly #toolkits: ListedToolkit[];

  constructor(scene: string) {
    this.#toolkits = structuredClone(scene === 'page' ? [...TOOLKITS, PAGE] : TOOLKITS);
  }

  answer(action: ToolRequest): Reply {
    if (action.action === 'switch') this.#switch(action.tool, action.on);
    return { reply: 'tools', toolkits: structuredClone(this.#toolkits) };
  }

  #switch(name: string, on: boolean): void {
    const [of, method] = name.split('.');
    const switched = this.#toolkits.find((known) => known.name === of && !NEEDED.includes(known.name));
    for (const known of switched?.tools ?? []) {
      if (method === undefined || known.name === method) known.on = on;
    }
  }
}
