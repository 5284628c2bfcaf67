/**
 * Finds out about everything that is attached: asks the program what would be sent, looks at the screen, takes in
 * what is pasted. Holds what the chips and their preview show beside the composer's own state.
 *
 * Decides nothing that `chips.ts` can decide.
 */
import type { Backend, Looked, Looking, Stream } from '../backend/backend';
import type { AttachSource } from '../bindings/AttachSource';
import type { McpResource } from '../bindings/McpResource';
import type { ContentPart } from '../bindings/ContentPart';
import type { PageState } from '../bindings/PageState';
import type { ScreenView } from '../bindings/ScreenView';
import type { SessionId } from '../bindings/SessionId';
import * as chips from './chips';
import type { Chip, ChipKind } from './chips';
import { frontName } from '../pages/pages';

/** What the draft lends. */
export interface Lent {
  chips(): readonly Chip[];
  put(chips: readonly Chip[]): void;
  /** The incognito session that things are attached in, if it is one. */
  incognito(): SessionId | null;
  /** The name of a picture of the screen. */
  nameOf(view: ScreenView): string;
  /** Something that the user has to know, with nothing to click. */
  tell(text: string): void;
}

/** Things looked through at the same time; the others wait, so that one drop of many files leaves room for a question. */
const READ_AT_ONCE = 4;

/** A page that somebody works in changes again and again: it is read once it has come to rest, in milliseconds. */
const RESTED_MS = 800;

/** Largest pasted picture, in bytes, as the program takes it. */
const PICTURE_BYTES_MAX = 16 * 1024 * 1024;

/** Largest text taken from a pasted file without a path, in bytes. */
const TEXT_BYTES_MAX = 8 * 1024 * 1024;

export class AttachmentStore {
  /** Whose preview is open. */
  previewed = $state<string | null>(null);
  /** Addresses that were not wanted as chips. */
  declined = $state.raw<ReadonlySet<string>>(new Set());
  /** Whether the screen is being looked at. */
  looking = $state(false);
  /** Why nothing is seen, if so. */
  withheld = $state<string | null>(null);
  /** The window that was in front before the panel, also where its chip was removed; `unseen` where none is told of. */
  front = $state.raw<ScreenView | 'unseen' | null>(null);

  private reading = 0;
  /** What is being read, by the chip: whoever removes a chip ends that. */
  private readonly streams = new Map<string, Stream>();
  private rest: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting: Chip[] = [];
  private pasted = 0;
  /** Whether the panel was summoned over a window. */
  private hasSeen = false;
  /** The windows whose chip was removed: they don't come back by themselves. */
  private unwanted = '';

  constructor(
    private readonly backend: Backend,
    private readonly lent: Lent,
  ) {}

  files(paths: readonly string[]): void {
    this.add(paths.map(chips.fileChip));
  }

  address(url: string): void {
    this.add([chips.chipOf(url, 'page', chips.shortAddress(url), { from: 'url', url })]);
  }

  resource(resource: McpResource): void {
    this.add([chips.resourceChip(resource)]);
  }

  decline(address: string): void {
    this.declined = new Set([...this.declined, address]);
  }

  text(text: string, name: string | null, what: ChipKind = 'text'): void {
    this.add([chips.chipOf(this.nextId(), what, name ?? chips.gistOf(text), { from: 'text', text, name })]);
  }

  remove(id: string): void {
    const chip = this.lent.chips().find((known) => known.id === id);
    if (chip?.view) {
      if (chip.what === 'front') this.unwanted = frontKey(chip.view);
      this.backend.ask({ request: 'look_forget', id: chip.view.id }, () => undefined);
    }
    if (this.previewed === id) this.previewed = null;
    this.streams.get(id)?.close();
    this.lent.put(chips.without(this.lent.chips(), id));
  }

  /** Opens or closes the preview; of a picture the whole is fetched once. */
  preview(id: string): void {
    this.previewed = this.previewed === id ? null : id;
    const view = this.lent.chips().find((chip) => chip.id === id)?.view;
    if (this.previewed === null || !view || (view.picture !== undefined && !view.recognising)) return;
    this.backend.ask(
      { request: 'look_show', id: view.id },
      (reply) => this.change(id, (chip) => ({ ...chip, view: reply.view })),
      (error) => this.change(id, (chip) => chips.failed(chip, error)),
    );
  }

  /** Chooses what goes along of what stands in a window. */
  choose(id: string, part: ContentPart): void {
    this.change(id, (chip) => ({ ...chip, part }));
  }

