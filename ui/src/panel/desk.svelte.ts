/**
 * What lies on the panel: joins the backend with the pure states and holds what the views draw.
 *
 * Sends requests, folds what comes back, once per frame. Draws nothing, and decides nothing that a pure file
 * can decide.
 */
import { createContext } from 'svelte';
import type { Backend, ShownBy } from '../backend/backend';
import type { CallId } from '../bindings/CallId';
import type { Mode } from '../bindings/Mode';
import type { Request } from '../bindings/Request';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { SessionSummary } from '../bindings/SessionSummary';
import type { UserError } from '../bindings/UserError';
import * as composing from '../composer';
import { overridesOf } from '../choices';
import { apply, conversationOf, emptyConversation, isWorking, returned, sent, waitingCards, workingSince } from '../conversation';
import { activityOf, apply as active, noActivities, seen, type Activity } from '../activity';
import type { Settings, Theme } from '../settings';
import type { Conversation, Turn } from '../view';
import { say, type WordKey } from '../words/words';
import { Choosing } from './choosing.svelte';
import { commandsOf } from './commands';
import { Configuring } from './configuring.svelte';
import { Courier, type Arrival, type Errand } from './courier';
import { Deciding } from './deciding.svelte';
import { Drafting } from './drafting.svelte';
import { Finder } from './finder.svelte';
import { Finding } from './finding.svelte';
import { Frame } from './frame.svelte';
import { Incognito } from './incognito.svelte';
import { Pages } from './pages.svelte';
import { Places } from './places.svelte';
import { Preferences } from './preferences.svelte';
import { Shelf } from './shelf.svelte';
import { Toasts } from './toasts.svelte';
import { obey } from './wishes';

/** What fills the panel. */
export type Place = 'conversation' | 'sessions' | 'find' | 'settings' | 'keys' | 'inside' | 'welcome';

/** Events kept while a session is being read; more arrive only if the store hangs. */
const HELD_EVENTS_MAX = 5_000;

export class Desk {
  conversation = $state.raw(emptyConversation(null));
  trouble = $state.raw<UserError | null>(null);
  /** The words of a question that could not be asked and is in the input again. */
  returned = $state.raw<string | null>(null);
  place = $state<Place>('conversation');
  keyFormOpen = $state(false);
  /** The theme on the page, once "as the system" is resolved. */
  themeShown = $state<Theme>('light');
  filesHeld = $state(false);
  stopping = $state(false);
  /** The waiting card that the user is at. */
  cardAtHand = $state<CallId | null>(null);
  workingSince = $state<number | null>(null);
  /** Count the moments at which the input, or the first waiting card, must take the focus. */
  inputCalls = $state(0);
  cardCalls = $state(0);
  /** Counts the conversations that were put on the desk: each is scrolled to where it was left. */
  opened = $state(0);
  activities = $state.raw(noActivities);

  readonly working = $derived(isWorking(this.conversation));
  readonly waiting = $derived(waitingCards(this.conversation));
  readonly busy = $derived(this.working || this.waiting.length > 0);

  readonly incognito: Incognito;
  readonly finding = new Finding();
  readonly places = new Places();
  readonly frame: Frame;
  readonly pages: Pages;
  readonly shelf: Shelf;
  readonly preferences: Preferences;
  readonly drafting: Drafting;
  readonly choosing: Choosing;
  readonly configuring: Configuring;
  readonly finder: Finder;
  readonly toasts = new Toasts();
  readonly deciding = new Deciding((request) => {
    this.errand(request, null);
    this.inputCalls += 1;
  });

  /** Runs that are at work as far as events have told. */
  private opening = 0;
  /** The mode that is configured, once that is known. */
  private mode: Mode | null = null;
  private reading: { session: SessionId; held: RunEvent[] } | null = null;
  private readonly courier: Courier;

