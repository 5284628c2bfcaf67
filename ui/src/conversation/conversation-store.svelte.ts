/**
 * The conversation in front: what is asked in it, what its runs tell, and which session it is.
 *
 * Joins the backend with the fold of `conversation.ts`.
 */
import { createContext } from 'svelte';
import { USUAL } from '../assistants/assistants';
import type { ReplyNamed } from '../backend/ask';
import type { Request } from '../bindings/Request';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import * as composing from '../composer/composer';
import { overridesOf } from '../models/choices';
import { told } from '../shared/errors';
import {
  apply,
  conversationOf,
  emptyConversation,
  isWorking,
  returned,
  sent,
  waitingCards,
  workingSince,
} from './conversation';
import { showing, withCardsOfSteps } from './waiting';
import type { PendingRequest, StreamedReply } from './event-stream';
import type { Stores } from './stores.svelte';
import { workflowCalls, type Conversation, type Turn } from './view';

/** Events kept while a session is being read; more arrive only if the store hangs. */
const HELD_EVENTS_MAX = 5_000;

export class ConversationStore {
  view = $state.raw(emptyConversation(null));
  trouble = $state.raw<UserError | null>(null);
  /** The words of a question that could not be asked and is in the input again. */
  returned = $state.raw<string | null>(null);
  stopping = $state(false);
  workingSince = $state<number | null>(null);
  /** Counts the conversations that came in front: each is scrolled to where it was left. */
  opened = $state(0);

  readonly working = $derived(isWorking(this.view));
  readonly waiting = $derived(waitingCards(this.view));
  /** The assistant of this session, or the one that a new one is begun with; `null` is the usual one. */
  readonly assistant = $derived.by(() => (this.isEmpty() ? this.beside.assistants.chosen : this.view.assistant));
  readonly busy = $derived(this.working || this.waiting.length > 0);

  /** Counts the conversations that were left: what was asked from one before is late. */
  private opening = 0;
  /** Whether it is still open in which session the user goes on; a question that was sent waits for that. */
  private starting = true;
  private sendsWhenStarted = false;
  private reading: { session: SessionId; held: RunEvent[] } | null = null;

  constructor(private readonly beside: Stores) {}

  // ---- asking -------------------------------------------------------------------------------------------

  /** Sends the draft, or keeps it until the run at work has ended. */
  send(): void {
    this.sendsWhenStarted = this.starting;
    if (this.starting) return;
    const { draft: drafts } = this.beside;
    if (!drafts.isReady()) return;
    if (this.working) drafts.queue();
    else this.ask(drafts.take());
  }

  unqueue(): void {
    this.compose(composing.resumed(this.composer, false));
  }

  stop(): void {
    const working = this.stopping ? [] : this.view.turns.filter((turn) => turn.status === 'working');
    this.stopping ||= working.length > 0;
    for (const { run } of working) this.stopRun(run);
  }

  readonly compact = (session: SessionId): void => this.request({ request: 'session_compact', session });
  readonly stopRun = (run: RunId): void => this.request({ request: 'cancel', run });
  readonly continueRun = (run: RunId): void => this.request({ request: 'resume', run });

  /** Sends what concerns this conversation; its events are followed. */
  request(request: Request, draft: composing.Draft | null = null): void {
    this.beside.stream.send(request, { draft, opening: this.opening, session: this.view.session });
  }

  /** Asks the question of a turn again, or `text`, with what went along: in its place, where it stays as another version. */
  askAgain(turn: Turn, text = turn.question, how: 'again' | 'instead' = 'instead'): void {
    this.compose(composing.withoutKept(this.composer, turn.question));
    this.ask(composing.draftOf(text.trim()), turn, how);
  }

  /** Shows another version of what was asked, with what followed it. */
  readonly showVersion = (session: SessionId, run: RunId): void =>
    this.readView(
      { request: 'session_switch', session, run },
      (view) => (this.view = { ...view, sent: this.view.sent }),
    );

  /** Goes on in a new session with everything up to and with `turn`. */
  branchAfter(turn: Turn): void {
    const { session, turns } = this.view;
    const next = turns[turns.indexOf(turn) + 1];
    if (session !== null) this.branch(session, next?.run ?? null);
  }

  /** Takes words of the conversation into the input, marked as a quotation. */
  quote(words: string): void {
    this.compose(composing.quoted(this.composer, words));
    this.beside.focus.toInput();
  }

  // ---- sessions -----------------------------------------------------------------------------------------

  newSession(): void {
    this.leave();
    this.beside.assistants.choose(null);
    this.beside.models.reset();
    this.enter(emptyConversation(null));
    this.beside.draft.attachments.seeAgain();
  }

