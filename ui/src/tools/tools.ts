/**
 * What programs may call: the toolkits with their tools, which of them are listed, and what is on. Pure.
 */
import type { ListedToolkit } from '../bindings/ListedToolkit';

export interface Tools {
  all: readonly ListedToolkit[];
  /** Whether an answer has come yet. */
  known: boolean;
  chosen: string | null;
  text: string;
  /** Only toolkits of which something is off. */
  off: boolean;
}

export const noTools: Tools = { all: [], known: false, chosen: null, text: '', off: false };

/** Tools of a toolkit that are on. */
export function onOf(toolkit: ListedToolkit): number {
  return toolkit.tools.filter(({ on }) => on).length;
}

export function hasOff(toolkit: ListedToolkit): boolean {
  return onOf(toolkit) < toolkit.tools.length;
}

/** The toolkits that fit what was typed: by their own words, or by those of one of their tools. */
export function listed(view: Tools): readonly ListedToolkit[] {
  const words = view.text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = ({ name, doc, tools }: ListedToolkit) => {
    const text = [name, doc, ...tools.map((tool) => `${name}.${tool.name} ${tool.doc}`)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return view.all.filter((toolkit) => (!view.off || hasOff(toolkit)) && fits(toolkit));
}

/** The one that is looked at: of what is listed, else the first of that. */
export function chosenOf(view: Tools): ListedToolkit | null {
  const rows = listed(view);
  return rows.find(({ name }) => name === view.chosen) ?? rows[0] ?? null;
}

/** Takes an answer. What is looked at stays as long as it is listed. */
export function taken(view: Tools, all: readonly ListedToolkit[]): Tools {
  return { ...view, all, known: true, chosen: chosenOf(view)?.name ?? view.chosen };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Tools, steps: number): Tools {
  const rows = listed(view);
  const at = rows.findIndex(({ name }) => name === chosenOf(view)?.name);
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: next.name };
}
