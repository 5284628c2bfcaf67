// Tells svelte-check what the build does: Svelte 5 in runes mode, TypeScript in scripts.
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
};
