/**
 * What lies on the panel: joins the door with the pure states and holds what the views draw.
 *
 * Sends requests, folds what comes back, once per frame. Draws nothing, and decides nothing that a pure file
 * can decide.
 */
import { createContext } from 'svelte';
import type { Backend, ShownBy } from '../backend/backend';
import type { CallId } from '../bindings/CallId';
import type { Mode } from '../bindings/Mode';
import type { Reply } from '../bindings/Reply';
import type { Request } from '../bindings/Request';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import * as composing from '../composer';
import { apply, emptyConversation, isWorking, returned, sent, waitingCards } from '../conversation';
import { perFrame } from '../frames';
import { conversationOf } from '../record';
import { configured, initialSettings, languageOf, themeOf, type Language, type ThemeChoice } from '../settings';
import type { Turn } from '../view';
import { say, type WordKey } from '../words/words';
import { Shelf } from './shelf.svelte';

/** A reply with the request it belongs to. */
interface Arrival {
  reply: Reply;
  from: 'watch' | Errand;
}

/** A request whose events are followed. */
interface Errand {
  /** What was asked, to be given back when it could not be. */
  draft: composing.Draft | null;
  /** Which opening of the panel's conversation it was sent from. */
  opening: number;
}

/** A session that was touched this recently is opened again at start, in milliseconds: people go on where they were. */
const REOPENED_WITHIN_MS = 10 * 60_000;

/** Events kept while a session is being read; more arrive only if the store hangs. */
const HELD_EVENTS_MAX = 5_000;

export class Desk {
  conversation = $state.raw(emptyConversation(null));
  composer = $state.raw(composing.emptyComposer('risky'));
  settings = $state.raw(initialSettings(navigator.languages));
  trouble = $state.raw<UserError | null>(null);
  listOpen = $state(false);
  keyFormOpen = $state(false);
  pinned = $state(false);
  filesHeld = $state(false);
  stopping = $state(false);
  /** The waiting card that the user is at. */
  cardAtHand = $state<CallId | null>(null);
  /** Decisions that were sent and not yet confirmed. */
  deciding = $state.raw<ReadonlySet<string>>(new Set());
  workingSince = $state<number | null>(null);
  /** Counts the moments at which the input must take the focus. */
  inputCalls = $state(0);
  /** Counts the moments at which the first waiting card must take the focus. */
  cardCalls = $state(0);

  readonly working = $derived(isWorking(this.conversation));
  readonly waiting = $derived(waitingCards(this.conversation));
  readonly title = $derived(
    this.conversation.turns[0]?.question ?? this.conversation.sent?.text ?? this.say('new_session'),
  );

  readonly shelf: Shelf;

  private opening = 0;
  private reading: { session: SessionId; held: RunEvent[] } | null = null;
  private readonly arrive = perFrame<Arrival>((arrivals) => this.take(arrivals));

  constructor(readonly backend: Backend) {
    const language = languageOf(localStorage.getItem('language')) ?? this.settings.language;
    const theme = themeOf(localStorage.getItem('theme')) ?? this.settings.theme;
    this.settings = { ...this.settings, language, theme };
    this.shelf = new Shelf(backend, (error) => (this.trouble = error));
    backend.send({ request: 'watch' }, (reply) => this.arrive({ reply, from: 'watch' }));
    backend.onShown((by) => this.shown(by));
    backend.onFilesDropped((paths) => this.attach(paths));
    backend.onFilesOver((held) => (this.filesHeld = held));
    this.readSettings();
    this.shelf.read(() => this.reopenLatest());
  }

  say(key: WordKey, holes?: Record<string, string | number>): string {
    return say(this.settings.language, key, holes);
  }

  // ---- asking -------------------------------------------------------------------------------------------

  type(text: string): void {
    this.composer = composing.typed(this.composer, text);
  }

  attach(paths: readonly string[]): void {
    this.filesHeld = false;
    this.composer = composing.attached(this.composer, paths);
    this.inputCalls += 1;
  }

  detach(path: string): void {
    this.composer = composing.removed(this.composer, path);
  }

  async pickFiles(): Promise<void> {
    this.attach(await this.backend.pickFiles());
  }

  setMode(mode: Mode): void {
    this.composer = composing.withMode(this.composer, mode);
  }

