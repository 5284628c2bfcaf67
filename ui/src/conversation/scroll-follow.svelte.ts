/**
 * Follows the end of a frame that grows, until the user scrolls up.
 *
 * What grows moves the end away and is followed; only who scrolls up lets go. The browser tells of a scroll a frame late,
 * when more may have grown: each is compared with where the frame was left last. It also scrolls by itself. What becomes
 * shorter for a moment, as where a diagram takes its source's place, pulls the frame up. Between other heights a scroll
 * without a hand is nobody's.
 */

/** Distance from the end within which the scroll still sticks, in pixels: one line of text. */
const STICKS_WITHIN_PX = 24;

/** Time in which a key or a wheel moves the frame, in milliseconds: smooth scrolling takes a while. */
const MOVES_WITHIN_MS = 500;

const SCROLL_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);

export class ScrollFollow {
  /** Whether the end is out of sight. */
  isAway = $state(false);
  sticks = true;

  /** Where the frame was left, in pixels. */
  private top = 0;

  /** Heights of the frame and of what is in it, when it was left there. */
  private heights: readonly [number, number] = [0, 0];

  /** Whether a hand is on the frame or its bar, and when one moved it last. */
  private isHeld = false;
  private moved = -Infinity;

  /** The tall card at whose head the frame was left: scrolling down from there is reading on. */
  private headed: HTMLElement | null = null;

  /** The one that was read on in: its head is not gone back to. */
  private begun: HTMLElement | null = null;

  /** Takes in where the frame is now; whoever it was that scrolled. */
  look(frame: HTMLElement): void {
    const isSomebodys =
      this.isMoved() || (frame.clientHeight === this.heights[0] && frame.scrollHeight === this.heights[1]);
    const readsOn = isSomebodys && this.headed !== null && frame.scrollTop > this.top;
    if (readsOn) this.begun = this.headed;
    const wentUp = isSomebodys && frame.scrollTop < this.top;
    this.left(frame);
    if (!this.isAway) this.sticks = true;
    else if (wentUp || readsOn) this.sticks = false;
  }

  /** Scrolling up lets go at once, before the next piece of text can pull back. */
  wheel(event: WheelEvent): void {
    if (event.deltaY < 0 && this.top > 0) this.sticks = false;
  }

  /** Scrolls in the program's name, which is nobody's wish. */
  goTo(frame: HTMLElement, place: number): void {
    frame.scrollTo({ top: place });
    this.headed = null;
    this.left(frame);
  }

  /** Where the end is read from: a waiting card that is taller than the window is read from its head. */
  toEnd(frame: HTMLElement): void {
    const card = frame.querySelector<HTMLElement>('[data-card]');
    const tall = card !== null && card !== this.begun && card.offsetHeight > frame.clientHeight ? card : null;
    this.goTo(frame, tall === null ? frame.scrollHeight : tall.offsetTop - frame.offsetTop);
    this.headed = tall;
  }

  /** Keeps to the end, or to what is read, while `content` and the frame itself change; gives what ends that. */
  watch(frame: HTMLElement, content: HTMLElement): () => void {
    let edge = frame.getBoundingClientRect().top;
    const watcher = new ResizeObserver(() => {
      const moved = frame.getBoundingClientRect().top - edge;
      edge += moved;
      this.look(frame);
      if (this.sticks) this.toEnd(frame);
      // What is read stays where it is when something takes room above.
      else if (moved !== 0) this.goTo(frame, frame.scrollTop + moved);
    });
    watcher.observe(content);
    watcher.observe(frame);
    const ends = this.feel(frame);
    return () => {
      watcher.disconnect();
      ends();
    };
  }

  /** Takes note of the hand that scrolls, until the returned function is called. */
  private feel(frame: HTMLElement): () => void {
    const over = new AbortController();
    const options = { passive: true, signal: over.signal };
    const moves = () => (this.moved = performance.now());
    frame.addEventListener('wheel', moves, options);
    frame.addEventListener('touchmove', moves, options);
    window.addEventListener('keydown', (event) => SCROLL_KEYS.has(event.key) && moves(), options);
    frame.addEventListener('pointerdown', () => (this.isHeld = true), options);
    // Of a bar that is let go, the browser tells only by the next move.
    const released = (event: PointerEvent) => {
      if (this.isHeld && event.buttons === 0) moves();
      this.isHeld &&= event.buttons !== 0;
    };
    window.addEventListener('pointerup', released, options);
    window.addEventListener('pointermove', released, options);
    return () => over.abort();
  }

  private isMoved(): boolean {
    return this.isHeld || performance.now() - this.moved < MOVES_WITHIN_MS;
  }

  private left(frame: HTMLElement): void {
    this.top = frame.scrollTop;
    this.heights = [frame.clientHeight, frame.scrollHeight];
    this.isAway = distance(frame) >= STICKS_WITHIN_PX;
  }
}

function distance(frame: HTMLElement): number {
  return frame.scrollHeight - frame.scrollTop - frame.clientHeight;
}