  constructor(readonly backend: Backend) {
    this.courier = new Courier(backend, (arrivals) => this.take(arrivals), (session) => this.readAgain(session));
    this.courier.watch();
    this.drafting = new Drafting(backend, this);
    this.preferences = new Preferences(backend, (settings) => this.configured(settings));
    this.incognito = new Incognito(backend, (error) => (this.trouble = error));
    this.shelf = new Shelf(backend, (error) => (this.trouble = error));
    this.frame = new Frame(backend);
    this.pages = new Pages(backend);
    this.choosing = new Choosing(backend);
    this.configuring = new Configuring(backend);
    this.finder = new Finder(backend);
    backend.onShown((by) => this.shown(by));
    backend.onLooked((looked) => this.drafting.looked(looked));
    backend.onWish((wish) => obey(this, wish));
    backend.onFilesDropped((paths) => this.drafting.attach(paths));
    backend.onFilesOver((held) => (this.filesHeld = held));
    this.shelf.read(() => this.reopenLatest());
  }

  get settings(): Settings {
    return this.preferences.settings;
  }

  say(key: WordKey, holes?: Record<string, string | number>): string {
    return say(this.settings.language, key, holes);
  }

  // ---- asking -------------------------------------------------------------------------------------------

  get composer(): composing.Composer {
    return this.drafting.view;
  }

  set composer(view: composing.Composer) {
    this.drafting.view = view;
  }

  /** Sends the draft, or keeps it until the run at work has ended. */
  send(): void {
    if (!this.drafting.isReady()) return;
    if (this.working) {
      this.composer = composing.queued(this.composer);
      return;
    }
    const { draft, view } = composing.taken(this.composer);
    this.composer = view;
    this.ask(draft);
  }

  unqueue(): void {
    this.composer = composing.resumed(this.composer, false);
  }

  stop(): void {
    const working = this.stopping ? [] : this.conversation.turns.filter((turn) => turn.status === 'working');
    this.stopping ||= working.length > 0;
    for (const { run } of working) this.stopRun(run);
  }

  readonly compact = (session: SessionId): void => this.errand({ request: 'session_compact', session }, null);
  readonly stopRun = (run: RunId): void => this.errand({ request: 'cancel', run }, null);
  readonly continueRun = (run: RunId): void => this.errand({ request: 'resume', run }, null);

  /** Asks the question of a turn again, or `text`, with what went along: in its place, where it stays as another version. */
  askAgain(turn: Turn, text = turn.question, how: 'again' | 'instead' = 'instead'): void {
    this.composer = composing.withoutKept(this.composer, turn.question);
    this.ask(composing.draftOf(text.trim()), turn, how);
  }

  /** Shows another version of what was asked, with what followed it. */
  readonly showVersion = (session: SessionId, run: RunId): void => this.readView({ request: 'session_switch', session, run }, (view) => (this.conversation = { ...view, sent: this.conversation.sent }));

  /** Goes on in a new session with everything up to and with `turn`. */
  branchAfter(turn: Turn): void {
    const { session, turns } = this.conversation;
    const next = turns[turns.indexOf(turn) + 1];
    if (session !== null) this.branch(session, next?.run ?? null, () => (this.inputCalls += 1));
  }

  /** Takes words of the conversation into the input, marked as a quotation. */
  quote(words: string): void {
    this.composer = composing.quoted(this.composer, words);
    this.inputCalls += 1;
  }

  // ---- sessions -----------------------------------------------------------------------------------------

  newSession(): void {
    this.leave();
    this.choosing.reset();
    this.enter(emptyConversation(null));
    this.drafting.attaching.seeAgain();
  }

