/**
 * Ctrl Z and Ctrl Shift Z in fields. WebKit of GTK knows how to take typing back, and binds no key to it.
 *
 * Browsers that bind the keys do the same by themselves, so nothing changes there.
 */
import { isComposing, isTyping } from './keys';

export function takeBack(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isUndo = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'z';
  if (!isUndo || event.defaultPrevented || isComposing(event) || !isTyping(event.target)) return;
  event.preventDefault();
  (event.target as HTMLElement).ownerDocument.execCommand(shiftKey ? 'redo' : 'undo');
}
