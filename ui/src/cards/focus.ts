/** When a card that appears may take the focus: never from somebody who is writing. */
export function takesFocus(card: HTMLElement | undefined, draft: string): boolean {
  if (card === undefined) return false;
  const active = document.activeElement;
  // Another card keeps what it has; the new one is reached by F8 or once that is decided.
  if (active instanceof Element && active.closest('[data-card]') !== null) return false;
  return draft === '' || !(active instanceof HTMLTextAreaElement);
}
