/** The backend, for components that ask it for something of their own: to copy a text, to open a link. */
import { createContext } from 'svelte';
import type { Backend } from './backend';

export const [useBackend, provideBackend] = createContext<Backend>();
