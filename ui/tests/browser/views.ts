/** The components of a window: those that its first one reaches by imports. What windows share is no part of one. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Paths below `src`, as the scripted windows tell them. */
export function viewsOf(first: string): string[] {
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+\.svelte)'/g)) {
      const next = resolve(dirname(file), path);
      if (isComponent(next)) follow(next);
    }
  };
  follow(resolve(SOURCE, first));
  return [...reached]
    .map((file) => relative(SOURCE, file).replaceAll('\\', '/'))
    .filter((name) => !name.startsWith('shared/'));
}

/** A store's file ends with `.svelte.ts`, and its import looks like that of a component. */
function isComponent(file: string): boolean {
  return /\/[A-Z][A-Za-z]+\.svelte$/.test(file.replaceAll('\\', '/'));
}
