/** Walking between the parts of a section with F6, and to its search with Ctrl F: the same in every section. */

/** The next part that takes the focus, marked `data-stop`, from the one that has it. */
function nextStop(main: HTMLElement, back: boolean): HTMLElement | undefined {
  const stops = [...main.querySelectorAll<HTMLElement>('[data-stop]')];
  const at = stops.findIndex((stop) => stop.contains(document.activeElement));
  return stops.at((at + (back ? stops.length - 1 : 1)) % stops.length);
}

/** Keys that mean the page and not what stands in it. */
const OF_THE_PAGE = ['Tab', 'F6', 'Enter', ' '];

/**
 * A key that nobody has the focus for, since what had it is gone or the section was only just opened, is the list's: what
 * is chosen there stands open beside it, with its keys on its buttons.
 */
function given(event: KeyboardEvent, main: HTMLElement): boolean {
  const isPlain =
    event.target === document.body && !event.ctrlKey && !event.metaKey && !OF_THE_PAGE.includes(event.key);
  const list = isPlain ? main.querySelector<HTMLElement>('[data-stop]') : null;
  if (list === null) return false;
  list.focus({ preventScroll: true });
  return !list.dispatchEvent(
    new KeyboardEvent('keydown', { key: event.key, shiftKey: event.shiftKey, bubbles: true, cancelable: true }),
  );
}

/** Does what F6 and Ctrl F do. `shows` is told where the focus goes, before it does. */
export function walk(
  event: KeyboardEvent,
  main: HTMLElement | undefined,
  field: HTMLInputElement | undefined,
  shows: (stop: HTMLElement) => void,
): void {
  const control = event.ctrlKey || event.metaKey;
  if (event.isComposing || event.altKey || main === undefined) return;
  if (given(event, main)) {
    // The list has done it.
  } else if (control && event.key.toLowerCase() === 'f' && field !== undefined) {
    field.focus();
    field.select();
  } else if (event.key === 'F6') {
    const next = nextStop(main, event.shiftKey);
    if (next !== undefined) shows(next);
    // What is covered in a narrow window has to be there first.
    requestAnimationFrame(() => next?.focus());
  } else return;
  event.preventDefault();
}