  /** Sends the draft, or keeps it until the run at work has ended. */
  send(): void {
    if (!composing.sendable(this.composer)) return;
    if (this.working) {
      this.composer = composing.queued(this.composer);
      return;
    }
    const { draft, view } = composing.taken(this.composer);
    this.composer = view;
    this.ask(draft);
  }

  unqueue(): void {
    const { queued } = this.composer;
    this.composer = composing.unqueued(this.composer);
    if (queued !== null) this.composer = composing.kept(this.composer, queued);
  }

  stop(): void {
    if (this.stopping) return;
    for (const turn of this.conversation.turns.filter((known) => known.status === 'working')) {
      this.stopping = true;
      this.errand({ request: 'cancel', run: turn.run }, null);
    }
  }

  continueRun(run: RunId): void {
    this.errand({ request: 'resume', run }, null);
  }

  /** Asks the question of a turn again. */
  askAgain(turn: Turn): void {
    this.ask({ text: turn.question, files: [] });
  }

  // ---- deciding -----------------------------------------------------------------------------------------

  approve(run: RunId, call: CallId, family: 'once' | 'always'): void {
    this.decide(run, call, { request: 'approve', run, call, always: family === 'always' });
  }

  refuse(run: RunId, call: CallId, reason: string): void {
    const said = reason.trim();
    this.decide(run, call, { request: 'refuse', run, call, reason: said === '' ? null : said });
  }

  answer(run: RunId, call: CallId, text: string): void {
    this.decide(run, call, { request: 'answer', run, text });
  }

  isDeciding(run: RunId, call: CallId): boolean {
    return this.deciding.has(`${run}/${call}`);
  }

  // ---- sessions -----------------------------------------------------------------------------------------

  newSession(): void {
    this.leave();
    this.conversation = emptyConversation(null);
    this.inputCalls += 1;
  }

  openSession(session: SessionId): void {
    this.leave();
    const reading = { session, held: [] };
    this.reading = reading;
    this.backend.send({ request: 'session_show', session }, (reply) => {
      if (this.reading !== reading) return;
      this.reading = null;
      if (reply.reply === 'failed') this.trouble = reply.error;
      if (reply.reply !== 'session') return;
      this.conversation = (reading.held as RunEvent[]).reduce(apply, conversationOf(reply.session));
      this.inputCalls += 1;
    });
  }

  openList(): void {
    this.listOpen = true;
    this.shelf.browse();
  }

  closeList(): void {
    this.listOpen = false;
    this.inputCalls += 1;
  }

  deleteSession(session: SessionId): void {
    this.shelf.remove(session);
    if (this.conversation.session === session) this.conversation = emptyConversation(null);
  }

  // ---- settings -----------------------------------------------------------------------------------------

  setLanguage(language: Language): void {
    this.settings = { ...this.settings, language };
    this.keepSetting('language', language);
  }

  setTheme(theme: ThemeChoice): void {
    this.settings = { ...this.settings, theme };
    this.keepSetting('theme', theme);
  }

  /** Checks and stores a key, and makes its provider the one that answers; resolves to what went wrong, or `null`. */
  async saveKey(provider: string, key: string): Promise<UserError | null> {
    const requests: Request[] = [{ request: 'key_set', provider, key, unchecked: false }];
    // Another provider has other models: its own default answers until one is named.
    if (provider !== this.settings.provider) {
      requests.push({ request: 'config_set', key: 'provider', value: provider }, { request: 'config_set', key: 'model', value: '' });
    }
    for (const request of requests) {
      const error = await this.done(request);
      if (error !== null) return error;
    }
    this.keyFormOpen = false;
    this.trouble = null;
    this.inputCalls += 1;
    this.readSettings();
    return null;
  }

  togglePin(): void {
    this.pinned = !this.pinned;
    this.backend.keepOnTop(this.pinned);
  }

  quit(): void {
    this.backend.send({ request: 'desktop', signal: 'quit' }, () => undefined);
  }

  // ---- what comes back ----------------------------------------------------------------------------------

  private ask(draft: composing.Draft): void {
    this.trouble = null;
    this.conversation = sent(this.conversation, draft);
    this.workingSince = Date.now();
    const ask = composing.askOf(draft, this.conversation.session, this.composer.mode, this.settings.language);
    this.errand({ request: 'ask', ...ask }, draft);
  }

