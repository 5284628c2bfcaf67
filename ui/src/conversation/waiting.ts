/**
 * What waits for the user in a turn: cards of its own calls, and of the steps of workflows that it called.
 *
 * A card stands until it is decided, here or elsewhere.
 */
import type { CallId } from '../bindings/CallId';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import { push, settleCall } from './pieces';
import { ownCards, type Conversation, type Turn, type Waiting } from './view';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** A run waits for what the steps of its workflows ask: theirs are its cards, too. */
export function withCardsOfSteps(view: Conversation, run: RunId, events: readonly RunEvent[]): Conversation {
  const cards = events.flatMap((event) =>
    event.type === 'approval_needed' || event.type === 'question' ? [cardOfEvent(event)] : [],
  );
  return {
    ...view,
    turns: view.turns.map((turn) => (turn.run === run ? { ...turn, waiting: [...ownCards(turn), ...cards] } : turn)),
  };
}

/** The turn that shows a card of another run. */
export function showing(view: Conversation, run: RunId, call: CallId): Turn | undefined {
  const isCard = (card: Waiting) => card.run === run && card.call === call;
  return view.turns.find((turn) => turn.run !== run && turn.waiting.some(isCard));
}

/** Takes a decision of another run into the turn that shows its card. */
export function decidedElsewhere(view: Conversation, event: EventOf<'decided'>): Conversation {
  const shown = showing(view, event.run, event.call);
  if (shown === undefined) return view;
  const waiting = shown.waiting.filter((card) => card.run !== event.run || card.call !== event.call);
  return { ...view, turns: view.turns.map((turn) => (turn === shown ? { ...turn, waiting } : turn)) };
}

export function cardOfEvent(event: EventOf<'approval_needed'> | EventOf<'question'>): Waiting {
  const { run, call } = event;
  if (event.type === 'question') return { what: 'question', run, call, text: event.text, fields: event.fields };
  const { tool, args, class: of, origin, family } = event;
  return { what: 'approval', run, call, tool, args, class: of, origin, family };
}

/** Whether a card is that of a call of the run itself. */
function isOf(turn: Turn, call: CallId): (card: Waiting) => boolean {
  return (card) => card.run === turn.run && card.call === call;
}

export function waits(turn: Turn, card: Waiting): Turn {
  const isSame = isOf(turn, card.call);
  return { ...turn, waiting: [...turn.waiting.filter((known) => !isSame(known)), card] };
}

/** What waits goes with its call: whoever asked waits for it no longer. */
export function waitsNoMore(turn: Turn, call: CallId): Turn {
  const isDone = isOf(turn, call);
  return turn.waiting.some(isDone) ? { ...turn, waiting: turn.waiting.filter((card) => !isDone(card)) } : turn;
}

export function decided(turn: Turn, event: EventOf<'decided'>): Turn {
  const isDecided = isOf(turn, event.call);
  const card = turn.waiting.find(isDecided);
  const rest = { ...turn, waiting: turn.waiting.filter((known) => !isDecided(known)) };
  if (card === undefined) return rest;
  const reason = event.reason ?? '';
  if (event.approved) {
    return card.what === 'approval'
      ? rest
      : push(rest, { what: 'exchange', call: card.call, question: card.text, answer: reason });
  }
  const [tool, args] = card.what === 'approval' ? [card.tool, card.args] : ['user.ask', { text: card.text }];
  const refusal = { what: 'refusal', call: card.call, tool, args, reason } as const;
  return push(
    settleCall(rest, event.call, {
      state: 'refused',
      summary: '',
      ms: null,
      grounds: [{ by: 'user', approved: false, always: false }],
    }),
    refusal,
  );
}
