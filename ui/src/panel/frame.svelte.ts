/** The window around the panel: whether it stays on top, and the end of the program. */
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';

export class Frame {
  pinned = $state(false);

  constructor(private readonly backend: Backend) {}

  togglePin(): void {
    this.pinned = !this.pinned;
    this.backend.keepOnTop(this.pinned);
  }

  quit(): void {
    this.backend.ask({ request: 'desktop', signal: 'quit' }, () => undefined);
  }
}

export const [useFrame, provideFrame] = createContext<Frame>();
