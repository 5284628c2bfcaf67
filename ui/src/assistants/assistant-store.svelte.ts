/**
 * The section of assistants: which there are, the one that is looked at or changed, and what comes in: shown first, kept when
 * the user says so. Draws nothing.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { AssistantDetail } from '../bindings/AssistantDetail';
import type { AssistantForm } from '../bindings/AssistantForm';
import type { AssistantFault } from '../bindings/AssistantFault';
import type { AssistantSpec } from '../bindings/AssistantSpec';
import type { ListedAssistant } from '../bindings/ListedAssistant';
import type { UserError } from '../bindings/UserError';
import { NEW, NO_DRAFTS, put, savedIn, without, type Drafts, type Open } from './drafts';
import { draftOf, NO_SPEC, type Draft, type Step } from './form';
import type { Tried } from './try-out.svelte';

/** What was read of a file and waits for a decision. */
export interface Review {
  id: string;
  assistants: readonly AssistantDetail[];
  refused: readonly AssistantFault[];
}

/** What a draft's file is called where something is wrong in it. */
const FILE = 'assistant.yaml';

export class AssistantStore {
  all = $state.raw<readonly ListedAssistant[]>([]);
  known = $state(false);
  text = $state('');
  name = $state<string | null>(null);
  detail = $state.raw<AssistantDetail | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** What is being changed; `null` while one is only looked at. */
  draft = $state.raw<Draft | null>(null);
  step = $state<Step>('identity');
  /** Whether the draft is shown as its file. */
  asFile = $state(false);
  faults = $state.raw<readonly AssistantFault[]>([]);
  /** What the draft may do and what is remarkable in it, as it is now; `null` while nobody has looked. */
  weighed = $state.raw<AssistantDetail | null>(null);
  /** Whether something was typed into the draft that is not kept. */
  edited = $state(false);
  /** The row that the draft belongs to: the one that is changed or copied, or none of a new one. */
  place = $state(NEW);
  /** Counts the forms that were opened: each begins with fields of its own. */
  opened = $state(0);
  adding = $state(false);
  review = $state.raw<Review | null>(null);
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly rows = $derived(
    this.all.filter(({ name, title, description }) =>
      `${name} ${title} ${description}`.toLowerCase().includes(this.text.trim().toLowerCase()),
    ),
  );
  /** Forms with something typed that were left without a decision. */
  private drafts = $state.raw<Drafts>(NO_DRAFTS);