  private decide(run: RunId, call: CallId, request: Request): void {
    if (this.isDeciding(run, call)) return;
    this.deciding = new Set([...this.deciding, `${run}/${call}`]);
    this.errand(request, null);
    this.inputCalls += 1;
  }

  private errand(request: Request, draft: composing.Draft | null): void {
    const errand = { draft, opening: this.opening };
    this.backend.send(request, (reply) => this.arrive({ reply, from: errand }));
  }

  private take(arrivals: Arrival[]): void {
    for (const { reply, from } of arrivals) {
      if (reply.reply === 'event') this.takeEvent(reply.event, from);
      else if (reply.reply === 'failed') this.takeFailure(reply.error, from);
    }
    if (!this.working) this.workingSince = null;
    else this.workingSince ??= Date.now();
  }

  private takeEvent(event: RunEvent, from: Arrival['from']): void {
    if (this.reading !== null && this.reading.held.length < HELD_EVENTS_MAX) this.reading.held.push(event);
    // The first run of a new session is known as ours by the errand it answers.
    const ours = from !== 'watch' && from.opening === this.opening;
    if (this.conversation.session === null && !ours) return;
    const before = this.conversation;
    this.conversation = apply(before, event);
    if (this.conversation === before) return;
    if (event.type === 'decided') this.settle(event.run, event.call);
    if (event.type === 'run_ended') this.ended(event);
  }

  private takeFailure(error: UserError, from: Arrival['from']): void {
    this.stopping = false;
    this.deciding = new Set();
    this.trouble = error;
    if (from === 'watch' || from.draft === null || from.opening !== this.opening) return;
    this.conversation = returned(this.conversation);
    this.composer = composing.kept(this.composer, from.draft);
  }

  private ended(event: Extract<RunEvent, { type: 'run_ended' }>): void {
    this.stopping = false;
    this.shelf.read();
    const question = this.conversation.turns.find((turn) => turn.run === event.run)?.question ?? '';
    if (event.status === 'failed') this.composer = composing.kept(this.composer, { text: question, files: [] });
    const { queued } = this.composer;
    if (queued === null || this.working || event.status === 'suspended') return;
    this.composer = composing.unqueued(this.composer);
    if (event.status === 'completed' || event.status === 'gave_up') this.ask(queued);
    else this.composer = composing.kept(this.composer, queued);
  }

  private settle(run: RunId, call: CallId): void {
    this.deciding = new Set([...this.deciding].filter((key) => key !== `${run}/${call}`));
    this.cardAtHand = null;
  }

  private shown(by: ShownBy): void {
    if (by === 'ball' && this.waiting.length > 0) this.cardCalls += 1;
    else this.inputCalls += 1;
  }

  /** Before another conversation takes the place of this one. */
  private leave(): void {
    this.opening += 1;
    this.reading = null;
    this.listOpen = false;
    this.trouble = null;
    this.stopping = false;
    this.cardAtHand = null;
    this.workingSince = null;
    this.composer = composing.withMode(composing.unqueued(this.composer), this.settings.mode);
  }

  private reopenLatest(): void {
    const latest = this.shelf.view.all[0];
    if (latest === undefined || this.conversation.session !== null || this.conversation.sent !== null) return;
    if (Date.now() - Date.parse(latest.updated) < REOPENED_WITHIN_MS) this.openSession(latest.id);
  }

  /** Sends a request that is merely done; resolves to what went wrong, or `null`. */
  private done(request: Request): Promise<UserError | null> {
    return new Promise((resolve) => {
      this.backend.send(request, (reply) => resolve(reply.reply === 'failed' ? reply.error : null));
    });
  }

  private readSettings(): void {
    this.backend.send({ request: 'config_list' }, (reply) => {
      if (reply.reply !== 'config') return;
      this.settings = configured(this.settings, reply.entries);
      this.composer = composing.withMode(this.composer, this.settings.mode);
    });
  }

  private keepSetting(key: 'language' | 'theme', value: string): void {
    localStorage.setItem(key, value);
    this.backend.send({ request: 'config_set', key, value }, () => undefined);
  }
}

export const [deskOf, layDesk] = createContext<Desk>();
