/** Going through a page by keys alone: what has the focus, whether that is seen, and Tab up to what is named. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Most presses of Tab on the way to one thing: more than any section has elements. */
const PRESSES = 90;

interface Held {
  /** What it is called by a screen reader, near enough. */
  name: string;
  /** Whether a ring, or the accent of a field, is drawn. */
  isSeen: boolean;
}

/** What has the focus; `null` where nobody has it. */
export const held = (page: Page): Promise<Held | null> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return null;
    const isField = at.matches('input, textarea, select');
    const labels = isField ? [...((at as HTMLInputElement).labels ?? [])].map((label) => label.textContent) : [];
    const name = at.getAttribute('aria-label') ?? (labels.length > 0 ? labels.join(' ') : at.textContent);
    const probe = document.createElement('i');
    probe.style.color = 'var(--accent)';
    document.body.append(probe);
    const accent = getComputedStyle(probe).color;
    probe.remove();
    const isDrawnAround = (element: Element) => {
      const { boxShadow, borderTopColor, borderTopWidth } = getComputedStyle(element);
      return boxShadow.includes(accent) || (borderTopColor === accent && parseFloat(borderTopWidth) >= 1);
    };
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const isRinged = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    // A field may be the inner part of what is drawn as one.
    const around = isField && at.parentElement !== null ? [at, at.parentElement] : [at];
    return { name: (name ?? '').replaceAll(/\s+/g, ' ').trim(), isSeen: isRinged || around.some(isDrawnAround) };
  });

/** Waits until what is called so has the focus, and is seen to have it. */
export async function isHeld(page: Page, name: RegExp): Promise<void> {
  await expect.poll(() => held(page)).toMatchObject({ name: expect.stringMatching(name), isSeen: true });
}

/** Goes with Tab to what is called so; wherever the focus is on the way, it is seen. */
export async function reach(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const met: string[] = [];
  for (let presses = 0; presses < PRESSES; presses += 1) {
    await page.keyboard.press(key);
    const at = await held(page);
    if (at === null) continue;
    expect(at.isSeen, `‘${at.name}’ has the focus and is not seen to have it`).toBe(true);
    if (name.test(at.name)) return;
    met.push(at.name);
  }
  throw new Error(`${key} leads nowhere to ${name}: ${met.join(' · ')}`);
}