  /** Takes a picture of the screen, with our own windows out of it. */
  async look(what: Looking): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      this.take(await this.backend.look(what, this.lent.incognito()));
    } finally {
      this.looking = false;
    }
  }

  /** Takes in what was seen; why nothing was is said in passing. */
  take(looked: Looked): void {
    if (looked === null) return;
    if ('error' in looked) return this.lent.tell(looked.error.message);
    const { view } = looked;
    if (view.blocked !== undefined) return this.lent.tell(view.blocked);
    const others = this.lent.chips().filter((chip) => chip.what !== 'front');
    this.lent.put(chips.added(others, [chips.viewChip(view, 'screen', this.lent.nameOf(view))]));
  }

  /** For a new session, which is about the same window: looks once more where what was seen went with a question. */
  seeAgain(): void {
    if (this.hasSeen && !this.lent.chips().some((chip) => chip.what === 'front')) this.seeFront();
  }

  /** Asks what was in front before the panel; it goes along until it is removed. */
  seeFront(): void {
    this.hasSeen = true;
    const seen = ({ view }: { view: ScreenView }) => {
      this.front = view.blocked === undefined ? view : null;
      this.withheld = view.blocked ?? null;
      const [before] = this.lent.chips().filter((chip) => chip.what === 'front');
      const others = this.lent.chips().filter((chip) => chip.what !== 'front');
      // Whoever looks at what goes along goes on looking.
      if (before !== undefined && this.previewed === before.id) this.previewed = view.id;
      const wanted = view.blocked === undefined && frontName(view) !== '' && frontKey(view) !== this.unwanted;
      const hasPicture = others.some((chip) => chip.what === 'screen');
      this.lent.put(
        wanted && !hasPicture ? chips.added([chips.viewChip(view, 'front', frontName(view))], others) : others,
      );
      if (wanted && view.content?.pdf?.state === 'reading') this.follow(view.id);
    };
    this.backend.ask({ request: 'look', what: 'facts' }, seen, () => (this.front = 'unseen'));
  }

  /** The PDF in front is being read: its chip tells more once it is. One that is let go of meanwhile is not missed. */
  private follow(id: string): void {
    this.backend.ask(
      { request: 'look_show', id },
      (reply) => this.change(id, (chip) => ({ ...chip, view: reply.view })),
      () => undefined,
    );
  }

  /**
   * Browsers told how their pages stand: what goes along by itself of a page in which somebody acted is read anew. A
   * selection, or a part that was chosen, stays what it was.
   */
  followPage(state: PageState): void {
    const chip = this.lent.chips().find((known) => known.what === 'front');
    if (chip === undefined || chip.part !== null || chips.partOf(chip)?.part === 'selection') return;
    if (!chips.isStale(chip, state)) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.seeFront(), RESTED_MS);
  }

  /** Keeps what was seen until it is let go, or lets it go in time again. */
  pin(id: string, on: boolean): void {
    const view = this.lent.chips().find((chip) => chip.id === id)?.view;
    if (!view) return;
    const done = () =>
      this.change(id, (chip) => (chip.view === null ? chip : { ...chip, view: { ...chip.view, pinned: on } }));
    this.backend.ask({ request: 'look_pin', id: view.id, on }, done, (error) => this.lent.tell(error.message));
  }

  /** A setting was changed: why nothing is seen is told in another language now, or holds no longer. */
  reconsider(): void {
    if (this.withheld !== null) this.seeFront();
  }

  /** Takes what was pasted, if it is better off as a chip; tells whether it did. */
  paste(data: DataTransfer): boolean {
    const paths = chips.pathsIn(data.getData('text/uri-list'));
    if (paths.length > 0) {
      this.files(paths);
      return true;
    }
    const text = data.getData('text/plain');
    const files = [...data.files];
    if (files.length > 0 && text === '') {
      for (const file of files.slice(0, chips.CHIPS_MAX)) void this.pastedFile(file);
      return true;
    }
    if (!chips.isLarge(text)) return false;
    this.text(text, null);
    return true;
  }

  private async pastedFile(file: File): Promise<void> {
    const isPicture = file.type.startsWith('image/');
    const chip = chips.chipOf(this.nextId(), isPicture ? 'image' : 'text', file.name, null);
    if (file.size > (isPicture ? PICTURE_BYTES_MAX : TEXT_BYTES_MAX)) {
      this.lent.put(chips.added(this.lent.chips(), [chips.tooLarge(chip)]));
      return;
    }
    const name = file.name === '' ? null : file.name;
    const source: AttachSource = isPicture
      ? { from: 'image', base64: await base64Of(file), mime: file.type, name }
      : { from: 'text', text: await file.text(), name };
    this.add([{ ...chip, source }]);
  }

  private add(more: readonly Chip[]): void {
    const before = this.lent.chips();
    const after = chips.added(before, more);
    this.lent.put(after);
    this.waiting.push(...after.filter((chip) => chip.source !== null && !before.includes(chip)));
    this.readNext();
  }

  private readNext(): void {
    while (this.reading < READ_AT_ONCE) {
      const chip = this.waiting.shift();
      if (chip === undefined) return;
      // Removed before its turn came.
      if (this.lent.chips().some((known) => known.id === chip.id)) this.read(chip);
    }
  }

  private read(chip: Chip): void {
    if (chip.source === null) return;
    this.reading += 1;
    const session = this.lent.incognito();
    const stream = this.backend.ask(
      { request: 'inspect', source: chip.source, ...(session === null ? {} : { session }) },
      (reply) => this.change(chip.id, (known) => chips.inspected(known, reply.attachment)),
      (error) => this.change(chip.id, (known) => chips.failed(known, error)),
      (way) => {
        if (way.reply === 'progress')
          this.change(chip.id, (known) => ({ ...known, progress: { done: way.done, total: way.total } }));
      },
    );
    this.streams.set(chip.id, stream);
    void stream.closed.then(() => {
      this.reading -= 1;
      if (this.streams.get(chip.id) === stream) this.streams.delete(chip.id);
      this.readNext();
    });
  }

  private change(id: string, change: (chip: Chip) => Chip): void {
    this.lent.put(chips.changed(this.lent.chips(), id, change));
  }

  private nextId(): string {
    this.pasted += 1;
    return `pasted-${this.pasted}`;
  }
}

/** What tells one thing in front from another: a page stays the same one when its title changes. */
function frontKey(view: ScreenView): string {
  return view.page?.url ?? frontName(view);
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(file);
  });
}