  /** Goes on with that assistant: here while nothing was asked, else in a new session, which takes the draft along. */
  askWith(name: string): void {
    if (name === (this.assistant ?? USUAL)) return;
    if (!this.isEmpty()) {
      const { text } = this.composer;
      this.newSession();
      if (!text.startsWith('@')) this.compose(composing.typed(this.composer, text));
    }
    this.beside.assistants.choose(name);
    this.beside.focus.toInput();
  }

  /** A session that leaves nothing; it ends when another one takes its place. */
  newIncognito(): void {
    this.beside.incognito.open((opened) => {
      this.leave();
      this.beside.incognito.take(opened);
      this.beside.models.reset('forgets');
      this.enter(emptyConversation(opened.session));
    });
  }

  openSession(session: SessionId): void {
    this.starting = false;
    this.readSession(session, (view) => {
      this.leave();
      this.enter(view);
    });
  }

  deleteSession(session: SessionId): void {
    const { sessionList, toasts, i18n } = this.beside;
    sessionList.remove(session);
    toasts.undoable(i18n.say('deleted'), () => sessionList.undo());
    if (this.view.session !== session) return;
    this.putAway('parts');
    this.enter(emptyConversation(null));
  }

  /** At the start the user goes on where they were a moment ago; what was typed or sent meanwhile goes there. */
  start(): void {
    if (!this.starting) return;
    const latest = this.beside.sessionList.latest();
    if (latest === null || this.view.session !== null) return this.started();
    this.readSession(latest.id, (view) => {
      this.enter(view, this.composer);
      this.started();
    });
  }

  /** Events were lost, or of a session another version is shown: what is true stands in the record. */
  readAgain(of?: SessionId): void {
    const {
      opening,
      view: { session },
    } = this;
    if (session === null || (of ?? session) !== session) return;
    this.beside.backend.ask({ request: 'session_show', session }, (reply) => {
      if (opening !== this.opening) return;
      this.view = { ...conversationOf(reply.session), sent: this.view.sent };
    });
  }

  /** Learns what the steps of its workflows wait for, so that it is decided here; otherwise a note says where. */
  askSteps(turn: Turn): void {
    const { opening } = this;
    for (const call of workflowCalls(turn))
      this.beside.backend.ask(
        { request: 'workflows', action: { action: 'of_call', run: turn.run, call } },
        ({ run }: ReplyNamed<'workflow_run'>) => {
          const cards = run.waiting.map((card) => card.event);
          if (opening === this.opening) this.view = withCardsOfSteps(this.view, turn.run, cards);
        },
      );
  }

  // ---- what comes back ----------------------------------------------------------------------------------

  take(event: RunEvent, from: StreamedReply['from']): void {
    if (this.reading !== null && this.reading.held.length < HELD_EVENTS_MAX) this.reading.held.push(event);
    // The first run of a new session is known as ours by the request it answers.
    const ours = from !== 'watch' && from.opening === this.opening;
    if (this.view.session === null && !ours) return;
    const before = this.view;
    this.view = apply(before, event);
    if (this.view === before) return;
    this.beside.models.follow(this.view.session);
    this.beside.activities.look(this.view.session);
    if (event.type === 'run_started' && !ours && before.sent === null) this.readAgain(); // it may be another version
    if (event.type === 'decided') {
      const asker = showing(before, event.run, event.call);
      // After a restart nothing else goes on with it. Otherwise it may be over already, which is no news.
      if (asker !== undefined) this.beside.backend.ask({ request: 'resume', run: asker.run }, () => undefined);
      this.beside.decisions.settle(event.run, event.call);
      this.beside.focus.cardAtHand = null;
    }
    if (event.type === 'run_ended') this.ended(event);
  }

  fail(error: UserError, { draft, opening, session }: PendingRequest): void {
    this.beside.decisions.clear();
    if (opening !== this.opening) {
      this.failElsewhere(error, session, draft);
      return;
    }
    this.stopping = false;
    this.trouble = error;
    if (draft === null) return;
    this.view = returned(this.view);
    this.compose(composing.kept(this.composer, draft));
    this.returned = draft.text;
  }

  /** After everything that came at once: since when a run is at work. */
  settle(): void {
    if (!this.working) this.workingSince = null;
    else this.workingSince ??= Date.now();
  }

  /** A request of a conversation that was left failed: its question waits there, and the reason is told in passing. */
  private failElsewhere(error: UserError, session: SessionId | null, draft: composing.Draft | null): void {
    const { places, toasts, i18n, preferences } = this.beside;
    toasts.say(told(i18n.language, error));
    if (draft === null) return;
    const known = places.takeDraft(session) ?? composing.emptyComposer(preferences.settings.mode);
    places.keepDraft(session, composing.givenBack(known, draft));
  }

  isEmpty(): boolean {
    return this.view.turns.length === 0 && this.view.sent === null;
  }

  private get composer(): composing.Composer {
    return this.beside.draft.view;
  }

