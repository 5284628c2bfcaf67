/** Keys as the page tells of them, and walking through the elements that can be walked to. */
import type { Key } from './keymap';

/** Whether an input method holds the key: WebKit reports the Enter that ends a composition as 229 only. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** Whether keys are drawn and read the way a Mac has them. */
export const isMac = navigator.platform.startsWith('Mac');

export function keyOf(event: KeyboardEvent): Key {
  return {
    key: event.key,
    shift: event.shiftKey,
    control: event.ctrlKey || event.metaKey,
    alt: event.altKey,
    composing: isComposing(event),
  };
}

/** Whether letters go into a field at that element. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox', 'button'].includes(target.type))
  );
}

/** The element to walk to from the one that has the focus. */
export function walkedTo(elements: HTMLElement[], active: Element | null, step: 1 | -1): HTMLElement | null {
  const at = elements.findIndex((element) => element === active || element.contains(active));
  if (at < 0) return (step < 0 ? elements.at(-1) : elements[0]) ?? null;
  return elements[at + step] ?? null;
}
