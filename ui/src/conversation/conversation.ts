/**
 * A session's view as a fold over its events: `apply(view, event) -> view`.
 *
 * Pure: no DOM, no clock, no backend. A stored session comes as the events that its runs sent, so both ways give the same
 * view.
 */
import { USUAL } from '../assistants/assistants';
import type { RunEvent } from '../bindings/RunEvent';
import type { SessionDetail } from '../bindings/SessionDetail';
import type { SessionId } from '../bindings/SessionId';
import { cardOf, type ShownCard } from '../cards/cards';
import {
  beforeDraft,
  between,
  called,
  printed,
  push,
  recorded,
  replaceLast,
  retracted,
  settleCall,
  settled,
  undrafted,
  withProgram,
} from './pieces';
import {
  isDraft,
  turnsOf,
  type Along,
  type Conversation,
  type Piece,
  type Sent,
  type Turn,
  type Waiting,
} from './view';
import { cardOfEvent, decided, decidedElsewhere, waits, waitsNoMore } from './waiting';
import { answeredAnew, brokenOff, standing } from './withdrawn';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export function emptyConversation(session: SessionId | null): Conversation {
  return { session, assistant: null, turns: [], sent: null };
}

/** The view of a stored session; events newer than the record may be applied to it. */
export function conversationOf(detail: SessionDetail): Conversation {
  const view = (detail.events ?? []).reduce(apply, emptyConversation(detail.summary.id));
  const runs = new Map(detail.runs.map((run) => [run.id, run]));
  return {
    ...view,
    assistant: detail.summary.assistant ?? null,
    turns: view.turns.map((turn) => ({
      ...turn,
      seq: runs.get(turn.run)?.seq ?? turn.seq,
      versions: runs.get(turn.run)?.versions ?? [],
    })),
  };
}

/** The view right after the user sent a question, before anything came back. */
export function sent(view: Conversation, question: Sent): Conversation {
  return { ...view, sent: question };
}

/** The view when a question could not be sent at all. */
export function returned(view: Conversation): Conversation {
  return { ...view, sent: null };
}

/** Takes one event of a run into the view; events of other sessions and events seen before change nothing. */
export function apply(view: Conversation, event: RunEvent): Conversation {
  const index = view.turns.findLastIndex((turn) => turn.run === event.run);
  if (index < 0 && event.type === 'decided') return decidedElsewhere(view, event);
  if (index < 0) return event.type === 'run_started' ? begun(view, event) : view;
  const turn = view.turns[index];
  if (turn === undefined || event.seq <= turn.seq) return view;
  const turns = view.turns.slice();
  turns[index] = { ...advance(awake(turn, event), event), seq: event.seq };
  return { ...view, turns };
}

/** Whether anything of the session is at work. */
export function isWorking(view: Conversation): boolean {
  return view.sent !== null || view.turns.some((turn) => turn.status === 'working');
}

/** Since when it is at work, as far as its events tell, in milliseconds. */
export function workingSince(view: Conversation): number | null {
  const last = view.turns.findLast((turn) => turn.status === 'working');
  return last === undefined ? null : Date.parse(last.latest);
}

/** Everything of the session that waits for the user, oldest first. */
export function waitingCards(view: Conversation): Waiting[] {
  return view.turns.flatMap((turn) => turn.waiting);
}

function begun(view: Conversation, event: EventOf<'run_started'>): Conversation {
  if (view.session === null ? view.sent === null : view.session !== event.session) return view;
  const replaced = view.turns.find((turn) => turn.run === view.sent?.instead);
  const turn: Turn = {
    run: event.run,
    versions:
      replaced === undefined ? [] : [...(replaced.versions.length > 0 ? replaced.versions : [replaced.run]), event.run],
    seq: event.seq,
    question: view.sent?.text ?? '',
    context: [],
    pieces: [],
    waiting: [],
    status: 'working',
    awaits: null,
    offline: event.offline,
    todo: [],
    rounds: 1,
    reason: null,
    error: null,
    usage: null,
    started: event.time,
    latest: event.time,
  };
  // A stored event names nobody: its session does.
  const named = event.assistant === '' ? view.assistant : event.assistant;
  const assistant = named === USUAL ? null : named;
  return { session: event.session, assistant, turns: [...turnsOf(view), turn], sent: null };
}

