/**
 * The section of memory: what is remembered, the one that is looked at with its history and its source, and what is done
 * with it. Draws nothing.
 */
import type { ReplyTo } from '../bindings/ReplyTo';
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { MemoryRequest } from '../bindings/MemoryRequest';
import type { MemoryKind } from '../bindings/MemoryKind';
import type { MemoryRecord } from '../bindings/MemoryRecord';
import type { MemoryScope } from '../bindings/MemoryScope';
import type { SessionDetail } from '../bindings/SessionDetail';
import type { UserError } from '../bindings/UserError';
import * as listing from './memories';
import { replacedBy } from './memory';
import type { Toasts } from '../shared/toasts.svelte';
import type { I18n } from '../i18n/i18n';

/** Wait after the last key before a search is sent, in milliseconds. */
const SEARCH_WAIT_MS = 120;

/** Wait after the last step through the list before what is chosen is read, in milliseconds: a held key reads once. */
const OPEN_WAIT_MS = 60;

/** Name that a file of everything begins with. */
const FILE_NAME = 'shidi-memory';

/** Deeds that change nothing. */
const READING: readonly MemoryRequest['action'][] = ['find', 'list', 'show', 'stats'];

/** A request about memory with this action. */
interface OfMemory<A extends MemoryRequest> {
  request: 'memory';
  action: A;
}

/** What a person is writing: a new record, or another text for one. */
export interface Draft {
  /** The record that is said anew; `null` for a new one. */
  of: string | null;
  text: string;
  kind: MemoryKind;
  scope: MemoryScope;
  tags: string;
}

export class MemoryStore {
  view = $state.raw(listing.noMemories());
  /** The one that is looked at: everything that was said about it, oldest first. */
  versions = $state.raw<readonly MemoryRecord[]>([]);
  /** The session that it comes from, as far as it is still there. */
  session = $state.raw<SessionDetail | null>(null);
  draft = $state<Draft | null>(null);
  /** The page or site that is about to be forgotten. */
  forgetting = $state<string | null>(null);
  /** What is done with a file now. */
  moving = $state<'import' | 'export' | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly item = $derived(this.view.items.find(({ id }) => id === this.view.chosen) ?? null);
  readonly record = $derived(this.versions.find(({ id }) => id === this.view.chosen) ?? null);

