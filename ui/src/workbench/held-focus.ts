/**
 * Keeps the focus in a section when the element that has it goes: a pressed button, a closed form, a covered list.
 * What stands in its place has it next, so that Tab goes on from there and the ring is seen.
 *
 * Whoever knows a better place takes the focus while it is drawn: this comes after it, and only where nobody has the focus.
 */

/** Follows the focus within `main`; the function ends that. */
export function holdFocus(main: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  /** The part of the section in which it stood, and which of them that was. */
  let part: HTMLElement | undefined;
  let at = 0;
  /** Whether it was seen switched off: it is waited for. */
  let wasOff = false;
  let isDue = false;

  const came = ({ target }: FocusEvent): void => {
    last = target instanceof HTMLElement ? target : null;
    const parts = partsOf(main);
    part = parts.find((one) => one.contains(last));
    at = part === undefined ? 0 : parts.indexOf(part);
    wasOff = false;
  };

  /** Somebody presses beside everything: that is meant, and nothing is given back. */
  const left = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null || !(target instanceof HTMLElement) || !canHaveFocus(target)) return;
    // An element that goes is told of before it is gone.
    setTimeout(() => {
      if (last === target && canHaveFocus(target) && document.activeElement !== target) last = null;
    });
  };

  const look = (): void => {
    isDue = false;
    if (last === null) return;
    const isOff = last.isConnected && last.matches(':disabled');
    const isOnAgain = wasOff && last.isConnected && !isOff;
    wasOff = isOff;
    const { activeElement } = document;
    const isGone = !isDrawn(last);
    if (activeElement !== document.body && !(activeElement === last && isGone)) return;
    if (isGone) heirOf(main, part, at)?.focus({ preventScroll: true });
    else if (isOnAgain) last.focus({ preventScroll: true });
  };

  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(look);
  });
  main.addEventListener('focusin', came);
  main.addEventListener('focusout', left);
  const attributeFilter = ['class', 'disabled'];
  observer.observe(main, { subtree: true, childList: true, attributes: true, attributeFilter });
  return () => {
    observer.disconnect();
    main.removeEventListener('focusin', came);
    main.removeEventListener('focusout', left);
  };
}

function partsOf(main: HTMLElement): HTMLElement[] {
  return [...main.querySelectorAll<HTMLElement>('[data-stop]')];
}

/** The part itself, or what stands where it stood; in an empty section what can be done there. */
function heirOf(main: HTMLElement, part: HTMLElement | undefined, at: number): HTMLElement | null {
  const parts = partsOf(main).filter(isDrawn);
  if (part !== undefined && parts.includes(part)) return part;
  return parts[at] ?? parts.at(-1) ?? main.querySelector<HTMLElement>('.none button, .none a');
}

/** A button that waits for an answer can't, and has it again afterwards. */
function canHaveFocus(element: HTMLElement): boolean {
  return isDrawn(element) && !element.matches(':disabled');
}

function isDrawn(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
