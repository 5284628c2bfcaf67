/**
 * The section of knowledge bases: which there are, what is in the one that is looked at, what it answers, and how far an
 * import is. Draws nothing.
 */
import type { ReplyTo } from '../bindings/ReplyTo';
import type { OnTheWay, ReplyNamed } from '../backend/ask';
import { createContext } from 'svelte';
import type { Backend, Stream } from '../backend/backend';
import type { AttachSource } from '../bindings/AttachSource';
import type { KnowledgeBase } from '../bindings/KnowledgeBase';
import type { KnowledgeDocument } from '../bindings/KnowledgeDocument';
import type { KnowledgePiece } from '../bindings/KnowledgePiece';
import type { KnowledgeReport } from '../bindings/KnowledgeReport';
import type { KnowledgeRequest } from '../bindings/KnowledgeRequest';
import type { UserError } from '../bindings/UserError';
import type { Toasts } from '../shared/toasts.svelte';
import type { I18n } from '../i18n/i18n';

/** Wait after the last key before a question is sent, in milliseconds. */
const ASK_WAIT_MS = 200;

/** Documents that are shown at once, and pieces of an answer. */
const DOCUMENTS_SHOWN = 200;
const PIECES_SHOWN = 8;

/** How far an import is; `total` is 0 while nobody knows. */
export interface Progress {
  done: number;
  total: number;
  what: string;
}

/** The last part of a path; an address as it is. */
export function nameOf(place: string): string {
  return place.includes('://') ? place : (place.split(/[\\/]/).pop() ?? place);
}

/** A request about knowledge with this action. */
interface OfKnowledge<A extends KnowledgeRequest> {
  request: 'knowledge';
  action: A;
}

export class KnowledgeStore {
  bases = $state.raw<KnowledgeBase[]>([]);
  known = $state(false);
  chosen = $state('');
  documents = $state.raw<KnowledgeDocument[]>([]);
  more = $state(false);
  question = $state('');
  /** `null` while nothing is asked. */
  pieces = $state.raw<KnowledgePiece[] | null>(null);
  progress = $state.raw<Progress | null>(null);
  report = $state.raw<KnowledgeReport | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** Whether a new one is being named. */
  making = $state(false);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly base = $derived(this.bases.find((base) => base.name === this.chosen) ?? null);

  private asking = 0;
  private stream: Stream | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly toasts: Toasts,
    private readonly i18n: I18n,
  ) {
    this.read();
  }

  /** What there is now; what is listed of the one that is looked at is read again when there is another number of it. */
  read(): void {
    const before = this.base;
    const looked = () => {
      const { base } = this;
      if (before === null || base === null || this.progress !== null) return;
      if (
        base.documents !== before.documents ||
        base.pieces !== before.pieces ||
        base.problems !== before.problems ||
        base.trouble !== before.trouble
      )
        this.show(0);
    };
    const done = (reply: ReplyNamed<'bases'>) => {
      this.took(reply);
      looked();
    };
    this.backend.ask({ request: 'knowledge', action: { action: 'list' } }, done, (error) => {
      this.trouble = error;
      looked();
    });
  }

  choose(name: string): void {
    this.listShown = false;
    if (name === this.chosen && this.documents.length > 0) return;
    this.chosen = name;
    this.documents = [];
    this.report = null;
    this.ask('');
    this.show(0);
  }

  older(): void {
    this.show(this.documents.length);
  }

  create(name: string, about: string): void {
    this.send({ action: 'create', name, about }, (reply) => {
      this.took(reply);
      this.choose(name.trim());
    });
  }

  /** Imports; with nothing named looks again at everything. */
  add(sources: AttachSource[]): void {
    if (this.progress !== null || this.chosen === '') return;
    this.report = null;
    this.progress = { done: 0, total: 0, what: '' };
    this.stream = this.send(
      { action: 'add', base: this.chosen, sources },
      ({ report }) => (this.report = report),
      (way) => {
        if (way.reply === 'progress') this.progress = { done: way.done, total: way.total, what: way.what };
      },
    );
    void this.stream.closed.then(() => this.imported());
  }

  /** Stops an import; what was read stays. */
  stop(): void {
    this.stream?.close();
    this.imported();
  }

  async addFiles(): Promise<void> {
    const paths = await this.backend.pickFiles();
    if (paths.length > 0) this.add(paths.map((path) => ({ from: 'path', path })));
  }

  async addFolder(): Promise<void> {
    const paths = await this.backend.pickFolder();
    if (paths.length > 0) this.add(paths.map((path) => ({ from: 'path', path })));
  }

  deleteBase(): void {
    // What nobody can be asked to take away is left there.
    const only_here = this.base?.trouble !== undefined;
    this.send({ action: 'delete', base: this.chosen, place: null, only_here }, (reply) => {
      this.chosen = '';
      this.took(reply);
    });
  }

  /** Takes a document out; it is read anew when that is taken back. */
  deleteDocument(place: string): void {
    const base = this.chosen;
    this.send({ action: 'delete', base, place }, (reply) => {
      this.took(reply);
      this.report = null;
      this.show(0);
      this.toasts.undoable(this.i18n.say('document_deleted', { name: nameOf(place) }), () => {
        if (this.chosen !== base) this.choose(base);
        this.add([place.includes('://') ? { from: 'url', url: place } : { from: 'path', path: place }]);
      });
    });
  }

  ask(text: string): void {
    this.question = text;
    clearTimeout(this.asking);
    if (text.trim() === '') {
      this.pieces = null;
      return;
    }
    this.asking = window.setTimeout(() => {
      this.send({ action: 'query', text, base: this.chosen, field: null, limit: PIECES_SHOWN }, (reply) => {
        if (this.question === text) this.pieces = reply.pieces;
      });
    }, ASK_WAIT_MS);
  }

  private imported(): void {
    this.progress = null;
    this.stream = null;
    this.read();
    this.show(0);
  }

  private show(offset: number): void {
    const base = this.chosen;
    // Of a server that is away nothing is known: the base itself says so.
    if (base === '' || this.base?.trouble !== undefined) return;
    this.send({ action: 'show', base, offset, limit: DOCUMENTS_SHOWN }, (reply) => {
      if (base !== this.chosen) return;
      this.documents = offset === 0 ? reply.documents : [...this.documents, ...reply.documents];
      this.more = reply.documents.length === DOCUMENTS_SHOWN;
    });
  }

  private took(reply: ReplyNamed<'bases'>): void {
    this.bases = reply.bases;
    this.known = true;
    const first = reply.bases[0];
    if (first && !reply.bases.some((base) => base.name === this.chosen)) {
      this.choose(first.name);
      this.listShown = true;
    }
  }

  private send<A extends KnowledgeRequest>(
    action: A,
    took: (reply: ReplyTo<OfKnowledge<A>>) => void,
    along?: (way: OnTheWay) => void,
  ): Stream {
    this.trouble = null;
    return this.backend.ask<OfKnowledge<A>>(
      { request: 'knowledge', action },
      took,
      (error) => (this.trouble = error),
      along,
    );
  }
}

export const [useKnowledge, provideKnowledge] = createContext<KnowledgeStore>();
