/** Which view fills the panel, and the way from one to another. */
import { createContext } from 'svelte';
import type { Focus } from './focus.svelte';

/** What fills the panel. */
export type PanelView = 'conversation' | 'sessions' | 'find' | 'settings' | 'keys' | 'inside' | 'welcome';

export class Navigation {
  view = $state<PanelView>('conversation');
  /** Whether the conversation ends with the form that takes a key. */
  keyFormOpen = $state(false);

  constructor(
    private readonly focus: Focus,
    /** Views whose store reads anew whenever they are shown. */
    private readonly prepare: Partial<Record<PanelView, () => void>>,
  ) {}

  /** Shows a part of the panel; the conversation takes the focus back into its input. */
  show(view: PanelView): void {
    this.prepare[view]?.();
    if (view === 'conversation' && this.view !== view) this.focus.toInput();
    this.view = view;
  }

  /** Shows the conversation with the focus in the input. */
  toInput(): void {
    this.view = 'conversation';
    this.focus.toInput();
  }
}

export const [useNavigation, provideNavigation] = createContext<Navigation>();