  /** A session that leaves nothing; it ends when another one takes its place. */
  newIncognito(): void {
    this.incognito.open((opened) => {
      this.leave();
      this.incognito.take(opened);
      this.choosing.reset('forgets');
      this.enter(emptyConversation(opened.session));
    });
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
      this.enter((reading.held as RunEvent[]).reduce(apply, conversationOf(reply.session)));
    });
  }

  /** What a session that is not in front is doing, or did since it was looked at. */
  activityOf({ id, waiting }: SessionSummary): Activity | null {
    return id === this.conversation.session ? null : (activityOf(this.activities, id) ?? (waiting > 0 ? 'waiting' : null));
  }

  /** Shows a part of the panel; the conversation takes the focus back into its input. */
  show(place: Place): void {
    if (place === 'sessions') this.shelf.browse(this.conversation.session);
    if (place === 'find') this.finder.open(commandsOf(this));
    if (place === 'settings') this.configuring.open();
    if (place === 'conversation' && this.place !== place) this.inputCalls += 1;
    this.place = place;
  }

  chooseModel(): void {
    this.place = 'conversation';
    this.choosing.show(this.settings.choice);
  }

  toInput(): void {
    this.place = 'conversation';
    this.inputCalls += 1;
  }

  deleteSession(session: SessionId): void {
    this.shelf.remove(session);
    this.toasts.undoable(this.say('deleted'), () => this.shelf.undo());
    if (this.conversation.session === session) this.enter(emptyConversation(null));
  }

  // ---- what comes back ----------------------------------------------------------------------------------

  private ask(draft: composing.Draft, earlier: Turn | null = null, how: 'again' | 'instead' = 'again'): void {
    this.trouble = null;
    this.conversation = sent(this.conversation, { text: draft.text, files: draft.chips.map((chip) => chip.name), along: earlier?.context ?? [], ...(how === 'instead' && earlier !== null ? { instead: earlier.run } : {}) });
    this.workingSince = Date.now();
    const overrides = overridesOf(this.choosing.chosen);
    const ask = composing.askOf(draft, this.conversation.session, this.composer.mode, this.settings.language, overrides);
    this.errand({ request: 'ask', ...ask, ...(earlier === null ? {} : { [how]: earlier.run }) }, draft);
  }

  private errand(request: Request, draft: composing.Draft | null): void {
    this.courier.send(request, { draft, opening: this.opening });
  }

  private readAgain(of?: SessionId): void {
    if (of === undefined) this.pages.read();
    const { opening, conversation: { session } } = this;
    if (session === null || (of ?? session) !== session) return;
    this.backend.send({ request: 'session_show', session }, (reply) => {
      if (reply.reply !== 'session' || opening !== this.opening) return;
      const read = conversationOf(reply.session);
      this.conversation = { ...read, sent: this.conversation.sent };
    });
  }

  private take(arrivals: Arrival[]): void {
    for (const { reply, from } of arrivals) {
      if (reply.reply === 'event') this.takeEvent(reply.event, from);
      else if (reply.reply === 'config_changed') this.reconfigured();
      else if (reply.reply === 'pages') this.pages.take(reply.pages);
      else if (reply.reply === 'failed' && from !== 'watch') this.takeFailure(reply.error, from);
    }
    if (!this.working) this.workingSince = null;
    else this.workingSince ??= Date.now();
  }

  private takeEvent(event: RunEvent, from: Arrival['from']): void {
    this.activities = seen(active(this.activities, event), this.conversation.session);
    if (event.type === 'run_ended') {
      this.shelf.read();
    }
    if (this.reading !== null && this.reading.held.length < HELD_EVENTS_MAX) this.reading.held.push(event);
    // The first run of a new session is known as ours by the errand it answers.
    const ours = from !== 'watch' && from.opening === this.opening;
    if (this.conversation.session === null && !ours) return;
    const before = this.conversation;
    this.conversation = apply(before, event);
    if (this.conversation === before) return;
    this.choosing.follow(this.conversation.session);
    if (event.type === 'run_started' && !ours && before.sent === null) this.readAgain(); // it may be another version
    if (event.type === 'decided') this.settle(event.run, event.call);
    if (event.type === 'run_ended') this.ended(event);
  }

  private takeFailure(error: UserError, from: Errand): void {
    this.stopping = false;
    this.deciding.clear();
    this.trouble = error;
    if (from.draft === null || from.opening !== this.opening) return;
    this.conversation = returned(this.conversation);
    this.composer = composing.kept(this.composer, from.draft);
    this.returned = from.draft.text;
  }

  private ended(event: Extract<RunEvent, { type: 'run_ended' }>): void {
    this.stopping = false;
    const question = this.conversation.turns.find((turn) => turn.run === event.run)?.question ?? '';
    if (event.status === 'failed') this.composer = composing.kept(this.composer, composing.draftOf(question));
    const { queued } = this.composer;
    if (queued === null || this.working || event.status === 'suspended') return;
    this.composer = composing.unqueued(this.composer);
    if (event.status === 'completed' || event.status === 'gave_up') this.ask(queued);
    else this.composer = composing.kept(this.composer, queued);
  }

  private settle(run: RunId, call: CallId): void {
    this.deciding.settle(run, call);
    this.cardAtHand = null;
  }

  private shown(by: ShownBy): void {
    if (by === 'hotkey' || by === 'ball') this.drafting.attaching.seeFront();
    if (by === 'ball' && this.waiting.length > 0) this.cardCalls += 1;
    else this.inputCalls += 1;
  }

  /** Reads a branch of `session` and puts it on the desk. */
  private branch(session: SessionId, before: RunId | null, then: () => void): void {
    this.readView({ request: 'session_branch', session, before }, (view) => {
      this.leave('branches');
      this.enter(view);
      this.shelf.read();
      then();
    });
  }

  /** Asks for a session; what comes after the panel has turned to another one is let go. */
  private readView(request: Request, then: (view: Conversation) => void): void {
    const { opening } = this;
    this.backend.send(request, (reply) => {
      if (opening !== this.opening) return;
      if (reply.reply === 'failed') this.trouble = reply.error;
      if (reply.reply === 'session') then(conversationOf(reply.session));
    });
  }

  /** Puts a conversation on the desk, with the draft that was left there. */
  private enter(conversation: Conversation): void {
    this.conversation = conversation;
    this.choosing.follow(conversation.session);
    this.activities = seen(this.activities, conversation.session);
    const draft = this.places.takeDraft(conversation.session) ?? composing.emptyComposer(this.settings.mode);
    this.composer = composing.resumed(composing.turned(this.composer, draft), this.working);
    this.workingSince = workingSince(conversation);
    this.opened += 1;
    this.inputCalls += 1;
  }

  private configured(settings: Settings): void {
    if (settings.mode !== this.mode) this.composer = composing.withMode(this.composer, settings.mode);
    // Once at the start; whoever leaves it for the settings is not pulled back.
    if (settings.firstRun && this.mode === null) this.show('welcome');
    this.mode = settings.mode;
  }

  /** A setting was changed, here or from the command line: it holds at once. */
  private reconfigured(): void {
    this.preferences.read();
    this.drafting.attaching.reconsider();
    if (this.place === 'settings') this.configuring.readEntries();
  }

  /** Before another conversation takes the place of this one; a branch of an incognito one is as incognito. */
  private leave(how: 'parts' | 'branches' = 'parts'): void {
    if (this.incognito.session === null) this.places.keepDraft(this.conversation.session, this.composer);
    else if (how === 'parts') this.toasts.say(this.say(this.incognito.end(this.choosing)));
    this.finding.end();
    this.opening += 1;
    this.reading = null;
    this.show('conversation');
    this.trouble = null;
    this.stopping = false;
    this.cardAtHand = null;
  }

  private reopenLatest(): void {
    const latest = this.shelf.latest();
    if (latest === null || this.conversation.session !== null || this.conversation.sent !== null || this.composer.text !== '') return;
    this.openSession(latest.id);
  }
}

export const [deskOf, layDesk] = createContext<Desk>();
