/** Prompts: one with fields, one that names the page, and one that can't be used. Used by the scripted backend alone. */
import type { PromptField } from '../../bindings/PromptField';
import type { Reply } from '../../bindings/Reply';
import type { SavedPrompt } from '../../bindings/SavedPrompt';
import type { SavedPromptRequest } from '../../bindings/SavedPromptRequest';
import type { Language } from '../../i18n/i18n';

const FOLDER = '/home/lin/.local/share/shidi/prompts';

const TOLD: Record<string, readonly (readonly [name: string, description: string, text: string])[]> = {
  en: [
    ['polite-mail', 'A mail in the tone that fits', 'Rewrite {selection} as a mail, {tone}, in {language}.'],
    ['review-page', 'What is unclear on a page', 'Read {page} and say what a newcomer would not understand.'],
    ['old-form', 'old-form.md, line 3: the head of the file can’t be read: mapping values are not allowed', ''],
  ],
  zh: [
    ['礼貌邮件', '语气合适的邮件', '把{selection}改写成邮件，{语气}，用{语言}。'],
    ['看网页', '网页上哪里不清楚', '读{page}，说说新人会看不懂哪里。'],
    ['旧表格', '旧表格.md 第 3 行：文件头无法读取：此处不允许映射值', ''],
  ],
};

const CHOICES: Record<string, readonly string[]> = {
  language: ['English', '中文'],
  tone: ['friendly', 'formal'],
  语言: ['英文', '中文'],
  语气: ['亲切', '正式'],
};

/** The prompts as they were last kept. */
export class Prompts {
  #prompts: SavedPrompt[];

  constructor(language: Language, name: string) {
    const told = name === 'empty' ? [] : (TOLD[language] ?? TOLD['en'] ?? []);
    this.#prompts = told.map(([name, description, text]) => ({
      name,
      description: text === '' ? '' : description,
      text,
      fields: fieldsOf(text),
      path: `${FOLDER}/${name}.md`,
      problem: text === '' ? description : null,
    }));
  }

  answer(action: SavedPromptRequest): Reply {
    switch (action.action) {
      case 'list':
        break;
      case 'fill': {
        const { text } = this.#prompts.find(({ name }) => name === action.name) ?? { text: '' };
        const values = action.values as Record<string, string>;
        return {
          reply: 'filled_prompt',
          text: text.replace(/\{([^}]+)\}/gu, (whole, name: string) => values[name] ?? whole),
        };
      }
      case 'keep': {
        const others = this.#prompts.filter(({ name }) => name !== action.replaces && name !== action.draft.name);
        const kept = { ...action.draft, path: `${FOLDER}/${action.draft.name}.md`, problem: null };
        this.#prompts = [...others, kept].sort((one, other) => one.name.localeCompare(other.name));
        break;
      }
      case 'remove':
        this.#prompts = this.#prompts.filter(({ name }) => name !== action.name);
        break;
      case 'import':
        return { reply: 'imported_prompts', prompts: structuredClone(this.#prompts), imported: [], refused: [] };
      case 'export':
        return { reply: 'exported_prompts', paths: action.names.map((name) => `${action.folder}/${name}.md`) };
    }
    return { reply: 'saved_prompts', prompts: structuredClone(this.#prompts) };
  }
}

function fieldsOf(text: string): PromptField[] {
  const names = [...text.matchAll(/\{([^}]+)\}/gu)].flatMap(([, name]) => name ?? []);
  return names.map((name) => ({
    name,
    kind: name === 'selection' || name === 'page' || name === 'file' ? name : 'free',
    label: name,
    choices: [...(CHOICES[name] ?? [])],
    optional: false,
  }));
}