  private searchTimer = 0;
  private openTimer = 0;
  private reading = false;
  private troubleReading = false;
  /** What is to be written as soon as it is read. */
  private awaited: string | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly toasts: Toasts,
    private readonly i18n: I18n,
  ) {}

  /** The section is shown, or something happened that may have left something. */
  read(): void {
    // Side by side: counting takes longer than listing where there is much.
    this.readCounts();
    this.readItems('first');
  }

  search(text: string): void {
    this.view = listing.looking(this.view, { text });
    clearTimeout(this.searchTimer);
    this.searchTimer = window.setTimeout(() => this.readItems('first'), SEARCH_WAIT_MS);
  }

  look(change: Partial<listing.Wanted>): void {
    this.view = listing.looking(this.view, change);
    this.forgetting = null;
    this.read();
  }

  more(): void {
    if (this.view.more && !this.reading) this.readItems('more');
  }

  choose(id: string): void {
    this.listShown = false;
    this.chosen(id);
  }

  /** What is looked at has become another record, which is looked at in its place. */
  follow(by: ReadonlyMap<string, string>): void {
    const { item } = this;
    const next = item === null ? undefined : by.get(item.id);
    if (item === null || next === undefined) return;
    this.view = listing.replaced(this.view, item.id, { ...item, id: next });
    this.open();
  }

  move(steps: number): void {
    const { chosen } = listing.moved(this.view, steps);
    if (chosen !== null && chosen !== this.view.chosen) this.chosen(chosen);
  }

  /** Begins to write: a new one, or what is looked at anew. */
  write(of: 'new' | 'chosen'): void {
    const { record, item } = this;
    if (of === 'chosen' && record === null) {
      // It is written as soon as it is read: no key is lost.
      this.awaited = item === null || listing.isSaid(item) ? null : item.id;
      if (this.awaited !== null) this.open();
      return;
    }
    const owner = this.view.wanted.owner;
    this.draft =
      of === 'chosen' && record !== null
        ? { of: record.id, text: record.text, kind: record.kind, scope: record.scope, tags: '' }
        : { of: null, text: '', kind: 'knowledge', scope: owner === '' ? 'user' : owner, tags: '' };
    this.listShown = false;
  }

  keep(): void {
    const { draft } = this;
    if (draft === null || draft.text.trim() === '') return;
    const { of, kind, scope } = draft;
    const text = draft.text.trim();
    if (of !== null && text === this.record?.text) {
      this.draft = null;
      return;
    }
    const tags = draft.tags
      .split(/[,，、]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    const action: Extract<MemoryRequest, { action: 'add' | 'edit' }> =
      of === null ? { action: 'add', text, kind, scope, tags, until: null } : { action: 'edit', memory: of, text };
    this.send(action, (reply) => {
      const written = reply.records.at(-1);
      this.draft = null;
      if (written === undefined) return;
      const item = listing.ofRecord(written);
      if (of !== null) this.view = listing.replaced(this.view, of, item);
      this.shown(item, of === null);
    });
  }

  pin(): void {
    const { item } = this;
    if (item === null || listing.isSaid(item)) return;
    const pinned = !item.pinned;
    this.send({ action: 'pin', memory: item.id, pinned }, () => {
      this.view = listing.replaced(this.view, item.id, { ...item, pinned });
      this.versions = this.versions.map((version) => (version.id === item.id ? { ...version, pinned } : version));
    });
  }

  /** Erases what is looked at, with what it replaced. For ten seconds this window can write it again. */
  delete(): void {
    const { item } = this;
    if (item === null || listing.isSaid(item)) return;
    this.send({ action: 'show', memory: item.id }, (shown) => {
      const gone = replacedBy(shown.records, item.id);
      this.send({ action: 'delete', memory: item.id }, () => {
        this.view = listing.without(this.view, item.id);
        this.open();
        this.readCounts();
        this.toasts.undoable(this.i18n.say('deleted_for_now'), () => this.restore(gone, item.id));
      });
    });
  }

  forgetSite(): void {
    const address = this.forgetting;
    if (address === null) return;
    this.forgetting = null;
    this.send({ action: 'forget_site', address }, () => {
      this.toasts.say(this.i18n.say('site_forgotten', { site: address }));
      this.look({ owner: '' });
    });
  }

  async export(): Promise<void> {
    if (this.moving !== null) return;
    const path = await this.backend.pickNewFile(`${FILE_NAME}.jsonl`);
    if (path === null) return;
    this.moving = 'export';
    const stream = this.send({ action: 'export', path }, (reply) => {
      this.toasts.say(this.i18n.say('memory_exported', { n: reply.records, path: reply.path }));
    });
    await stream.closed;
    this.moving = null;
  }

  async import(): Promise<void> {
    if (this.moving !== null) return;
    const paths = await this.backend.pickFiles();
    this.moving = paths.length > 0 ? 'import' : null;
    let records = 0;
    let isOwn = true;
    for (const path of paths) {
      const stream = this.send({ action: 'import_file', path }, (reply) => {
        records += reply.records;
        isOwn &&= reply.own;
      });
      await stream.closed;
      if (this.trouble !== null) break;
    }
    if (this.moving !== null && this.trouble === null)
      this.toasts.say(this.i18n.say(isOwn ? 'memory_imported' : 'memory_imported_foreign', { n: records }));
    this.moving = null;
    this.read();
  }

  private restore(records: readonly MemoryRecord[], id: string): void {
    this.send({ action: 'import', records: [...records] }, () => {
      this.view = listing.chosen(this.view, id);
      this.read();
    });
  }

  /** A record was written: it is looked at, and the list holds it. */
  private shown(item: listing.Item, isNew: boolean): void {
    const { wanted } = this.view;
    if (isNew && wanted.text !== '') this.view = listing.looking(this.view, { text: '' });
    if (isNew && !(wanted.kind === null && listing.KINDS[wanted.layer].includes(item.kind)))
      this.view = listing.looking(this.view, { layer: 'long', kind: null });
    this.view = listing.chosen(this.view, item.id);
    this.open();
    this.read();
  }

  private chosen(id: string): void {
    if (id === this.view.chosen && (this.versions.length > 0 || this.session !== null)) return;
    this.view = listing.chosen(this.view, id);
    this.forgetting = null;
    if (this.draft?.of !== null) this.draft = null;
    clearTimeout(this.openTimer);
    this.openTimer = window.setTimeout(() => this.open(), OPEN_WAIT_MS);
  }

  private readItems(part: 'first' | 'more'): void {
    const asked = listing.askedFor(this.view, part);
    this.reading = true;
    this.send(asked.action, (reply) => {
      this.reading = false;
      const found =
        reply.reply === 'memory_records' ? reply.records.map(listing.ofRecord) : reply.hits.map(listing.ofHit);
      const before = this.view.chosen;
      this.view = listing.taken(this.view, asked, found);
      if (this.view.chosen !== before || this.record === null) this.open();
    });
  }

  /** Counts again: vectors are made in the background. */
  readCounts(): void {
    const { owner, ended } = this.view.wanted;
    this.send({ action: 'stats', scopes: owner === '' ? [] : [owner], ended }, (reply) => {
      // Those of another scope are too late.
      if (owner !== this.view.wanted.owner || ended !== this.view.wanted.ended) return;
      this.view = {
        ...this.view,
        counts: reply.counts,
        owners: reply.owners,
        meaning: reply.meaning ?? null,
        room: reply.room ?? null,
      };
    });
  }

  /** Reads what is looked at; what was looked at before stays until it is there. */
  private open(): void {
    const { item } = this;
    if (item === null) {
      this.versions = [];
      this.session = null;
      return;
    }
    const source = item.source.session;
    if (listing.isSaid(item)) this.versions = [];
    else {
      this.send({ action: 'show', memory: item.id }, (reply) => {
        if (item.id !== this.view.chosen) return;
        this.versions = reply.records;
        if (this.awaited === item.id) this.write('chosen');
        this.awaited = null;
      });
    }
    if (source === null || source !== this.session?.summary.id) this.session = null;
    if (source === null || this.session !== null) return;
    this.backend.ask({ request: 'session_show', session: source }, (reply) => {
      // A session that is gone leaves nothing to open, and that is no trouble.
      if (item.id === this.view.chosen) this.session = reply.session;
    });
  }

  private send<A extends MemoryRequest>(action: A, took: (reply: ReplyTo<OfMemory<A>>) => void) {
    const isRead = READING.includes(action.action);
    if (!isRead) this.trouble = null;
    const failed = (error: UserError) => {
      this.trouble = error;
      this.troubleReading = isRead;
      this.reading = false;
    };
    const done = (reply: ReplyTo<OfMemory<A>>) => {
      // What went wrong with an action stays until the next one: reading goes on by itself.
      if (this.troubleReading) this.trouble = null;
      took(reply);
    };
    return this.backend.ask<OfMemory<A>>({ request: 'memory', action }, done, failed);
  }
}

export const [useMemory, provideMemory] = createContext<MemoryStore>();