  readonly chosen = $derived(this.rows.find(({ name }) => name === this.name) ?? this.rows[0] ?? null);

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.backend.ask(
      { request: 'assistants', action: { action: 'list' } },
      ({ assistants }: ReplyNamed<'assistants'>) => this.take(assistants),
      this.failed,
    );
  }

  search(text: string): void {
    this.text = text;
    this.look();
  }

  /** Shows one, or its form where something is typed in it. */
  choose({ name }: ListedAssistant): void {
    this.listShown = false;
    this.select(name);
  }

  /** Shows the one of that name, whatever was looked for; it may not be listed yet. */
  show(name: string): void {
    this.text = '';
    this.listShown = false;
    this.select(name);
  }

  move(steps: number): void {
    const at = this.rows.findIndex(({ name }) => name === this.chosen?.name);
    const next = this.rows[Math.min(this.rows.length - 1, Math.max(0, at + steps))];
    if (next !== undefined) this.select(next.name);
  }

  /** Whether a form of that row holds something that is not kept. */
  isEdited(name: string): boolean {
    return this.drafts.has(name) || (this.draft !== null && this.edited && this.place === name);
  }

  /** Begins to change the one that is shown, or a new one. */
  edit(detail: AssistantDetail | null): void {
    this.leave();
    this.listShown = false;
    const place = detail?.assistant.name ?? NEW;
    if (this.reopen(place)) return;
    const draft = detail === null ? { spec: NO_SPEC, text: '', earlier: null } : draftOf(detail);
    this.open(place, { draft, step: 'identity', asFile: false, faults: [] }, false);
  }

  change(change: Partial<AssistantSpec>): void {
    if (this.draft === null) return;
    this.edited = true;
    this.faults = [];
    this.draft = { ...this.draft, spec: { ...this.draft.spec, ...change } };
  }

  /** Shows the draft as its file: with everything that the form does not know. */
  showFile(): void {
    this.written((text) => {
      this.asFile = true;
      if (this.draft !== null) this.draft = { ...this.draft, text };
    });
  }

  typed(text: string): void {
    if (this.draft === null) return;
    this.edited = true;
    this.draft = { ...this.draft, text };
  }

  /** Learns what the draft may do as it is now, which nobody has kept yet. */
  weigh(): void {
    const { draft } = this;
    this.weighed = null;
    if (draft === null || draft.spec.name === '') return;
    this.written((text) =>
      this.backend.ask(
        { request: 'assistants', action: { action: 'check', file: FILE, text } },
        ({ assistants: [read], faults }: ReplyNamed<'assistant_check'>) => {
          // Another draft has its own answer coming.
          if (this.draft !== draft) return;
          this.weighed = read ?? null;
          this.faults = faults;
        },
        this.failed,
      ),
    );
  }

  /** Goes back from the file to the form, unless something is wrong in it. */
  showForm(): void {
    const { draft } = this;
    if (draft === null) return;
    this.backend.ask(
      { request: 'assistants', action: { action: 'check', file: FILE, text: draft.text } },
      ({ assistants: [read], faults }: ReplyNamed<'assistant_check'>) => {
        if (this.draft !== draft) return;
        this.faults = faults;
        if (read === undefined) return;
        this.trouble = null;
        this.asFile = false;
        this.draft = { ...draft, spec: read.spec };
      },
      this.failed,
    );
  }

  /** Keeps the draft. */
  save(then: () => void = () => undefined): void {
    const { draft, place } = this;
    if (draft === null) return;
    this.asFileText(({ text }) => {
      this.backend.ask(
        { request: 'assistants', action: { action: 'save', text, earlier: draft.earlier } },
        ({ assistant }: ReplyNamed<'assistant'>) => {
          this.saved(place, draft, assistant);
          this.read();
          then();
        },
        this.failed,
      );
    });
  }

  /** The draft as the file that saving would write, with the digest of the file that it was made of. */
  asFileText(then: (tried: Tried) => void): void {
    const { draft } = this;
    if (draft === null) return;
    const { earlier } = draft;
    if (this.asFile) then({ text: draft.text, earlier });
    else this.written((text) => then({ text, earlier }));
  }

  /** Trusts the one that was shown; where its file is another one by now, that is shown, and why nothing was done. */
  approve({ assistant: { name }, digest }: AssistantDetail): void {
    this.backend.ask(
      { request: 'assistants', action: { action: 'approve', name, digest } },
      ({ assistants }: ReplyNamed<'assistants'>) => {
        this.trouble = null;
        this.take(assistants);
      },
      (error) => {
        this.failed(error);
        this.read();
      },
    );
  }

  /** Removes an assistant; the first call only asks. */
  remove({ name }: ListedAssistant): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.backend.ask(
      { request: 'assistants', action: { action: 'remove', name } },
      ({ assistants }: ReplyNamed<'assistants'>) => {
        this.drafts = without(this.drafts, name);
        this.take(assistants);
      },
      this.failed,
    );
  }

  /** Writes the one that is shown into a file of the user's choice. */
  async export(name: string, form: AssistantForm): Promise<void> {
    const path = await this.backend.pickNewFile(`${name}.${form === 'yaml' ? 'yaml' : 'md'}`);
    if (path === null) return;
    this.backend.ask(
      { request: 'assistants', action: { action: 'export', name, form, path } },
      () => (this.trouble = null),
      this.failed,
    );
  }

  add(): void {
    this.leave();
    this.adding = true;
    this.listShown = false;
  }

  /** Throws away what was typed. */
  discard(): void {
    this.edited = false;
    this.drafts = without(this.drafts, this.place);
    this.leave();
    this.look();
  }

  /** Leaves what is being changed or looked through; what was typed stays a draft. */
  leave(): void {
    const { draft, step, asFile, faults } = this;
    if (draft !== null && this.edited) this.drafts = put(this.drafts, this.place, { draft, step, asFile, faults });
    this.edited = false;
    this.weighed = null;
    this.adding = false;
    this.review = null;
    this.draft = null;
    this.asFile = false;
    this.faults = [];
    this.step = 'identity';
    this.trouble = null;
    this.removing = false;
  }

  async pick(): Promise<void> {
    const [path] = await this.backend.pickFiles();
    if (path === undefined) return;
    this.backend.ask(
      { request: 'assistants', action: { action: 'review', path } },
      ({ review, assistants, refused }: ReplyNamed<'assistant_review'>) => {
        this.trouble = null;
        this.review = { id: review, assistants, refused };
      },
      this.failed,
    );
  }

  /** Keeps what was shown. */
  keep(): void {
    const { review } = this;
    if (review === null) return;
    const names = review.assistants.map(({ assistant }) => assistant.name);
    this.backend.ask(
      { request: 'assistants', action: { action: 'install', review: review.id, names } },
      ({ assistants }: ReplyNamed<'assistants'>) => {
        this.leave();
        this.name = names[0] ?? null;
        this.text = '';
        this.take(assistants);
      },
      this.failed,
    );
  }

  private select(name: string): void {
    this.leave();
    this.name = name;
    this.reopen(name);
    this.look();
  }

  /** Opens the form that was left with something typed in it, where there is one. */
  private reopen(place: string): boolean {
    const kept = this.drafts.get(place);
    if (kept !== undefined) this.open(place, kept, true);
    return kept !== undefined;
  }

  private open(place: string, { draft, step, asFile, faults }: Open, edited: boolean): void {
    this.drafts = without(this.drafts, place);
    this.place = place;
    this.opened += 1;
    this.draft = draft;
    this.step = step;
    this.asFile = asFile;
    this.faults = faults;
    this.edited = edited;
  }

  /** Goes on with what was kept; what was typed meanwhile is a draft of it. */
  private saved(place: string, before: Draft, assistant: AssistantDetail): void {
    const { name } = assistant.assistant;
    this.trouble = null;
    this.drafts = savedIn(this.drafts, place, before, assistant);
    if (this.draft === null || this.place !== place) return;
    this.edited = this.draft !== before;
    this.draft = this.edited ? { ...this.draft, earlier: assistant.digest } : draftOf(assistant);
    this.faults = [];
    this.place = name;
    this.name = name;
    this.detail = assistant;
  }

  private readonly failed = (error: UserError): void => {
    this.trouble = error;
  };

  /** The draft as its file: what stands in the text beside the form's values stays. */
  private written(then: (text: string) => void): void {
    const { draft } = this;
    if (draft === null) return;
    this.backend.ask(
      { request: 'assistants', action: { action: 'write', spec: draft.spec, text: draft.text } },
      ({ text }: ReplyNamed<'assistant_text'>) => then(text),
      this.failed,
    );
  }

  private take(assistants: readonly ListedAssistant[]): void {
    this.all = assistants;
    this.known = true;
    this.look();
  }

  /** Reads the one that is chosen in full. */
  private look(): void {
    this.removing = false;
    const { chosen } = this;
    if (chosen === null) {
      this.detail = null;
      return;
    }
    this.backend.ask(
      { request: 'assistants', action: { action: 'show', name: chosen.name } },
      ({ assistant }: ReplyNamed<'assistant'>) => {
        if (this.chosen?.name === assistant.assistant.name) this.detail = assistant;
      },
      this.failed,
    );
  }
}

export const [useAssistantStore, provideAssistantStore] = createContext<AssistantStore>();
