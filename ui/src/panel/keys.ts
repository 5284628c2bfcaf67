/** What keys mean in the panel as a whole. Pure, but for reading the event it is given. */

/** Whether an input method holds the key: WebKit reports the Enter that ends a composition as 229 only. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

export type PanelKey = 'new-session' | 'find' | 'find-here' | 'next-card' | 'back' | 'forward' | 'escape' | 'none';

export function panelKey(event: KeyboardEvent): PanelKey {
  const control = event.ctrlKey || event.metaKey;
  if (isComposing(event)) return 'none';
  if (control && !event.shiftKey && !event.altKey) {
    const key = event.key.toLowerCase();
    if (key === 'n') return 'new-session';
    if (key === 'f') return 'find-here';
    return key === 'k' ? 'find' : 'none';
  }
  if (event.altKey && event.key === 'ArrowUp') return 'back';
  if (event.altKey && event.key === 'ArrowDown') return 'forward';
  if (event.key === 'F8') return 'next-card';
  return event.key === 'Escape' ? 'escape' : 'none';
}

/** The element to walk to from the one that has the focus. */
export function walkedTo(elements: HTMLElement[], active: Element | null, step: 1 | -1): HTMLElement | null {
  const at = elements.findIndex((element) => element === active || element.contains(active));
  if (at < 0) return (step < 0 ? elements.at(-1) : elements[0]) ?? null;
  return elements[at + step] ?? null;
}
