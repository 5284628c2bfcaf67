/**
 * What a turn is made of, changed piece by piece: words and thoughts that are still written, programs with their calls and
 * output.
 *
 * Pure.
 */
import type { RunEvent } from '../bindings/RunEvent';
import { isDraft, type Output, type Piece, type Program, type ShownCall, type Turn } from './view';

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** Characters of a program's output kept in the view; the rest is reached through the run's trace. */
const OUTPUT_CHARACTERS_MAX = 200_000;

export function push(turn: Turn, piece: Piece): Turn {
  return { ...turn, pieces: [...turn.pieces, piece] };
}

export function replaceLast(turn: Turn, piece: Piece): Turn {
  return { ...turn, pieces: [...turn.pieces.slice(0, -1), piece] };
}

/** Adds a piece before the program that is still being written: a thought is finished when its program has begun. */
export function beforeDraft(turn: Turn, piece: Piece): Turn {
  const last = turn.pieces.at(-1);
  if (last === undefined || !isDraft(last)) return push(turn, piece);
  return { ...turn, pieces: [...turn.pieces.slice(0, -1), piece, last] };
}

/** Without the words that were streamed since the last segment. */
export function retracted(turn: Turn): Turn {
  const pieces = turn.pieces.filter((piece) => !(piece.what === 'words' && piece.writing));
  return pieces.length === turn.pieces.length ? turn : { ...turn, pieces };
}

/** Without the program that was streamed since the last segment. */
export function undrafted(turn: Turn): Turn {
  const pieces = turn.pieces.filter((piece) => !isDraft(piece));
  return pieces.length === turn.pieces.length ? turn : { ...turn, pieces };
}

/** Without the thought that was streamed since the last segment: its finished form follows. */
export function settled(turn: Turn): Turn {
  const pieces = turn.pieces.filter((piece) => !(piece.what === 'thought' && piece.writing));
  return pieces.length === turn.pieces.length ? turn : { ...turn, pieces };
}

/** Changes the program of that execution; the one being written becomes it, a missing one is added. */
export function withProgram(turn: Turn, exec: number, time: string, change: (program: Program) => Program): Turn {
  const at = turn.pieces.findLastIndex((piece) => piece.what === 'program' && (piece.exec === exec || isDraft(piece)));
  const known = turn.pieces[at];
  const fresh: Program = { what: 'program', exec, program: '', calls: [], output: null, started: time };
  if (known === undefined || known.what !== 'program') return push(turn, change(fresh));
  const pieces = turn.pieces.slice();
  pieces[at] = change({ ...known, exec });
  return { ...turn, pieces };
}

export function called(turn: Turn, event: EventOf<'call'>): Turn {
  const call: ShownCall = {
    call: event.call,
    tool: `${event.toolkit}.${event.method}`,
    args: event.args,
    line: event.line,
    state: 'open',
    summary: '',
    ms: null,
    grounds: [],
  };
  return withProgram(turn, event.exec, event.time, (program) =>
    // A call asked for again after a restart is the same call.
    program.calls.some((known) => known.call === event.call)
      ? program
      : { ...program, calls: [...program.calls, call] },
  );
}

export function settleCall(
  turn: Turn,
  call: number,
  outcome: Pick<ShownCall, 'state' | 'summary' | 'ms' | 'grounds' | 'pictures' | 'files'>,
): Turn {
  const pieces = turn.pieces.map((piece) => {
    if (piece.what !== 'program' || !piece.calls.some((known) => known.call === call)) return piece;
    // A refusal stays one, whatever error the program was given for it.
    const calls = piece.calls.map((known) =>
      known.call === call && known.state !== 'refused' ? { ...known, ...outcome } : known,
    );
    return { ...piece, calls };
  });
  return { ...turn, pieces };
}

export function printed(known: Output | null, event: EventOf<'output'>): Output {
  const text = known?.settled
    ? known.text
    : bounded([event.stdout, event.error ?? ''].filter((part) => part !== '').join('\n'));
  return { text, ok: event.ok, ms: event.ms, settled: known?.settled ?? false };
}

export function recorded(program: Program, text: string, time: string): Output {
  const known = program.output;
  return {
    text: bounded(text),
    // The event that says how it ended follows at once.
    ok: known?.ok ?? true,
    ms: known?.ms ?? between(program.started, time),
    settled: true,
  };
}

export function between(earlier: string, later: string): number {
  const ms = Date.parse(later) - Date.parse(earlier);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function bounded(text: string): string {
  return text.length <= OUTPUT_CHARACTERS_MAX ? text : `${text.slice(0, OUTPUT_CHARACTERS_MAX)}\n…`;
}
