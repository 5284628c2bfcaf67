/**
 * How well a page was read: what of the expected was kept, left out and put in order. The same for every reader.
 *
 * Pure. Texts are compared after the marks of Markdown, the numbers of links and the difference of large and small
 * letters are taken out.
 */
import type { Expected, Field } from './corpus';

/** What a reader has made of a page. */
export interface Read {
  text: string;
  /** Rows of all tables, cell by cell. */
  rows: string[][];
}

export interface Share {
  hit: number;
  of: number;
  missed: string[];
}

const NOTHING: Share = { hit: 0, of: 0, missed: [] };

export function plain(text: string): string {
  return collapse(
    unescaped(
      text
        .replace(/^\s*`{3,}.*$/gm, '')
        .replace(/\[\^[^\]\s]{1,8}\]:?/g, ' ')
        .replace(/\]\[\d+\]/g, '\uFDD1')
        .replace(/^\|(?: --- \|)+$/gm, '')
        .replace(/^(?:> |\s)*(?:[-+]|\d+\.)\s+/gm, '')
        .replace(/^(?:>\s?)+/gm, '')
        .replace(/^\s*#{1,6} /gm, '')
        .replace(/^: /gm, ''),
    ),
  ).toLowerCase();
}

/** Signs that Markdown means are taken out, and those that stand for themselves are left. */
function unescaped(text: string): string {
  let out = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index);
    const next = text.charAt(index + 1);
    if (sign === '\\' && /[!-/:-@[-`{-~]/.test(next)) {
      out += next === '^' ? '' : next;
      index += 1;
    } else if (sign === '!' && next === '[') continue;
    else if (!'*`~[]^|\uFDD1'.includes(sign)) out += sign;
    else if (sign === '|') out += ' ';
  }
  return out;
}

/** Signs that may be marks are left out of both sides. */
export function needle(text: string): string {
  return collapse(text.replace(/[*`~[\]^|]/g, (sign) => (sign === '|' ? ' ' : ''))).toLowerCase();
}

function collapse(text: string): string {
  return text.replace(/[\s\u00a0\u200b]+/g, ' ').trim();
}

/** Code keeps signs that marks are made of: the text is looked at with them, too. */
function bare(text: string): string {
  return collapse(
    text.replace(/\]\[\d+\]/g, '').replace(/[*`~[\]^|\\\uFDD1]/g, (sign) => (sign === '|' ? ' ' : '')),
  ).toLowerCase();
}

export function kept(expected: Expected, read: Read): Share {
  const texts = [plain(read.text), bare(read.text)];
  const missed = expected.keep.filter(() => true);
  let best: string[] | null = null;
  for (const text of texts) {
    let from = 0;
    const lost = missed.filter((wanted) => {
      const looked = text === texts[0] ? needle(wanted) : bare(wanted);
      const at = text.indexOf(looked, from);
      if (at < 0) return true;
      from = at + 1;
      return false;
    });
    if (best === null || lost.length < best.length) best = lost;
  }
  const lost = best ?? [];
  return { hit: expected.keep.length - lost.length, of: expected.keep.length, missed: lost };
}

export function dropped(expected: Expected, read: Read): Share {
  const text = plain(read.text);
  const missed = expected.drop.filter((unwanted) => text.includes(needle(unwanted)));
  return { hit: expected.drop.length - missed.length, of: expected.drop.length, missed };
}

export function tables(expected: Expected, read: Read): Share {
  const rows = read.rows.map((row) => row.map(needle));
  const wanted = expected.tables.flatMap(({ header, rows: all }) => (header.length > 0 ? [header, ...all] : all));
  const missed = wanted.filter((row) => !rows.some((found) => stand(row.map(needle), found)));
  return { hit: wanted.length - missed.length, of: wanted.length, missed: missed.map((row) => row.join(' | ')) };
}

/** Whether all cells stand in a row in order; others may stand between them. */
function stand(cells: string[], row: string[]): boolean {
  let from = 0;
  for (const cell of cells) {
    const at = row.indexOf(cell, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** Rows of the tables in a text of Markdown. */
export function rowsIn(text: string): string[][] {
  return text
    .split('\n')
    .map((line) => line.replace(/^(?:> |\s|[-+] |\d+\. |: )*/, ''))
    .filter((line) => line.startsWith('|') && !/^\|(?: ?:?-{3,}:? ?\|)+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => plain(cell.trim())),
    );
}

export function fields(expected: Expected, found: readonly Field[]): Share {
  const missed = expected.fields.filter((wanted) => !found.some((field) => isAlike(wanted, field)));
  return {
    hit: expected.fields.length - missed.length,
    of: expected.fields.length,
    missed: missed.map((field) => JSON.stringify(field)),
  };
}

/** A label or problem that says more is no fault. */
function isAlike(wanted: Field, field: Field): boolean {
  const says = (said = '', text = '') => needle(said).includes(needle(text));
  const isSound = wanted.problem === undefined ? field.problem === undefined : says(field.problem, wanted.problem);
  return (
    says(field.label, wanted.label) &&
    needle(field.value) === needle(wanted.value) &&
    field.kind === wanted.kind &&
    isSound
  );
}

export function buttons(expected: Expected, found: readonly string[]): Share {
  const missed = expected.buttons.filter((wanted) => !found.some((label) => needle(label) === needle(wanted)));
  return { hit: expected.buttons.length - missed.length, of: expected.buttons.length, missed };
}

/** Texts that may stand nowhere, neither as they are nor without their spaces. */
export function leaked(expected: Expected, said: string): string[] {
  const tight = said.replace(/\s+/g, '');
  return expected.secret.filter((secret) => said.includes(secret) || tight.includes(secret.replace(/\s+/g, '')));
}

export function added(shares: readonly Share[]): Share {
  return shares.reduce(
    (sum, { hit, of, missed }) => ({ hit: sum.hit + hit, of: sum.of + of, missed: [...sum.missed, ...missed] }),
    NOTHING,
  );
}

export function percent({ hit, of }: Share): string {
  return of === 0 ? '–' : `${((hit / of) * 100).toFixed(1)} %`;
}