/** A run that had ended or rested goes on as soon as something new comes from it. */
function awake(turn: Turn, event: RunEvent): Turn {
  if (turn.status === 'working' || event.type === 'run_ended') return turn;
  return { ...turn, status: 'working', reason: null, error: null };
}

function advance(turn: Turn, event: RunEvent): Turn {
  switch (event.type) {
    case 'run_started':
      return { ...turn, offline: event.offline };
    case 'context':
      return event.items.reduce(along, turn);
    case 'segment':
      return { ...segment(turn, event), latest: event.time };
    case 'delta':
      return delta(turn, event);
    case 'retracted':
      return undrafted(settled(retracted(turn)));
    case 'standing':
      return standing(turn, event.stands);
    case 'awaiting':
      return { ...turn, awaits: event.wait };
    case 'code':
      return withProgram(turn, event.exec, event.time, (program) => ({ ...program, program: event.program }));
    case 'call':
      return called(turn, event);
    case 'call_done':
      return settleCall(waitsNoMore(turn, event.call), event.call, {
        state: event.ok ? 'done' : 'failed',
        summary: event.summary,
        ms: event.ms,
        grounds: event.grounds ?? [],
        ...(event.pictures === undefined ? {} : { pictures: event.pictures }),
        ...(event.files === undefined ? {} : { files: event.files }),
      });
    case 'approval_needed':
    case 'question':
      return waits(turn, cardOfEvent(event));
    case 'decided':
      return decided(turn, event);
    case 'output':
      return withProgram(turn, event.exec, event.time, (program) => ({
        ...program,
        output: printed(program.output, event),
      }));
    case 'answer':
      return turn.pieces.some((piece) => piece.what === 'words')
        ? turn
        : push(turn, { what: 'words', text: event.text, writing: false, exec: null, withdrawn: false });
    case 'run_ended':
      return ended(turn, event);
    case 'todo':
      return { ...turn, todo: event.items };
    case 'notification':
      return noticed(turn, event.source, event.text);
    case 'compacted':
      return push(turn, { what: 'compaction', before: event.before_tokens, after: event.after_tokens });
    case 'card':
      return withCard(turn, event.id, cardOf(event.kind, event.data));
    // Its segment says the same.
    case 'recalled':
    case 'variables':
      return turn;
  }
}

/** The question itself, or what the user added later; an answer to a card is shown with its question already. */
function said(turn: Turn, text: string): Turn {
  if (turn.question === '' || (turn.question === text && turn.pieces.every((piece) => piece.what === 'recall')))
    return { ...turn, question: text };
  const last = turn.pieces.at(-1);
  return last?.what === 'exchange' && last.answer === text ? turn : push(turn, { what: 'said', text });
}

