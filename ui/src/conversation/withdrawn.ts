/**
 * Which words of a turn stand: what was sent back to the model, or broke off, gives way to the answer that takes its place.
 *
 * Pure. Nothing is dropped: what gives way is folded, and stands again where nothing else came.
 */
import type { Turn } from './view';

/** Whether the answer that was given last counts, as the runtime tells it. */
export function standing(turn: Turn, stands: boolean): Turn {
  const at = turn.pieces.findLastIndex((piece) => piece.what === 'words' && piece.exec === null && !piece.writing);
  const last = turn.pieces[at];
  return last?.what === 'words' ? { ...turn, pieces: turn.pieces.with(at, { ...last, withdrawn: !stands }) } : turn;
}

/** The words that were said last are not whole. */
export function brokenOff(turn: Turn): Turn {
  const at = turn.pieces.length - 1;
  const last = turn.pieces[at];
  if (last?.what !== 'words' || last.exec !== null) return turn;
  return { ...turn, pieces: turn.pieces.with(at, { ...last, broken: true }) };
}

/** A task that goes on gives its answer whole: what broke off before is taken back. */
export function answeredAnew(turn: Turn): Turn {
  if (!turn.pieces.some((piece) => piece.what === 'words' && piece.broken)) return turn;
  return {
    ...turn,
    pieces: turn.pieces.map((piece) =>
      piece.what === 'words' && piece.broken ? { ...piece, withdrawn: true } : piece,
    ),
  };
}