  private compose(view: composing.Composer): void {
    this.beside.draft.view = view;
  }

  private ask(draft: composing.Draft, earlier: Turn | null = null, how: 'again' | 'instead' = 'again'): void {
    this.trouble = null;
    const begins = this.isEmpty();
    const { assistant } = this;
    const asking = sent(this.view, {
      text: draft.text,
      files: draft.chips.map((chip) => chip.name),
      along: earlier?.context ?? [],
      ...(how === 'instead' && earlier !== null ? { instead: earlier.run } : {}),
    });
    this.view = { ...asking, assistant };
    this.workingSince = Date.now();
    const overrides = overridesOf(this.beside.models.chosen);
    const ask = composing.askOf(
      draft,
      this.view.session,
      this.composer.mode,
      this.beside.i18n.language,
      overrides,
      this.beside.folders.paths,
      begins ? assistant : null,
    );
    this.request({ request: 'ask', ...ask, ...(earlier === null ? {} : { [how]: earlier.run }) }, draft);
  }

  private ended(event: Extract<RunEvent, { type: 'run_ended' }>): void {
    this.stopping = false;
    const { queued } = this.composer;
    if (event.status === 'failed' && queued === null) {
      const question = this.view.turns.find((turn) => turn.run === event.run)?.question ?? '';
      this.compose(composing.kept(this.composer, composing.draftOf(question)));
    }
    if (queued === null || this.working || event.status === 'suspended') return;
    this.compose(composing.unqueued(this.composer));
    if (event.status === 'completed' || event.status === 'gave_up') this.ask(queued);
    else this.compose(composing.givenBack(this.composer, queued));
  }

  /** Reads a branch of `session` and brings it in front. */
  private branch(session: SessionId, before: RunId | null): void {
    this.readView({ request: 'session_branch', session, before }, (view) => {
      this.leave('branches');
      this.enter(view);
      this.beside.sessionList.read();
      this.beside.focus.toInput();
    });
  }

  /** Asks for a session; what comes after the panel has turned to another one is let go. */
  private readView(
    request: Extract<Request, { request: 'session_switch' | 'session_branch' }>,
    then: (view: Conversation) => void,
  ): void {
    const { opening } = this;
    const isCurrent = () => opening === this.opening;
    this.beside.backend.ask(
      request,
      (reply) => isCurrent() && then(conversationOf(reply.session)),
      (error) => isCurrent() && (this.trouble = error),
    );
  }

  /** Reads a session, with what happens in it meanwhile; another one that is opened before takes its place. */
  private readSession(session: SessionId, then: (view: Conversation) => void): void {
    const reading: { session: SessionId; held: RunEvent[] } = { session, held: [] };
    this.reading = reading;
    const isWanted = () => {
      if (this.reading !== reading) return false;
      this.reading = null;
      return true;
    };
    this.beside.backend.ask(
      { request: 'session_show', session },
      (reply) => {
        if (isWanted()) then(reading.held.reduce(apply, conversationOf(reply.session)));
      },
      (error) => {
        if (!isWanted()) return;
        this.beside.navigation.show('conversation');
        this.trouble = error;
        this.started();
      },
    );
  }

  private started(): void {
    this.starting = false;
    if (!this.sendsWhenStarted) return;
    this.sendsWhenStarted = false;
    this.send();
  }

  /** Brings a conversation in front, with the draft that was left there, or with `typed`. */
  private enter(view: Conversation, typed?: composing.Composer): void {
    const { models, activities, places, preferences, focus } = this.beside;
    this.view = view;
    models.follow(view.session);
    activities.look(view.session);
    const draft = places.takeDraft(view.session) ?? composing.emptyComposer(preferences.settings.mode);
    if (typed === undefined)
      this.beside.draft.turnTo(composing.resumed(composing.turned(this.composer, draft), this.working));
    else this.compose(typed);
    this.workingSince = workingSince(view);
    this.opened += 1;
    focus.toInput();
  }

  /** Before another conversation takes the place of this one. */
  private leave(how: 'parts' | 'branches' = 'parts'): void {
    this.putAway(how);
    this.beside.navigation.show('conversation');
  }

  /** Keeps what was typed here, and ends what belongs to this conversation alone; a branch of an incognito one is as incognito. */
  private putAway(how: 'parts' | 'branches'): void {
    const { incognito, places, toasts, i18n, models, findInPage, focus } = this.beside;
    if (incognito.session === null) places.keepDraft(this.view.session, this.composer);
    else if (how === 'parts') toasts.say(i18n.say(incognito.end(models)));
    findInPage.end();
    this.opening += 1;
    this.reading = null;
    this.starting = false;
    this.trouble = null;
    this.stopping = false;
    focus.cardAtHand = null;
  }
}

export const [useConversation, provideConversation] = createContext<ConversationStore>();
