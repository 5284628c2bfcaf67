/** The pages of one half of the corpus with what is expected of them; see `tests/pages/README.md`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../tests/pages/', import.meta.url));

/** Whoever writes rules of reading sees the tuning half alone. */
export const HALF = process.env['HALF'] ?? 'tuning';

export interface Table {
  header: string[];
  rows: string[][];
}

export interface Field {
  label: string;
  value: string;
  kind: string;
  problem?: string;
}

export interface Expected {
  title: string;
  language: string;
  interface: 'zh' | 'en';
  kind: string;
  kind_also?: string[];
  keep: string[];
  drop: string[];
  tables: Table[];
  fields: Field[];
  secret: string[];
  buttons: string[];
  selection?: { text: string; at: string };
  question: { kind: string; also?: string[] };
}

export interface Page {
  slug: string;
  path: string;
  expected: Expected;
}

export function pagesOf(half: string, only = /./): Page[] {
  const folder = `${FOLDER}${half}/`;
  return readdirSync(folder)
    .sort()
    .filter((slug) => only.test(slug))
    .map((slug) => ({
      slug,
      path: `${folder}${slug}/page.html`,
      expected: JSON.parse(readFileSync(`${folder}${slug}/expected.json`, 'utf8')) as Expected,
    }));
}
