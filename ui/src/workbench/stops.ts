/** Walking between the parts of a section with F6, and to its search with Ctrl F: the same in every section. */

/** The next part that takes the focus, marked `data-stop`, from the one that has it. */
function nextStop(main: HTMLElement, back: boolean): HTMLElement | undefined {
  const stops = [...main.querySelectorAll<HTMLElement>('[data-stop]')];
  const at = stops.findIndex((stop) => stop.contains(document.activeElement));
  return stops.at((at + (back ? stops.length - 1 : 1)) % stops.length);
}

/** Does what F6 and Ctrl F do. `shows` is told where the focus goes, before it does. */
export function walk(event: KeyboardEvent, main: HTMLElement | undefined, field: HTMLInputElement | undefined, shows: (stop: HTMLElement) => void): void {
  const control = event.ctrlKey || event.metaKey;
  if (event.isComposing || event.altKey || main === undefined) return;
  if (control && event.key.toLowerCase() === 'f' && field !== undefined) {
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
