/**
 * A prompt that was called by its name, while its fields are filled. What is selected and the page go along as chips, and the
 * text only names them: nobody else's words become the user's. The filled text stands in the input, and is sent by nobody.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { PromptField } from '../bindings/PromptField';
import type { McpPrompt } from '../bindings/McpPrompt';
import type { SavedPrompt } from '../bindings/SavedPrompt';
import type { UserError } from '../bindings/UserError';
import { isLarge, nameOf, type Chip } from '../composer/chips';
import type { I18n } from '../i18n/i18n';

/** One of the user's own, or one that a server has prepared. */
export type CalledPrompt = SavedPrompt | McpPrompt;

/** Lines of a text that are seen at a glance. */
const GLANCE_LINES = 30;

/** What the composer lends. */
export interface Lent {
  readonly i18n: I18n;
  /** What is being written, and in which session. */
  text(): string;
  place(): string | null;
  isIncognito(): boolean;
  chips(): readonly Chip[];
  /** Lets the selection of a window go along. */
  takeSelection(chip: Chip): void;
  write(text: string): void;
  /** Lets a text go along, as somebody else's. */
  attach(text: string, name: string): void;
}

export class PromptFilling {
  prompt = $state.raw<CalledPrompt | null>(null);
  values = $state<Record<string, string>>({});
  trouble = $state.raw<UserError | null>(null);

  /** The fields that the user fills: the others name what goes along. */
  readonly asked: readonly PromptField[] = $derived.by(
    () => this.prompt?.fields.filter((field) => this.beside(field) === null) ?? [],
  );
  readonly isFilled: boolean = $derived(this.asked.every((field) => !this.isMissing(field)));
  /** Whether a server is being asked. */
  waiting = $state(false);
  /** The one that is filled, in the session in which it was called. */
  readonly shown: CalledPrompt | null = $derived.by(() =>
    this.prompt === null || this.lent.place() !== this.place ? null : this.prompt,
  );

  private place: string | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly lent: Lent,
  ) {}

  begin(prompt: CalledPrompt): void {
    this.place = this.lent.place();
    this.prompt = prompt;
    this.trouble = null;
    this.waiting = false;
    this.values = Object.fromEntries(prompt.fields.map(({ name, default: value }) => [name, value ?? '']));
    if (this.asked.length === 0) this.fill();
  }

  cancel(): void {
    this.prompt = null;
  }

  /** Whether a field that is needed is empty. */
  isMissing({ name, optional }: PromptField): boolean {
    return !optional && (this.values[name] ?? '').trim() === '';
  }

  /** Puts the whole text into the input. */
  fill(): void {
    const { prompt } = this;
    if (prompt === null || !this.isFilled || this.waiting) return;
    this.trouble = null;
    const told = prompt.fields.map((field) => [field.name, this.beside(field) ?? this.values[field.name] ?? '']);
    const values: Record<string, string> = Object.fromEntries(told);
    if ('server' in prompt) this.fillByServer(prompt, values);
    else this.fillOwn(prompt, values);
  }

  private fillOwn(prompt: SavedPrompt, values: Record<string, string>): void {
    this.backend.ask(
      { request: 'saved_prompts', action: { action: 'fill', name: prompt.name, values } },
      ({ text }: ReplyNamed<'filled_prompt'>) => {
        if (this.shown !== prompt) return;
        const selected = this.selected();
        const takes = prompt.fields.some((field) => field.kind === 'selection' && this.beside(field) !== null);
        if (takes && selected !== undefined) this.lent.takeSelection(selected);
        this.prompt = null;
        this.lent.write(text);
      },
      (error) => (this.trouble = error),
    );
  }

  /** What is longer than a glance, and what a server put beside it, goes along as its words: nobody reads it first. */
  private fillByServer(prompt: McpPrompt, values: Record<string, string>): void {
    this.waiting = true;
    const { server: name, prompt: ofServer } = prompt;
    const incognito = this.lent.isIncognito();
    this.backend.ask(
      { request: 'mcp', action: { action: 'prompt', name, prompt: ofServer, values, incognito } },
      ({ text, beside }: ReplyNamed<'mcp_prompt_text'>) => {
        if (this.shown !== prompt) return;
        this.prompt = null;
        this.waiting = false;
        beside.forEach((file, at) => this.lent.attach(file, `${prompt.name} ${at + 1}`));
        const isLong = isLarge(text) || text.split('\n').length > GLANCE_LINES;
        if (isLong) this.lent.attach(text, prompt.name);
        const { i18n } = this.lent;
        const written = isLong ? i18n.say('prompt_follow', { name: prompt.name }) : text;
        // What was typed while the server was asked stays.
        this.lent.write([this.lent.text().trim(), written].filter((part) => part !== '').join('\n\n'));
      },
      (error) => {
        if (this.prompt !== prompt) return;
        this.waiting = false;
        this.trouble = error;
      },
    );
  }

  /** How the text names what goes along for a field; `null` where nothing does, and the user writes. */
  private beside({ kind }: PromptField): string | null {
    const { i18n } = this.lent;
    const there = this.lent.chips().filter(({ state }) => state !== 'refused');
    if (kind === 'selection') return this.selected() === undefined ? null : i18n.say('the_selection');
    if (kind === 'page') {
      const isThere = there.some(({ what, view }) => what === 'page' || view?.page !== undefined);
      return isThere ? i18n.say('the_page') : null;
    }
    if (kind === 'free') return null;
    const files = there.filter(({ what }) => what === 'file' || what === 'image' || what === 'folder');
    return files.length === 0 ? null : files.map(({ name }) => nameOf(name)).join(', ');
  }

  private selected(): Chip | undefined {
    return this.lent.chips().find(({ view }) => view?.content?.parts.some(({ part }) => part === 'selection'));
  }
}

export const [usePromptFilling, providePromptFilling] = createContext<PromptFilling>();
