/** Walking between the parts of a section with F6, and to its search with Ctrl F: the same in every section. */

/** The next part that takes the focus, marked `data-stop`, from the one that has it. */
function nextStop(main: HTMLElement, back: boolean): HTMLElement | undefined {
  const stops = [...main.querySelectorAll<HTMLElement>('[data-stop]')];
  const at = stops.findIndex((stop) => stop.contains(document.activeElement));
  return stops.at((at + (back ? stops.length - 1 : 1)) % stops.length);
}

/** Keys that mean the page and not what stands in it. */
const OF_THE_PAGE = ['Tab', 'F6', 'Enter', ' '];
/** Keys that go through a list: the thing beside it has no use for them while it has the focus as a whole. */
const OF_THE_LIST = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'j', 'k'];

/**
 * A key that nobody has the focus for, since the section was only just opened, is the list's: what is chosen there stands
 * open beside it, with its keys on its buttons. So is one that goes through the list while the thing as a whole has the
 * focus: what was pressed in it is gone.
 */
function given(event: KeyboardEvent, main: HTMLElement): boolean {
  const { target, key } = event;
  const isNobodys = target === document.body && !OF_THE_PAGE.includes(key);
  const isOfThing = target instanceof HTMLElement && target.matches('.detail[data-stop]');
  const isOfList = isOfThing && !event.defaultPrevented && OF_THE_LIST.includes(key);
  const isPlain = (isNobodys || isOfList) && !event.ctrlKey && !event.metaKey;
  const list = isPlain ? main.querySelector<HTMLElement>('[data-stop]') : null;
  // A thing that stands alone has no list beside it: given to itself, the key would go round without end.
  if (list === null || list === target) return false;
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
