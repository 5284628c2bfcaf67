/**
 * What a session looks like to its reader: plain values, made by `conversation.ts` and drawn by `panel/`.
 *
 * Holds nothing that only one of the two sources knows: a view folded from events and one made from the record
 * of the same session are equal.
 */
import type { CallId } from '../bindings/CallId';
import type { Class } from '../bindings/Class';
import type { ExecId } from '../bindings/ExecId';
import type { Ground } from '../bindings/Ground';
import type { Origin } from '../bindings/Origin';
import type { RunId } from '../bindings/RunId';
import type { RunStatus } from '../bindings/RunStatus';
import type { SessionId } from '../bindings/SessionId';
import type { TodoItem } from '../bindings/TodoItem';
import type { Usage } from '../bindings/Usage';
import type { UserError } from '../bindings/UserError';
import type { Wait } from '../bindings/Wait';
import type { ShownCard } from '../cards/cards';
import { isOfPage } from '../pages/pages';
import type { Mark } from '../memory/recall';

export interface Conversation {
  /** `null` until the first question of a new session was taken. */
  session: SessionId | null;
  /** The assistant that it is held with; `null` is the usual one. */
  assistant: string | null;
  turns: readonly Turn[];
  /** The question that was sent and not yet taken. */
  sent: Sent | null;
}

export interface Sent {
  text: string;
  files: readonly string[];
  /** What goes along without being attached anew. */
  along: readonly Along[];
  /** The run whose place it takes; it stays as another version. */
  instead?: RunId;
}

/** One run: a question and everything that came of it. */
export interface Turn {
  run: RunId;
  /** Every run that was asked in this place, itself among them, oldest first; empty where it is the only one. */
  versions: readonly RunId[];
  /** The last event that was applied; earlier ones are ignored. */
  seq: number;
  question: string;
  /** What was sent along. */
  context: readonly Along[];
  pieces: readonly Piece[];
  waiting: readonly Waiting[];
  status: RunStatus | 'working';
  /** What its model's answer waits for just now. */
  awaits: Wait | null;
  offline: boolean;
  /** What is to be done, as the program last told. */
  todo: readonly TodoItem[];
  /** Rounds of the coding loop so far. */
  rounds: number;
  reason: string | null;
  error: UserError | null;
  usage: Usage | null;
  started: string;
  /** Time of the last finished piece: the next one's duration counts from it. */
  latest: string;
}

/** The turns to draw: what is asked anew stands in the place of the turn whose version it becomes. */
export function turnsOf({ turns, sent }: Conversation): readonly Turn[] {
  const at = turns.findIndex((turn) => turn.run === sent?.instead);
  return at < 0 ? turns : turns.slice(0, at);
}

/** The program's calls that have no result yet. */
function openCalls(turn: Turn): readonly ShownCall[] {
  return turn.pieces.flatMap((piece) =>
    piece.what === 'program' ? piece.calls.filter((call) => call.state === 'open') : [],
  );
}

/** The cards of the run itself; the others are of steps of workflows that it called. */
export function ownCards(turn: Turn): readonly Waiting[] {
  return turn.waiting.filter((card) => card.run === turn.run);
}

/** Whether the run rests with what it asked of others, and no card of its own waits. An interrupted run has no reason. */
function rests(turn: Turn): boolean {
  return turn.status === 'suspended' && ownCards(turn).length === 0 && turn.reason !== null;
}

/** Whether the run waits for nobody itself, but for a sub-agent that does. */
export function restsWithAgents(turn: Turn): boolean {
  return rests(turn) && openCalls(turn).some((call) => call.tool === 'agents.run');
}

/** Whether the run waits for nobody itself, but for a step of a workflow that does. */
export function restsWithWorkflow(turn: Turn): boolean {
  return rests(turn) && workflowCalls(turn).length > 0;
}

/** The calls of workflows that the run waits for. */
export function workflowCalls(turn: Turn): readonly CallId[] {
  return openCalls(turn).flatMap(({ tool, call }) => (tool.startsWith('workflows.') ? [call] : []));
}

/** Whether the run waits for what the user does on a page in the browser. */
export function restsWithPage(turn: Turn): boolean {
  return rests(turn) && openCalls(turn).some((call) => isOfPage(call.tool));
}

/** One thing that was sent along with the question. */
export interface Along {
  /** `file`, `page`, `selection`, … */
  source: string;
  title: string;
}

export type Piece = Thought | Program | Words | Said | Goal | Exchange | Refusal | Notice | Compaction | Recall | Shown;

export interface Thought {
  what: 'thought';
  text: string;
  /** `null` while it is being written. */
  ms: number | null;
  writing: boolean;
}

export interface Program {
  what: 'program';
  /** `null` while it is being written, and for good when it was never run. */
  exec: ExecId | null;
  /** Set when it was kept as it stood and never run. */
  unrun?: true;
  program: string;
  calls: readonly ShownCall[];
  output: Output | null;
  started: string;
}

/** Whether a piece is a program that is still being written. */
export function isDraft(piece: Piece): piece is Program {
  return piece.what === 'program' && piece.exec === null && piece.unrun !== true;
}

export interface Words {
  what: 'words';
  text: string;
  writing: boolean;
  /** The program that said them; `null` for the model's own. */
  exec: ExecId | null;
  /** Sent back to the model, or broken off: another answer takes their place. */
  withdrawn: boolean;
  /** Set when they broke off. */
  broken?: true;
}

/** What the user added while the run was at work. */
export interface Said {
  what: 'said';
  text: string;
}

export interface Goal {
  what: 'goal';
  text: string;
}

/** A question that was answered. */
export interface Exchange {
  what: 'exchange';
  call: CallId;
  question: string;
  answer: string;
}

export interface Refusal {
  what: 'refusal';
  call: CallId;
  tool: string;
  args: Record<string, unknown>;
  reason: string;
}

export interface Notice {
  what: 'notice';
  /** Who tells, where it is known. */
  source: string;
  text: string;
}

/** The earlier conversation was shortened for the model; what is shown stays whole. */
export interface Compaction {
  what: 'compaction';
  before: number;
  after: number;
}

/** What memory brought in by itself. */
export interface Recall {
  what: 'recall';
  marks: readonly Mark[];
}

/** A card that a program shows. */
export interface Shown {
  what: 'card';
  id: string;
  card: ShownCard;
}

export interface ShownCall {
  call: CallId;
  tool: string;
  args: Record<string, unknown>;
  line: number;
  state: 'open' | 'done' | 'failed' | 'refused';
  summary: string;
  ms: number | null;
  /** Why it was let through or refused. */
  grounds: readonly Ground[];
  /** Pictures that came with the result, by the paths where they are kept. */
  pictures?: readonly string[];
  /** Other files that came with it. */
  files?: readonly string[];
}

export interface Output {
  text: string;
  ok: boolean;
  ms: number;
  /** Whether the text is the transcript's own; else it is what the program printed, until that arrives. */
  settled: boolean;
}

export type Waiting = WaitingApproval | WaitingQuestion;

export interface WaitingApproval {
  what: 'approval';
  run: RunId;
  call: CallId;
  tool: string;
  args: Record<string, unknown>;
  class: Class;
  origin: readonly Origin[];
  family: string;
}

export interface WaitingQuestion {
  what: 'question';
  run: RunId;
  call: CallId;
  text: string;
  fields: unknown;
}