function segment(turn: Turn, event: EventOf<'segment'>): Turn {
  const { exec } = event;
  switch (event.kind) {
    case 'User':
      return said(turn, event.text);
    case 'Thought':
      return beforeDraft(settled(retracted(turn)), {
        what: 'thought',
        text: event.text,
        ms: between(turn.latest, event.time),
        writing: false,
      });
    case 'Python': {
      const { text, time } = event;
      return exec === null
        ? push(undrafted(settled(turn)), {
            what: 'program',
            exec,
            unrun: true,
            program: text,
            calls: [],
            output: null,
            started: time,
          })
        : withProgram(settled(turn), exec, time, (program) => ({ ...program, program: text, started: time }));
    }
    case 'Output': {
      const { text, time } = event;
      return exec === null
        ? turn
        : withProgram(turn, exec, time, (program) => ({ ...program, output: recorded(program, text, time) }));
    }
    case 'Express':
      // The model's own words take the place of a program that it only thought of.
      return push(settled(retracted(exec === null ? answeredAnew(undrafted(turn)) : turn)), {
        what: 'words',
        text: event.text,
        writing: false,
        exec,
        withdrawn: false,
      });
    case 'NextGoal':
      return push(turn, { what: 'goal', text: event.text });
    case 'Round':
      return { ...turn, rounds: turn.rounds + 1 };
    case 'Notification':
      return noticed(turn, '', event.text);
    case 'Context':
      return along(turn, event);
    case 'Card':
      return withCard(turn, event.card_id, cardOf(event.card, event.data));
    case 'Recalled':
      return event.marks.length === 0 ? turn : push(turn, { what: 'recall', marks: event.marks });
    case 'Stopped':
      return brokenOff(turn);
    // For the model, not for the reader.
    case 'Reminder':
    case 'Knowledge':
    case 'Experience':
    case 'Evaluation':
    case 'Message':
    case 'Summary':
    case 'Cut':
    case 'Understood':
    case 'Custom':
      return turn;
  }
}

/** A card; its event and its segment say the same and are shown once. */
function withCard(turn: Turn, id: string, card: ShownCard | null): Turn {
  if (card === null) return turn;
  if (!turn.pieces.some((piece) => piece.what === 'card' && piece.id === id))
    return push(turn, { what: 'card', id, card });
  // How far something is changes in its place.
  return card.kind !== 'progress'
    ? turn
    : {
        ...turn,
        pieces: turn.pieces.map((piece) => (piece.what === 'card' && piece.id === id ? { ...piece, card } : piece)),
      };
}

function along(turn: Turn, item: Along): Turn {
  if (turn.context.some((known) => known.title === item.title)) return turn;
  return { ...turn, context: [...turn.context, { source: item.source, title: item.title }] };
}

function delta(turn: Turn, event: EventOf<'delta'>): Turn {
  const last = turn.pieces.at(-1);
  if (event.kind === 'Express') {
    if (last?.what === 'words' && last.writing) return replaceLast(turn, { ...last, text: last.text + event.text });
    return push(turn, { what: 'words', text: event.text, writing: true, exec: null, withdrawn: false });
  }
  if (event.kind === 'Thought') {
    if (last?.what === 'thought' && last.writing) return replaceLast(turn, { ...last, text: last.text + event.text });
    return push(turn, { what: 'thought', text: event.text, ms: null, writing: true });
  }
  if (event.kind === 'Python') {
    if (last !== undefined && isDraft(last)) return replaceLast(turn, { ...last, program: last.program + event.text });
    return push(turn, {
      what: 'program',
      exec: null,
      program: event.text,
      calls: [],
      output: null,
      started: event.time,
    });
  }
  return turn;
}

/** A note from elsewhere; its event and its segment say the same and are shown once. */
function noticed(turn: Turn, source: string, text: string): Turn {
  const last = turn.pieces.at(-1);
  if (last?.what === 'notice' && last.text === text)
    return replaceLast(turn, { ...last, source: last.source === '' ? source : last.source });
  return push(turn, { what: 'notice', source, text });
}

function ended(turn: Turn, event: EventOf<'run_ended'>): Turn {
  const pieces = turn.pieces
    .filter((piece) => !isDraft(piece))
    .map((piece): Piece => {
      if (piece.what === 'words' && piece.writing) return { ...piece, writing: false };
      if (piece.what === 'thought' && piece.writing)
        return { ...piece, writing: false, ms: between(turn.latest, event.time) };
      return piece;
    });
  return {
    ...turn,
    pieces,
    waiting: event.status === 'suspended' ? turn.waiting : [],
    awaits: null,
    status: event.status,
    reason: event.reason ?? null,
    error: event.error ?? null,
    usage: event.usage,
  };
}
