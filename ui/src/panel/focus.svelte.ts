/** Who takes the focus: the input, or the first waiting card, at the moments that are counted here. */
import { createContext } from 'svelte';
import type { CallId } from '../bindings/CallId';

export class Focus {
  /** Count the moments at which the input, or the first waiting card, must take the focus. */
  inputCalls = $state(0);
  cardCalls = $state(0);
  /** The waiting card that the user is at. */
  cardAtHand = $state<CallId | null>(null);

  toInput(): void {
    this.inputCalls += 1;
  }

  toCard(): void {
    this.cardCalls += 1;
  }
}

export const [useFocus, provideFocus] = createContext<Focus>();
