/**
 * Follows the end of a frame that grows, until the user scrolls up.
 *
 * What grows moves the end away and is followed; only who scrolls up lets go. The browser tells of a scroll a frame late,
 * when more may have grown: each is compared with where the frame was left last.
 */

/** Distance from the end within which the scroll still sticks, in pixels: one line of text. */
const STICKS_WITHIN_PX = 24;

export class Following {
  /** Whether the end is out of sight. */
  isAway = $state(false);
  sticks = true;

  /** Where the frame was left, in pixels. */
  private top = 0;

  /** Takes in where the frame is now; whoever it was that scrolled. */
  look(frame: HTMLElement): void {
    this.isAway = distance(frame) >= STICKS_WITHIN_PX;
    if (!this.isAway) this.sticks = true;
    else if (frame.scrollTop < this.top) this.sticks = false;
    this.top = frame.scrollTop;
  }

  /** Scrolling up lets go at once, before the next piece of text can pull back. */
  wheel(event: WheelEvent): void {
    if (event.deltaY < 0 && this.top > 0) this.sticks = false;
  }

  /** Scrolls in the program's name, which is nobody's wish. */
  goTo(frame: HTMLElement, place: number): void {
    frame.scrollTo({ top: place });
    this.top = frame.scrollTop;
    this.isAway = distance(frame) >= STICKS_WITHIN_PX;
  }

  /** Where the end is read from: a waiting card that is taller than the window is read from its head. */
  toEnd(frame: HTMLElement): void {
    const card = frame.querySelector<HTMLElement>('[data-card]');
    const isTall = card !== null && card.offsetHeight > frame.clientHeight;
    this.goTo(frame, isTall ? card.offsetTop - frame.offsetTop : frame.scrollHeight);
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
    return () => watcher.disconnect();
  }
}

function distance(frame: HTMLElement): number {
  return frame.scrollHeight - frame.scrollTop - frame.clientHeight;
}
