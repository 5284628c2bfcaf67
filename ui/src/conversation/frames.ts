/**
 * Collects replies and hands them on once per drawn frame.
 *
 * A hidden window draws no frames, so a timer stands in for them; a burst beyond the bound is handed on at once.
 */

/** Longest wait when no frame is drawn, in milliseconds: hidden windows need no more than ten updates a second. */
const FRAME_WAIT_MS = 100;

/** Replies held back at most. */
const HELD_MAX = 2_000;

export function perFrame<T>(hand: (items: T[]) => void): (item: T) => void {
  let held: T[] = [];
  let frame = 0;
  let timer = 0;
  function flush(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    const items = held;
    held = [];
    hand(items);
  }
  return (item) => {
    held.push(item);
    if (held.length >= HELD_MAX) flush();
    else if (frame === 0) {
      frame = requestAnimationFrame(flush);
      timer = window.setTimeout(flush, FRAME_WAIT_MS);
    }
  };
}
