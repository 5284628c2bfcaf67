/** Plugins: one that is kept, one that has changed, one with faults, and the one that comes along. Used by the scripted backend alone. */
import type { ListedPlugin } from '../../bindings/ListedPlugin';
import type { PluginDetail } from '../../bindings/PluginDetail';
import type { PluginRequest } from '../../bindings/PluginRequest';
import type { Reply } from '../../bindings/Reply';
import type { Language } from '../../i18n/i18n';

const TOLD: Record<string, Record<string, string>> = {
  en: {
    care: 'Customers by their tags, short messages for them, and an outbox in your folder. It sends nothing.',
    invoices: 'Reads invoices, checks their sums, and files them by month.',
    stock: 'Counts stock and writes orders.',
    find: 'Finds a customer of a group by its tag: name, mobile, preferences.',
    send: 'Puts a message into the folder outbox of the first granted folder.',
    fault: 'plugin.yaml:4:1: The key permissions stands there twice',
    mend: 'Keep one permissions',
  },
  zh: {
    care: '按标签找顾客，给他们写短消息，放进你文件夹里的发件箱。它什么也不发送。',
    invoices: '读发票，核对金额，按月归档。',
    stock: '盘点库存，写订货单。',
    find: '按标签找到一组里的一位顾客：姓名、手机、偏好。',
    send: '把消息放进第一个已授权文件夹里的 outbox。',
    fault: 'plugin.yaml:4:1：键 permissions 出现了两次',
    mend: '只留一个 permissions',
  },
};

const WITHOUT_PARTS = {
  author: null,
  homepage: null,
  workflows: [],
  prompts: [],
  skills: [],
  tools: [],
  permissions: [],
  of_workflows: [],
  others: [],
  findings: [],
  faults: [],
};

/** The plugins as they were last installed or removed. */
export class Plugins {
  #all: ListedPlugin[];
  readonly #told: Record<string, string>;

  constructor(language: Language) {
    this.#told = TOLD[language] ?? TOLD['en'] ?? {};
    this.#all = [
      { ...this.#one('customer-care', 'care'), standing: 'available' },
      { ...this.#one('invoices', 'invoices'), from: 'https://git.lanting.dev/invoices.git' },
      { ...this.#one('stock', 'stock'), standing: 'broken', problem: this.#said('fault') },
    ];
  }

  answer(action: PluginRequest): Reply {
    switch (action.action) {
      case 'list':
        return this.#list();
      case 'remove':
        this.#all = this.#all.filter(({ name }) => name !== action.name);
        return this.#list();
      case 'show':
        return { reply: 'plugin', plugin: this.#detail(action.name) };
      case 'install': {
        const plugin: ListedPlugin = { ...this.#one('customer-care', 'care'), from: 'customer-care' };
        this.#all = [...this.#all.filter(({ name }) => name !== plugin.name), plugin];
        return { reply: 'plugin', plugin: this.#detail(plugin.name) };
      }
      case 'review':
        return { reply: 'plugin_review', review: 'r1', plugin: this.#reviewed(action.source), change: null };
      case 'update': {
        const plugin = {
          ...this.#detail(action.name),
          plugin: { ...this.#one(action.name, 'invoices'), version: '2.0' },
        };
        const change = {
          version: '1.0',
          same: false,
          wider: ['web.fetch(url=https://rates.example/*)'],
          added: ['prompts invoices:reminder'],
          removed: [],
          changed: ['tools/sums.py'],
        };
        return { reply: 'plugin_review', review: 'r2', plugin, change };
      }
    }
  }

  #list(): Reply {
    return { reply: 'plugins', plugins: structuredClone(this.#all) };
  }

  #said(key: string): string {
    return this.#told[key] ?? '';
  }

  #one(name: string, told: string): ListedPlugin {
    return { name, version: '1.0', description: this.#said(told), standing: 'kept', from: null, problem: null };
  }

  /** What a source holds: one with faults where it is called so. */
  #reviewed(source: string): PluginDetail {
    const care = this.#detail('customer-care');
    // A stranger may write a line twice.
    if (source.includes('twice')) return { ...care, permissions: [...care.permissions, ...care.permissions] };
    if (!source.includes('faulty')) return care;
    return { ...care, faults: [{ message: this.#said('fault'), hint: this.#said('mend') }] };
  }

  #detail(name: string): PluginDetail {
    const plugin = this.#all.find((one) => one.name === name) ?? this.#one(name, 'care');
    if (plugin.standing === 'broken') {
      return { ...WITHOUT_PARTS, plugin, faults: [{ message: this.#said('fault'), hint: this.#said('mend') }] };
    }
    const tool = { inputs: [], output: 'dict', calls: [], uncovered: [] };
    return {
      ...WITHOUT_PARTS,
      plugin,
      author: 'Lin',
      homepage: 'https://lanting.example/plugins',
      workflows: [`${name}:customer-marketing`],
      prompts: [`${name}:apology`],
      skills: [`${name}:answer-complaint`],
      tools: [
        {
          ...tool,
          name: 'plugin_user_info_by_tag_get',
          description: this.#said('find'),
          class: 'read',
          file: 'tools/customers.py',
          inputs: [{ name: 'tag', kind: 'str', description: '', required: true, default: null, example: null }],
        },
        {
          ...tool,
          name: 'plugin_sms_send',
          description: this.#said('send'),
          class: 'send',
          file: 'tools/outbox.py',
          calls: ['files.write'],
        },
      ],
      permissions: ['files.write(path=outbox/*)'],
    };
  }
}
